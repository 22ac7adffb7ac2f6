"""The linear relaxation by HiGHS."""

from __future__ import annotations

import math

import numpy as np

from treaty._native.graph import Graph
from treaty._native.solve import tolerance
from treaty.solve._certificate import Certificate, Status
from treaty.solve._columns import Master
from treaty.solve._deadline import Deadline, OutOfTime, unknown
from treaty.solve._highs import TOLERANCE, End, Outcome, run
from treaty.solve._relaxation import relax
from treaty.solve._rounding import round_relaxed
from treaty.solve._solution import Solution

__all__ = ["solve_lp"]


def solve_lp(graph: Graph, *, solver: str = "dual", time_limit: float | None = None) -> Solution:
    """Solve the linear relaxation, the same as AD3's, by HiGHS.

    Factors without compact form (arborescences, custom factors) are handled by column generation.

    Parameters
    ----------
    graph
        The factor graph.
    solver
        ``"dual"`` or ``"primal"`` simplex, or ``"ipm"``. Column generation always uses the primal
        simplex.
    time_limit
        Limit in seconds.

    Returns
    -------
    Solution
        OPTIMAL if the relaxed solution is integral or its rounding meets the bound, FRACTIONAL
        otherwise; `bound` is the value of the relaxation.
    """
    deadline = Deadline(time_limit)
    try:
        relaxation = relax(graph, deadline=deadline)
        master = Master(graph, relaxation, deadline) if relaxation.priced else None
    except OutOfTime:
        return unknown(graph, "lp", deadline)
    if master:
        outcome = master.solve(time_limit=deadline.left())
    else:
        outcome = run(relaxation, solver=solver, time_limit=deadline.left())
    return _solution(graph, outcome, deadline)


def _solution(graph: Graph, outcome: Outcome, deadline: Deadline) -> Solution:
    values, objective, relaxed = np.full(graph.variables, -1, dtype=np.int8), -math.inf, None
    bound = outcome.bound
    status = Status.INFEASIBLE if outcome.end is End.INFEASIBLE else Status.UNKNOWN
    if outcome.point is not None:
        relaxed = outcome.point[: graph.variables].clip(0.0, 1.0)
        rounded, found = round_relaxed(graph, relaxed, deadline)
        if found.feasible:
            values, objective, bound = rounded, found.objective, max(bound, found.objective)
            is_tight = bound - objective <= tolerance(graph, objective, TOLERANCE)
            status = Status.OPTIMAL if is_tight else Status.FRACTIONAL
    return Solution(
        Certificate(status, objective, bound, outcome.iterations, deadline.passed()),
        values=values,
        method="lp",
        relaxed=relaxed,
    )
