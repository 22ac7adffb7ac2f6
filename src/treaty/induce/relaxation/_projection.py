"""The projecting step: from a relaxed answer to a grammar and parses (section 5)."""

from __future__ import annotations

import numpy as np

from treaty.induce.relaxation._layout import Doubles, Ints

__all__ = ["normalized", "on_simplex", "project_parameters"]


def normalized(values: Doubles) -> Doubles:
    """Divide nonnegative numbers by their sum.

    Examples
    --------
    >>> normalized(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    total = values.sum()
    return values / total if total > 0 else np.full(len(values), 1.0 / len(values))


def on_simplex(values: Doubles) -> Doubles:
    """Find the nearest distribution in Euclidean distance (Chen & Ye 2011).

    Examples
    --------
    >>> on_simplex(np.array([1.0, 0.5, -1.0]))
    array([0.75, 0.25, 0.  ])
    """
    falling = np.sort(values)[::-1]
    shift = (np.cumsum(falling) - 1.0) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(falling > shift)[-1])
    projected: Doubles = np.maximum(values - shift[last], 0.0)
    return projected


PROJECTIONS = {"normalize": normalized, "simplex": on_simplex}


def project_parameters(
    probabilities: Doubles, distribution: Ints, method: str, smoothing: float
) -> Doubles:
    """Make every distribution sum to one, after adding `smoothing` to each of its numbers."""
    projected = np.zeros(len(probabilities))
    for number in np.unique(distribution):
        own = distribution == number
        projected[own] = PROJECTIONS[method](probabilities[own] + smoothing)
    return projected
