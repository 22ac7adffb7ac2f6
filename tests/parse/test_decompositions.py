"""The chain Z ⊆ Z̄ = Z̄mc ⊆ Z̄sc of Martins et al. (2011, eq. 44), and trees by enumeration."""

import functools
import math

import numpy as np
import pytest
from tests.parse.enumeration import TREES

from treaty.errors import UsageError
from treaty.parse import best_tree
from treaty.parse.decompositions import (
    SiblingModel,
    flow_program,
    small_components,
    tree_and_automata,
)

INF = math.inf
SEEDS = range(20)
LP = 1e-6  # HiGHS solves to 1e-7 in rows and prices; scores are of order 1, parts at most hundreds
AD3 = 2e-5  # AD3 stops when its relaxed point, not quite feasible, is worth its bound
STRICT = 1e-2  # far above either


@functools.cache
def random_model(seed: int, grandparents: bool = False) -> SiblingModel:
    """Sizes, roots and densities change with the seed."""
    rng = np.random.default_rng(seed)
    n = 2 + seed % 4
    arcs = rng.normal(size=(n + 1, n + 1))
    siblings = 2.0 * rng.normal(size=(n + 1, n + 1, n + 2))
    above = 2.0 * rng.normal(size=(n + 1, n + 1, n + 1)) if grandparents else None
    if seed % 3 == 0:
        chain = np.eye(n + 1, k=1, dtype=bool)  # so that some tree is left
        arcs[(rng.random(arcs.shape) < 0.3) & ~chain] = -INF
        siblings[rng.random(siblings.shape) < 0.1] = -INF
    return SiblingModel(arcs, siblings, above, single_root=seed % 8 < 4)


@functools.cache
def values(seed: int, grandparents: bool = False) -> dict[str, float]:
    """The optimum, and what the relaxations make of it."""
    model = random_model(seed, grandparents)
    return {
        "optimum": optimum(model),
        "automata": tree_and_automata(model).graph.solve("lp").bound,
        "small": small_components(model).graph.solve("lp").bound,
        "multi": flow_program(model, "multi").value,
        "single": flow_program(model, "single").value,
    }


def optimum(model: SiblingModel) -> float:
    return max(model.score(heads) for heads in TREES[model.words, model.single_root])


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


def feasible(seed: int) -> bool:
    return values(seed)["optimum"] > -INF


def test_nearly_all_models_have_a_tree():
    assert sum(map(feasible, SEEDS)) >= 17


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
@pytest.mark.parametrize("seed", SEEDS[::2])
def test_integer_programs_find_the_best_tree(seed, grandparents):
    model = random_model(seed, grandparents)
    best = optimum(model)
    for commodities in ("single", "multi"):
        answer = flow_program(model, commodities, integral=True)
        assert answer.value == pytest.approx(best, rel=LP, abs=LP)
        assert answer.integral
        if best > -INF:
            heads = [-1, *answer.arcs[:, 1:].argmax(axis=0)]
            assert model.score(heads) == pytest.approx(best)


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


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("words", [0, 1, 2, 9])
def test_arcs_alone_are_solved_by_all_but_the_single_commodity(words, single_root):
    arcs = np.random.default_rng(words).normal(size=(words + 1, words + 1))
    model = SiblingModel(arcs, single_root=single_root)
    heads, score = best_tree(arcs, single_root=single_root)
    assert model.score(heads) == pytest.approx(score)
    answer = flow_program(model, "multi")
    assert answer.value == pytest.approx(score)
    assert tree_and_automata(model).graph.solve().objective == pytest.approx(score)
    assert flow_program(model, "single").value >= score - LP


def test_score_of_a_tree():
    siblings = np.zeros((5, 5, 6))
    siblings[2, 2, 1], siblings[2, 1, 0] = 1, 2  # START, 1, END on the left of 2
    siblings[2, 2, 3], siblings[2, 3, 4], siblings[2, 4, 5] = 4, 8, 16  # and 3, 4 on the right
    siblings[0, 0, 2], siblings[0, 2, 5] = 32, 64
    siblings[1, 1, 0], siblings[1, 1, 5] = 128, 256  # a word without modifiers
    siblings[2, 2, 4] = siblings[2, 1, 3] = siblings[0, 0, 0] = 1000  # of no part of the tree
    above = np.zeros((5, 5, 5))
    above[0, 2, 1], above[2, 0, 1] = 512, 1000
    model = SiblingModel(np.zeros((5, 5)), siblings, above)
    assert model.score([-1, 2, 0, 2, 2]) == 1023


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0],), r"arcs: expected shape \(1, 1\), got \(1,\)"),
        ((np.zeros((2, 2)), np.zeros((2, 2, 2))), r"siblings: expected shape \(2, 2, 3\)"),
        ((np.full((2, 2), INF),), "arcs: expected finite numbers"),
        ((np.zeros((2, 2)), None, np.full((2, 2, 2), -INF)), "grandparents: expected finite"),
        (([[0, 0, -INF], [0, 0, -INF], [0, 0, 0]],), "word 2 has no candidate head"),
        (([[0, -INF, -INF], [0, 0, 0], [0, 0, 0]],), "the root has no candidate modifier"),
    ],
)
def test_models_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        SiblingModel(*arguments)


def test_unknown_commodities_are_refused():
    with pytest.raises(UsageError, match="'single' or 'multi'"):
        flow_program(random_model(1), "many")
