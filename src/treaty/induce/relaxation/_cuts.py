"""Sum-to-one, relaxed by tangents (Gormley & Eisner 2013, eqs. 17 and 18).

The tangent of ``sum exp(theta)`` at ``theta = log p``, for p on the simplex, is at most the
capacity exactly if ``sum p theta <= sum p log p + capacity - 1``: nothing fits p better than p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treaty.induce._features import Floats, Ints

__all__ = ["Cut", "tangent", "violated"]

SMALLEST = 1e-6  # HiGHS forgets coefficients below 1e-9, which would cut more than is meant
TOLERANCE = 1e-5  # how far probabilities may sum above their capacity


@dataclass(frozen=True, eq=False)
class Cut:
    """A row ``probability @ x[column] <= right``."""

    column: Ints
    probability: Floats
    right: float


def tangent(column: Ints, probability: Floats, floor: float) -> Cut:
    """Touch the surface at (or, for tiny probabilities, near) a point of the simplex."""
    p = np.maximum(probability, SMALLEST)
    p /= p.sum()
    return Cut(column, p, float(p @ np.log(p)) + floor * (len(column) - 1))


def violated(theta: Floats, distribution: Ints, floor: float) -> list[Cut]:
    """Cut off a point where it exceeds a capacity: at most one cut for each distribution."""
    probability = np.exp(theta)
    total = np.bincount(distribution, probability)
    members = np.bincount(distribution)
    excess = total - 1.0 - floor * np.maximum(members - 1, 0)
    return [
        tangent(own, probability[own] / total[number], floor)
        for number in np.flatnonzero(excess > TOLERANCE)
        for own in [np.flatnonzero(distribution == number)]
    ]
