"""Branch and price: branch and bound on the relaxation that column generation solves."""

from __future__ import annotations

import heapq
import math

import numpy as np

from treaty._native.graph import Graph, Kind
from treaty._native.solve import tolerance
from treaty.errors import SolverError
from treaty.solve._certificate import Certificate, Status
from treaty.solve._columns import Master
from treaty.solve._deadline import Deadline, OutOfTime, unknown
from treaty.solve._highs import TOLERANCE, End, Outcome, disagreement
from treaty.solve._relaxation import relax
from treaty.solve._rounding import round_relaxed
from treaty.solve._solution import Solution
from treaty.solve._view import Doubles

__all__ = ["branch_and_price"]

Fixings = tuple[tuple[int, int], ...]  # variables and their values, from the root


def branch_and_price(graph: Graph, *, time_limit: float | None = None) -> Solution:
    """Find the best assignment of a graph with factors that are given only by their oracles."""
    deadline = Deadline(time_limit)
    try:
        search = _Search(graph, deadline)
    except OutOfTime:
        return unknown(graph, "ilp", deadline)
    search.run(deadline)
    answered = math.isfinite(search.objective)
    if search.is_proved():
        status = Status.OPTIMAL if answered else Status.INFEASIBLE
    else:
        status = Status.FEASIBLE if answered else Status.UNKNOWN
    return Solution(
        Certificate(status, search.objective, search.bound(), search.nodes, deadline.passed()),
        values=search.values,
        method="ilp",
    )


class _Search:
    """The open nodes, best bound first, and the incumbent.

    All nodes share one master program: a column that contradicts a node's fixings is forced to
    zero by the rows of its slots, so no column needs to be removed.
    """

    def __init__(self, graph: Graph, deadline: Deadline) -> None:
        self._graph, self._deadline = graph, deadline
        self._relaxation = relax(graph, deadline=deadline)
        self._master = Master(graph, self._relaxation, deadline)
        self._open: list[tuple[float, int, Fixings]] = [(-math.inf, 0, ())]  # by negated bound
        self.values = np.full(graph.variables, -1, dtype=np.int8)
        self.objective = -math.inf
        self.nodes = 0
        self._left = -math.inf
        """The best bound of nodes that have nothing left to branch on."""

    def bound(self) -> float:
        """Return the upper bound given by the open nodes, and by those that could not be closed."""
        return max(self.objective, self._left, -self._open[0][0] if self._open else -math.inf)

    def is_proved(self) -> bool:
        """Return whether no node can improve the incumbent."""
        if not math.isfinite(self.objective):
            return self.bound() == -math.inf
        return self.bound() - self.objective <= tolerance(self._graph, self.objective, TOLERANCE)

    def is_finished(self) -> bool:
        """Return whether no open node is left that could improve the incumbent."""
        return not self._open or (math.isfinite(self.objective) and self.is_proved())

    def run(self, deadline: Deadline) -> None:
        """Search until finished or out of time."""
        while not self.is_finished():
            negated, _, fixings = heapq.heappop(self._open)
            lower, upper = self._relaxation.lower.copy(), self._relaxation.upper.copy()
            for variable, value in fixings:
                lower[variable] = upper[variable] = value
            outcome = self._master.solve(lower=lower, upper=upper, time_limit=deadline.left())
            if outcome.end is End.STOPPED:
                heapq.heappush(self._open, (max(negated, -outcome.bound), 0, fixings))
                return
            self.nodes += 1
            if outcome.point is not None:
                self._branch(outcome, outcome.point[: self._graph.variables].clip(0, 1), fixings)

    def _branch(self, outcome: Outcome, relaxed: Doubles, fixings: Fixings) -> None:
        """Round the relaxed solution, and branch on the most fractional variable."""
        rounded, found = round_relaxed(self._graph, relaxed, self._deadline)
        if found.objective > self.objective:
            self.values, self.objective = rounded, found.objective
        distance = np.abs(relaxed - np.rint(relaxed))
        variable = int(distance.argmax())
        if distance[variable] > TOLERANCE:
            nearer = int(relaxed[variable] > 0.5)
            for order, value in enumerate((nearer, 1 - nearer)):
                node = (-outcome.bound, order - 2 * self.nodes, (*fixings, (variable, value)))
                heapq.heappush(self._open, node)
            return
        self._left = max(self._left, outcome.bound)
        is_custom = np.any(self._graph.kinds == Kind.custom.value)
        agrees = disagreement(self._relaxation, found.objective, outcome.value) <= TOLERANCE
        if is_custom and not agrees:
            raise SolverError(
                f"an integral optimum of the relaxation has the value {outcome.value!r}, but the "
                f"checker finds {found.objective!r} "
                f"({'; '.join(found.messages[:3]) or 'feasible'}). "
                "Does the custom factor's oracle always return its best configuration?"
            )
