"""Starts by example."""

import numpy as np
import pytest

from treaty import FactorGraph, UsageError
from treaty._native import solve as native
from treaty.solve import WarmStarts


def graph_of(n):
    graph = FactorGraph()
    graph.exactly_one(graph.variables(np.zeros(n)))
    return graph


def test_memory_is_bounded_and_the_oldest_go():
    warm, graph = WarmStarts(most=3), graph_of(4)
    scores = np.random.default_rng(0).normal(size=(5, 4))
    graph.batch(scores, warm=warm, keys=[1, 2, 3, 4, 5])
    assert len(warm) == 3
    assert repr(warm) == "<WarmStarts: 3 of at most 3 examples>"
    graph.batch(scores[:1], warm=warm, keys=[5])
    assert len(warm) == 3
    warm.clear()
    assert len(warm) == 0
    none = WarmStarts(most=0)
    graph.batch(scores, warm=none)
    assert len(none) == 0
    assert len(native.BatchStarts(2)) == 0


@pytest.mark.parametrize("most", [-1, 1.5, True, None])
def test_bad_sizes(most):
    with pytest.raises(UsageError, match="WarmStarts: most"):
        WarmStarts(most)


@pytest.mark.parametrize("keys", [[1], [1, 1], [0.5, 1.0], [[1, 2]], ["a", "b"]])
def test_bad_keys(keys):
    with pytest.raises(UsageError, match="keys"):
        graph_of(2).batch(np.zeros((2, 2)), warm=WarmStarts(), keys=keys)


def test_keys_need_warm_starts():
    with pytest.raises(UsageError, match="only with warm"):
        graph_of(2).batch(np.zeros((2, 2)), keys=[1, 2])
