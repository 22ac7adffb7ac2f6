"""The independent checker: feasibility and objective, and what is violated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.random_graphs import Listed, build, graphs, integers

from treaty import FactorGraph, UsageError
from treaty._native.graph import Graph, Kind
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive

X, Y = 0, 2  # literals of the first two variables


def test_an_own_factor_is_asked():
    graph = build([1.0, 1.0])
    graph.add_python_oracle(integers([X, Y ^ 1]), Listed([[1, 0], [1, 1]], [5.0, 7.0]))
    assert [check(graph, v).objective for v in ([1, 1], [1, 0], [0, 0])] == [7.0, 8.0, -math.inf]


def test_says_what_is_violated():
    graph = build([1.0, 1.0], (Kind.at_most_one, [X, Y]), (Kind.at_least_one, [X, Y]))
    graph.add_categorical(np.zeros(2))
    graph.fix(0, 0)
    found = check(graph, [1, 1, 0, 0])
    assert not found.feasible
    assert found.objective == -math.inf
    assert found.violated == (0,)
    assert found.messages == (
        "variable 0 is 1 against the evidence",
        "categorical variable 0 has 0 states on",
        "factor 0 (at_most_one) is violated",
    )


def test_takes_the_graph_of_the_user():
    graph = FactorGraph()
    graph.variables([1.0, 2.0])
    assert check(graph, [1, 1]).objective == 3.0


@pytest.mark.parametrize("values", [[], [0], [0, 1, 1], [0, 2], [0.5, 1], [[0, 1]]])
def test_refuses_what_is_no_assignment(values):
    with pytest.raises(UsageError):
        check(build([1.0, 2.0]), values)


def test_empty_graph():
    assert check(Graph(), []).objective == 0.0


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_agrees_with_exhaustive_search(graph):
    best = exhaustive(graph)
    if best.status == "OPTIMAL":
        assert check(graph, best.values).objective == pytest.approx(best.objective, abs=1e-9)
    else:
        assert not check(graph, np.zeros(graph.variables)).feasible
