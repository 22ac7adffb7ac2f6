"""Integer programming by HiGHS: the proved optimum of a graph."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, Kind
from treaty._native.solve import tolerance
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._certificate import Certificate, Status
from treaty.solve._check import check
from treaty.solve._deadline import Deadline, OutOfTime, unknown
from treaty.solve._highs import TOLERANCE, End, Outcome, is_hopeless, run
from treaty.solve._polytopes import POLYTOPES
from treaty.solve._relaxation import Relaxation, relax
from treaty.solve._rounding import is_integral, round_relaxed
from treaty.solve._solution import Solution

__all__ = ["solve_ilp"]

COMPACT = {kind.value for kind in (*POLYTOPES, Kind.arborescence)}
"""Kinds with rows in the integer program; arborescences as flows."""
CONFIRMING = 1000
"""Nodes of the search that confirms that there is no answer."""


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
    for end in (outcome, root):  # HiGHS' own answer may violate what its tolerances do not see
        if end.point is not None and not math.isfinite(objective):
            relaxed = end.point[: graph.variables].clip(0.0, 1.0)
            rounded, found = round_relaxed(graph, relaxed, deadline)
            if found.feasible:
                values, objective = rounded, found.objective
    status, bound = Status.UNKNOWN, outcome.bound
    if outcome.end is End.INFEASIBLE:
        if root.end is End.INFEASIBLE or _is_infeasible(graph, relaxation, deadline):
            status = Status.INFEASIBLE
        else:
            bound = root.bound
    elif math.isfinite(objective):
        bound = max(bound, objective)
        is_proved = bound - objective <= tolerance(graph, objective, TOLERANCE)
        status = Status.OPTIMAL if is_proved else Status.FEASIBLE
    return Solution(
        Certificate(status, objective, bound, outcome.iterations, deadline.passed()),
        values=values,
        method="ilp",
    )


def _is_infeasible(graph: Graph, relaxation: Relaxation, deadline: Deadline) -> bool:
    """Confirm in a second way what the search for integers claims."""
    if is_hopeless(relaxation, deadline.left()):
        return True
    found = native.exact(graph, nodes=CONFIRMING, seconds=deadline.seconds())
    return found.status == native.Status.INFEASIBLE


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
