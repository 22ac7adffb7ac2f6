"""Variables, literals and evidence."""

import math

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.graph import Categorical, FactorGraph, Literal, Variable

# Variables and literals


def test_variables_unpack_and_keep_their_scores(graph):
    sun, rain = graph.variables([1.2, 0.7])
    hat = graph.variable(-0.1)
    assert [v.variable for v in (sun, rain, hat)] == [0, 1, 2]
    np.testing.assert_array_equal(graph.scores, [1.2, 0.7, -0.1])
    assert len(graph) == 3
    assert list(graph) == [sun, rain, hat]
    graph.set_score(rain, 5)
    assert graph.scores[1] == 5.0


def test_literals_negate_compare_and_hash(graph, xs):
    x = xs[1]
    assert isinstance(x, Variable) and isinstance(~x, Literal) and isinstance(~~x, Variable)
    assert (x.literal, (~x).literal) == (2, 3)
    assert ~~x == x != ~x
    assert len({x, ~x, ~~x, graph[1]}) == 2
    assert x != FactorGraph().variables([0, 0])[1]
    assert x != 2


def test_literals_read_their_state(graph):
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    values = np.array([1, 0, 0, 1], np.int8)
    assert x.state_in(values) is True
    assert (~x).state_in(values) is False
    assert c.state_in(values) == 2
    assert [s.state_in(values) for s in c] == [False, False, True]


@pytest.mark.parametrize("what", ["variable", "literal", "categorical"])
def test_nothing_has_a_truth_value(graph, what):
    x, c = graph.variable(), graph.categorical([0, 1])
    with pytest.raises(TypeError, match="truth value"):
        bool({"variable": x, "literal": ~x, "categorical": c}[what])


def test_categorical_states(graph):
    graph.variable()
    c = graph.categorical([0.1, 0.2, 0.3])
    assert isinstance(c, Categorical)
    assert [s.variable for s in c] == [1, 2, 3]
    assert c[-1] == c[2] and c[0] in c and ~c[0] not in c
    assert c == graph.categoricals[0] and hash(c) == hash(graph.categoricals[0])
    for k in (3, -4):
        with pytest.raises(IndexError, match="0 to 2"):
            c[k]
    np.testing.assert_array_equal(graph.native.categorical_first, [1])
    np.testing.assert_array_equal(graph.native.categorical_size, [3])


@pytest.mark.parametrize("scores", [[math.nan], [math.inf], ["x"], [[1.0]], 1.0, None])
def test_scores_must_be_finite_numbers_in_a_row(graph, scores):
    for add in (graph.variables, graph.categorical):
        with pytest.raises(UsageError):
            add(scores)
    assert len(graph) == 0


def test_a_categorical_needs_a_state(graph):
    with pytest.raises(UsageError, match="at least one state"):
        graph.categorical([])


def test_scores_of_negations_cannot_be_set(graph, xs):
    for what in (~xs[0], 0, graph.categorical([1, 2])):
        with pytest.raises(UsageError, match="set_score"):
            graph.set_score(what, 1.0)
    with pytest.raises(UsageError, match="finite"):
        graph.set_score(xs[0], math.inf)


# Evidence


def test_evidence_is_fixed_and_freed(graph, xs):
    graph.fix(xs[0])
    graph.fix(~xs[1])
    graph.fix(~xs[2], False)
    assert graph.evidence.tolist() == [1, 0, 1, -1]
    graph.free(~xs[0])
    assert graph.evidence.tolist() == [-1, 0, 1, -1]


def test_evidence_for_a_categorical_is_its_state(graph):
    c = graph.categorical([0, 0, 0])
    graph.fix(c, 1)
    assert graph.evidence.tolist() == [0, 1, 0]
    graph.fix(c, -1)
    assert graph.evidence.tolist() == [0, 0, 1]
    graph.free(c)
    assert graph.evidence.tolist() == [-1, -1, -1]
    for value in (True, 3, -4, 0.5):
        with pytest.raises(UsageError, match="fix"):
            graph.fix(c, value)


def test_nonsense_evidence_is_refused(graph, xs):
    with pytest.raises(UsageError, match="True or False"):
        graph.fix(xs[0], 2)
    with pytest.raises(UsageError, match="expected a variable"):
        graph.fix(0)
    with pytest.raises(UsageError, match="another graph"):
        FactorGraph().free(xs[0])


def test_variables_of_one_call_are_a_sequence():
    graph = FactorGraph()
    graph.variable()
    x = graph.variables([0.5, -0.2, 0.1])
    assert list(x) == [x[0], x[1], x[2]] == x
    assert x == [graph[1], graph[2], graph[3]]
    assert (x[-1], x[1:], len(x), x[0] in x) == (graph[3], [graph[2], graph[3]], 3, True)
    first = [graph[0]]
    assert x + first == [*x, *first]
    assert first + x == [*first, *x]
    assert x * 2 == [*x, *x]
    assert x.indices.tolist() == [1, 2, 3]
    assert repr(x) == "[x1, x2, x3]"
    with pytest.raises(IndexError, match="3 variables"):
        x[3]
    with pytest.raises(TypeError):
        hash(x)
