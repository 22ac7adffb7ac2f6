"""Branch and price: optima of graphs whose factors are known by their oracles alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import Listed, build, integers

from treaty import SolverError
from treaty._native.graph import Kind
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._exhaustive import exhaustive
from treaty.solve._ilp import solve_ilp
from treaty.solve._lp import solve_lp


def listed_cycle(size, scores):
    """Neighbors on a cycle must differ, each pair through a factor of its own: odd ones cannot."""
    graph = build(scores)
    for i in range(size):
        differ = Listed([[0, 1], [1, 0], [1, 1]], [0.0, 0.0, -10.0])
        graph.add_python_oracle(integers([2 * i, 2 * ((i + 1) % size)]), differ)
    return graph


def test_branches_on_own_factors():
    graph = listed_cycle(7, np.linspace(-1, 1, 7))
    best, relaxed, found = exhaustive(graph), solve_lp(graph), solve_ilp(graph)
    assert relaxed.bound > best.objective + 1.0
    assert found.iterations > 1
    assert (found.status, found.objective) == ("OPTIMAL", pytest.approx(best.objective))


def test_infeasible_by_branching_alone():
    graph = build([0.0] * 3)
    for pair in ([0, 2], [2, 4], [4, 0]):
        graph.add_python_oracle(integers(pair), Listed([[0, 1], [1, 0]], [0.0, 0.0]))
    assert solve_lp(graph).status == "UNKNOWN"
    assert solve_ilp(graph).status == "INFEASIBLE"


def test_time_limits():
    graph = listed_cycle(7, np.linspace(-1, 1, 7))
    for each in (graph, build(np.ones(3), (Kind.exactly_one, [0, 2, 4]))):
        found = solve_ilp(each, time_limit=0.0)
        assert found.status in ("UNKNOWN", "FEASIBLE", "OPTIMAL")
        assert exhaustive(each).objective <= found.bound < math.inf


class Forgetful(Listed):
    """An oracle that claims what it does not hold to."""

    def evaluate(self, configuration):
        return -math.inf


def test_an_oracle_that_contradicts_itself_is_named():
    graph = build([1.0])
    graph.add_python_oracle(integers([0]), Forgetful([[0], [1]], [0.0, 0.0]))
    with pytest.raises(SolverError, match="oracle"):
        solve_ilp(graph)


@st.composite
def own_factors(draw):
    """Three variables and factors of one's own, with ties and scores of both signs."""
    number = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    graph = build(draw(st.lists(number, min_size=3, max_size=3)))
    for _ in range(draw(st.integers(1, 3))):
        literals = draw(st.sampled_from([[0, 2], [3, 4], [5, 0], [1, 3]]))
        configurations = st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1)])
        some = draw(st.lists(configurations, min_size=1, unique=True))
        scores = draw(st.lists(number, min_size=len(some), max_size=len(some)))
        graph.add_python_oracle(integers(literals), Listed([list(c) for c in some], scores))
    return graph


@settings(max_examples=60, deadline=None)
@given(own_factors())
def test_finds_what_enumeration_finds(graph):
    best, found = exhaustive(graph), branch_and_price(graph)
    assert found.status == best.status
    assert found.objective == pytest.approx(best.objective)
    assert found.bound == pytest.approx(best.objective)
    assert found.method == "ilp"


def test_without_time_the_bound_is_valid_and_nothing_is_claimed():
    graph = listed_cycle(7, np.linspace(-1, 1, 7))
    found = branch_and_price(graph, time_limit=0.0)
    assert (found.status, found.iterations) == ("UNKNOWN", 0)
    assert (found.values == -1).all()
    assert found.bound >= exhaustive(graph).objective
