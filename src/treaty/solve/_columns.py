"""Column generation: the exact relaxation of factors that are given only by their oracles.

The polytope of such a factor is the convex hull of its configurations (Dantzig & Wolfe 1960). The
master program holds the configurations found so far; the oracle, given the master's multipliers as
prices, finds the configuration that improves it most, or proves that none does.
"""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np

from treaty._native import solve as native
from treaty._native.graph import Graph, Kind, best_configuration
from treaty.errors import SolverError
from treaty.solve._deadline import Deadline, OutOfTime
from treaty.solve._highs import (
    End,
    Outcome,
    check_claim,
    check_optimal,
    disagreement,
    is_infeasible,
    objective_scale,
    open_highs,
    run_highs,
)
from treaty.solve._relaxation import EPSILON, Relaxation
from treaty.solve._view import Doubles, GraphView, Ints, add_up

__all__ = ["Master"]

DWARF = 2.0**30
CONFIRMING = 1000  # nodes of a search
TOLERANCE = 1e-9  # for reduced costs, as in HiGHS
SMOOTHING = 0.8  # weight of the prices that proved the best bound (Wentges 1997)
INFEASIBLE = 1e-7  # largest remaining value of artificial columns: HiGHS' tolerance for rows


@dataclasses.dataclass(frozen=True, eq=False)
class Configuration:
    """A configuration of a factor, and its value at some prices."""

    factor: int
    on: Ints
    """The slots that are on."""
    own_score: float
    worth: float
    """The own score (if it counts) plus the prices of the slots that are on."""


