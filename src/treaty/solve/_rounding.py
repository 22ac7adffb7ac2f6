"""Rounding of relaxed solutions."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from treaty._native import solve as native
from treaty._native.graph import Graph
from treaty.solve._check import Check, check
from treaty.solve._deadline import Deadline
from treaty.solve._view import Doubles

__all__ = ["is_integral", "round_relaxed"]

TOLERANCE = 1e-6
GRACE = 0.2
"""Seconds for rounding after the deadline: without an answer, the work before it is lost."""
SECONDS = math.inf


def is_integral(relaxed: Doubles) -> bool:
    """Return whether every variable is 0 or 1, up to the tolerance."""
    return bool(np.all(np.abs(relaxed - np.rint(relaxed)) <= TOLERANCE))


def round_relaxed(
    graph: Graph, relaxed: Doubles, deadline: Deadline | None = None
) -> tuple[npt.NDArray[np.int8], Check]:
    """Round to a good assignment, and check it.

    An integral solution is rounded to itself. For a fractional one, the better of two is returned:
    the nearest assignment, which may be infeasible, and the result of rounding with propagation.
    The second is left out if the deadline comes first.
    """
    seconds = SECONDS if deadline is None else max(deadline.seconds(), GRACE)
    nearest = _nearest(graph, relaxed)
    found = check(graph, nearest)
    if is_integral(relaxed):
        return nearest, found
    other = native.round_relaxed(graph, relaxed, seconds=seconds).astype(np.int8)
    if len(other) and (other_found := check(graph, other)).objective > found.objective:
        return other, other_found
    return nearest, found


def _nearest(graph: Graph, relaxed: Doubles) -> npt.NDArray[np.int8]:
    values = (relaxed > 0.5).astype(np.int8)
    for first, size in zip(graph.categorical_first, graph.categorical_size, strict=True):
        values[first : first + size] = 0
        values[first + relaxed[first : first + size].argmax()] = 1
    return values
