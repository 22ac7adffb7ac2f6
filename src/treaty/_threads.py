"""Work spread over Python threads, for solvers that release the interpreter lock."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

__all__ = ["Stopped", "check_stopped", "spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = max(16, 4 * (os.cpu_count() or 1))
"""More threads than this would only cost memory."""
_LOCAL = threading.local()


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
        _start(help_out, min(threads or os.cpu_count() or 1, MOST, len(todo)) - 1, helpers)
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
