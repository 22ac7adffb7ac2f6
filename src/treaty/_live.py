"""Input that arrives bit by bit, such as that of a pipe: pauses are told to those who read it."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from collections.abc import Callable, Iterator

__all__ = ["PAUSE", "LiveInput", "live_input"]

CHUNK = 2**16
PAUSE = 0.3
"""Seconds without input that are a pause."""


class LiveInput:
    """A pipe, or a terminal, that may pause.

    Parameters
    ----------
    handle
        The number of the open file.
    pause
        Seconds of waiting after which `chunks` tells of a pause.
    ready
        Waits until there is input, for so many seconds at most, and returns whether there is.
    clock
        The time in seconds.

    Attributes
    ----------
    silent
        Whether, at the last pause, nothing arrived in all that time. (Else input arrives steadily,
        but so slowly that the reader has waited that long in all.)
    """

    name = "<stdin>"

    def __init__(
        self,
        handle: int,
        pause: float = PAUSE,
        ready: Callable[[int, float], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.silent = False
        self._handle, self._pause, self._clock = handle, pause, clock
        self._ready = ready or _is_ready

    def chunks(self) -> Iterator[bytes]:
        """Yield what arrives; and ``b""`` at each pause, once, so that no work is left undone."""
        waited, is_idle = 0.0, True
        while True:
            if not is_idle:
                began = self._clock()
                arrived = self._ready(self._handle, self._pause)
                waited += self._clock() - began
                if not arrived or waited >= self._pause:
                    self.silent, is_idle, waited = not arrived, not arrived, 0.0
                    yield b""
            if not (chunk := self._read()):
                return
            is_idle = False
            yield chunk

    def _read(self) -> bytes:
        return os.read(self._handle, CHUNK)


def live_input() -> LiveInput | None:
    """Return standard input if it is a pipe, a socket or a terminal; None if it is a file."""
    try:
        handle = sys.stdin.fileno()
        mode = os.fstat(handle).st_mode
    except (AttributeError, OSError, ValueError):  # closed, or replaced by another object
        return None
    is_live = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(handle)
    return LiveInput(handle) if is_live and os.name == "posix" else None


def _is_ready(handle: int, seconds: float) -> bool:
    return bool(select.select([handle], [], [], seconds)[0])
