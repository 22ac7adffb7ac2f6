"""The proved optimum: branch and bound on dual bounds, and HiGHS where that suits it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, GraphError, Kind
from treaty.errors import SolverError
from treaty.progress import OnProgress, Progress
from treaty.solve._certificate import Certificate, Status
from treaty.solve._dual import UNLIMITED, as_solution, native_limits, reporter, require
from treaty.solve._ilp import solve_ilp
from treaty.solve._judge import WIDEST, judged
from treaty.solve._lp import solve_lp
from treaty.solve._solution import TRACE_COLUMNS, Solution, Trace

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
    patience: float = 1 / 8
    """After this share of its limits, a cheap search gives up if the gap has hardly shrunk."""


TIGHT = _Stage(is_cheap=False, share=1 / 16, nodes=100)
"""Where AD3's relaxation is nearly tight, a few nodes do."""
CHEAP = _Stage(is_cheap=True, share=1 / 2, nodes=200_000)
CHEAP_SLICED = _Stage(is_cheap=True, share=1 / 10, nodes=20_000)
PATIENT = replace(CHEAP, patience=1.0)
"""If many cells are forbidden; the other searches are not good at that."""
HARD = 0.1
"""Share of forbidden cells that is many."""


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
    require(time_limit is None or time_limit >= 0.0, "time_limit", "0 or more seconds", time_limit)
    watch = native_limits("exact", iterations, None, gap, trace, progress, progress_every, cancel)
    del watch["iterations"], watch["seconds"]
    run = _Run(graph, time_limit, watch, progress)
    sliced = native.has_narrow_slices(graph, seconds=run.seconds(), cancel=cancel)
    plan = _plan(graph, sliced)
    if iterations < UNLIMITED:
        run.search(iterations, run.left(), sliced)
        return run.answer()
    for stage in _stages(graph, sliced, run.seconds(), cancel):
        run.begin(stage, sliced)
    if not plan.suits(graph):
        run.search(UNLIMITED, run.left(), sliced)
        return run.answer()
    run.search(plan.nodes, run.left(plan.share), sliced)
    run.ask(solve_lp if plan.relaxed else solve_ilp)
    run.search(UNLIMITED, run.left(), sliced)  # if it is not solved yet
    return run.answer()


