"""The integer program by HiGHS: the proven optimum of a graph."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np

from treaty._native import Graph, Kind
from treaty.errors import SolverError
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._check import check
from treaty.solve._highs import TOLERANCE, End, Outcome, disagreement, run
from treaty.solve._relaxation import Relaxation, relax
from treaty.solve._rounding import is_integral
from treaty.solve._solution import Solution, Status

__all__ = ["solve_ilp"]


def solve_ilp(graph: Graph, *, time_limit: float | None = None) -> Solution:
    """Find the best assignment by integer programming.

    HiGHS solves every graph whose factors have a compact form. A graph with a user's own factors is
    solved by branch and bound on the relaxation that column generation solves.

    Parameters
    ----------
    graph
        The factor graph.
    time_limit
        Seconds. When it stops the search, the status is FEASIBLE, or UNKNOWN without an answer.
    """
    started = time.perf_counter()
    if np.any(graph.kinds == Kind.custom.value):
        return branch_and_price(graph, time_limit=time_limit)
    relaxation = relax(graph, flow=True)
    outcome = _solve(graph, relaxation, time_limit)
    values, objective = np.full(graph.variables, -1, dtype=np.int8), -math.inf
    if outcome.point is not None:
        values = np.rint(outcome.point[: graph.variables]).astype(np.int8)
        found = check(graph, values)
        objective = found.objective
        if not disagreement(relaxation, objective, outcome.value) <= TOLERANCE:
            raise SolverError(
                f"HiGHS' integer answer is worth {outcome.value!r} by its account, but the checker "
                f"finds {objective!r} ({'; '.join(found.messages[:3]) or 'feasible'}); "
                "please report the graph, and try method='exact'"
            )
    status = {
        End.OPTIMAL: Status.OPTIMAL,
        End.INFEASIBLE: Status.INFEASIBLE,
        End.STOPPED: Status.UNKNOWN if outcome.point is None else Status.FEASIBLE,
    }[outcome.end]
    return Solution(
        status=status,
        values=values,
        objective=objective,
        bound=max(outcome.bound, objective),
        iterations=outcome.iterations,
        seconds=time.perf_counter() - started,
        method="ilp",
    )


def _solve(graph: Graph, relaxation: Relaxation, time_limit: float | None) -> Outcome:
    """Solve the linear program first: it may be integral, and what it says is proved."""
    started = time.perf_counter()
    root = run(relaxation, time_limit=time_limit)
    if root.point is None:
        return dataclasses.replace(root, iterations=1)
    relaxed = root.point[: graph.variables]
    if is_integral(relaxed) and check(graph, np.rint(relaxed)).feasible:
        return dataclasses.replace(root, iterations=1)
    left = None if time_limit is None else time_limit - (time.perf_counter() - started)
    outcome = run(relaxation, integral=True, time_limit=left)
    return dataclasses.replace(outcome, bound=min(outcome.bound, root.bound))
