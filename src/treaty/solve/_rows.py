"""Sparse rows over literals, collected in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.solve._deadline import Deadline
from treaty.solve._view import Doubles, Ints, add_up

__all__ = ["Rows"]


class Rows:
    """Columns and rows of a linear program under construction.

    Parameters
    ----------
    scores
        Score of each variable.
    evidence
        -1 if the variable is free, else its value.
    deadline
        When to stop, with `OutOfTime`.
    """

    def __init__(self, scores: Doubles, evidence: Ints, deadline: Deadline | None = None) -> None:
        self._deadline = deadline or Deadline(None)
        self.count = 0
        self.offset = 0.0
        self._columns = len(scores)
        self._cost = [scores]
        self._scored: list[tuple[Ints, Doubles]] = []
        self._lower = [np.where(evidence == 1, 1.0, 0.0)]
        self._upper = [np.where(evidence == 0, 0.0, 1.0)]
        self._terms: list[tuple[Ints, Ints, Doubles]] = []
        self._row_lower: list[Doubles] = []
        self._row_upper: list[Doubles] = []

    def check(self) -> None:
        """Raise `OutOfTime` at the deadline."""
        self._deadline.check()

    def fresh(self, cost: Doubles, *, upper: float = 1.0) -> Ints:
        """Add columns between 0 and `upper`; return their literals."""
        first = self._columns
        self._columns += len(cost)
        self._cost.append(cost)
        self._lower.append(np.zeros(len(cost)))
        self._upper.append(np.full(len(cost), upper))
        return 2 * np.arange(first, self._columns)

    def score(self, literal: Ints, worth: Doubles) -> None:
        """Add to the scores of literals."""
        self._scored.append((literal, worth))

    def add(
        self,
        row: Ints,
        literal: Ints,
        coefficient: npt.ArrayLike,
        lower: Doubles,
        upper: npt.ArrayLike,
    ) -> None:
        """Add a block of ``len(lower)`` rows, given by its terms; `row` counts from 0 in the block.

        Repeated terms are summed. A negated literal is ``1 - x``: its constant moves to the bounds.
        """
        self.check()
        coefficient = np.broadcast_to(np.asarray(coefficient, dtype=float), row.shape)
        negated = (literal & 1).astype(bool)
        constant = add_up(row[negated], coefficient[negated], len(lower))
        signed = np.where(negated, -coefficient, coefficient)
        self._terms.append((row + self.count, literal >> 1, signed))
        self._row_lower.append(lower - constant)
        self._row_upper.append(np.broadcast_to(upper, lower.shape) - constant)
        self.count += len(lower)

    def finish(self) -> dict[str, Any]:
        """Return the fields of a `Relaxation`: terms sorted, and equal ones summed."""
        row, column, coefficient = _joined([self._sorted(*block) for block in self._terms])
        self.check()
        cost, offset = self._objective()
        return {
            "cost": cost,
            "offset": offset,
            "lower": np.concatenate(self._lower),
            "upper": np.concatenate(self._upper),
            "row_lower": np.concatenate([np.zeros(0), *self._row_lower]),
            "row_upper": np.concatenate([np.zeros(0), *self._row_upper]),
            "begin": np.concatenate([[0], np.cumsum(np.bincount(row, minlength=self.count))]),
            "column": column,
            "coefficient": coefficient,
        }

    def _sorted(self, row: Ints, column: Ints, coefficient: Doubles) -> tuple[Ints, Ints, Doubles]:
        """Sort the terms of a block and sum equal ones; no two blocks share a row."""
        self.check()
        key = row * self._columns + column
        order = np.argsort(key, kind="stable")
        distinct = np.flatnonzero(np.diff(key[order], prepend=-1))
        if not len(distinct):
            return row, column, coefficient
        coefficient = np.add.reduceat(coefficient[order], distinct)
        kept = coefficient != 0.0
        chosen = order[distinct][kept]
        return row[chosen], column[chosen], coefficient[kept]

    def _objective(self) -> tuple[Doubles, float]:
        cost = np.concatenate(self._cost)
        offset = self.offset
        for literal, worth in self._scored:
            negated = (literal & 1).astype(bool)
            signed = np.where(negated, -worth, worth)
            cost += add_up(literal >> 1, signed, len(cost))
            offset += float(worth[negated].sum())
        return cost, offset


def _joined(terms: list[tuple[Ints, Ints, Doubles]]) -> tuple[Ints, Ints, Doubles]:
    if not terms:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
    row, column, coefficient = (np.concatenate(parts) for parts in zip(*terms, strict=True))
    return row, column, coefficient
