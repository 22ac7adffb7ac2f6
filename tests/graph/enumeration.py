"""An oracle against enumeration: what the tests of oracles share."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from treaty._native.graph import Graph, best_configuration, configuration_score

INF = math.inf
modest = settings(deadline=None, max_examples=120)

numbers = st.one_of(
    st.integers(-2, 2).map(float),  # ties and zeros
    st.floats(-3, 3),
    st.sampled_from([1e9, -1e9]),
)
forbidding = st.one_of(numbers, numbers, st.just(-INF))


def lists(elements, n):
    return st.lists(elements, min_size=n, max_size=n)


def graph_with(kind, degree, data, shape):
    graph = Graph()
    graph.add_variables(np.zeros(degree))
    literals = np.arange(0, 2 * degree, 2, dtype=np.int32)
    graph.add(kind, literals, np.array(data, dtype=float), np.array(shape, dtype=np.int32))
    return graph


def maximize(graph, scores):
    own, on = best_configuration(graph, 0, np.array(scores, dtype=float))
    assert on.dtype == np.int32
    return own, on.tolist()


def evaluate(graph, on):
    return configuration_score(graph, 0, np.array(on, dtype=np.int32))


def check(graph, scores, own_score):
    """Compare with all 2^degree assignments; `own_score(on)` defines the factor."""
    largest = max((abs(x) for x in [*scores, *graph.data] if abs(x) < INF), default=0.0)
    rounding = 5e-14 * largest + 1e-13  # sums of up to 20 terms, in any order
    best = -INF
    for bits in itertools.product([0, 1], repeat=len(scores)):
        on = [i for i, bit in enumerate(bits) if bit]
        expected = own_score(on)
        assert evaluate(graph, on) == pytest.approx(expected, abs=rounding)
        best = max(best, expected + math.fsum(scores[i] for i in on))
    own, on = maximize(graph, scores)
    if best == -INF:
        assert (own, on) == (-INF, [])
        return
    assert own == pytest.approx(own_score(on), abs=rounding)
    value = own + math.fsum(scores[i] for i in on)
    assert value == pytest.approx(best, abs=rounding)
    assert maximize(graph, scores) == (own, on)
