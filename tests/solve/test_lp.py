"""The linear relaxation: its bound, its answers, its three solvers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import COMPACT, add, build, graphs

from treaty._native.graph import Graph, Kind
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive
from treaty.solve._lp import solve_lp

TRIANGLE = [
    (Kind.reward, [0, 3], [1.0]),
    (Kind.reward, [2, 5], [1.0]),
    (Kind.reward, [4, 1], [1.0]),
    (Kind.reward, [1, 2], [1.0]),
    (Kind.reward, [3, 4], [1.0]),
    (Kind.reward, [5, 0], [1.0]),
]  # three variables that all want to differ


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_bounds_the_optimum_and_certifies(graph):
    best, found = exhaustive(graph), solve_lp(graph)
    assert found.bound >= best.objective - 1e-9
    if found.status == "INFEASIBLE":
        assert best.status == "INFEASIBLE"
    if found.status == "OPTIMAL":
        assert found.objective == pytest.approx(best.objective, abs=1e-9)
    if math.isfinite(found.objective):
        assert found.objective == check(graph, found.values).objective
    if found.relaxed is not None:
        assert found.relaxed.min(initial=0) >= 0
        assert found.relaxed.max(initial=0) <= 1


@settings(max_examples=40, deadline=None)
@given(graphs(COMPACT), st.sampled_from(["primal", "ipm"]))
def test_solvers_agree(graph, solver):
    assert solve_lp(graph, solver=solver).bound == pytest.approx(solve_lp(graph).bound, abs=1e-6)


def random_tree(seed, states=3, variables=8):
    """A tree of categorical variables with a table on every edge."""
    random = np.random.default_rng(seed)
    graph = Graph()
    first = [graph.add_categorical(random.normal(size=states)) for _ in range(variables)]
    for child in range(1, variables):
        ends = first[random.integers(child)], first[child]
        literals = [2 * (end + state) for end in ends for state in range(states)]
        scores = random.normal(size=states * states)
        scores[random.integers(states * states)] = -np.inf
        add(graph, Kind.table, literals, scores, [states, states])
    return graph


@pytest.mark.parametrize("seed", range(5))
def test_trees_are_tight(seed):
    graph = random_tree(seed)
    found = solve_lp(graph)
    assert found.status == "OPTIMAL"
    assert found.gap <= 1e-9
    assert found.objective == pytest.approx(exhaustive(graph).objective)


def test_a_frustrated_triangle_is_fractional():
    found = solve_lp(build([0.0] * 3, *TRIANGLE))
    assert found.status == "FRACTIONAL"
    assert found.bound == pytest.approx(3.0)
    assert found.relaxed == pytest.approx([0.5] * 3)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_scores_of_any_size(scale):
    scores = scale * np.array([1.0, -2.0, 3.0])
    graph = build(scores, (Kind.exactly, [0, 2, 4], [], [2]), (Kind.reward, [0, 4], [-1.5 * scale]))
    assert solve_lp(graph).objective == pytest.approx(2.5 * scale)


def test_small_scores_beside_huge_ones():
    graph = build([1e9, 1.0, -0.25], (Kind.at_most, [0, 2, 4], [], [3]))
    assert solve_lp(graph).values.tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    "factors",
    [
        [(Kind.exactly_one, [0, 2]), (Kind.exactly, [0, 2, 4], [], [3])],
        [(Kind.exactly, [0, 2], [], [3])],
        [(Kind.knapsack, [0, 2], [1.0, 1.0, -1.0])],
        [(Kind.table, [0, 2], [-np.inf, -np.inf], [2])],
        [(Kind.or_with_output, [0]), (Kind.at_least_one, [0])],
        [(Kind.arborescence, [], [], [2, 0])],
        [(Kind.arborescence, [0, 2], [], [3, 0, 1, 2, 2, 1])],
    ],
)
@pytest.mark.parametrize("solver", ["dual", "ipm"])
def test_infeasible(factors, solver):
    found = solve_lp(build([1.0, 1.0, 1.0], *factors), solver=solver)
    assert (found.status, found.bound, found.gap) == ("INFEASIBLE", -math.inf, 0.0)


def test_graphs_without_variables():
    assert solve_lp(Graph()).status == "OPTIMAL"
    assert solve_lp(build([], (Kind.arborescence, [], [], [2, 0]))).status == "INFEASIBLE"


def test_a_time_limit_leaves_a_valid_bound():
    graph = random_tree(0)
    found = solve_lp(graph, time_limit=0.0)
    assert found.status == "UNKNOWN"
    assert solve_lp(graph).bound <= found.bound < math.inf
