"""What every kind of factor means, in plain numpy and apart from the native code.

Each function looks at many assignments of a factor's slots at once, as the rows of a matrix `on`,
or at many factors at once where their slots can be aligned. A score of ``-inf`` says: not allowed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.solve._view import Bits, Doubles, Ints

__all__ = ["COUNTING", "ROUNDING", "STRUCTURED", "fits", "table_cells"]

ROUNDING = 1e-12  # relative error of a sum of costs

# Factors that only count: what they allow depends on the number of literals that are on, on their
# number, on whether the last one (the output, where there is one) is on, and on the limit k.
COUNTING: dict[Kind, Callable[[Any, Any, Any, Any], Any]] = {
    Kind.exactly_one: lambda on, degree, last, k: on == 1,
    Kind.at_most_one: lambda on, degree, last, k: on <= 1,
    Kind.at_least_one: lambda on, degree, last, k: on >= 1,
    Kind.xor_with_output: lambda on, degree, last, k: on - last == last,
    Kind.or_with_output: lambda on, degree, last, k: (on > last) == last,
    Kind.and_with_output: lambda on, degree, last, k: (on - last == degree - 1) == last,
    Kind.at_most: lambda on, degree, last, k: on <= k,
    Kind.exactly: lambda on, degree, last, k: on == k,
}


def fits(cost: Any, capacity: Any) -> Any:
    """Whether a knapsack holds a cost; a sum that exceeds it in its last digits does not count."""
    return (capacity >= 0.0) & (cost * (1.0 - ROUNDING) <= capacity)


def states(on: Bits, shape: Ints) -> tuple[npt.NDArray[np.intp], Bits]:
    """Find the state of each variable (a column each), and whether each has just one."""
    blocks = np.split(on, np.cumsum(shape)[:-1], axis=1)
    one_each = np.all([block.sum(axis=1) == 1 for block in blocks], axis=0)
    return np.stack([block.argmax(axis=1) for block in blocks], axis=1), one_each


def table_cells(on: Bits, shape: Ints) -> tuple[npt.NDArray[np.intp], Bits]:
    """Find the cell of a table that each row picks, and whether it picks one at all."""
    state, one_each = states(on, shape)
    return np.ravel_multi_index(tuple(state.T), tuple(shape)), one_each


def table_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Score the chosen cell."""
    cell, one_each = table_cells(on, shape)
    return np.where(one_each, data[cell], -np.inf)


def sequence_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Add up start, edge and stop scores along the chain of states."""
    state, one_each = states(on, shape)
    score = data[state[:, 0]] + data[len(data) - shape[-1] + state[:, -1]]
    begin = shape[0]
    for i, (left, right) in enumerate(itertools.pairwise(shape)):
        score = score + data[begin + state[:, i] * right + state[:, i + 1]]
        begin += left * right
    return np.where(one_each, score, -np.inf)


def compression_tree_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Scores of the cuts: a node that is off under a parent that is on, or a root that is off."""
    parent, root_needs_child = shape[:-1], shape[-1]
    under = np.where(parent >= 0, on[:, parent], True)
    allowed = np.all(under | ~on, axis=1)
    if root_needs_child:
        for root in np.flatnonzero(parent < 0):
            allowed &= ~on[:, root] | on[:, parent == root].any(axis=1)
    return np.where(allowed, (under & ~on) @ data, -np.inf)


def arborescence_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Zero for a tree that spans all nodes from node 0 (with a single arc from it, if so asked)."""
    nodes, single_root = shape[:2]
    head, modifier = shape[2::2], shape[3::2]
    allowed = np.full(len(on), True)
    ancestor = np.zeros((len(on), nodes), dtype=np.intp)  # of each node; the root is its own
    for node in range(1, nodes):
        arcs = np.flatnonzero(modifier == node)
        allowed &= on[:, arcs].sum(axis=1) == 1
        ancestor[:, node] = on[:, arcs] @ head[arcs]
    ancestor[~allowed] = 0
    for _ in range(int(nodes).bit_length()):  # twice as far up each time, so all trees end at 0
        ancestor = np.take_along_axis(ancestor, ancestor, axis=1)
    allowed &= np.all(ancestor == 0, axis=1)
    if single_root and nodes > 1:
        allowed &= on[:, head == 0].sum(axis=1) == 1
    return np.where(allowed, 0.0, -np.inf)


def consecutive(modifiers: Bits) -> Iterator[tuple[Bits, npt.NDArray[np.intp], int]]:
    """Go outwards from the head: which rows have the position on, the one before it, and itself.

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


def head_automaton_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Scores of consecutive modifiers, of modifiers with the grandparent, and of all three."""
    grandparents, modifiers, has_grand_siblings = shape.tolist()
    positions = modifiers + 2
    pairs = positions * (positions - 1) // 2
    grandparent, sibling, grand_sibling = np.split(
        data, np.cumsum([grandparents * modifiers, pairs])
    )
    incoming = on[:, :grandparents]
    g = incoming.argmax(axis=1) if grandparents else np.zeros(len(on), dtype=np.intp)
    score = np.where((incoming.sum(axis=1) == 1) | (grandparents == 0), 0.0, -np.inf)
    for here, before, position in consecutive(on[:, grandparents:]):
        pair = pair_number(before, position, positions)
        gain = sibling[pair]
        if grandparents and position <= modifiers:
            gain = gain + grandparent[g * modifiers + position - 1]
        if has_grand_siblings:
            gain = gain + grand_sibling[g * pairs + pair]
        score = np.where(here, score + gain, score)
    return score


def tri_sibling_automaton_score(on: Bits, data: Doubles, shape: Ints) -> Doubles:
    """Scores of three consecutive modifiers, START and END among them."""
    positions = int(shape[0]) + 2
    score, before_that = np.zeros(len(on)), np.zeros(len(on), dtype=np.intp)
    for here, before, position in consecutive(on):
        complete = here & (before > 0)
        triple = triple_number(before_that[complete], before[complete], position, positions)
        score[complete] += data[triple]
        before_that = np.where(here, before, before_that)
    return score


STRUCTURED: dict[Kind, Callable[[Bits, Doubles, Ints], Doubles]] = {
    Kind.table: table_score,
    Kind.sequence: sequence_score,
    Kind.compression_tree: compression_tree_score,
    Kind.arborescence: arborescence_score,
    Kind.head_automaton: head_automaton_score,
    Kind.tri_sibling_automaton: tri_sibling_automaton_score,
}
