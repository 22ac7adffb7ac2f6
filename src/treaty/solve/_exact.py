"""The proved optimum: branch and bound on dual bounds, and HiGHS where that suits it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, Kind
from treaty.progress import OnProgress
from treaty.solve._certificate import Certificate, Status
from treaty.solve._dual import UNLIMITED, as_solution, native_limits, require
from treaty.solve._ilp import solve_ilp
from treaty.solve._lp import solve_lp
from treaty.solve._solution import Solution

__all__ = ["solve_exact"]

COUNTING = [kind.value for kind in (Kind.at_most, Kind.exactly, Kind.knapsack)]


@dataclass(frozen=True)
class _Plan:
    """When HiGHS takes over: after so many nodes, or a share of the time."""

    most_numbers: int
    nodes: int
    share: float
    relaxed: bool = False
    """Whether only for the linear program, which is tight on some graphs where AD3 is slow."""

    def suits(self, graph: Graph) -> bool:
        numbers = len(graph.data) + len(graph.literals)
        return numbers <= self.most_numbers and not np.any(graph.kinds == Kind.custom.value)


WITH_LIMITS = _Plan(10**6, nodes=16, share=1 / 3)
"""Of graphs with limits on sums: budgets, knapsacks."""
SLICED = _Plan(5 * 10**4, nodes=20, share=1 / 4, relaxed=True)
"""Of graphs with slices of small tree-width."""
OTHERS = _Plan(5 * 10**4, nodes=200, share=1 / 2)


def solve_exact(
    graph: Graph,
    *,
    iterations: int = UNLIMITED,
    time_limit: float | None = None,
    gap: float = 0.0,
    trace: bool = False,
    progress: OnProgress | None = None,
    progress_every: int = 100,
    cancel: native.Cancel | None = None,
) -> Solution:
    """Solve by branch and bound (Das, Martins & Smith 2012): best first, with plunging.

    The bounds are those of AD3; if the graph splits into slices of small tree-width, those of
    `solve_junction` after a root node by AD3. If a graph of a suitable size is not solved after
    some nodes, HiGHS takes over (`solve_ilp`), or is asked whether the relaxation is tight.

    Parameters
    ----------
    graph
        The native graph.
    iterations
        Maximum number of nodes. With a limit, HiGHS is not used.
    time_limit, gap, trace, progress, progress_every, cancel
        As for `solve_ad3`, with nodes for iterations.
    """
    started = time.perf_counter()
    require(time_limit is None or time_limit >= 0.0, "time_limit", "0 or more seconds", time_limit)
    sliced = native.has_narrow_slices(graph)

    def left(share: float = 1.0) -> float | None:
        if time_limit is None:
            return None
        return max(0.0, share * time_limit - (time.perf_counter() - started))

    def search(nodes: int, seconds: float | None) -> Solution:
        limits = native_limits(
            "exact", iterations, seconds, gap, trace, progress, progress_every, cancel
        )
        limits["nodes"] = min(nodes, limits.pop("iterations"))
        return as_solution(graph, native.exact(graph, **limits, sliced=sliced), "exact", trace)

    plan = _plan(graph, sliced)
    if iterations < UNLIMITED or not plan.suits(graph):
        return search(iterations, left())
    first = search(plan.nodes, left(plan.share))
    proved = first.status in (Status.OPTIMAL, Status.INFEASIBLE) or first.gap <= gap
    # Otherwise a callback stopped it.
    at_limit = first.iterations >= plan.nodes or time_limit is not None
    if proved or not at_limit or _is_over(left()):
        return first
    solve_linear = solve_lp if plan.relaxed else solve_ilp
    joined = _joined(graph, first, solve_linear(graph, time_limit=left()), started)
    if not plan.relaxed or joined.status is not Status.FEASIBLE or _is_over(left()):
        return joined
    return _joined(graph, joined, search(iterations, left()), started)


def _plan(graph: Graph, sliced: bool) -> _Plan:
    if np.isin(graph.kinds, COUNTING).any():
        return WITH_LIMITS
    return SLICED if sliced else OTHERS


def _is_over(seconds: float | None) -> bool:
    return seconds is not None and seconds <= 0.0


def _joined(graph: Graph, first: Solution, second: Solution, started: float) -> Solution:
    """Join two answers: the better objective and the lower bound, both proved."""
    best = first if first.objective >= second.objective else second
    status, bound = Status.INFEASIBLE, -math.inf
    if second.status is not Status.INFEASIBLE:
        bound = max(min(first.bound, second.bound), best.objective)
        status = Status.FEASIBLE if math.isfinite(best.objective) else Status.UNKNOWN
        proof = native.tolerance(graph, best.objective, 1e-6)
        if status is Status.FEASIBLE and bound - best.objective <= proof:
            status = Status.OPTIMAL
    nodes = first.iterations + (1 if second.method == "lp" else second.iterations)
    seconds = time.perf_counter() - started
    certificate = Certificate(status, best.objective, bound, nodes, seconds)
    return replace(first, certificate=certificate, values=best.values)
