"""Ctrl-C and SIGTERM: a command ends as from an error, and leaves no unfinished files."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["check_interrupted", "heard", "taking_signals"]

USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
"""Handlers that are replaced; those of a program around Treaty, and ignored signals, are left."""
_HEARD: list[int] = []


@contextmanager
def taking_signals() -> Iterator[None]:
    """Let a signal raise KeyboardInterrupt, and remember it.

    By default SIGTERM ends a process at once, and what it was writing stays on disk.
    """
    _HEARD.clear()
    replaced = []
    try:
        for number, usual in USUAL.items():
            if signal.getsignal(number) == usual:
                signal.signal(number, _hear)
                replaced.append(number)
    except ValueError:  # only the main thread may set handlers
        pass
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, USUAL[number])


def heard() -> int:
    """Return the signal that ended the command, SIGINT if none is known."""
    return _HEARD[0] if _HEARD else signal.SIGINT


def check_interrupted() -> None:
    """Raise KeyboardInterrupt if there was a signal, also one that work has answered by ending."""
    if _HEARD:
        raise KeyboardInterrupt


def _hear(number: int, _: FrameType | None) -> None:
    _HEARD.append(number)
    raise KeyboardInterrupt
