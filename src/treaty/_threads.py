"""Work in Python threads, for solvers that release the interpreter lock; when work is to stop."""

from __future__ import annotations

import atexit
import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TypeVar

from treaty.errors import LimitError, UsageError

__all__ = [
    "MANY", "Clock", "Stopped", "apart", "check_stopped", "checked", "end_with", "spread",
    "unlimited",
]  # fmt: skip

Item = TypeVar("Item")
Result = TypeVar("Result")
PATIENCE = 0.4
"""Seconds that Ctrl-C waits for work that was told to stop."""
GRACE = 0.3
"""Seconds beyond a time limit in which work that cannot be left half done may still end: what comes
before a solver, which stops at the limit, and what makes a result of its answer."""
MANY = 256
"""Steps that take microseconds, after which it is looked whether work is to stop."""
_LOCAL = threading.local()
_APART: dict[threading.Event, Callable[[], object]] = {}
"""What runs apart: how to stop it, by the event of its end."""
_EXIT_CODE: list[int] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_APART.clear)  # the child does not have these threads


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Raised in a thread whose work is no longer wanted."""


def check_stopped() -> None:
    """Raise an error if this thread is to stop; called often by all work, native kernels included.

    Raises
    ------
    Stopped
        If it works for a `spread` in which another thread has failed.
    LimitError
        If the time of a `Clock` that it works under is up.
    """
    if getattr(_LOCAL, "failures", None):
        raise Stopped
    clock: Clock | None = getattr(_LOCAL, "clock", None)
    if clock is not None and time.perf_counter() > clock.end + GRACE:
        raise LimitError(
            "the time limit was reached before there was an answer: give more time, or less input"
        )


def checked(items: Iterable[Item], every: int = 1) -> Iterator[Item]:
    """Pass on items, and call `check_stopped` between them, or before every so many.

    Examples
    --------
    >>> list(checked("ab"))
    ['a', 'b']
    """
    for number, item in enumerate(items):
        if not number % every:
            check_stopped()
        yield item


class Clock:
    """A time limit for all that a thread does in a with statement, native kernels included.

    Work that has no answer by then ends with a `LimitError`. Solvers are given the time that is
    `left`, and stop with the best answer they have. A clock may be entered again and again, as by a
    generator between its results; a clock inside of another one stops no later than that.

    Parameters
    ----------
    seconds
        The limit, from now on; None for none of its own.

    Examples
    --------
    >>> clock = Clock(60.0)
    >>> with clock, Clock(None) as inner:
    ...     check_stopped()
    ...     59.0 < inner.left <= 60.0
    True
    >>> Clock(None).left is None
    True
    """

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not seconds >= 0:
            raise UsageError(f"time_limit must not be negative, got {seconds}")
        outer: Clock | None = getattr(_LOCAL, "clock", None)
        self.end = math.inf if seconds is None else time.perf_counter() + seconds
        if outer is not None:
            self.end = min(self.end, outer.end)
        self._outer: list[Clock | None] = []

    @property
    def left(self) -> float | None:
        """Seconds until the limit, at least 0; None if there is no limit."""
        return None if self.end == math.inf else max(0.0, self.end - time.perf_counter())

    @property
    def limits(self) -> dict[str, float]:
        """The limit for a solver, as the option ``time_limit``; empty if there is none."""
        return {} if (left := self.left) is None else {"time_limit": left}

    def __enter__(self) -> Self:
        self._outer.append(getattr(_LOCAL, "clock", None))
        _LOCAL.clock = self
        return self

    def __exit__(self, *_: object) -> None:
        _LOCAL.clock = self._outer.pop()


def spread(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int | None = None,
    *,
    on_stop: Callable[[], object] = lambda: None,
) -> list[Result]:
    """Call a function for every item, in several threads; the calling thread is one of them.

    Parameters
    ----------
    function, items
        What to call, and with what.
    threads
        Number of threads; all cores by default. If a thread cannot be started there are fewer, and
        a warning.
    on_stop
        Called when an item fails or the user presses Ctrl-C: it may stop the current work of the
        others. Items that are not begun are left out.

    Returns
    -------
    list
        The results, in the order of the items.

    Examples
    --------
    >>> spread(abs, [3, -4], threads=2)
    [3, 4]
    """
    from treaty._native.learn import usable_threads

    todo = list(items)
    results: list[Any] = [None] * len(todo)
    failures: list[BaseException] = []
    waiting = iter(range(len(todo)))  # the interpreter lock lets one thread at a time advance it
    helpers: list[threading.Event] = []  # set when the helping thread has ended

    def work() -> None:
        try:
            for i in waiting:
                results[i] = function(todo[i])
                check_stopped()
        except BaseException as error:
            fail(error)

    def fail(error: BaseException) -> None:
        failures.append(error)
        on_stop()

    def help_out(ended: threading.Event) -> None:
        _LOCAL.failures, _LOCAL.clock = failures, clock
        try:
            work()
        finally:
            ended.set()

    outer, _LOCAL.failures = getattr(_LOCAL, "failures", None), failures
    clock = getattr(_LOCAL, "clock", None)
    try:
        wanted = usable_threads(threads or os.cpu_count() or 1)
        _start(help_out, min(wanted, len(todo)) - 1, helpers)
        work()
        for ended in helpers:
            ended.wait()
    except BaseException as error:  # Ctrl-C reaches only this thread
        fail(error)
    finally:
        _LOCAL.failures = outer
    for ended in helpers:
        ended.wait()
    if failures:
        raise failures[0]
    return results


def apart(function: Callable[[], object], on_stop: Callable[[], object]) -> None:
    """Call a function in a thread of its own, so that Ctrl-C is answered within a second.

    Parameters
    ----------
    function
        What to call. It must use nothing that others change afterwards.
    on_stop
        Called at Ctrl-C, or when another thread of `spread` has failed, to stop the function. If it
        goes on for a while, it is left alone: it ends in the background.

    Examples
    --------
    >>> apart(lambda: print("done"), on_stop=lambda: None)
    done
    """
    ended, failures = threading.Event(), list[BaseException]()

    clock = getattr(_LOCAL, "clock", None)

    def work() -> None:
        _APART[ended] = on_stop
        _LOCAL.clock = clock
        try:
            function()
        except BaseException as error:
            failures.append(error)
        finally:
            del _APART[ended]
            ended.set()

    try:
        try:
            threading.Thread(target=work, daemon=True).start()
        except RuntimeError:  # a limit on memory, or on the number of threads
            work()
        # An interrupted join() leaves a thread that Python considers finished (bpo-45274).
        while not ended.wait(0.1):
            check_stopped()
    except (KeyboardInterrupt, Stopped, LimitError):
        on_stop()
        ended.wait(PATIENCE)
        raise
    if failures:
        raise failures[0]


def end_with(exit_code: int) -> None:
    """Say that the process ends with this code: what still runs apart is not waited for."""
    _EXIT_CODE[:] = [exit_code] if _APART else []


@contextmanager
def unlimited() -> Iterator[None]:
    """Let this thread end, whatever the time, what takes a moment: to write an answer it has."""
    outer, _LOCAL.clock = getattr(_LOCAL, "clock", None), None
    try:
        yield
    finally:
        _LOCAL.clock = outer


@atexit.register
def _end() -> None:
    """Let no thread run native code while the interpreter is taken down: it would crash."""
    running = dict(_APART)
    by_signal = getattr(sys, "last_type", None) is KeyboardInterrupt
    if running and (by_signal or _EXIT_CODE):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        if by_signal:  # as Python itself does later
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        os._exit(*_EXIT_CODE)
    for ended, stop in running.items():
        stop()
        ended.wait()


def _start(
    help_out: Callable[[threading.Event], None], count: int, helpers: list[threading.Event]
) -> None:
    """Start threads, fewer if need be."""
    for number in range(1, count + 1):
        ended = threading.Event()
        try:
            threading.Thread(target=help_out, args=(ended,), daemon=True).start()
        except RuntimeError:  # a limit on memory, or on the number of threads
            warnings.warn(
                f"only {number} of {count + 1} threads could be started; the results are the same",
                RuntimeWarning,
                stacklevel=4,
            )
            return
        helpers.append(ended)
