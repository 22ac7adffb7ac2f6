"""Batches of one graph against single solves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import COMPACT, graphs

from treaty import FactorGraph, Status, UsageError
from treaty.solve import WarmStarts, solve_batch


@settings(max_examples=60, deadline=None)
@given(graphs(COMPACT), st.integers(0, 99), st.sampled_from([1.0, 1e12]))
def test_items_are_those_of_single_solves(native, seed, penalty):
    graph = FactorGraph._of(native)
    random = np.random.default_rng(seed)
    rows = np.tile(graph.parameters, (4, 1))
    rows[:, : len(graph)] += random.normal(size=(4, len(graph)))
    rows[1, 0] = -penalty  # a penalty becomes a constraint
    batch = graph.batch(rows, threads=2)
    for i, row in enumerate(rows):
        graph.set_scores(parameters=row)
        single = graph.solve()
        item = batch[i]
        assert item.status == single.status
        assert item.objective == single.objective and item.bound == single.bound
        np.testing.assert_array_equal(item.values, single.values)


def test_arrays_of_the_answers():
    graph = FactorGraph()
    x, y = graph.variables([0.0, 0.0])
    graph.exactly_one(x, y)
    batch = graph.batch([[1.0, 0.5], [0.5, 2.0]])
    assert repr(batch) == "<BatchSolution: 2 items, 2 variables>"
    assert len(batch) == 2 and batch.status == [Status.OPTIMAL] * 2
    assert batch.gap.tolist() == [0.0, 0.0] and batch[1][y]
    graph.exactly(2, x, y)
    assert graph.batch([[1.0, 0.5]]).status == [Status.INFEASIBLE]
    assert graph.batch([[1.0, 0.5]]).values.tolist() == [[-1, -1]]
    assert graph.batch(np.zeros((0, 2))).values.shape == (0, 2)


def test_warm_starts_save_iterations():
    random, warm = np.random.default_rng(0), WarmStarts(most=30)
    graph = FactorGraph()
    x = graph.variables(np.zeros(36))
    for i in range(6):
        graph.exactly_one(x[6 * i : 6 * i + 6])
        graph.exactly_one(x[i::6])
    scores = random.normal(size=(30, 36))
    cold = graph.batch(scores, warm=warm)
    hot = graph.batch(scores, warm=warm)
    np.testing.assert_array_equal(cold.values, hot.values)
    assert hot.iterations.sum() < cold.iterations.sum()


def test_bad_input():
    graph = FactorGraph()
    graph.exactly_one(graph.variables([0.0, 0.0]))
    with pytest.raises(UsageError, match="expected a row for each item"):
        graph.batch([1.0, 2.0])
    with pytest.raises(UsageError, match="expected an array of numbers"):
        graph.batch([[1.0, 2.0], [1.0]])
    with pytest.raises(UsageError, match="item 1: the score of x1 is nan"):
        solve_batch(graph, [[0.0, 0.0], [0.0, np.nan]])
    for options in ({"gap": -1.0}, {"iterations": -1}, {"time_limit": -1}, {"tolerance": 0}):
        with pytest.raises(UsageError):
            solve_batch(graph, [[0.0, 0.0]], **options)
