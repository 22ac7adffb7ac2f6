"""When work on a request is to end: at its limit, or when nobody reads its results."""

from __future__ import annotations

import threading
import time

from treaty._native.solve import Cancel
from treaty.progress import Progress

__all__ = ["Stop"]


class Stop:
    """A time limit, and a flag that is raised when nobody reads the results.

    Parameters
    ----------
    seconds
        The limit, from now on.

    Attributes
    ----------
    cancel
        What solvers look at; raised together with the flag.

    Examples
    --------
    >>> stop = Stop(60.0)
    >>> 59 < stop.left <= 60, stop.is_late, stop.is_gone
    (True, False, False)
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.cancel = seconds, Cancel()
        self._end, self._gone = time.monotonic() + seconds, threading.Event()

    @property
    def left(self) -> float:
        """Seconds until the limit, at least 0."""
        return max(0.0, self._end - time.monotonic())

    @property
    def is_late(self) -> bool:
        """Whether the limit is reached."""
        return not self.left

    @property
    def is_gone(self) -> bool:
        """Whether nobody reads the results."""
        return self._gone.is_set()

    def give_up(self) -> None:
        """Say that nobody reads the results."""
        self._gone.set()
        self.cancel.set()

    def watch(self, _: Progress) -> bool:
        """Tell a solver that reports its progress whether to go on."""
        return not self.is_gone
