"""Minimal sparse matrices by rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treaty.induce._features import Floats, Ints

__all__ = ["Sparse"]


@dataclass(frozen=True, eq=False)
class Sparse:
    """Row r owns entries ``begin[r] .. begin[r + 1] - 1`` of `column` and `value`."""

    begin: Ints
    column: Ints
    value: Floats

    @classmethod
    def of(cls, row: Ints, column: Ints, value: Floats, rows: int) -> Sparse:
        """Sort entries by row; duplicate entries are not merged."""
        order = np.argsort(row, kind="stable")
        begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))])
        return cls(begin, column[order].astype(np.intp), value[order])

    @classmethod
    def stacked(cls, parts: Sequence[Sparse]) -> Sparse:
        """Stack matrices vertically."""
        sizes = np.concatenate([np.diff(part.begin) for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
            np.concatenate([part.column for part in parts]),
            np.concatenate([part.value for part in parts]),
        )

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.begin) - 1

    @cached_property
    def row(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.begin))
