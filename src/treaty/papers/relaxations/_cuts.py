"""Sum-to-one, relaxed by tangents (Gormley & Eisner 2013, eqs. 17 and 18).

The tangent of ``sum exp(theta)`` at ``theta = log p``, for p on the simplex, is at most the
capacity if and only if ``sum p theta <= sum p log p + capacity - 1``; with a capacity of 1, this is
Gibbs' inequality.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from treaty.induce._features import Floats, Ints

__all__ = ["Cut", "CutPool", "tangent", "violated"]

SMALLEST = 1e-6  # HiGHS drops coefficients below 1e-9, which would make cuts too strong
TOLERANCE = 1e-5  # tolerance for sums of probabilities above their capacity
MOST_POOLED = 40  # cuts of a distribution in the pool


@dataclass(frozen=True, eq=False)
class Cut:
    """A row ``probability @ x[column] <= right``."""

    column: Ints
    probability: Floats
    right: float


def tangent(column: Ints, probability: Floats, floor: float) -> Cut:
    """Make the tangent at (or, for tiny probabilities, near) a point of the simplex."""
    p = np.maximum(probability, SMALLEST)
    p /= p.sum()
    return Cut(column, p, float(p @ np.log(p)) + floor * (len(column) - 1))


def violated(theta: Floats, distribution: Ints, floor: float) -> list[Cut]:
    """Make cuts for a point where it exceeds a capacity: at most one for each distribution."""
    probability = np.exp(theta)
    total = np.bincount(distribution, probability)
    members = np.bincount(distribution)
    excess = total - 1.0 - floor * np.maximum(members - 1, 0)
    return [
        tangent(own, probability[own] / total[number], floor)
        for number in np.flatnonzero(excess > TOLERANCE)
        for own in [np.flatnonzero(distribution == number)]
    ]


class CutPool:
    """Cuts that have been of use somewhere: they are valid in every box.

    If there are too many of a distribution, those are dropped that have not been used for longest.

    Parameters
    ----------
    distribution
        The distribution of each parameter.
    """

    def __init__(self, distribution: Ints) -> None:
        self._place = {
            int(np.flatnonzero(distribution == number)[0]): number
            for number in np.unique(distribution).tolist()
        }
        self._cuts: dict[int, dict[int, Cut]] = {number: {} for number in self._place.values()}
        self._stacked: dict[int, tuple[list[Cut], Floats, Floats]] = {}

    def __iter__(self) -> Iterator[Cut]:
        """Iterate over the cuts, those last that were used last."""
        return (cut for own in self._cuts.values() for cut in own.values())

    def use(self, cuts: Iterable[Cut]) -> None:
        """Add cuts, or note that they were used."""
        for cut in cuts:
            number = self._place[int(cut.column[0])]
            own = self._cuts[number]
            if own.pop(id(cut), None) is None:
                self._stacked.pop(number, None)
            own[id(cut)] = cut
            if len(own) > MOST_POOLED:
                own.pop(next(iter(own)))

    def like(self, fresh: Iterable[Cut], theta: Floats) -> list[Cut]:
        """List the cuts that a point violates, of the distributions of some that it violates.

        No other cut can be violated: all are implied by sum-to-one.
        """
        found = []
        for number in (self._place[int(cut.column[0])] for cut in fresh):
            own = self._cuts[number]
            if not own:
                continue
            if number not in self._stacked:
                cuts = list(own.values())
                stacked = np.stack([cut.probability for cut in cuts])
                self._stacked[number] = cuts, stacked, np.array([cut.right for cut in cuts])
            cuts, rows, right = self._stacked[number]
            excess = rows @ theta[cuts[0].column] - right
            found += [cuts[i] for i in np.flatnonzero(excess > TOLERANCE).tolist()]
        return found
