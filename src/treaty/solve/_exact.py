"""The proved optimum: branch and bound on dual bounds, and HiGHS where that suits it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, GraphError, Kind
from treaty.progress import OnProgress, Progress
from treaty.solve._certificate import Certificate, Status
from treaty.solve._dual import UNLIMITED, as_solution, native_limits, require
from treaty.solve._ilp import solve_ilp
from treaty.solve._lp import solve_lp
from treaty.solve._solution import Solution

__all__ = ["solve_exact"]

COUNTING = [kind.value for kind in (Kind.at_most, Kind.exactly, Kind.knapsack)]
LINEAR = [
    *COUNTING,
    *(
        kind.value
        for kind in (
            Kind.exactly_one,
            Kind.at_most_one,
            Kind.at_least_one,
            Kind.xor_with_output,
            Kind.or_with_output,
            Kind.and_with_output,
            Kind.reward,
        )
    ),
]
"""Kinds with a row or two in an integer program."""


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


LINEAR_WITH_LIMITS = _Plan(10**6, nodes=1, share=1 / 3)
"""Of graphs with limits on sums (budgets, knapsacks) and logic, as HiGHS likes them."""
WITH_LIMITS = _Plan(10**6, nodes=16, share=1 / 3)
"""Of other graphs with limits on sums."""
SLICED = _Plan(5 * 10**4, nodes=20, share=1 / 4, relaxed=True)
"""Of graphs with slices of small tree-width."""
OTHERS = _Plan(5 * 10**4, nodes=200, share=1 / 2)


@dataclass(frozen=True)
class _Stage:
    """A search that comes first: its share of the time, and its nodes (without a limit)."""

    is_cheap: bool
    """Whether by soft arc consistency."""
    share: float
    nodes: int


TIGHT = _Stage(is_cheap=False, share=1 / 16, nodes=100)
"""Where AD3's relaxation is nearly tight, a few nodes do."""
CHEAP = _Stage(is_cheap=True, share=1 / 2, nodes=200_000)
CHEAP_SLICED = _Stage(is_cheap=True, share=1 / 10, nodes=20_000)
PATIENCE = 1 / 8
"""After this share of its limits, a cheap search gives up if the gap has hardly shrunk."""


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

    Graphs of tables and patterns are first searched by soft arc consistency, which has many cheap
    nodes. After that, the bounds are those of AD3; if the graph splits into slices of small
    tree-width, those of `solve_junction` after a root node by AD3. If a graph of a suitable size is
    not solved after some nodes, HiGHS takes over (`solve_ilp`), or is asked whether the relaxation
    is tight.

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
    stopped = False
    known: Solution | None = None

    def watched(event: Progress) -> object:
        nonlocal stopped
        if known is not None and event.done == 0:
            return None
        if known is not None:  # what is known is never taken back
            scores = {
                **event.scores,
                "objective": max(event.scores["objective"], known.objective),
                "bound": min(event.scores["bound"], known.bound),
            }
            done, seconds = event.done + known.iterations, time.perf_counter() - started
            event = replace(event, done=done, scores=scores, seconds=seconds)
        answer = progress(event) if progress else None
        stopped = stopped or answer is False
        return answer

    def limits(nodes: int, seconds: float | None) -> dict[str, Any]:
        report = watched if progress else None
        found = native_limits(
            "exact", iterations, seconds, gap, trace, report, progress_every, cancel
        )
        found["nodes"] = min(nodes, found.pop("iterations"))
        return found

    def search(nodes: int, seconds: float | None) -> Solution:
        outcome = native.exact(graph, **limits(nodes, seconds), sliced=sliced)
        return as_solution(graph, outcome, "exact", trace)

    sliced = native.has_narrow_slices(graph)
    for stage in _stages(graph, sliced) if iterations >= UNLIMITED else ():
        seconds = None if time_limit is None else stage.share * time_limit
        if stage.is_cheap:
            nodes = stage.nodes if time_limit is None else UNLIMITED
            outcome = native.consistent(graph, **limits(nodes, seconds), patience=PATIENCE)
            if outcome is None:
                break
            found = as_solution(graph, outcome, "exact", trace)
        else:
            found = search(stage.nodes, seconds)
        known = found if known is None else _joined(graph, found, known, started)
        stopped = stopped or (cancel is not None and cancel.is_set)
        if stopped or _is_proved(known, gap):
            return known
    spent = time.perf_counter() - started

    def left(share: float = 1.0) -> float | None:
        if time_limit is None:
            return None
        return max(0.0, share * (time_limit - spent) - (time.perf_counter() - started - spent))

    def with_known(found: Solution) -> Solution:
        return found if known is None else _joined(graph, found, known, started)

    plan = _plan(graph, sliced)
    if iterations < UNLIMITED or not plan.suits(graph):
        return with_known(search(iterations, left()))
    first = with_known(search(plan.nodes, left(plan.share)))
    if stopped or _is_proved(first, gap) or _is_over(left()):
        return first
    solve_linear = solve_lp if plan.relaxed else solve_ilp
    joined = _joined(graph, first, solve_linear(graph, time_limit=left()), started)
    if not plan.relaxed or joined.status is not Status.FEASIBLE or _is_over(left()):
        return joined
    return _joined(graph, joined, search(iterations, left()), started)


def _is_proved(solution: Solution, gap: float) -> bool:
    return solution.status in (Status.OPTIMAL, Status.INFEASIBLE) or solution.gap <= gap


def _stages(graph: Graph, sliced: bool) -> list[_Stage]:
    if sliced:
        return [CHEAP_SLICED]
    is_pattern, is_dense = _looks(graph)
    if not is_pattern:
        return []
    return [CHEAP] if is_dense else [TIGHT, CHEAP]


def _looks(graph: Graph) -> tuple[bool, bool]:
    """Whether a graph is a pattern problem, and one of dense tables."""
    try:
        return True, native.is_dense(graph)
    except GraphError:
        return False, False


def _plan(graph: Graph, sliced: bool) -> _Plan:
    if np.isin(graph.kinds, COUNTING).any():
        return LINEAR_WITH_LIMITS if np.isin(graph.kinds, LINEAR).all() else WITH_LIMITS
    return SLICED if sliced else OTHERS


def _is_over(seconds: float | None) -> bool:
    return seconds is not None and seconds <= 0.0


def _joined(graph: Graph, first: Solution, second: Solution, started: float) -> Solution:
    """Join two answers: the better objective and the lower bound, both proved."""
    best = first if first.objective >= second.objective else second
    status, bound = Status.INFEASIBLE, -math.inf
    if Status.INFEASIBLE not in (first.status, second.status):
        bound = max(min(first.bound, second.bound), best.objective)
        status = Status.FEASIBLE if math.isfinite(best.objective) else Status.UNKNOWN
        proof = native.tolerance(graph, best.objective, 1e-6)
        if status is Status.FEASIBLE and bound - best.objective <= proof:
            status = Status.OPTIMAL
    nodes = first.iterations + (1 if second.method == "lp" else second.iterations)
    seconds = time.perf_counter() - started
    certificate = Certificate(status, best.objective, bound, nodes, seconds)
    return replace(first, certificate=certificate, values=best.values)
