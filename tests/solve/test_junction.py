"""Slices of bounded tree-width: exact where they must be, valid bounds, proven optima."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.pattern_graphs import pattern_graphs
from tests.solve.problems import ising, potts
from tests.solve.zoo import scale_of

from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._check import check


@given(pattern_graphs(), st.sampled_from([2, 8, 64, 2**14]))
@settings(max_examples=100, deadline=None)
def test_it_finds_what_enumeration_finds(graph, table_cells):
    """Whatever the tables' size: smaller ones split buckets and leave more to the search."""
    best = solve(graph, "exhaustive")
    try:
        found = solve(graph, "junction", table_cells=table_cells)
    except UsageError as error:
        assert "small tables" in str(error)
        return
    tolerance = 1e-7 * scale_of(graph)
    assert found.status is best.status
    if best.status is Status.OPTIMAL:
        assert found.objective == pytest.approx(best.objective, abs=tolerance)
        assert found.bound >= best.objective - tolerance
        assert check(graph, found.values).feasible


def three_wise_grid(side: int, seed: int) -> FactorGraph:
    """Random scores for labels, neighbors and three in a row: frustrated all over."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    vertices = [[graph.categorical(rng.normal(size=2)) for _ in range(side)] for _ in range(side)]
    for lines in (vertices, list(zip(*vertices, strict=True))):
        for line in lines:
            for a, b in pairwise(line):
                graph.table([a, b], rng.normal(size=(2, 2)))
            for a, b, c in zip(line, line[1:], line[2:], strict=False):
                graph.reward(a[1], b[0], c[1], 2 * rng.normal())
    return graph


@pytest.mark.parametrize("table_cells", [2**5, 2**8, 2**14])
def test_thin_and_thick_slices_prove_the_same_optimum(table_cells):
    graph = three_wise_grid(7, seed=1)
    ilp, found = solve(graph, "ilp"), solve(graph, "junction", table_cells=table_cells)
    assert found.status is ilp.status is Status.OPTIMAL
    assert found.objective == pytest.approx(ilp.objective, abs=1e-6)
    assert check(graph, found.values).objective == pytest.approx(found.objective)


def test_its_first_bound_is_far_tighter_than_ad3_where_cycles_are_frustrated():
    graph = three_wise_grid(8, seed=2)
    best = solve(graph, "junction").objective
    loose = solve(graph, "ad3").bound - best
    tight = solve(graph, "junction", iterations=1, table_cells=2**7).bound - best
    assert 0.0 <= tight + 1e-7 < 0.2 * loose


@pytest.mark.parametrize("build", [lambda: ising(6), lambda: potts(5, 3)], ids=["ising", "potts"])
def test_exact_takes_slices_where_they_are_thin(build):
    graph = build()
    exact, ilp = solve(graph, "exact"), solve(graph, "ilp")
    assert exact.method == "exact"
    assert exact.status is Status.OPTIMAL
    assert exact.objective == pytest.approx(ilp.objective, rel=1e-9)


def test_a_limit_leaves_a_true_bound():
    graph = three_wise_grid(8, seed=3)
    best = solve(graph, "junction")
    for nodes in (0, 1, 2):
        stopped = solve(graph, "junction", iterations=nodes, table_cells=2**5)
        assert stopped.bound >= best.objective - 1e-7
        assert stopped.objective <= best.objective + 1e-7
        assert stopped.status in (Status.FEASIBLE, Status.UNKNOWN, Status.OPTIMAL)


def test_contradicting_tables_are_infeasible():
    graph = FactorGraph()
    a, b = graph.categorical([0.0, 0.0]), graph.categorical([0.0, 0.0])
    graph.table([a, b], [[-np.inf, 0.0], [0.0, -np.inf]])
    graph.table([a, b], [[0.0, -np.inf], [-np.inf, 0.0]])
    solution = solve(graph, "junction")
    assert solution.status is Status.INFEASIBLE
    assert solution.bound == -np.inf


def test_an_empty_graph_and_single_vertices():
    assert solve(FactorGraph(), "junction").objective == 0.0
    graph = FactorGraph()
    graph.categorical([1.0, 3.0, 2.0])
    assert solve(graph, "junction").objective == 3.0


def test_what_is_no_pattern_problem_is_refused():
    graph = FactorGraph()
    graph.at_most(2, *graph.variables([1.0, 1.0, 1.0]))
    with pytest.raises(UsageError):
        solve(graph, "junction")


def test_the_trace_tells_how_the_bound_fell():
    trace = solve(three_wise_grid(6, seed=4), "junction", trace=True, table_cells=2**5).trace
    assert trace is not None
    assert (np.diff(trace.bound) <= 1e-9).all()
    assert (np.diff(trace.objective) >= 0.0).all()
