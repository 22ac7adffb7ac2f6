"""Work in Python threads, for solvers that release the interpreter lock."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

__all__ = ["Stopped", "apart", "check_stopped", "end_with", "spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")
PATIENCE = 0.4
"""Seconds that Ctrl-C waits for work that was told to stop."""
_LOCAL = threading.local()
_APART: dict[threading.Event, Callable[[], object]] = {}
"""What runs apart: how to stop it, by the event of its end."""
_EXIT_CODE: list[int] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_APART.clear)  # the child does not have these threads


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Raised in a thread whose work is no longer wanted."""


def check_stopped() -> None:
    """Raise `Stopped` if this thread works for a `spread` in which another has failed."""
    if getattr(_LOCAL, "failures", None):
        raise Stopped


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
        _LOCAL.failures = failures
        try:
            work()
        finally:
            ended.set()

    outer, _LOCAL.failures = getattr(_LOCAL, "failures", None), failures
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

    def work() -> None:
        _APART[ended] = on_stop
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
    except (KeyboardInterrupt, Stopped):
        on_stop()
        ended.wait(PATIENCE)
        raise
    if failures:
        raise failures[0]


def end_with(exit_code: int) -> None:
    """Say that the process ends with this code because of Ctrl-C: nothing need be waited for."""
    _EXIT_CODE[:] = [exit_code]


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
