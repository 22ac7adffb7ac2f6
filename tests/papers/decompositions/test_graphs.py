"""The chain Z ⊆ Z̄ = Z̄mc ⊆ Z̄sc of Martins et al. (2011, eq. 44), and trees by enumeration."""

import pytest
from tests.papers.decompositions.random_models import (
    AD3,
    INF,
    LP,
    SEEDS,
    STRICT,
    feasible,
    optimum,
    random_model,
    values,
)

from treaty.papers.decompositions import small_components, tree_and_automata


@pytest.mark.parametrize("seed", SEEDS)
def test_chain(seed):
    value = values(seed)
    assert value["optimum"] <= value["automata"] + LP
    assert value["automata"] == pytest.approx(value["multi"], rel=LP, abs=LP)
    assert value["small"] == pytest.approx(value["multi"], rel=LP, abs=LP)
    assert value["multi"] <= value["single"] + LP


@pytest.mark.parametrize(
    ("inner", "outer"), [("optimum", "automata"), ("multi", "single")], ids="-".join
)
def test_each_inclusion_is_strict_somewhere_and_tight_somewhere(inner, outer):
    gaps = [values(seed)[outer] - values(seed)[inner] for seed in SEEDS if feasible(seed)]
    assert max(gaps) > STRICT
    assert min(gaps) < LP


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decomposition", [tree_and_automata, small_components])
def test_ad3_solves_the_relaxation(seed, decomposition):
    problem = decomposition(random_model(seed))
    solution = problem.graph.solve("ad3", tolerance=1e-8)
    if not feasible(seed):
        assert solution.objective == -INF
        return
    expected = values(seed)["automata"]
    assert solution.bound >= expected - LP
    assert solution.bound == pytest.approx(expected, rel=AD3, abs=AD3)


@pytest.mark.parametrize("grandparents", [False, True], ids=["siblings", "grandparents"])
@pytest.mark.parametrize("seed", SEEDS[::3])
@pytest.mark.parametrize("decomposition", [tree_and_automata, small_components])
def test_branch_and_bound_finds_the_best_tree(seed, decomposition, grandparents):
    model = random_model(seed, grandparents)
    problem = decomposition(model)
    solution = problem.graph.solve("exact")
    best = optimum(model)
    assert solution.objective == pytest.approx(best, rel=LP, abs=LP)
    if best > -INF:
        assert model.score(problem.heads(solution)) == pytest.approx(best)


def test_grandparents_inside_of_the_automata_are_tighter_than_pairs():
    """Footnote 16: with grandparents the chain's equality becomes an inclusion."""
    gaps = []
    for seed in SEEDS:
        value = values(seed, grandparents=True)
        assert value["optimum"] <= value["automata"] + LP
        assert value["small"] == pytest.approx(value["multi"], rel=LP, abs=LP)
        if value["optimum"] > -INF:
            gaps.append(value["multi"] - value["automata"])
    assert min(gaps) > -LP
    assert max(gaps) > STRICT
