"""Tables, sequences, trees and a user's own factors: how they are given, and what is stored."""

import ctypes
import itertools
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
    with pytest.raises(UsageError, match="no table"):
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


def test_compression_trees(graph, xs):
    factor = graph.compression_tree(xs[:3], [None, 0, 0], [0.5, 0, 1], root_needs_child=True)
    assert stored(factor) == ("compression_tree", [0, 2, 4], [0.5, 0.0, 1.0], [-1, 0, 0, 1])
    assert graph.compression_tree(xs[:2], [-1, 0]).data.tolist() == [0.0, 0.0]
    for parents, cuts in (
        ([1, 0], None),
        ([-1, 2], None),
        ([-1], None),
        ([-1, 0.5], None),
        ([-1, 0], [1]),
    ):
        with pytest.raises(UsageError, match="compression_tree"):
            graph.compression_tree(xs[:2], parents, cuts)


def test_arborescences(graph, xs):
    arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
    assert stored(graph.arborescence(arcs, xs)) == (
        "arborescence", [0, 2, 4, 6], [], [3, 0, 0, 1, 0, 2, 1, 2, 2, 1]
    )  # fmt: skip
    factor = graph.arborescence(np.array(arcs), xs, nodes=4, single_root=True)
    assert factor.shape[:2].tolist() == [4, 1]
    for wrong in (
        [(0, 1)],
        [(0, 1), (0, 2), (1, 2), (2, 2)],
        [(1, 0)] * 4,
        [(0, 1, 2)] * 4,
        [0] * 4,
    ):
        with pytest.raises(UsageError, match="arborescence"):
            graph.arborescence(wrong, xs)


def test_matrices_and_rows_say_the_same(graph, xs):
    siblings = np.arange(16.0).reshape(4, 4)
    row = [1, 2, 3, 6, 7, 11]
    grand = np.stack([siblings, 100 + siblings])
    arcs, modifiers = [xs[0], ~xs[1]], [xs[2], xs[3]]
    for sib, gsib in ((siblings, grand), (row, [row, [100 + r for r in row]])):
        factor = graph.head_automaton(modifiers, sib, arcs, [[1, 2], [3, 4]], gsib)
        assert factor.kind == "head_automaton"
        assert factor.codes.tolist() == [0, 3, 4, 6]
        assert factor.shape.tolist() == [2, 2, 1]
        assert factor.data.tolist() == [1, 2, 3, 4, *row, *row, *(100 + r for r in row)]
    assert graph.head_automaton(modifiers, row).shape.tolist() == [0, 2, 0]
    assert graph.head_automaton(modifiers, row, arcs).data.tolist() == [0, 0, 0, 0, *row]
    assert graph.head_automaton([], [[0, 7], [0, 0]], arcs).data.tolist() == [7]

    cube = np.arange(64.0).reshape(4, 4, 4)
    triples = [cube[t] for t in itertools.combinations(range(4), 3)]
    for given_scores in (cube, triples):
        factor = graph.tri_sibling_automaton(modifiers, given_scores)
        assert (factor.kind, factor.shape.tolist()) == ("tri_sibling_automaton", [2])
        assert factor.data.tolist() == triples
    assert graph.tri_sibling_automaton([], []).data.tolist() == []


def test_bad_arguments_are_named(graph, xs):
    with pytest.raises(UsageError, match=r"siblings: expected .* \(4, 4\), or \(6,\)"):
        graph.head_automaton(xs[:2], np.zeros((3, 3)))
    with pytest.raises(UsageError, match="siblings: expected numbers"):
        graph.head_automaton(xs[:2], ["a"])
    with pytest.raises(UsageError, match=r"grandparent scores: expected .* \(1, 2\)"):
        graph.head_automaton(xs[:2], np.zeros(6), xs[2:3], np.zeros((2, 1)))
    with pytest.raises(UsageError, match=r"grand-siblings: expected .* \(1, 4, 4\), or \(1, 6\)"):
        graph.head_automaton(xs[:2], np.zeros(6), xs[2:3], grand_siblings=np.zeros(6))
    for more in ({"grandparent_scores": [[1, 2]]}, {"grand_siblings": np.zeros((1, 6))}):
        with pytest.raises(UsageError, match="no grandparents"):
            graph.head_automaton(xs[:2], np.zeros(6), **more)
    with pytest.raises(UsageError, match="scores: expected"):
        graph.tri_sibling_automaton(xs[:2], np.zeros(3))
    with pytest.raises(UsageError, match="tri_sibling_automaton: scores must be numbers"):
        graph.tri_sibling_automaton(xs[:2], [0, math.nan, 0, 0])
    assert len(graph.factors) == 0


# A user's own factors


class Nothing:
    """Only the empty configuration."""

    def maximize(self, scores):
        return np.zeros(len(scores))


def test_a_python_factor(graph, xs):
    factor = graph.factor(Nothing(), xs[:3])
    assert (factor.kind, factor.literals) == ("custom", tuple(xs[:3]))
    with pytest.raises(UsageError, match="maximize"):
        graph.factor(object(), xs)


def test_a_compiled_factor(graph, xs):
    signature = ctypes.CFUNCTYPE(
        ctypes.c_double, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
    )
    pointer = signature(lambda *_: 0.0)

    class Cfunc:  # what numba's cfunc looks like
        address = ctypes.cast(pointer, ctypes.c_void_p).value

    for function in (pointer, Cfunc(), Cfunc.address):
        assert graph.compiled_factor(function, xs).kind == "custom"
    for wrong in (None, "f", 0, True, print):
        with pytest.raises(UsageError, match="compiled_factor"):
            graph.compiled_factor(wrong, xs)
