"""Parsers' graphs, a tree with head automata, in every solver; and what the automata mean."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import factor_score
from tests.solve.random_graphs import AUTOMATA, automata

from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.graph._meaning import MEANING
from treaty.graph._trees import pair_number, triple_number
from treaty.solve import Status, check, solve


def parse(seed: int, words: int, scale: float = 1.0) -> FactorGraph:
    """A random third-order parser's graph, without pruning (Martins, Almeida & Smith 2013, §3)."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    arcs = [(h, m) for h in range(words + 1) for m in range(1, words + 1) if h != m]
    literal = dict(zip(arcs, graph.variables(random.normal(size=len(arcs))), strict=True))
    graph.arborescence(arcs, literal.values(), single_root=True)
    for head in range(words + 1):
        incoming = [literal[g, head] for g in range(words + 1) if (g, head) in literal]
        for side in (range(head - 1, 0, -1), range(head + 1, words + 1)):
            modifiers = [literal[head, m] for m in side]
            n, g = len(modifiers) + 2, len(incoming)
            grand = {}
            if incoming:
                grand["grandparents"] = incoming
                grand["grandparent_scores"] = scale * random.normal(size=(g, n - 2))
                grand["grand_siblings"] = scale * random.normal(size=(g, n, n))
            graph.head_automaton(modifiers, scale * random.normal(size=(n, n)), **grand)
            graph.tri_sibling_automaton(modifiers, scale * random.normal(size=(n, n, n)))
    return graph


@pytest.mark.parametrize("seed", range(4))
def test_solvers_agree_on_a_parse(seed):
    graph = parse(seed, words=4)
    best, lp = solve(graph, "exhaustive"), solve(graph, "lp")
    ad3 = solve(graph, "ad3", iterations=20_000)
    assert ad3.status in (Status.OPTIMAL, Status.FRACTIONAL)
    assert ad3.bound == pytest.approx(lp.bound, abs=1e-4)
    assert best.objective <= lp.bound + 1e-6
    for method in ("ilp", "exact"):
        solution = solve(graph, method)
        assert solution.status is Status.OPTIMAL
        assert solution.objective == pytest.approx(best.objective, abs=1e-6)
        assert check(graph, solution.values).feasible


@pytest.mark.parametrize("seed", range(2))
def test_ad3_solves_the_relaxation_of_a_longer_parse(seed):
    graph = parse(seed, words=6, scale=0.5)
    ad3, lp = solve(graph, "ad3", iterations=20_000), solve(graph, "lp")
    assert ad3.bound == pytest.approx(lp.bound, abs=1e-4)
    assert solve(graph, "exact").objective == pytest.approx(solve(graph, "ilp").objective, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from(AUTOMATA))
def test_meaning_of_automata(data, kind):
    numbers = st.one_of(st.integers(-3, 3).map(float), st.just(-np.inf))
    scores, shape = data.draw(automata(kind, numbers))
    graph = FactorGraph()
    graph.native.add_variables(np.zeros(sum(shape[:2])))
    codes = np.arange(0, 2 * len(graph), 2, dtype=np.int32)
    graph.native.add(kind, codes, np.array(scores, float), np.array(shape, np.int32))
    every = np.array(list(itertools.product([False, True], repeat=len(graph))), dtype=bool)
    expected = [factor_score(graph.factors[0], on) for on in every.tolist()]
    found = MEANING[kind](every, np.array([scores], float), np.array(shape))
    np.testing.assert_array_equal(found, expected)


def test_pairs_and_triples_are_numbered_in_order():
    for n in range(2, 8):
        pairs = list(itertools.combinations(range(n), 2))
        triples = list(itertools.combinations(range(n), 3))
        assert [pair_number(*pair, n) for pair in pairs] == list(range(len(pairs)))
        assert [triple_number(*triple, n) for triple in triples] == list(range(len(triples)))


@pytest.mark.data
def test_a_real_parse(data_folder):
    """AD3's own program reads 90.1985 without converging; the linear program's value is less."""
    graph = FactorGraph.load(data_folder / "graphs" / "parsing01.fg")
    ad3, exact, ilp = (solve(graph, method) for method in ("ad3", "exact", "ilp"))
    assert ad3.status is Status.FRACTIONAL
    assert ad3.bound == pytest.approx(90.194389, abs=1e-3)
    assert exact.status is ilp.status is Status.OPTIMAL
    assert exact.objective == pytest.approx(89.99618425, abs=1e-6)
    assert ilp.objective == pytest.approx(89.99618425, abs=1e-6)


def test_short_projections_come_to_the_same_bound():
    graph = parse(1, words=5, scale=0.5)
    exact = solve(graph, "ad3", iterations=20_000)
    short = solve(graph, "ad3", iterations=20_000, projection_rounds=2)
    assert short.bound == pytest.approx(exact.bound, abs=1e-4)
    with pytest.raises(UsageError, match="projection_rounds"):
        solve(graph, "ad3", projection_rounds=0)
