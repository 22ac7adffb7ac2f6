"""Tables and sequences: how they are given, and what is stored."""

import math

import numpy as np
import pytest
from tests.graph.stored import stored

from treaty.errors import UsageError


def test_tables_over_categoricals_and_binaries(graph):
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    scores = np.arange(6.0).reshape(3, 2)
    scores[1, 1] = -math.inf
    factor = graph.table([c, ~x], scores)
    assert stored(factor) == ("table", [2, 4, 6, 0, 1], scores.ravel().tolist(), [3, 2])
    np.testing.assert_array_equal(factor.scores, scores)
    with pytest.raises(ValueError, match="read-only"):
        factor.scores[0, 0] = 1
    # the axes are in the order of the variables, whatever the memory layout
    assert (
        graph.table([x, c], np.asfortranarray(scores.T)).data.tolist() == scores.T.ravel().tolist()
    )


def test_tables_must_fit(graph):
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    for variables, scores in (
        ([c, x], np.zeros((2, 3))),
        ([c, x], np.zeros(6)),
        ([c], [0, 0, math.nan]),
        ([c], [0, 0, math.inf]),
        ([], 0.0),
        (["c"], [0.0]),
    ):
        with pytest.raises(UsageError, match=r"table|expected a categorical"):
            graph.table(variables, scores)
    with pytest.raises(UsageError, match="is not a table"):
        _ = graph.at_most_one(x).scores


def test_sequences(graph):
    a, b, x = graph.categorical([0, 0]), graph.categorical([0, 0, 0]), graph.variable()
    edges = [np.arange(6).reshape(2, 3), -np.arange(6).reshape(3, 2)]
    factor = graph.sequence([a, b, x], edges, start=[7, 8])
    expected = [7, 8, *range(6), 0, -1, -2, -3, -4, -5, 0, 0]
    assert stored(factor) == ("sequence", [0, 2, 4, 6, 8, 11, 10], expected, [2, 3, 2])
    single = [[1, 2], [3, 4]]
    for reused in (single, np.array(single), [single, single]):
        assert graph.sequence([a, x, a], reused).data.tolist() == [
            0,
            0,
            1,
            2,
            3,
            4,
            1,
            2,
            3,
            4,
            0,
            0,
        ]
    assert graph.sequence([b], [], stop=[1, 2, 3]).data.tolist() == [0, 0, 0, 1, 2, 3]


def test_sequences_with_a_budget(graph):
    a, b = graph.categorical([0, 0]), graph.categorical([0, 0, 0])
    factor = graph.sequence_budget(1, [a, b], [np.arange(6).reshape(2, 3)], stop=[7, 8, 9])
    expected = [0, 0, *range(6), 7, 8, 9]
    assert stored(factor) == ("sequence_budget", [0, 2, 4, 6, 8], expected, [1, 2, 3])
    assert graph.sequence_budget(10**9, [a], []).shape.tolist() == [1, 2]
    with pytest.raises(UsageError, match="sequence_budget: budget"):
        graph.sequence_budget(-1, [a], [])


def test_trees(graph):
    a, b, x = graph.categorical([0, 0]), graph.categorical([0, 0, 0]), graph.variable()
    edges = [np.arange(6).reshape(2, 3), [[6, 7], [8, 9]]]
    factor = graph.general_tree([a, b, x], [None, 0, 0], edges)
    codes = [0, 2, 4, 6, 8, 11, 10]
    assert stored(factor) == ("general_tree", codes, list(range(10)), [2, 3, 2, -1, 0, 0])
    counted = graph.general_tree([a, b, x], [-1, 2, 0], [np.zeros((2, 3)), edges[1]], [x, x, x, ~x])
    assert counted.kind == "general_tree_counts"
    assert counted.codes.tolist() == [*codes, 10, 10, 10, 11]
    assert graph.general_tree([a], [None], []).data.tolist() == []


@pytest.mark.parametrize(
    ("parents", "edges", "cause"),
    [
        ([None], [np.zeros((2, 2))], "a parent for each of the 2 nodes"),
        ([None, 0], [], "an edge table for each but the first"),
        ([None, None], [np.zeros((2, 2))], "only the first has none"),
        ([None, 2], [np.zeros((2, 2))], "another node"),
        ([None, 1], [np.zeros((2, 2))], "cycle"),
        ([1, 0], [np.zeros((2, 2))], "parent is -1"),
        ([None, 0], [np.zeros((2, 3))], "edge table 0"),
    ],
)
def test_trees_must_fit(graph, parents, edges, cause):
    a, b = graph.categorical([0, 0]), graph.categorical([0, 0])
    with pytest.raises(UsageError, match=cause):
        graph.general_tree([a, b], parents, edges)
    with pytest.raises(UsageError, match="literals"):
        graph.general_tree([a, b], [None, 0], [np.zeros((2, 2))], graph.variables([0, 0]))


def test_sequences_must_fit(graph):
    a, b = graph.categorical([0, 0]), graph.categorical([0, 0, 0])
    for variables, edges in (
        ([], []),
        ([a, b], []),
        ([a, b], np.zeros((3, 2))),
        ([a, b], [np.zeros((2, 3)), np.zeros((2, 3))]),
        ([a, b], 3),
        ([a, b], [["x"]]),
        ([a, b], [[1, 2, 3], [1]]),
    ):
        with pytest.raises(UsageError, match="sequence"):
            graph.sequence(variables, edges)
    with pytest.raises(UsageError, match="start"):
        graph.sequence([a, a], np.zeros((2, 2)), start=[1])
