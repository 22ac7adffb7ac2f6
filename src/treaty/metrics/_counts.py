"""Counts behind scores, so that scores of parts can be summed and checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Accuracy", "Retrieval"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Number of right decisions out of a total.

    Parameters
    ----------
    correct, total
        The counts.

    Examples
    --------
    >>> Accuracy(9, 10).value
    0.9
    """

    correct: int
    total: int

    @property
    def value(self) -> float:
        """The share that is right, from 0 to 1; NaN if the total is 0."""
        return _ratio(self.correct, self.total)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Counts for precision and recall.

    Parameters
    ----------
    correct
        Number of items in both gold and system.
    gold, system
        Number of items in each.

    Examples
    --------
    >>> arcs = Retrieval(correct=3, gold=4, system=6)
    >>> arcs.precision, arcs.recall, arcs.f1
    (0.5, 0.75, 0.6)
    """

    correct: int
    gold: int
    system: int

    @property
    def precision(self) -> float:
        """The share of system items that are right."""
        return _ratio(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The share of gold items that were found."""
        return _ratio(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _ratio(2 * self.correct, self.gold + self.system)


def f1_sums(parts: Iterable[Retrieval]) -> tuple[list[int], list[int]]:
    """Return numerator and denominator of F1 for each part, for the bootstrap."""
    counts = list(parts)
    return [2 * part.correct for part in counts], [part.gold + part.system for part in counts]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