class Master:
    """The master program. It keeps its columns from one solve to the next.

    Parameters
    ----------
    graph
        The graph, for its oracles.
    relaxation
        Its relaxation.
    deadline
        When to stop: with `OutOfTime` while the first columns are made, with what is known later.
    """

    def __init__(
        self, graph: Graph, relaxation: Relaxation, deadline: Deadline | None = None
    ) -> None:
        self._graph = graph
        self._view = GraphView.of(graph)
        self._deadline = deadline or Deadline(None)
        self._relaxation = relaxation
        self._scale = objective_scale(relaxation)
        self._highs = open_highs(relaxation, solver="primal")
        self._highs.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
        self._iterations = 0
        self._artificial = self._add_artificial()
        self._columns: list[Configuration] = []
        self._known: set[tuple[int, bytes]] = set()
        self._start = self._score_prices()
        self._first = self._price(self._start)
        self._add(self._first)

    def solve(
        self,
        *,
        lower: Doubles | None = None,
        upper: Doubles | None = None,
        time_limit: float | None = None,
    ) -> Outcome:
        """Generate columns until the relaxation is solved.

        Parameters
        ----------
        lower, upper
            Bounds that replace those of the relaxation.
        time_limit
            Limit in seconds.
        """
        started = time.perf_counter()
        deadline = math.inf if time_limit is None else started + time_limit
        relaxation = dataclasses.replace(
            self._relaxation,
            lower=self._relaxation.lower if lower is None else lower,
            upper=self._relaxation.upper if upper is None else upper,
        )
        columns = np.arange(len(relaxation.cost), dtype=np.int32)
        self._highs.changeColsBounds(len(columns), columns, relaxation.lower, relaxation.upper)
        self._iterations = 0
        end, bound = self._generate(relaxation, deadline)
        point, value = None, -math.inf
        if end is End.OPTIMAL:
            point, value = self._checked_point(relaxation)
            check_optimal(relaxation, value, bound)
            bound = max(bound, value)
        seconds = time.perf_counter() - started
        return Outcome(end, point, value, bound, self._iterations, seconds)

    def _generate(self, relaxation: Relaxation, deadline: float) -> tuple[End, float]:
        """Add columns in rounds; return how it ended, and the best bound proved."""
        if any(best.own_score == -math.inf for best in self._first):
            return End.INFEASIBLE, -math.inf
        if relaxation.without_priced().has_impossible_row():
            return End.INFEASIBLE, -math.inf
        center, bound = self._start, self._proved(relaxation, self._start, self._first)
        while True:
            try:
                end = self._run(deadline)
                if end is End.INFEASIBLE:
                    end = self._make_feasible(relaxation, deadline)
            except OutOfTime:
                return End.STOPPED, bound
            if end is not End.OPTIMAL:
                return end, bound if end is End.STOPPED else -math.inf
            multipliers = -np.array(self._highs.getSolution().row_dual) / self._scale
            for share in (SMOOTHING, 0.0):
                prices = share * center + (1.0 - share) * multipliers
                try:
                    found = self._price(prices)
                except OutOfTime:
                    return End.STOPPED, bound
                proved = self._proved(relaxation, prices, found)
                if proved < bound:
                    center, bound = prices, proved
                if disagreement(relaxation, self._value(), bound) <= TOLERANCE:
                    return End.OPTIMAL, bound
                if self._add(self._improving(found, multipliers)):
                    break
            else:
                return End.OPTIMAL, bound

    def _make_feasible(self, relaxation: Relaxation, deadline: float) -> End:
        """Phase 1: add columns until the factors' rows are satisfied without artificial columns.

        Return INFEASIBLE if they cannot be, with the multipliers as proof.
        """
        self._set_phase(1)
        while True:
            end = self._run(deadline)
            left = None if deadline == math.inf else deadline - time.perf_counter()
            if end is End.INFEASIBLE and not is_infeasible(relaxation, left):
                end = End.STOPPED  # it is so despite the artificial columns: by the other rows
            if end is not End.OPTIMAL:
                break
            solution = self._highs.getSolution()
            if np.array(solution.col_value)[self._artificial].sum() <= INFEASIBLE:
                self._set_phase(2)
                return self._run_feasible(deadline)
            multipliers = -np.array(solution.row_dual)
            found = self._price(multipliers, phase=1)
            if not self._add(self._improving(found, multipliers, phase=1), phase=1):
                proved = self._proved(relaxation, multipliers, found, phase=1) < 0.0
                end = End.INFEASIBLE if proved and self._is_confirmed(relaxation) else End.STOPPED
                break
        self._set_phase(2)
        return end

    def _run_feasible(self, deadline: float) -> End:
        end = self._run(deadline)
        if end is End.INFEASIBLE:
            raise SolverError("HiGHS contradicts itself on feasibility; try method='ad3'")
        return end

    def _run(self, deadline: float) -> End:
        left = None if deadline == math.inf else deadline - time.perf_counter()
        end = run_highs(self._highs, left)
        self._iterations += int(self._highs.getInfo().simplex_iteration_count)
        return end

    def _value(self) -> float:
        """Return the optimal value of the master program, as HiGHS reports it."""
        return -float(self._highs.getInfo().objective_function_value) / self._scale

    def _score_prices(self) -> Doubles:
        """Return initial multipliers that pass the variables' scores on to the factors."""
        relaxation = self._relaxation
        waits = np.zeros(len(relaxation.row_lower), dtype=bool)
        for rows in relaxation.priced.values():
            waits[rows] = True
        entry = np.flatnonzero(waits[relaxation.row])
        row, column = relaxation.row[entry], relaxation.column[entry]
        sharing = np.bincount(column, minlength=len(relaxation.cost))
        prices = np.zeros(len(waits))
        prices[row] = relaxation.cost[column] / (relaxation.coefficient[entry] * sharing[column])
        return prices

    def _price(self, multipliers: Doubles, *, phase: int = 2) -> list[Configuration]:
        """Find every factor's best configuration, with the multipliers as prices of its slots."""
        # Factor scores do not count in phase 1, but oracles add them: scale prices up instead.
        found = []
        for factor, rows in self._relaxation.priced.items():
            self._deadline.check()
            price = -multipliers[rows[:-1]]
            size = self._own_size(factor)
            dwarf = DWARF * size if phase == 1 else 1.0
            own_score, on = best_configuration(self._graph, factor, price * dwarf)
            worth = float(price[on].sum()) + (own_score if phase == 2 else 2.0 * size / dwarf)
            counts = float(np.abs(price).sum()) + (abs(own_score) if phase == 2 else 0.0)
            worth += EPSILON * (len(on) + 4.0) * counts
            found.append(Configuration(factor, on, own_score, worth))
        return found

    def _own_size(self, factor: int) -> float:
        """Return how large a factor's own score may be; of a custom one, as far as it is known."""
        if self._graph.kinds[factor] == Kind.custom.value:
            known = [abs(c.own_score) for c in self._columns if c.factor == factor]
            return max(1.0, *known, 1.0)
        data = self._view.data_of(factor)
        return max(1.0, float(np.abs(data[np.isfinite(data)]).sum()))

    def _is_confirmed(self, relaxation: Relaxation) -> bool:
        """Confirm that there is no answer if custom factors may hide scores of any size."""
        if not np.any(self._graph.kinds == Kind.custom.value):
            return True
        twin, variables = self._graph.copy(), self._graph.variables
        lower, upper = relaxation.lower[:variables], relaxation.upper[:variables]
        for variable in np.flatnonzero((lower == upper) & (self._graph.evidence < 0)).tolist():
            twin.fix(variable, int(lower[variable]))
        found = native.exact(twin, nodes=CONFIRMING, seconds=self._deadline.seconds())
        return found.status == native.Status.INFEASIBLE

    def _improving(
        self, found: list[Configuration], multipliers: Doubles, *, phase: int = 2
    ) -> list[Configuration]:
        """List the configurations with a better value than the columns of their factor."""
        counts, tolerance = (1.0, TOLERANCE / self._scale) if phase == 2 else (0.0, TOLERANCE)
        return [
            best
            for best in found
            if counts * best.own_score - multipliers[self._rows(best)].sum() > tolerance
        ]

    def _proved(
        self,
        relaxation: Relaxation,
        multipliers: Doubles,
        found: list[Configuration],
        *,
        phase: int = 2,
    ) -> float:
        """Return the Lagrangian bound, with each factor at its best: valid in every round."""
        free = multipliers.copy()
        for rows in relaxation.priced.values():
            free[rows[-1]] = 0.0  # `found` sums to one already
        cost = np.zeros(len(relaxation.cost)) if phase == 1 else None
        return relaxation.bound(free, cost=cost) + sum(best.worth for best in found)

    def _rows(self, column: Configuration) -> Ints:
        """List the rows of a column: the slots that are on, and the convexity row."""
        rows = self._relaxation.priced[column.factor]
        return np.append(rows[0] + column.on, rows[-1])

    def _add(self, columns: list[Configuration], *, phase: int = 2) -> bool:
        """Add the columns that are new; return whether there was any."""
        keys = [(column.factor, column.on.tobytes()) for column in columns]
        fresh = [c for c, key in zip(columns, keys, strict=True) if key not in self._known]
        self._known.update(keys)
        self._columns += fresh
        if fresh:
            cost = [-self._scale * c.own_score if phase == 2 else 0.0 for c in fresh]
            self._add_to_highs([self._rows(c) for c in fresh], cost)
        return bool(fresh)

    def _add_to_highs(
        self, rows: list[Ints], cost: list[float], *, sign: float = 1.0, upper: float = math.inf
    ) -> None:
        size = [len(row) for row in rows]
        self._highs.addCols(
            len(rows),
            np.array(cost),
            np.zeros(len(rows)),
            np.full(len(rows), upper),
            sum(size),
            np.cumsum([0, *size[:-1]]).astype(np.int32),
            np.concatenate(rows).astype(np.int32),
            np.full(sum(size), sign),
        )

    def _add_artificial(self) -> Ints:
        """Add artificial columns for missing configurations; phase 2 fixes them at zero."""
        before = len(self._relaxation.cost)
        for rows in self._relaxation.priced.values():
            self._deadline.check()
            for sign in (1.0, -1.0):
                each = [np.array([row]) for row in rows]
                self._add_to_highs(each, [0.0] * len(rows), sign=sign, upper=0.0)
        return np.arange(before, self._highs.getNumCol(), dtype=np.int32)

    def _set_phase(self, phase: int) -> None:
        """Minimize the artificial columns in phase 1, the negated objective in phase 2."""
        count = len(self._artificial)
        own = [column.own_score for column in self._columns]
        cost = -self._scale * np.concatenate([self._relaxation.cost, np.zeros(count), own])
        if phase == 1:
            cost[:] = 0.0
            cost[self._artificial] = 1.0
        self._highs.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)
        upper = np.full(count, math.inf if phase == 1 else 0.0)
        self._highs.changeColsBounds(count, self._artificial, np.zeros(count), upper)

    def _checked_point(self, relaxation: Relaxation) -> tuple[Doubles, float]:
        """Return the master's point (without configuration columns) and its value, checked."""
        every = np.array(self._highs.getSolution().col_value)
        point, weight = every[: len(relaxation.cost)], every[-len(self._columns) :]
        rows = [self._rows(column) for column in self._columns]
        shared = np.repeat(weight, [len(row) for row in rows])
        added = add_up(np.concatenate(rows), shared, len(relaxation.row_lower))
        value = relaxation.value(point) + float(
            weight @ [column.own_score for column in self._columns]
        )
        violation = max(relaxation.violation(point, added=added), float(-weight.min()))
        check_claim(relaxation, violation, value, self._value())
        return point, value
