"""The parses of one sentence as linear constraints (Gormley & Eisner 2013, eqs. 5-16).

Columns of a sentence of n words: an arc variable for every head and word, its flow, and for every
word and side with room for a child the decision to have a first one there, ``f(dec.0, cont)`` of
eq. 13. The other token-level counts of the paper are sums of these (eqs. 12, 14-16) and are
substituted where they are used, so they need no columns: the polytope is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from treaty.induce._features import LEFT, RIGHT, Floats, Ints

__all__ = ["Block", "SentenceRows", "sentence_rows"]


@dataclass(frozen=True, eq=False)
class Block:
    """A block of rows: entry i is in row `row[i]`, and ``A x = right`` or ``A x <= right``."""

    row: Ints
    column: Ints
    value: Floats
    right: Floats


@dataclass(frozen=True, eq=False)
class SentenceRows:
    """The columns of a sentence, and the rows that restrict them to projective trees."""

    words: int
    head: Ints
    """The head of each arc variable, 0 for the root; arc a has column a, its flow A + a."""
    child: Ints
    """The modifier of each arc variable, from 1."""
    token: Ints
    """The word of each decision variable, from 1; the first has column 2 A."""
    direction: Ints
    """Its side."""
    equal: Block
    at_most: Block

    @property
    def arcs(self) -> int:
        """The number of arc variables."""
        return len(self.head)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return 2 * self.arcs + len(self.token)

    @property
    def integral(self) -> Ints:
        """The columns of arcs and of decisions."""
        return np.concatenate([np.arange(self.arcs), np.arange(2 * self.arcs, self.columns)])

    def side_arcs(self, decision: int) -> Ints:
        """List the arcs from a decision's word on its side (eq. 12 sums them)."""
        word = self.token[decision]
        on_side = self.child < word if self.direction[decision] == LEFT else self.child > word
        return np.flatnonzero((self.head == word) & on_side)


@cache
def sentence_rows(words: int) -> SentenceRows:
    """Make the constraints of a sentence of this length."""
    head, child = np.array(
        [(h, m) for h in range(words + 1) for m in range(1, words + 1) if h != m]
    ).reshape(-1, 2).T  # fmt: skip
    sides = [(i, side) for i in range(1, words + 1) for side in (LEFT, RIGHT)]
    room = [(i, side) for i, side in sides if (i > 1 if side == LEFT else i < words)]
    token, direction = np.array(room, dtype=np.intp).reshape(-1, 2).T
    bare = SentenceRows(words, head, child, token, direction, _block([]), _block([]))
    equal = [*_one_head(bare), *_flow(bare)]
    at_most = [*_no_flow_without_arc(bare), *_projective(bare), *_decisions(bare)]
    return SentenceRows(words, head, child, token, direction, _block(equal), _block(at_most))


Row = tuple[list[int], list[float], float]  # columns, coefficients, right side


def _one_head(parses: SentenceRows) -> list[Row]:
    """Require one head for every word and one child of the root: the model generates one head word.

    The flow alone allows unused arcs (eq. 7 requires arcs only where there is flow), so these
    constraints, which the paper states in words, are added.
    """
    entering = [np.flatnonzero(parses.child == word) for word in range(1, parses.words + 1)]
    from_root = np.flatnonzero(parses.head == 0)
    return [_sum_row(arcs, 1.0) for arcs in [*entering, from_root]]


def _flow(parses: SentenceRows) -> list[Row]:
    """Send a unit of flow to every word (eqs. 5 and 6)."""
    flow = parses.arcs + np.arange(parses.arcs)
    rows = [_sum_row(flow[parses.head == 0], float(parses.words))]
    for word in range(1, parses.words + 1):
        entering, leaving = flow[parses.child == word], flow[parses.head == word]
        signs = [1.0] * len(entering) + [-1.0] * len(leaving)
        rows.append(([*entering.tolist(), *leaving.tolist()], signs, 1.0))
    return rows


def _no_flow_without_arc(parses: SentenceRows) -> list[Row]:
    """Allow flow only on arcs (eq. 7)."""
    n = float(parses.words)
    return [([parses.arcs + a, a], [1.0, -n], 0.0) for a in range(parses.arcs)]


def _projective(parses: SentenceRows) -> list[Row]:
    """Forbid arcs that cross an arc that is on (eq. 9)."""
    low, high = np.minimum(parses.head, parses.child), np.maximum(parses.head, parses.child)
    rows: list[Row] = []
    n = float(parses.words)
    for a in range(parses.arcs):
        starts_inside = (low > low[a]) & (low < high[a]) & (high > high[a])
        ends_inside = (high > low[a]) & (high < high[a]) & (low < low[a])
        crossing = np.flatnonzero(starts_inside | ends_inside).tolist()
        if crossing:
            rows.append(([*crossing, a], [*[1.0] * len(crossing), n], n))
    return rows


def _decisions(parses: SentenceRows) -> list[Row]:
    """Continue from no child if and only if there is a child (eqs. 13 and 16)."""
    rows: list[Row] = []
    for d in range(len(parses.token)):
        arcs = parses.side_arcs(d).tolist()
        column = 2 * parses.arcs + d
        rows.append(([*arcs, column], [*[1.0 / parses.words] * len(arcs), -1.0], 0.0))
        rows.append(([column, *arcs], [1.0, *[-1.0] * len(arcs)], 0.0))
    return rows


def _sum_row(columns: Ints, right: float) -> Row:
    return columns.tolist(), [1.0] * len(columns), right


def _block(rows: list[Row]) -> Block:
    return Block(
        np.repeat(np.arange(len(rows)), [len(columns) for columns, _, _ in rows]),
        np.array([column for columns, _, _ in rows for column in columns], dtype=np.intp),
        np.array([value for _, values, _ in rows for value in values], dtype=np.float64),
        np.array([right for _, _, right in rows], dtype=np.float64),
    )
