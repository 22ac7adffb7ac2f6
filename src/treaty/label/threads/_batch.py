"""Threads as instances of a `PatternCrf`, in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label.threads._codes import codes_of
from treaty.label.threads._pairs import PairGrid, Piece, all_pieces
from treaty.label.threads._posts import PostTable
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts
from treaty.text import Thread

__all__ = ["Batch"]


class Batch:
    """A batch of threads, split into pieces that are instances; all of their pieces, or some.

    Attributes
    ----------
    threads, pieces, grid
        The threads, their pieces, and the grid of pairs.
    instances
        A vertex for every pair of `grid`, an instance for every piece.
    factors
        For each kind: the pairs that each factor joins, and its features.
    """

    def __init__(
        self,
        threads: Sequence[Thread],
        counts: WordCounts,
        families: Sequence[Family],
        kinds: Sequence[PatternKind],
        window: int,
        posts: PostTable | None = None,
        pieces: Sequence[Piece] | None = None,
    ) -> None:
        self.threads = threads
        self._posts = posts or PostTable(threads)
        self.pieces = list(all_pieces(threads, window) if pieces is None else pieces)
        self.grid = PairGrid(self.pieces, self._posts.begin, window)
        self.instances = Instances(kinds)
        self._fill(families, counts, window)

    def _fill(self, families: Sequence[Family], counts: WordCounts, window: int) -> None:
        codes = codes_of(self._posts, self.pieces, self.grid, counts, window)
        joined = [self.grid.factors(*family.directions) for family in families]
        self.factors = [
            (pairs, family.compiled.hashes(codes, pairs))
            for family, pairs in zip(families, joined, strict=True)
        ]
        begins = [
            np.searchsorted(pairs[:, family.center], self.grid.begin)
            for family, pairs in zip(families, joined, strict=True)
        ]
        for number, start in enumerate(self.grid.begin[:-1]):
            self.instances.start(int(self.grid.begin[number + 1] - start))
            for family, (pairs, features), begin in zip(
                families, self.factors, begins, strict=True
            ):
                part = slice(begin[number], begin[number + 1])
                if part.start < part.stop:
                    self.instances.add(family.name, pairs[part] - start, features[part])

    def gold(self) -> npt.NDArray[np.int32]:
        """Label all pairs with 1 if they are linked, and 0 if they are not."""
        posts = max(len(self._posts), 1)
        links = [
            (begin + link.source) * posts + begin + link.target
            for begin, thread in zip(self._posts.begin.tolist(), self.threads, strict=False)
            for link in thread.links
        ]
        pairs = self.grid.source * posts + self.grid.target
        return np.isin(pairs, np.array(links, np.int64)).astype(np.int32)

    def links(self, labels: npt.NDArray[np.int32]) -> list[list[tuple[int, int, int]]]:
        """List the linked pairs of each thread: their index, source and target."""
        found: list[list[tuple[int, int, int]]] = [[] for _ in self.threads]
        on = np.flatnonzero(labels)
        piece = np.searchsorted(self.grid.begin, on, side="right") - 1
        for number, pair in zip(piece.tolist(), on.tolist(), strict=True):
            thread = self.pieces[number].thread
            ends = (self.grid.source[pair], self.grid.target[pair]) - self._posts.begin[thread]
            found[thread].append((pair, *ends.tolist()))
        return found
