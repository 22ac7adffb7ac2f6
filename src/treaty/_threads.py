"""Work spread over Python threads, for solvers that release the interpreter lock."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

__all__ = ["spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = max(16, 4 * (os.cpu_count() or 1))
"""More threads than this would only cost memory."""


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
        Called in the calling thread if an item fails or the user presses Ctrl-C, before waiting
        for the others: it may stop their current work. Other items are left out.

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
                if failures:
                    break
        except BaseException as error:
            failures.append(error)

    try:
        _start(work, min(threads or os.cpu_count() or 1, MOST, len(todo)) - 1, helpers)
        work()
        while not (failures or all(ended.wait(0.05) for ended in helpers)):
            pass
    except BaseException as error:  # Ctrl-C reaches only this thread
        failures.append(error)
    if failures:
        on_stop()
        for ended in helpers:
            ended.wait()
        raise failures[0]
    return results


def _start(work: Callable[[], None], count: int, helpers: list[threading.Event]) -> None:
    """Start threads, fewer if need be."""

    def help_out(ended: threading.Event) -> None:
        try:
            work()
        finally:
            ended.set()

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
