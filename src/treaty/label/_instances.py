"""Batches of instances: graphs of vertices and factors, in flat native arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty.errors import UsageError
from treaty.label._kinds import PatternKind

__all__ = ["Instances"]

NO_VALUES = np.zeros(0, np.float32)


class Instances:
    """Instances to label, made of vertices and factors over them.

    Parameters
    ----------
    kinds
        The kinds of factors, the same as the model's.

    Examples
    --------
    One instance of two vertices, with two features each, and a transition:

    >>> kinds = [PatternKind.every("word", 2, 1), PatternKind.every("transition", 2, 2)]
    >>> instances = Instances(kinds)
    >>> instances.start(2)
    0
    >>> instances.add("word", [[0], [1]], [[11, 12], [13, 12]])
    >>> instances.add("transition", [[0, 1]], [[1]])
    >>> len(instances), instances.sizes.tolist()
    (1, [2])
    """

    def __init__(self, kinds: Sequence[PatternKind]) -> None:
        self.kinds = tuple(kinds)
        self._number = {kind.name: number for number, kind in enumerate(self.kinds)}
        if len(self._number) < len(self.kinds):
            raise UsageError("two kinds have the same name; names must be unique")
        self.native = native.Instances(np.array([k.size for k in self.kinds], np.int32))
        self._content = blake2b(digest_size=16)

    def start(self, vertices: int) -> int:
        """Start an instance with this number of vertices; return its number."""
        if vertices < 0:
            raise UsageError(f"the number of vertices must be at least 0, not {vertices}")
        self._content.update(f"{vertices} vertices".encode())
        return self.native.start(vertices)

    def add(
        self,
        kind: str,
        vertices: npt.ArrayLike,
        features: npt.ArrayLike,
        begin: npt.ArrayLike | None = None,
        values: npt.ArrayLike | None = None,
    ) -> None:
        """Add factors of a kind to the instance that was started last.

        Parameters
        ----------
        kind
            The kind's name.
        vertices
            One row per factor: its vertices, counted from 0 within the instance.
        features
            Hashes of 64 bits: one row per factor or, with `begin`, those of all factors in one
            list.
        begin
            The start of each factor's features in the list, and the end of the last.
        values
            The value of each feature; 1 by default.
        """
        if kind not in self._number:
            raise UsageError(
                f"there is no kind {kind!r}: expected one of {', '.join(self._number)}"
            )
        number = self._number[kind]
        try:
            ties = np.ascontiguousarray(vertices, np.int32).ravel()
            hashes = np.ascontiguousarray(features, np.uint64).ravel()
            if begin is None:
                factors = ties.size // self.kinds[number].size
                begin = np.arange(factors + 1, dtype=np.int64) * (hashes.size // max(factors, 1))
            counts = NO_VALUES if values is None else np.ascontiguousarray(values, np.float32)
            starts = np.ascontiguousarray(begin, np.int64)
            self.native.add(number, ties, hashes, starts, counts.ravel())
            self._content.update(f"{number}: {ties.size} {hashes.size} {counts.size}".encode())
            for array in (ties, hashes, starts, counts):
                self._content.update(array.data)
        except (ValueError, TypeError, OverflowError) as error:
            raise UsageError(f"instances.add({kind!r}): {error}") from error

    def add_evidence(
        self, vertices: npt.ArrayLike, labels: npt.ArrayLike, scores: npt.ArrayLike
    ) -> None:
        """Add scores of labels to the instance that was started last, besides those of features.

        Parameters
        ----------
        vertices, labels, scores
            A vertex, the number of a label, and the score that it gets there: ``-inf`` forbids it.

        Examples
        --------
        >>> instances = Instances([PatternKind.every("word", 2, 1)])
        >>> _ = instances.start(1)
        >>> instances.add_evidence([0], [1], [2.5])
        """
        try:
            at = np.ascontiguousarray(vertices, np.int32).ravel()
            of = np.ascontiguousarray(labels, np.int32).ravel()
            given = np.ascontiguousarray(scores, np.float64).ravel()
            self.native.add_evidence(at, of, given)
            self._content.update(f"evidence: {at.size}".encode())
            for array in (at, of, given):
                self._content.update(array.data)
        except (ValueError, TypeError, OverflowError) as error:
            raise UsageError(f"instances.add_evidence: {error}") from error

    @property
    def digest(self) -> str:
        """A hash of the content: equal for instances that are equal."""
        return self._content.hexdigest()

    @property
    def sizes(self) -> npt.NDArray[np.int32]:
        """The number of vertices of each instance."""
        return self.native.sizes

    def split(self, flat: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
        """Split an array with an entry for each vertex of all instances by instance."""
        ends = np.cumsum(self.sizes)
        return iter(np.split(flat, ends[:-1])) if len(ends) else iter(())

    def __len__(self) -> int:
        return len(self.native)
