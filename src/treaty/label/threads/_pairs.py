"""The grid of pairs (source, target) of posts, with their neighbors.

A pair means that the source may depend on the target, an earlier post of the thread. The grid has a
row for every source and a column for every target (Qian & Liu 2014, figure 3). Links to later posts
are left out, since they are very rare (STAC has 147 among 12,678).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.text import Thread

__all__ = ["MOST_PAIRS", "PairGrid", "Piece", "all_pieces", "pairs_left_out", "pieces_of"]

Numbers = npt.NDArray[np.int64]

MOST_PAIRS = 10_000
"""Maximum number of pairs decoded at once: larger threads are split, to bound the memory."""
NONE = -1


@dataclass(frozen=True, slots=True)
class Piece:
    """Sources ``start`` to ``stop`` of a thread, which are decoded together.

    Attributes
    ----------
    thread
        Index of the thread in a batch.
    start, stop
        Range of the sources in the thread.
    """

    thread: int
    start: int
    stop: int

    def pairs(self, window: int) -> int:
        """Return the number of its pairs."""
        return _pairs_before(self.stop, window) - _pairs_before(self.start, window)


def all_pieces(threads: Sequence[Thread], window: int) -> Iterator[Piece]:
    """Split all threads of a batch into pieces."""
    for number, thread in enumerate(threads):
        yield from pieces_of(number, thread, window)


def pieces_of(number: int, thread: Thread, window: int) -> Iterator[Piece]:
    """Split a thread into pieces of at most `MOST_PAIRS` pairs."""
    most = max(1, MOST_PAIRS // window)
    start, end = max(1, thread.annotated_from), len(thread)
    if Piece(number, start, end).pairs(window) <= MOST_PAIRS:
        most = max(1, end - start)
    for begin in range(start, end, most):
        yield Piece(number, begin, min(begin + most, end))


def pairs_left_out(thread: Thread, window: int) -> int:
    """Count the pairs of a thread that are ignored because they are too far apart."""
    start = max(1, thread.annotated_from)
    return sum(max(0, source - window) for source in range(start, len(thread)))


def _pairs_before(end: int, window: int) -> int:
    """Count the pairs of the sources before `end`."""
    short = min(end, window)
    return short * (short - 1) // 2 + (end - short) * window


class PairGrid:
    """All pairs of some pieces, piece by piece and row by row.

    Attributes
    ----------
    begin
        The first pair of each piece, and the total number.
    source, target
        Posts of each pair, as indices into a `PostTable`.
    left, right
        The pairs with the same source and the target before or after; `NONE` if missing.
    up, down
        The pairs with the same target and the source before or after.
    """

    def __init__(self, pieces: Sequence[Piece], begin: Numbers, window: int) -> None:
        of = np.array([(p.thread, p.start, p.stop) for p in pieces], np.int64).reshape(-1, 3)
        rows = of[:, 2] - of[:, 1]
        piece = np.repeat(np.arange(len(of)), rows)  # the piece of each row
        place = _counting(rows) + of[piece, 1]
        width = np.minimum(place, window)
        starts = np.concatenate([[0], np.cumsum(width)])
        self.begin: Numbers = starts[np.concatenate([[0], np.cumsum(rows)])]
        row = np.repeat(np.arange(len(place)), width)
        base = begin[of[piece, 0]]  # first post of the row's thread
        first = base + place - width
        self.source: Numbers = (base + place)[row]
        self.target: Numbers = first[row] + _counting(width)
        pair = np.arange(len(row))
        self.left: Numbers = np.where(pair > starts[row], pair - 1, NONE)
        self.right: Numbers = np.where(pair + 1 < starts[row + 1], pair + 1, NONE)
        self.down = self._below(row, piece, first, starts)
        self.up = np.full(len(row), NONE)
        self.up[self.down[self.down >= 0]] = pair[self.down >= 0]

    def __len__(self) -> int:
        return len(self.source)

    def _below(self, row: Numbers, piece: Numbers, first: Numbers, starts: Numbers) -> Numbers:
        under = np.minimum(row + 1, len(first) - 1)
        offset = self.target - first[under]
        exists = (under > row) & (piece[under] == piece[row]) & (offset >= 0)
        return np.where(exists, starts[under] + offset, NONE)

    def factors(self, *directions: str) -> Numbers:
        """List the factors that join each pair with its neighbors in these directions.

        Examples
        --------
        >>> grid = PairGrid([Piece(0, 1, 3)], np.array([0, 3]), window=10)
        >>> grid.source.tolist(), grid.target.tolist()
        ([1, 2, 2], [0, 0, 1])
        >>> grid.factors("up", "right").tolist()
        [[0, 1, 2]]
        """
        before, after = directions[:-1], directions[-1:]
        columns = [getattr(self, d) for d in before] + [np.arange(len(self))]
        columns += [getattr(self, d) for d in after]
        every = np.stack(columns, axis=1)
        return every[(every >= 0).all(axis=1)]


def _counting(sizes: Numbers) -> Numbers:
    """Return 0, 1, 2… up to each size, concatenated."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
