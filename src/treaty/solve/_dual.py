"""The native dual solvers: AD3 and subgradient."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph
from treaty.errors import UsageError
from treaty.progress import OnProgress, Progress
from treaty.solve._certificate import Certificate, Status
from treaty.solve._solution import TRACE_COLUMNS, Solution, Trace

__all__ = [
    "as_solution",
    "native_limits",
    "reporter",
    "require",
    "require_integer",
    "require_positive",
    "solve_ad3",
    "solve_subgradient",
]

EXACT = 2**64 - 1  # rounds of a projection: no limit
UNLIMITED = 1 << 40  # nodes of a search
MOST = 1 << 62  # what counts as no limit for native code
LARGEST = 1e100  # step or penalty, relative to the scores


def solve_ad3(
    graph: Graph,
    *,
    iterations: int = 5000,
    time_limit: float | None = None,
    gap: float = 0.0,
    tolerance: float = 1e-6,
    penalty: float | None = None,
    adapt_penalty: bool = True,
    projection_rounds: int | None = None,
    polish: bool = True,
    warm_start: Solution | None = None,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve by AD3, alternating directions dual decomposition (Martins et al. 2011).

    Parameters
    ----------
    graph
        The native graph.
    iterations, time_limit, gap
        Limits: stop after this many iterations or seconds, or when the bound is within `gap` of
        the objective.
    tolerance
        The relaxation counts as solved if its gap relative to the bound is below this.
    penalty
        Initial weight of the quadratic term, relative to the size of the scores.
    adapt_penalty
        Whether to balance primal and dual residuals by adapting the penalty.
    projection_rounds
        Maximum number of configurations added or removed in one projection of a structured factor.
        Few make fast, inexact steps, as in the parser; by default projections are exact.
    polish
        Whether to improve the final answer by local search. Turn it off if you round the relaxation
        yourself.
    warm_start
        A solution of the same or a similar graph to start from: its multipliers and active sets are
        used for every factor that still exists.
    trace
        Whether to record objective, bound and residuals by iteration.
    progress, progress_every
        Called with a `treaty.Progress` event every so many iterations (rounded up to tens), with
        objective, bound and residuals as scores; the run stops if it returns False.
    cancel
        Used by `solve_many`.
    """
    require(tolerance > 0.0, "tolerance", "positive", tolerance)
    require_positive("penalty", 1.0 if penalty is None else penalty)
    rounds = projection_rounds
    if rounds is not None:
        rounds = min(require_integer("projection_rounds", 1, rounds), MOST)
    if warm_start is not None and not isinstance(warm_start.warm, native.Warm):
        raise UsageError(
            f"warm_start requires a solution found by 'ad3', got one found by {warm_start.method!r}"
        )
    outcome, warm = native.ad3(
        graph,
        **native_limits(
            "ad3", iterations, time_limit, gap, trace, progress, progress_every, cancel
        ),
        tolerance=min(tolerance, LARGEST),
        penalty=penalty or 0.0,
        adapt_penalty=adapt_penalty,
        rounds=EXACT if rounds is None else rounds,
        polish=polish,
        warm=None if warm_start is None else warm_start.warm,
    )
    return as_solution(graph, outcome, "ad3", trace, warm)


def solve_subgradient(
    graph: Graph,
    *,
    iterations: int = 5000,
    time_limit: float | None = None,
    gap: float = 0.0,
    step_rule: str = "rush",
    step: float = 1.0,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve by subgradient dual decomposition (Komodakis et al.; Rush et al.), for comparison.

    Parameters
    ----------
    graph
        The native graph.
    step_rule
        ``"rush"`` (step divided by one plus the number of times the dual increased),
        ``"decreasing"`` (divided by the square root of the iteration) or ``"polyak"``.
    step
        Initial step size, relative to the size of the scores (``"polyak"``: a factor).
    iterations, time_limit, gap, trace, progress, progress_every, cancel
        As for `solve_ad3`.
    """
    rules = {"rush", "decreasing", "polyak"}
    require(step_rule in rules, "step_rule", f"one of {', '.join(sorted(rules))}", step_rule)
    require_positive("step", step)
    limits = native_limits(
        "subgradient", iterations, time_limit, gap, trace, progress, progress_every, cancel
    )
    outcome = native.subgradient(
        graph,
        **limits,
        rule=getattr(native.StepRule, step_rule),
        step=step,
    )
    return as_solution(graph, outcome, "subgradient", trace)


def require(holds: bool, name: str, expected: str, got: object) -> None:
    """Raise `UsageError` for an option with an invalid value."""
    if not holds:
        raise UsageError(f"{name} must be {expected}, not {got!r}")


def require_positive(name: str, number: float) -> None:
    """Raise `UsageError` unless a step or penalty is positive, and of a size that stays finite."""
    expected = f"positive and from {1 / LARGEST:g} to {LARGEST:g}"
    require(1 / LARGEST <= number <= LARGEST, name, expected, number)


def require_integer(name: str, least: int, number: int) -> int:
    """Return an integer; raise `UsageError` unless it is one, and large enough."""
    try:
        integer = operator.index(number)
    except TypeError:
        raise UsageError(f"{name} must be an integer, not {number!r}") from None
    require(integer >= least, name, f"{least} or more", number)
    return integer


def native_limits(
    method: str,
    iterations: int,
    seconds: float | None,
    gap: float,
    trace: bool,
    progress: OnProgress | None,
    progress_every: int,
    cancel: native.Cancel | None,
) -> dict[str, Any]:
    """Check the limits that all native solvers share, and give them their native names."""
    iterations = require_integer("the limit on iterations", 0, iterations)
    require(seconds is None or seconds >= 0.0, "time_limit", "0 or more seconds", seconds)
    require(gap >= 0.0, "gap", "0 or more", gap)
    progress_every = require_integer("progress_every", 1, progress_every)
    return {
        "iterations": min(iterations, MOST),
        "seconds": math.inf if seconds is None else min(seconds, LARGEST),
        "gap": min(gap, sys.float_info.max),
        "trace": trace,
        "report": progress and reporter(method, iterations, progress),
        "report_every": min(progress_every, MOST),
        "cancel": cancel,
    }


def reporter(
    method: str, iterations: int, progress: OnProgress
) -> Callable[[native.Progress], object]:
    """Make a callback that turns the native solvers' records into events."""
    total = iterations if iterations < UNLIMITED else None

    def report(moment: native.Progress) -> object:
        scores = {name: getattr(moment, name) for name in TRACE_COLUMNS[2:]}
        return progress(Progress(method, moment.iteration, total, scores, seconds=moment.seconds))

    return report


def as_solution(
    graph: Graph,
    outcome: native.Outcome,
    method: str,
    trace: bool,
    warm: native.Warm | None = None,
) -> Solution:
    """Convert a native outcome to a solution."""
    answered = math.isfinite(outcome.objective)
    values = outcome.values.round() if answered else np.full(graph.variables, -1)
    return Solution(
        Certificate(
            Status(outcome.status.name),
            outcome.objective,
            outcome.bound,
            outcome.iterations,
            outcome.seconds,
        ),
        values=values.astype(np.int8),
        method=method,
        relaxed=outcome.relaxed if len(outcome.relaxed) == graph.variables else None,
        trace=_trace(outcome.trace) if trace else None,
        warm=warm,
    )


def _trace(steps: list[native.Progress]) -> Trace:
    columns: dict[str, Any] = {
        name: np.array(
            [getattr(step, name) for step in steps],
            dtype=np.int64 if name == "iteration" else np.float64,
        )
        for name in TRACE_COLUMNS
    }
    return Trace(**columns)
