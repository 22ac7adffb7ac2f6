"""Integer programming by HiGHS: the proved optimum of a graph."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind
from treaty._native.solve import tolerance
from treaty.errors import SolverError
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._certificate import Certificate, Status
from treaty.solve._check import check
from treaty.solve._deadline import Deadline, OutOfTime, unknown
from treaty.solve._highs import TOLERANCE, End, Outcome, disagreement, objective_scale, run
from treaty.solve._polytopes import POLYTOPES
from treaty.solve._relaxation import Relaxation, relax
from treaty.solve._rounding import is_integral, round_relaxed
from treaty.solve._solution import Solution
from treaty.solve._view import Doubles

__all__ = ["solve_ilp"]

COMPACT = {kind.value for kind in (*POLYTOPES, Kind.arborescence)}
"""Kinds with rows in the integer program; arborescences as flows."""
PRUNED = 1e-7  # by this much HiGHS' bound may be too low, in its scaled objective


def solve_ilp(graph: Graph, *, time_limit: float | None = None) -> Solution:
    """Find the best assignment by integer programming.

    HiGHS solves every graph whose factors have a compact form. A graph with other factors (custom
    ones, sequences with a budget, trees with counts) is solved by branch and price.

    Parameters
    ----------
    graph
        The factor graph.
    time_limit
        Limit in seconds. When it is reached, the status is FEASIBLE, or UNKNOWN without an answer.
    """
    deadline = Deadline(time_limit)
    if not set(np.unique(graph.kinds).tolist()) <= COMPACT:
        return branch_and_price(graph, time_limit=time_limit)
    try:
        relaxation = relax(graph, flow=True, deadline=deadline)
    except OutOfTime:
        return unknown(graph, "ilp", deadline)
    root, outcome = _solve(graph, relaxation, deadline)
    values, objective = np.full(graph.variables, -1, dtype=np.int8), -math.inf
    if outcome.point is not None:
        values, objective = _checked(graph, relaxation, outcome.point, outcome.value)
    elif outcome.end is End.STOPPED and root.point is not None:
        rounded, found = round_relaxed(
            graph, root.point[: graph.variables].clip(0.0, 1.0), deadline
        )
        if found.feasible:
            values, objective = rounded, found.objective
    status, bound = Status.UNKNOWN, outcome.bound
    if outcome.end is End.INFEASIBLE:
        status = Status.INFEASIBLE
    elif math.isfinite(objective):
        bound = max(bound, objective)
        error = PRUNED / objective_scale(relaxation)
        proved = bound + error - objective <= tolerance(graph, objective, TOLERANCE)
        status = Status.OPTIMAL if proved else Status.FEASIBLE
        bound = bound if proved else bound + error
    return Solution(
        Certificate(status, objective, bound, outcome.iterations, deadline.passed()),
        values=values,
        method="ilp",
    )


def _solve(graph: Graph, relaxation: Relaxation, deadline: Deadline) -> tuple[Outcome, Outcome]:
    """Solve the linear program, and then the integer program.

    The linear program may be integral, and its bound and infeasibility are proved.
    """
    root = run(relaxation, time_limit=deadline.left())
    relaxed = None if root.point is None else root.point[: graph.variables]
    if relaxed is None or (is_integral(relaxed) and check(graph, np.rint(relaxed)).feasible):
        return root, dataclasses.replace(root, iterations=1)
    outcome = run(relaxation, integral=True, time_limit=deadline.left())
    return root, dataclasses.replace(outcome, bound=min(outcome.bound, root.bound))


def _checked(
    graph: Graph, relaxation: Relaxation, point: Doubles, claimed: float
) -> tuple[npt.NDArray[np.int8], float]:
    """Return the assignment and its score; raise `SolverError` if the checker disagrees."""
    values = np.rint(point[: graph.variables]).astype(np.int8)
    found = check(graph, values)
    if not disagreement(relaxation, found.objective, claimed) <= TOLERANCE:
        raise SolverError(
            f"HiGHS reports the objective {claimed!r} for its integer answer, but the checker "
            f"finds {found.objective!r} ({'; '.join(found.messages[:3]) or 'feasible'}); "
            "please report the graph, and try method='exact'"
        )
    return values, found.objective
