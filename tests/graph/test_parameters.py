"""Scores as one vector."""

import numpy as np
import pytest

from treaty import FactorGraph, UsageError
from treaty.graph._parameters import name_of_parameter, rows_of_scores


@pytest.fixture
def mixed():
    graph = FactorGraph()
    x = graph.variables([1.0, 2.0, 3.0], names=["a", "b", "c"])
    tag = graph.categorical([4.0, 5.0], name="tag")
    factors = [
        graph.reward(x[0], x[1], 6.0),
        graph.knapsack(x, [1.0, 1.0, 1.0], 2.0),
        graph.table([tag, x[2]], [[7.0, 8.0], [9.0, -np.inf]]),
        graph.exactly_one(x),
    ]
    return graph, tag, factors


def test_variables_come_before_factors_and_costs_are_not_scores(mixed):
    graph, tag, (reward, knapsack, table, one) = mixed
    expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, -np.inf]
    assert graph.parameters.tolist() == expected
    assert graph.parameters[graph.slice_of(reward)].tolist() == [6.0]
    assert graph.parameters[graph.slice_of(table)].tolist() == expected[6:]
    assert graph.parameters[graph.slice_of(tag)].tolist() == [4.0, 5.0]
    assert graph.parameters[graph.slice_of(~graph["b"])].tolist() == [2.0]
    for factor in (knapsack, one):
        assert len(graph.parameters[graph.slice_of(factor)]) == 0


def test_things_of_other_graphs_have_no_slice(mixed):
    graph, *_ = mixed
    other = FactorGraph()
    factor = other.exactly_one(other.variable())
    for what in (factor, other[0], other.categorical([0.0]), "a"):
        with pytest.raises(UsageError):
            graph.slice_of(what)


def test_views_cannot_be_written(mixed):
    graph, *_ = mixed
    for view in (graph.scores, graph.parameters):
        with pytest.raises(ValueError, match="read-only"):
            view[:] = 0.0
    assert graph.parameters[0] == 1.0


def test_scores_are_replaced_and_solved(mixed):
    graph, _, (reward, _, table, _) = mixed
    graph.set_scores([0.0, 0.0, 5.0, 1.0, 0.0])
    assert graph.parameters[:6].tolist() == [0.0, 0.0, 5.0, 1.0, 0.0, 6.0]
    new = graph.parameters.copy()
    new[graph.slice_of(table)] = [0.0, -1.0, 2.0, 3.0]
    graph.set_scores(parameters=new)
    assert table.data.tolist() == [0.0, -1.0, 2.0, 3.0]
    assert reward.data.tolist() == [6.0]
    fresh = FactorGraph()
    x = fresh.variables(new[:3])
    tag = fresh.categorical(new[3:5])
    fresh.reward(x[0], x[1], 6.0)
    fresh.knapsack(x, [1.0, 1.0, 1.0], 2.0)
    fresh.table([tag, x[2]], [[0.0, -1.0], [2.0, 3.0]])
    fresh.exactly_one(x)
    assert graph.solve().objective == fresh.solve().objective


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "either variables or parameters"),
        ({"variables": [0.0] * 5, "parameters": [0.0] * 10}, "either variables or parameters"),
        ({"variables": [0.0] * 4}, "expected a score for each of the 5 variables"),
        ({"variables": [0.0] * 10}, "variables: expected 5 numbers"),
        ({"parameters": [0.0] * 5}, "parameters: expected 10 numbers"),
        ({"variables": np.zeros((1, 5))}, "variables: expected 5 numbers"),
        ({"variables": [0.0, np.nan, 0.0, 0.0, 0.0]}, "the score of b is nan"),
        ({"variables": [-np.inf, 0.0, 0.0, 0.0, 0.0]}, "the score of a is -inf"),
        ({"parameters": [0.0] * 5 + [-np.inf] + [0.0] * 4}, "score 0 of <Factor 0: reward"),
        ({"parameters": [0.0] * 7 + [np.inf] + [0.0] * 2}, "score 1 of <Factor 2: table"),
        ({"variables": "abcde"}, "expected an array of numbers"),
        ({"variables": [[0.0], [1.0, 2.0]]}, "expected an array of numbers"),
    ],
)
def test_bad_scores_change_nothing(mixed, arguments, message):
    graph, *_ = mixed
    before, version = graph.parameters, graph.native.version
    with pytest.raises(UsageError, match=message):
        graph.set_scores(**arguments)
    assert graph.native.version == version
    np.testing.assert_array_equal(graph.parameters, before)


def test_every_change_has_a_version(mixed):
    graph, *_ = mixed
    versions = [graph.native.version]
    for change in (
        lambda: graph.variable(),
        lambda: graph.set_score(graph["a"], 2.0),
        lambda: graph.set_scores(np.zeros(len(graph))),
        lambda: graph.fix(graph["a"]),
        lambda: graph.free(graph["a"]),
        lambda: graph.exactly_one(graph["a"]),
    ):
        change()
        versions.append(graph.native.version)
    assert versions == sorted(set(versions))


def test_rows_and_names(mixed):
    graph, *_ = mixed
    assert rows_of_scores("scores", graph, None).shape == (1, 10)
    assert rows_of_scores("scores", graph, np.zeros((3, 5), np.float32)).dtype == np.float64
    assert rows_of_scores("scores", graph, np.asfortranarray(np.zeros((3, 10)))).flags.c_contiguous
    assert name_of_parameter(graph, 4) == "the score of tag[1]"
    assert name_of_parameter(graph, 9).startswith("score 3 of <Factor 2: table")
