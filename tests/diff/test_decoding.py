"""Best answers of rows, and counts of parameters, against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diff.test_losses import drawn, every_answer
from tests.solve.random_graphs import EVERY, graphs

from treaty import FactorGraph, SolverError
from treaty.diff._decoding import all_parameters, counts_of, decode, gold_answers


@settings(max_examples=60, deadline=None)
@given(graphs(EVERY), st.integers(0, 2**32 - 1))
def test_counts_times_parameters_are_the_score(native, seed):
    graph, parameters, answers, scores, gold = drawn(native, seed)
    if gold is None:
        return
    rows, is_batch = all_parameters("test", graph, parameters)
    assert not is_batch
    right = gold_answers("test", graph, answers[gold], rows)
    np.testing.assert_allclose(right.score, scores[gold], atol=1e-9)
    np.testing.assert_array_equal(counts_of(graph, right.values), right.counts)
    if len(answers) < 64:
        every = gold_answers("test", graph, answers, np.tile(rows, (len(answers), 1)))
        np.testing.assert_allclose(every.score, scores, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(graphs(EVERY), st.integers(0, 2**32 - 1))
def test_exact_decoding_is_the_best_of_all(native, seed):
    graph, parameters, _, scores, gold = drawn(native, seed)
    rows, _ = all_parameters("test", graph, parameters)
    if gold is None:
        with pytest.raises(SolverError, match="no answer"):
            decode("test", graph, rows, False, True, {})
        return
    best = decode("test", graph, rows, False, True, {})
    np.testing.assert_allclose(best.score, scores.max(), atol=1e-6)
    assert scores.max() - 1e-7 <= best.bound[0] <= scores.max() + 1e-6


def frustrated():
    """Three that each want to differ: the relaxation is fractional."""
    graph = FactorGraph()
    x = graph.variables([0.6, 0.6, 0.6])
    for i in range(3):
        graph.reward(x[i], x[i - 1], -1.0)
    return graph


def test_what_ad3_cannot_prove_is_solved_exactly_if_wanted():
    graph = frustrated()
    rows = graph.parameters[None]
    _, scores = every_answer(graph, rows[0])
    rough = decode("test", graph, rows, False, False, {"polish": False})
    assert rough.bound[0] > scores.max() + 0.1
    best = decode("test", graph, rows, False, True, {"polish": False})
    np.testing.assert_allclose([best.score[0], best.bound[0]], scores.max(), atol=1e-7)
