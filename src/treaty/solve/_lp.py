"""The linear relaxation by HiGHS."""

from __future__ import annotations

import math
import time

import numpy as np

from treaty._native.graph import Graph
from treaty.solve._certificate import Certificate, Status
from treaty.solve._columns import Master
from treaty.solve._highs import TOLERANCE, End, Outcome, disagreement, run
from treaty.solve._relaxation import Relaxation, relax
from treaty.solve._rounding import is_integral, round_relaxed
from treaty.solve._solution import Solution

__all__ = ["solve_lp"]


def solve_lp(graph: Graph, *, solver: str = "dual", time_limit: float | None = None) -> Solution:
    """Solve the linear relaxation, the one AD3 solves, by HiGHS.

    Factors without compact form (arborescences, a user's own) are handled by column generation.

    Parameters
    ----------
    graph
        The factor graph.
    solver
        ``"dual"`` or ``"primal"`` simplex, or ``"ipm"``. Column generation always uses the primal
        simplex.
    time_limit
        Seconds.

    Returns
    -------
    Solution
        OPTIMAL when the relaxed answer is integral or its rounding meets the bound, FRACTIONAL
        otherwise; `bound` is the value of the relaxation.
    """
    started = time.perf_counter()
    relaxation = relax(graph)
    if relaxation.priced:
        outcome = Master(graph, relaxation).solve(time_limit=time_limit)
    else:
        outcome = run(relaxation, solver=solver, time_limit=time_limit)
    return _solution(graph, relaxation, outcome, started)


def _solution(graph: Graph, relaxation: Relaxation, outcome: Outcome, started: float) -> Solution:
    values, objective, relaxed = np.full(graph.variables, -1, dtype=np.int8), -math.inf, None
    bound = outcome.bound
    status = Status.INFEASIBLE if outcome.end is End.INFEASIBLE else Status.UNKNOWN
    if outcome.point is not None:
        relaxed = outcome.point[: graph.variables].clip(0.0, 1.0)
        rounded, found = round_relaxed(graph, relaxed)
        if found.feasible:
            values, objective, bound = rounded, found.objective, max(bound, found.objective)
            tolerance = TOLERANCE if is_integral(relaxed) else 1e-9
            is_tight = disagreement(relaxation, objective, bound) <= tolerance
            status = Status.OPTIMAL if is_tight else Status.FRACTIONAL
    return Solution(
        Certificate(status, objective, bound, outcome.iterations, time.perf_counter() - started),
        values=values,
        method="lp",
        relaxed=relaxed,
    )
