"""The integer program by HiGHS: the proven optimum of a graph."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind
from treaty.errors import SolverError
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._certificate import Certificate, Status
from treaty.solve._check import check
from treaty.solve._highs import TOLERANCE, End, Outcome, disagreement, run
from treaty.solve._relaxation import Relaxation, relax
from treaty.solve._rounding import is_integral, round_relaxed
from treaty.solve._solution import Solution
from treaty.solve._view import Doubles

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
        HiGHS does not look at the clock while it sets up its search, which can take many seconds on
        a graph of a hundred thousand variables.
    """
    started = time.perf_counter()
    if np.any(graph.kinds == Kind.custom.value):
        return branch_and_price(graph, time_limit=time_limit)
    relaxation = relax(graph, flow=True)
    root, outcome = _solve(graph, relaxation, time_limit)
    values, objective = np.full(graph.variables, -1, dtype=np.int8), -math.inf
    if outcome.point is not None:
        values, objective = _checked(graph, relaxation, outcome.point, outcome.value)
    elif outcome.end is End.STOPPED and root.point is not None:
        rounded, found = round_relaxed(graph, root.point[: graph.variables].clip(0.0, 1.0))
        if found.feasible:
            values, objective = rounded, found.objective
    status = {
        End.OPTIMAL: Status.OPTIMAL,
        End.INFEASIBLE: Status.INFEASIBLE,
        End.STOPPED: Status.FEASIBLE if math.isfinite(objective) else Status.UNKNOWN,
    }[outcome.end]
    return Solution(
        Certificate(
            status,
            objective,
            max(outcome.bound, objective),
            outcome.iterations,
            time.perf_counter() - started,
        ),
        values=values,
        method="ilp",
    )


def _solve(
    graph: Graph, relaxation: Relaxation, time_limit: float | None
) -> tuple[Outcome, Outcome]:
    """Solve the linear program, and then the integer one.

    The linear one may be integral, and what it says of bounds and of feasibility is proved.
    """
    started = time.perf_counter()
    root = run(relaxation, time_limit=time_limit)
    relaxed = None if root.point is None else root.point[: graph.variables]
    if relaxed is None or (is_integral(relaxed) and check(graph, np.rint(relaxed)).feasible):
        return root, dataclasses.replace(root, iterations=1)
    left = None if time_limit is None else time_limit - (time.perf_counter() - started)
    outcome = run(relaxation, integral=True, time_limit=left)
    return root, dataclasses.replace(outcome, bound=min(outcome.bound, root.bound))


def _checked(
    graph: Graph, relaxation: Relaxation, point: Doubles, claimed: float
) -> tuple[npt.NDArray[np.int8], float]:
    """Read the assignment and its score, and refuse what the checker does not confirm."""
    values = np.rint(point[: graph.variables]).astype(np.int8)
    found = check(graph, values)
    if not disagreement(relaxation, found.objective, claimed) <= TOLERANCE:
        raise SolverError(
            f"HiGHS' integer answer is worth {claimed!r} by its account, but the checker "
            f"finds {found.objective!r} ({'; '.join(found.messages[:3]) or 'feasible'}); "
            "please report the graph, and try method='exact'"
        )
    return values, found.objective
