"""From a relaxed point to an assignment: allowed, near, and no worse than what it starts from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.problems import potts, random_cover
from tests.solve.random_graphs import graphs

from treaty._native import solve as native
from treaty._native.graph import Graph, GraphError
from treaty.graph import FactorGraph
from treaty.solve import solve
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive

often = settings(max_examples=150, deadline=None)
points = st.lists(
    st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)), min_size=10, max_size=10
)


def rounded(graph: Graph, relaxed) -> np.ndarray | None:
    values = native.round_relaxed(graph, np.asarray(relaxed, dtype=float))
    assert len(values) in (0, graph.variables)
    return None if len(values) < graph.variables else values


def stretched(point, graph):
    return [point[v % 10] for v in range(graph.variables)]


@given(graphs(), points)
@often
def test_what_it_finds_is_allowed(graph, point):
    values = rounded(graph, stretched(point, graph))
    if values is not None:
        assert check(graph, values).feasible
    if exhaustive(graph).objective == -np.inf:
        assert values is None


@given(graphs())
@often
def test_an_allowed_assignment_is_only_improved(graph):
    best = exhaustive(graph)
    if np.isfinite(best.objective):
        values = rounded(graph, best.values)
        assert check(graph, values).objective == pytest.approx(best.objective, abs=1e-9)


@given(graphs(most_factors=0, evidence=False), points)
@often
def test_without_factors_it_always_finds_one(graph, point):
    assert rounded(graph, stretched(point, graph)) is not None


@pytest.mark.parametrize("point", [0.0, 0.5, 1.0])
def test_a_cover_is_found_from_any_point(point):
    graph = random_cover(40, 100)
    values = rounded(graph.native, np.full(len(graph), point))
    found = check(graph, values)
    assert found.feasible
    # Polished: no set is left that all its elements could do without.
    for v in np.flatnonzero(values):
        fewer = values.copy()
        fewer[v] = 0
        assert not check(graph, fewer).feasible


def test_it_is_polished_by_flips_of_states():
    """Every variable alone is in its best state, given the others."""
    graph = potts(4, 3)
    values = rounded(graph.native, solve(graph, "lp").relaxed)
    found = check(graph, values).objective
    for categorical in graph.categoricals:
        states = slice(categorical.first, categorical.first + categorical.size)
        for state in np.eye(categorical.size):
            other = values.copy()
            other[states] = state
            assert check(graph, other).objective <= found + 1e-9


def test_evidence_is_kept():
    graph = FactorGraph()
    x = graph.variables([1.0, -1.0, 5.0])
    graph.at_most(2, x)
    graph.fix(x[1])
    graph.fix(~x[2])
    assert rounded(graph.native, [1.0, 0.0, 1.0]).tolist() == [1.0, 1.0, 0.0]


def test_whole_trees_are_kept_together():
    """The nearest corner is a cycle; the nearest tree is found all the same."""
    graph = FactorGraph()
    arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
    graph.arborescence(arcs, graph.variables([0.0, 0.0, 1.0, 1.0]))
    values = rounded(graph.native, [0.2, 0.3, 0.7, 0.8])
    assert check(graph, values).objective == 1.0


def test_the_wrong_length_is_refused():
    graph = FactorGraph()
    graph.variables([1.0, 2.0])
    with pytest.raises(GraphError, match="one value per variable"):
        native.round_relaxed(graph.native, np.zeros(3))


def test_no_variables_at_all():
    assert len(native.round_relaxed(Graph(), np.zeros(0))) == 0
