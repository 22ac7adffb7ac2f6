"""Factors to look at, and how the arguments of factors are read."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.graph._factors import (
    ascending,
    floats,
    integer,
    literal_codes,
    sequence_scores,
    state_codes,
)


def test_factors_are_a_sequence(graph, xs):
    added = [graph.at_most_one(xs[:2]), graph.at_least_one(xs), graph.exactly(2, ~xs[0], xs[1])]
    assert list(graph.factors) == added == graph.factors[:]
    assert graph.factors[-1] == added[2] and len(graph.factors) == 3
    assert graph.factors[1:] == added[1:]
    with pytest.raises(IndexError):
        graph.factors[3]
    assert repr(added[2]) == "<Factor 2: exactly(~x0, x1)>"
    assert repr(graph) == "<FactorGraph: 4 variables, 3 factors>"
    assert repr(graph.at_most_one(xs * 3)) == (
        "<Factor 3: at_most_one(x0, x1, x2, x3, x0, x1, x2, x3, … 12 literals)>"
    )


def test_factors_of_other_graphs_are_others(graph, xs):
    one, other = graph.at_most_one(xs), FactorGraph()
    two = other.at_most_one(other.variables([0.0]))
    assert one != two and one == graph.factors[0] and one != 0
    assert len({one, two, graph.factors[0]}) == 2
    assert repr(graph.factors) == "<1 factors>"


def test_what_a_factor_shows_cannot_be_written_to(graph, xs):
    factor = graph.knapsack(xs[:2], [1, 2], 3)
    for array in (factor.codes, factor.data):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_literals_are_collected_in_order_and_kept_twice(graph, xs):
    c = graph.categorical([0, 0])
    assert literal_codes(graph, [xs[0], [~xs[0], (xs[0],)], c]) == [0, 1, 0, 8, 10]
    assert state_codes(graph, [c, ~xs[1]]) == ([8, 10, 2, 3], [2, 2])
    for wrong in ("x", b"x", 3):
        with pytest.raises(UsageError, match="expected a variable or its negation"):
            literal_codes(graph, [wrong])
        with pytest.raises(UsageError, match="expected a categorical variable or a binary"):
            state_codes(graph, [wrong])


def test_numbers_of_a_shape():
    assert floats("w", [1, 2]).tolist() == [1.0, 2.0]
    assert floats("w", np.ones((2, 1), np.float32), (2, 1)).dtype == np.float64
    for values, shape, message in (
        (["x"], None, "w: expected numbers"),
        ([[1.0]], None, "w: expected a sequence of numbers, got one of shape"),
        (1.0, None, "a sequence of numbers"),
        ([1.0], (2,), r"an array of shape \(2,\), got one of shape \(1,\)"),
        ([1.0], (), "an array of shape"),
    ):
        with pytest.raises(UsageError, match=message):
            floats("w", values, shape)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("each", [(), (2,)])
def test_cells_with_ascending_indexes(order, n, each):
    array = np.arange(float(math.prod(each) * n**order)).reshape(each + (n,) * order)
    expected = [
        array[(*front, *index)]
        for front in itertools.product(*map(range, each))
        for index in itertools.combinations(range(n), order)
    ]
    found = ascending("w", array, n, order, each)
    assert found.tolist() == expected
    row = np.array(expected).reshape(*each, math.comb(n, order))
    assert ascending("w", row, n, order, each).tolist() == expected
    with pytest.raises(UsageError, match="w: expected an array of shape"):
        ascending("w", np.zeros((*each, 999)), n, order, each)


@given(value=st.integers(-(2**40), 2**40), least=st.integers(-3, 3))
def test_integers_fit_the_native_arrays(value, least):
    if least <= value < 2**31:
        assert integer("k", value, least) == value
    else:
        with pytest.raises(UsageError, match=f"k: expected an integer from {least} to 2147483647"):
            integer("k", value, least)


def test_what_is_no_integer():
    assert integer("k", np.int64(3)) == 3
    for value in (1.0, "1", None):
        with pytest.raises(UsageError, match="k: expected an integer, got"):
            integer("k", value)


def test_scores_of_a_chain_in_a_row():
    first, second = [[1, 2, 3], [4, 5, 6]], [[7], [8], [9]]
    found = sequence_scores([2, 3, 1], [first, second], [10, 11], [12])
    assert found.tolist() == [10, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12]
    assert sequence_scores([2], [], None, None).tolist() == [0, 0, 0, 0]
