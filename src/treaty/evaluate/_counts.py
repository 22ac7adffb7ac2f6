"""Counts that a score is made of, so that scores of parts can be added up and checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Accuracy", "Retrieval"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of a number of decisions are right.

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
        """The share that is right, from 0 to 1; not a number where there is nothing to judge."""
        return _ratio(self.correct, self.total)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How many of some gold things were found, and how many of those found are gold.

    Parameters
    ----------
    correct
        How many are in both.
    gold, system
        How many are in each.

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
        """The share of the system's that is right."""
        return _ratio(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The share of the gold ones that was found."""
        return _ratio(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _ratio(2 * self.correct, self.gold + self.system)


def f1_sums(parts: Iterable[Retrieval]) -> tuple[list[int], list[int]]:
    """Give what the F1 of all parts together is a ratio of, part by part, for the bootstrap."""
    counts = list(parts)
    return [2 * part.correct for part in counts], [part.gold + part.system for part in counts]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
