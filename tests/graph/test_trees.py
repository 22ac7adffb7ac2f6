"""Compression trees, arborescences and automata: how they are given, and what is stored."""

import itertools
import math

import numpy as np
import pytest
from tests.graph.stored import stored

from treaty.errors import UsageError
from treaty.graph._trees import _consecutive, pair_number, triple_number


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


@pytest.mark.parametrize("n", range(7))
def test_pairs_and_triples_are_counted_in_order(n):
    pairs = list(itertools.combinations(range(n), 2))
    assert [pair_number(*pair, n) for pair in pairs] == list(range(len(pairs)))
    triples = list(itertools.combinations(range(n), 3))
    assert [triple_number(*triple, n) for triple in triples] == list(range(len(triples)))


def test_modifiers_follow_each_other_from_start_to_end():
    on = np.array([[True, False, True], [False, False, False]])
    steps = [
        [(int(before[row]), position) for here, before, position in _consecutive(on) if here[row]]
        for row in range(2)
    ]
    assert steps == [[(0, 1), (1, 3), (3, 4)], [(0, 4)]]
