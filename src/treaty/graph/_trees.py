"""Factors of trees: compressions, arborescences and the automata of dependency parsing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor, ascending, floats, integer
from treaty.graph._meaning import MEANING, Bits, Doubles, Integers, allowed_if, dot, pick
from treaty.graph._variables import Literal

__all__ = ["TreeFactors"]


class TreeFactors(Base):
    """Factors whose literals are the nodes or the arcs of a tree."""

    def compression_tree(
        self,
        literals: Iterable[Literal],
        parents: Iterable[int | None],
        cut_scores: npt.ArrayLike | None = None,
        root_needs_child: bool = False,
    ) -> Factor:
        """Require the parent of every literal that is on to be on: a tree after cutting subtrees.

        Parameters
        ----------
        literals
            The nodes.
        parents
            For each node the position of its parent in `literals`; None or -1 for a root.
        cut_scores
            Counted for each node that is off while its parent is on (a root: while it is off).
        root_needs_child
            Whether a root that is on must have a child that is on.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> words = graph.variables([0.1, 0.4, -0.2])
        >>> graph.compression_tree(words, parents=[None, 0, 0], cut_scores=[0, 0, 0.3])
        <Factor 0: compression_tree(x0, x1, x2)>
        """
        codes = self._codes((literals,))
        shape = [-1 if p is None else integer("compression_tree: parent", p, -1) for p in parents]
        shape.append(int(root_needs_child))
        scores = np.zeros(len(codes)) if cut_scores is None else cut_scores
        data = floats("compression_tree: cut scores", scores, (len(codes),))
        return self._add(Kind.compression_tree, codes, data, np.array(shape, np.int32))

    def arborescence(
        self,
        arcs: Iterable[tuple[int, int]],
        literals: Iterable[Literal],
        nodes: int | None = None,
        single_root: bool = False,
    ) -> Factor:
        """Require the arcs that are on to form a spanning tree directed away from node 0, the root.

        Parameters
        ----------
        arcs
            Candidates as (head, modifier) pairs.
        literals
            For each arc the literal that is on if it is in the tree.
        nodes
            Number of nodes, including the root; by default the largest node of an arc plus one.
        single_root
            Whether exactly one arc may leave the root.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
        >>> graph.arborescence(arcs, graph.variables([0.3, 0.5, 0.2, 0.4]))
        <Factor 0: arborescence(x0, x1, x2, x3)>
        """
        try:
            ends = [
                integer("arborescence: node", end)
                for head, modifier in arcs
                for end in (head, modifier)
            ]
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"arborescence: an arc is a (head, modifier) pair ({error})"
            ) from error
        count = max(ends, default=0) + 1 if nodes is None else integer("arborescence: nodes", nodes)
        shape = np.array([count, int(single_root), *ends], np.int32)
        return self._add(Kind.arborescence, self._codes((literals,)), shape=shape)

    def head_automaton(
        self,
        modifiers: Iterable[Literal],
        siblings: npt.ArrayLike,
        grandparents: Iterable[Literal] = (),
        grandparent_scores: npt.ArrayLike | None = None,
        grand_siblings: npt.ArrayLike | None = None,
    ) -> Factor:
        """Score consecutive modifiers of a head on one side, also with the head's own head.

        Parameters
        ----------
        modifiers
            M arcs from the head, from the nearest modifier to the farthest; any of them may be on.
        siblings
            A score for every two modifiers a < b that are on with none between them, where 0 is
            START, 1 to M are the modifiers and M + 1 is END: an array of shape (M + 2, M + 2) of
            which the cells above the diagonal count, or these cells in one row. ``-inf`` forbids.
        grandparents
            G arcs to the head. If there are any, exactly one is on.
        grandparent_scores
            For each grandparent and modifier that are on, shape (G, M).
        grand_siblings
            Scores as in `siblings`, for each grandparent: shape (G, M + 2, M + 2) or a row of cells
            for each.

        Examples
        --------
        >>> import numpy as np
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> left = graph.variables([0.4, 0.1])
        >>> graph.head_automaton(left, siblings=np.eye(4, k=1))
        <Factor 0: head_automaton(x0, x1)>
        >>> incoming, right = graph.variables([0.2, 0.3]), graph.variables([0.5])
        >>> graph.head_automaton(right, [0, 1, 0], incoming, [[0.5], [-0.5]]).shape
        array([2, 1, 0], dtype=int32)
        """
        above, below = self._codes((grandparents,)), self._codes((modifiers,))
        g, m = len(above), len(below)
        if not g and not (grandparent_scores is None and grand_siblings is None):
            raise UsageError("head_automaton: scores of grandparents, but no grandparents")
        if grandparent_scores is None:
            grandparent_scores = np.zeros((g, m))
        data = [
            floats("head_automaton: grandparent scores", grandparent_scores, (g, m)).ravel(),
            ascending("head_automaton: siblings", siblings, m + 2, 2),
        ]
        if grand_siblings is not None:
            what = "head_automaton: grand-siblings"
            data.append(ascending(what, grand_siblings, m + 2, 2, each=(g,)))
        shape = np.array([g, m, grand_siblings is not None], np.int32)
        return self._add(Kind.head_automaton, above + below, np.concatenate(data), shape)

    def tri_sibling_automaton(self, modifiers: Iterable[Literal], scores: npt.ArrayLike) -> Factor:
        """Score every three consecutive modifiers of a head on one side.

        Parameters
        ----------
        modifiers
            M arcs from the head, from the nearest modifier to the farthest; any of them may be on.
        scores
            For every three modifiers a < b < c that are on with none between them, where 0 is
            START, 1 to M are the modifiers and M + 1 is END: an array with three axes of length
            M + 2 of which the cells with ascending indexes count, or these cells in one row.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> graph.tri_sibling_automaton(graph.variables([0.4, 0.1]), [0.3, -0.1, 0, 0.2]).data
        array([ 0.3, -0.1,  0. ,  0.2])
        """
        codes = self._codes((modifiers,))
        data = ascending("tri_sibling_automaton: scores", scores, len(codes) + 2, 3)
        return self._add(Kind.tri_sibling_automaton, codes, data, np.array([len(codes)], np.int32))


def _compression_tree_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score the cuts: nodes that are off under a parent that is on, and roots that are off."""
    parent, root_needs_child = shape[:-1], shape[-1]
    under = np.where(parent >= 0, on[:, parent], True)
    allowed = np.all(under | ~on, axis=1)
    if root_needs_child:
        for root in np.flatnonzero(parent < 0):
            allowed &= ~on[:, root] | on[:, parent == root].any(axis=1)
    return np.where(allowed, dot(under & ~on, data), -np.inf)