class _Run:
    """One search after the other, and what is known after them."""

    def __init__(
        self,
        graph: Graph,
        time_limit: float | None,
        watch: dict[str, Any],
        progress: OnProgress | None,
    ) -> None:
        self.graph, self.time_limit, self.watch = graph, time_limit, watch
        self.started = self.planned = time.perf_counter()
        self.known: Solution | None = None
        self.stopped = False
        self.progress = progress
        if progress:
            watch["report"] = reporter("exact", UNLIMITED, self._tell)

    def left(self, share: float = 1.0) -> float | None:
        """Seconds of a share of the time that there was after the first stages."""
        if self.time_limit is None:
            return None
        total = self.time_limit - (self.planned - self.started)
        return max(0.0, share * total - (time.perf_counter() - self.planned))

    def seconds(self) -> float:
        """Seconds that are left, infinitely many without a limit."""
        left = self.left()
        return math.inf if left is None else left

    def begin(self, stage: _Stage, sliced: bool) -> None:
        """Run one of the stages that come first."""
        seconds = None if self.time_limit is None else stage.share * self.time_limit
        if not stage.is_cheap:
            self.search(stage.nodes, seconds, sliced)
        elif not self.is_over():
            nodes = stage.nodes if seconds is None else UNLIMITED
            limits = self._limits(nodes, seconds)
            outcome = native.consistent(self.graph, **limits, patience=stage.patience)
            self._learn(self._solution(outcome) if outcome else None)
        self.planned = time.perf_counter()

    def search(self, nodes: int, seconds: float | None, sliced: bool) -> None:
        """Search by the bounds of AD3, sweeps or slices."""
        if not self.is_over():
            limits = self._limits(nodes, seconds)
            self._learn(self._solution(native.exact(self.graph, **limits, sliced=sliced)))

    def ask(self, solve_linear: Callable[..., Solution]) -> None:
        """Ask HiGHS; where it fails, what is known stays."""
        if self.is_over():
            return
        with suppress(SolverError):
            self._learn(solve_linear(self.graph, time_limit=self.left()))

    def is_over(self) -> bool:
        """Whether there is nothing left to do, or no time."""
        if self.known is None:
            return False
        is_late = self.time_limit is not None and self.left() == 0.0
        proved = self.known.status in (Status.OPTIMAL, Status.INFEASIBLE)
        return self.stopped or proved or self.known.gap <= self.watch["gap"] or is_late

    def answer(self) -> Solution:
        """Return what is known; the trace ends with it."""
        if self.known is None:
            raise SolverError("no search was run: the time limit leaves none; raise it")
        trace = self.known.trace
        if trace is None:
            return self.known
        end = (self.known.iterations, self.known.seconds, self.known.objective, self.known.bound)
        columns = zip(TRACE_COLUMNS, (*end, 0.0, 0.0), strict=True)
        ended = {name: np.append(getattr(trace, name), value) for name, value in columns}
        return replace(self.known, trace=Trace(**ended))

    def _limits(self, nodes: int, seconds: float | None) -> dict[str, Any]:
        return {**self.watch, "nodes": nodes, "seconds": math.inf if seconds is None else seconds}

    def _solution(self, outcome: native.Outcome) -> Solution:
        return as_solution(self.graph, outcome, "exact", self.watch["trace"])

    def _learn(self, found: Solution | None) -> None:
        if found and self.known:
            is_linear = found.method != "exact"
            first, second = (self.known, found) if is_linear else (found, self.known)
            self.known = _joined(self.graph, first, second, self.started)
        elif found:
            self.known = found
        cancel = self.watch["cancel"]
        self.stopped = self.stopped or (cancel is not None and cancel.is_set)

    def _tell(self, event: Progress) -> object:
        """Report progress; what is known is never taken back."""
        if self.known is not None:
            if event.done == 0:
                return None
            best = max(event.scores["objective"], self.known.objective)
            bound = min(event.scores["bound"], self.known.bound)
            event = replace(
                event,
                done=event.done + self.known.iterations,
                scores={**event.scores, "objective": best, "bound": bound},
                seconds=time.perf_counter() - self.started,
            )
        answer = self.progress(event) if self.progress else None
        self.stopped = self.stopped or answer is False
        return answer


def _stages(
    graph: Graph, sliced: bool, seconds: float, cancel: native.Cancel | None
) -> list[_Stage]:
    forbids_much = len(graph.data) > 0 and float(np.isneginf(graph.data).mean()) > HARD
    if sliced and not forbids_much:
        return [CHEAP_SLICED]
    is_pattern, is_dense = _looks(graph, seconds, cancel)
    if not is_pattern:
        return []
    cheap = PATIENT if forbids_much else CHEAP
    return [cheap] if is_dense or sliced else [TIGHT, cheap]


def _looks(graph: Graph, seconds: float, cancel: native.Cancel | None) -> tuple[bool, bool]:
    """Whether a graph is a pattern problem, and one of dense tables."""
    try:
        return True, native.is_dense(graph, seconds=seconds, cancel=cancel)
    except GraphError:
        return False, False


def _plan(graph: Graph, sliced: bool) -> _Plan:
    if np.isin(graph.kinds, COUNTING).any():
        return LINEAR_WITH_LIMITS if np.isin(graph.kinds, LINEAR).all() else WITH_LIMITS
    return SLICED if sliced else OTHERS


def _joined(graph: Graph, first: Solution, second: Solution, started: float) -> Solution:
    """Join two answers: the better objective and the lower bound, both proved."""
    first, second = judged(graph, first), judged(graph, second)
    best = first if first.objective >= second.objective else second
    status, bound = Status.INFEASIBLE, -math.inf
    if math.isfinite(best.objective):  # it beats a proof that there is no answer
        bounds = [s.bound for s in (first, second) if s.status is not Status.INFEASIBLE]
        bound = max(min(bounds), best.objective)
        proof = native.tolerance(graph, best.objective, WIDEST)
        status = Status.OPTIMAL if bound - best.objective <= proof else Status.FEASIBLE
    elif Status.INFEASIBLE not in (first.status, second.status):
        status, bound = Status.UNKNOWN, min(first.bound, second.bound)
    nodes = first.iterations + (1 if second.method == "lp" else second.iterations)
    seconds = time.perf_counter() - started
    certificate = Certificate(status, best.objective, bound, nodes, seconds)
    return replace(first, certificate=certificate, values=best.values)
