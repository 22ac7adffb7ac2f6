"""Integer programming by HiGHS: the proved optimum of a graph."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, Kind
from treaty._native.solve import tolerance
from treaty.solve._branch_and_price import branch_and_price
from treaty.solve._certificate import Certificate, Status
from treaty.solve._check import check
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
        HiGHS does not check the time while it sets up its search, which can take many seconds on
        a graph of a hundred thousand variables.
    """
    started = time.perf_counter()
    if not set(graph.kinds.tolist()) <= COMPACT:
        return branch_and_price(graph, time_limit=time_limit)
    relaxation = relax(graph, flow=True)
    root, outcome = _solve(graph, relaxation, time_limit)
    values, objective = np.full(graph.variables, -1, dtype=np.int8), -math.inf
    for end in (outcome, root):  # HiGHS' own answer may violate what its tolerances do not see
        if end.point is not None and not math.isfinite(objective):
            rounded, found = round_relaxed(graph, end.point[: graph.variables].clip(0.0, 1.0))
            if found.feasible:
                values, objective = rounded, found.objective
    status, bound = Status.UNKNOWN, outcome.bound
    if outcome.end is End.INFEASIBLE:
        left = None if time_limit is None else time_limit - (time.perf_counter() - started)
        if root.end is End.INFEASIBLE or _is_infeasible(graph, relaxation, left):
            status = Status.INFEASIBLE
        else:
            bound = root.bound
    elif math.isfinite(objective):
        bound = max(bound, objective)
        is_proved = bound - objective <= tolerance(graph, objective, TOLERANCE)
        status = Status.OPTIMAL if is_proved else Status.FEASIBLE
    return Solution(
        Certificate(status, objective, bound, outcome.iterations, time.perf_counter() - started),
        values=values,
        method="ilp",
    )


def _is_infeasible(graph: Graph, relaxation: Relaxation, time_limit: float | None) -> bool:
    """Confirm in a second way what the search for integers claims: by branching on propagation."""
    seconds = math.inf if time_limit is None else max(0.0, time_limit)
    found = native.exact(graph, nodes=CONFIRMING, seconds=seconds)
    if found.status == native.Status.INFEASIBLE:
        return True
    return not math.isfinite(found.objective) and is_hopeless(relaxation, time_limit)


def _solve(
    graph: Graph, relaxation: Relaxation, time_limit: float | None
) -> tuple[Outcome, Outcome]:
    """Solve the linear program, and then the integer program.

    The linear program may be integral, and its bound and infeasibility are proved.
    """
    started = time.perf_counter()
    root = run(relaxation, time_limit=time_limit)
    relaxed = None if root.point is None else root.point[: graph.variables]
    if relaxed is None or (is_integral(relaxed) and check(graph, np.rint(relaxed)).feasible):
        return root, dataclasses.replace(root, iterations=1)
    left = None if time_limit is None else time_limit - (time.perf_counter() - started)
    outcome = run(relaxation, integral=True, time_limit=left)
    return root, dataclasses.replace(outcome, bound=min(outcome.bound, root.bound))
