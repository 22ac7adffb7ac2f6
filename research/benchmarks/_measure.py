"""CPU time and peak memory of a run, each in a forked child where nothing else disturbs.

The child inherits the problem, so nothing is copied or parsed again. No resource limit is ever set:
a limit on CPU time makes the kernel account it in ticks, which coarsens the clock.
"""

from __future__ import annotations

import gc
import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

T = TypeVar("T")

SHORT = 1.0  # seconds: runs below are repeated
LEAST = 0.02  # seconds: repetitions go on until so much is measured


class RunError(Exception):
    """What went wrong in the child, in one line."""


@dataclass(frozen=True)
class Measured(Generic[T]):
    """A result and what it cost."""

    result: T
    seconds: float
    """CPU seconds of the solver: the best of the repetitions."""
    build: float
    """CPU seconds to make the solver's model of the problem."""
    megabytes: float
    """Peak of the resident memory, model included, above what the child began with."""


def measure(
    prepare: Callable[[Any], Any],
    solve: Callable[[Any], T],
    problem: Any,
    *,
    warm_up: Any,
    repeat: int,
    patience: float,
) -> Measured[T]:
    """Prepare and solve a problem in a child.

    `warm_up` is a small problem that is solved before, so that code is loaded and caches are warm.
    A child that takes more than `patience` seconds is ended: not every solver has a time limit.
    """

    def work() -> Measured[T]:
        solve(prepare(warm_up))
        before = _peak()
        runs = [_run(prepare, solve, problem)]
        megabytes = (_peak() - before) / 1024
        while _is_worth_repeating([seconds for _, seconds, _ in runs], repeat):
            runs.append(_run(prepare, solve, problem))
        return Measured(
            runs[0][0], min(run[1] for run in runs), min(run[2] for run in runs), megabytes
        )

    return in_child(work, patience)


def cpu_seconds(function: Callable[[], Any], repeat: int) -> float:
    """CPU seconds of a call: the best of the repetitions."""
    times: list[float] = []
    while not times or _is_worth_repeating(times, repeat):
        started = time.process_time()
        function()
        times.append(time.process_time() - started)
    return min(times)


def in_child(work: Callable[[], T], patience: float) -> T:
    """Run a function in a forked child and return what it returns."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    gc.collect()
    child = context.Process(target=_answer, args=(work, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        if not ours.poll(patience):
            raise RunError(f"no answer in {patience:.0f} s")
        is_done, answer = ours.recv()
    except EOFError:
        child.join()
        raise RunError(f"crashed with exit code {child.exitcode}") from None
    finally:
        child.kill()
        child.join()
    if not is_done:
        raise RunError(answer)
    return answer


def _answer(work: Callable[[], Any], pipe: Connection) -> None:
    gc.disable()
    try:
        pipe.send((True, work()))
    except Exception as error:
        pipe.send((False, f"{type(error).__name__}: {error}"))


def _run(
    prepare: Callable[[Any], Any], solve: Callable[[Any], T], problem: Any
) -> tuple[T, float, float]:
    started = time.process_time()
    model = prepare(problem)
    prepared = time.process_time()
    result = solve(model)
    return result, time.process_time() - prepared, prepared - started


def _is_worth_repeating(times: list[float], repeat: int) -> bool:
    return times[0] < SHORT and (len(times) < repeat or (repeat > 1 and sum(times) < LEAST))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