def _arborescence_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score 0 for a spanning tree from node 0 (with a single arc from it, if required)."""
    nodes, single_root = shape[:2]
    head, modifier = shape[2::2], shape[3::2]
    allowed = np.full(len(on), True)
    ancestor = np.zeros((len(on), nodes), dtype=np.intp)  # of each node; the root is its own
    for node in range(1, nodes):
        arcs = np.flatnonzero(modifier == node)
        allowed &= on[:, arcs].sum(axis=1) == 1
        ancestor[:, node] = on[:, arcs] @ head[arcs]
    ancestor[~allowed] = 0
    for _ in range(int(nodes).bit_length()):  # distances double, so all trees end at 0
        ancestor = np.take_along_axis(ancestor, ancestor, axis=1)
    allowed &= np.all(ancestor == 0, axis=1)
    if single_root and nodes > 1:
        allowed &= on[:, head == 0].sum(axis=1) == 1
    return allowed_if(allowed)


def _consecutive(modifiers: Bits) -> Iterator[tuple[Bits, npt.NDArray[np.intp], int]]:
    """Iterate outwards from the head: rows with this position on, the one before it, and itself.

    Position 0 is START, the last one END; both are on in every row.
    """
    before = np.zeros(len(modifiers), dtype=np.intp)
    end = np.full((len(modifiers), 1), True)
    for position, here in enumerate(np.hstack([modifiers, end]).T, start=1):
        yield here, before, position
        before = np.where(here, position, before)


def pair_number(a: Any, b: Any, n: int) -> Any:
    """Count the pairs of ``range(n)`` that come before a < b in lexicographic order."""
    return n * (n - 1) // 2 - (n - a) * (n - a - 1) // 2 + b - a - 1


def triple_number(a: Any, b: Any, c: Any, n: int) -> Any:
    """Count the triples of ``range(n)`` that come before a < b < c in lexicographic order."""

    def triples(k: Any) -> Any:
        return k * (k - 1) * (k - 2) // 6

    return triples(n) - triples(n - a) + pair_number(b - a - 1, c - a - 1, n - a - 1)


def _head_automaton_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score consecutive modifiers, modifiers with the grandparent, and all three together."""
    grandparents, modifiers, has_grand_siblings = shape.tolist()
    positions = modifiers + 2
    pairs = positions * (positions - 1) // 2
    grandparent, sibling, grand_sibling = np.split(
        data, np.cumsum([grandparents * modifiers, pairs]), axis=1
    )
    incoming = on[:, :grandparents]
    g = incoming.argmax(axis=1) if grandparents else np.zeros(len(on), dtype=np.intp)
    score = np.where((incoming.sum(axis=1) == 1) | (grandparents == 0), 0.0, -np.inf)
    for here, before, position in _consecutive(on[:, grandparents:]):
        pair = pair_number(before, position, positions)
        gain = pick(sibling, pair)
        if grandparents and position <= modifiers:
            gain = gain + pick(grandparent, g * modifiers + position - 1)
        if has_grand_siblings:
            gain = gain + pick(grand_sibling, g * pairs + pair)
        score = np.where(here, score + gain, score)
    return score


def _tri_sibling_automaton_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score three consecutive modifiers, including START and END."""
    positions = int(shape[0]) + 2
    score, before_that = np.zeros(len(on)), np.zeros(len(on), dtype=np.intp)
    for here, before, position in _consecutive(on):
        complete = here & (before > 0)
        triple = triple_number(before_that[complete], before[complete], position, positions)
        score[complete] += pick(data[complete] if len(data) > 1 else data, triple)
        before_that = np.where(here, before, before_that)
    return score


MEANING |= {
    Kind.compression_tree: _compression_tree_score,
    Kind.arborescence: _arborescence_score,
    Kind.head_automaton: _head_automaton_score,
    Kind.tri_sibling_automaton: _tri_sibling_automaton_score,
}
