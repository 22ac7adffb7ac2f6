"""The end of the time of a solve, for the stages that are written in Python."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from treaty._native.graph import Graph
from treaty._native.solve import sum_of_maxima
from treaty.solve._certificate import Certificate, Status
from treaty.solve._solution import Solution

__all__ = ["Deadline", "OutOfTime", "unknown"]


class OutOfTime(Exception):  # noqa: N818 - nothing went wrong
    """Raised by a stage that has nothing to show yet when the time is out."""


class Deadline:
    """A limit in seconds from now, or none.

    Examples
    --------
    >>> Deadline(None).left() is None, Deadline(0.0).left(), Deadline(None).seconds()
    (True, 0.0, inf)
    """

    def __init__(self, time_limit: float | None) -> None:
        self.started = time.perf_counter()
        self._limit = math.inf if time_limit is None else float(time_limit)

    def seconds(self) -> float:
        """Seconds that are left, infinitely many without a limit."""
        return max(0.0, self._limit - (time.perf_counter() - self.started))

    def left(self) -> float | None:
        """Seconds that are left; None without a limit."""
        return None if self._limit == math.inf else self.seconds()

    def passed(self) -> float:
        """Seconds that have passed."""
        return time.perf_counter() - self.started

    def check(self) -> None:
        """Raise `OutOfTime` if nothing is left."""
        if self.seconds() == 0.0:
            raise OutOfTime


def unknown(graph: Graph, method: str, deadline: Deadline, **fields: Any) -> Solution:
    """Return what is known of a graph without any work: no answer, and the sum of all maxima."""
    bound = sum_of_maxima(graph)
    return Solution(
        Certificate(Status.UNKNOWN, -math.inf, bound, 0, deadline.passed()),
        values=np.full(graph.variables, -1, dtype=np.int8),
        method=method,
        **fields,
    )
