"""Rewards, budgets and knapsacks: how they are given, and what is stored."""

import math

import numpy as np
import pytest
from tests.graph.stored import stored

from treaty.errors import UsageError


def test_rewards(graph, xs):
    a, b, c, _ = xs
    for factor in (
        graph.reward(a, ~b, 0.4),
        graph.reward(a, ~b, score=0.4),
        graph.reward([a, ~b], 0.4),
    ):
        assert stored(factor) == ("reward", [0, 3], [0.4], [])
    assert stored(graph.reward(a, b, c, np.float32(-1))) == ("reward", [0, 2, 4], [-1.0], [])
    for wrong in ((), (a, b), (a, b, "much"), (a, b, math.nan), (1.0,)):
        with pytest.raises(UsageError, match="reward"):
            graph.reward(*wrong)


def test_counting(graph, xs):
    assert stored(graph.at_most(2, *xs)) == ("at_most", [0, 2, 4, 6], [], [2])
    assert stored(graph.exactly(9, xs)) == ("exactly", [0, 2, 4, 6], [], [9])
    assert stored(graph.at_least(3, xs)) == ("at_most", [1, 3, 5, 7], [], [1])
    assert stored(graph.at_least(0, xs)) == ("at_most", [1, 3, 5, 7], [], [4])
    for add in (graph.at_most, graph.exactly, graph.at_least):
        for k in (-1, 1.5, None, 2**31):
            with pytest.raises(UsageError, match=add.__name__):
                add(k, xs)


def test_at_least_more_than_all_is_legal_and_infeasible(graph, all_objectives):
    graph.at_least(3, graph.variables([1, 1]))
    assert set(all_objectives(graph)) == {-math.inf}


def test_knapsack(graph, xs):
    factor = graph.knapsack([xs[0], ~xs[1]], costs=[0, 2.5], capacity=2)
    assert stored(factor) == ("knapsack", [0, 3], [0.0, 2.5, 2.0], [])
    for costs, capacity in (
        ([1], 1),
        ([1, -1], 1),
        ([1, math.nan], 1),
        ([1, 1], "x"),
        ([1, 1], math.inf),
    ):
        with pytest.raises(UsageError, match="knapsack"):
            graph.knapsack(xs[:2], costs, capacity)
