"""The linear relaxation of a graph: every factor's local polytope, as sparse rows.

This is the relaxation AD3 solves (Martins et al. 2011); with its variables held to 0 and 1 it is
the problem itself. Everything is written in literals: fresh columns get literals too, and only
`Rows` knows that a negated literal is ``1 - x``.
"""

from __future__ import annotations

import dataclasses
import math
import time
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treaty._native.graph import Graph, Kind
from treaty.solve._deadline import Deadline
from treaty.solve._polytopes import POLYTOPES, add_flows
from treaty.solve._rows import Rows
from treaty.solve._view import Doubles, GraphView, Ints, add_up, ranges

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Relaxation", "linear_relaxation", "relax"]

EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = 1e-9  # sums that differ by less count as equal
CHUNK = 1 << 17  # factors whose rows are written between two looks at the deadline


@dataclasses.dataclass(frozen=True, eq=False)
class Relaxation:
    """Maximize ``cost @ x + offset`` in ``lower <= x <= upper``, ``row_lower <= Ax <= row_upper``.

    The first columns are the graph's variables. ``A`` is kept by rows: entry i has `column[i]` and
    `coefficient[i]`, and row r owns entries ``begin[r] .. begin[r + 1] - 1``.

    `priced` holds the factors without compact form, and the rows of each that wait for columns, one
    per configuration of the factor: for every slot ``columns with the slot on - its literal = 0``,
    and at last ``all columns = 1``.
    """

    variables: int
    cost: Doubles
    offset: float
    lower: Doubles
    upper: Doubles
    row_lower: Doubles
    row_upper: Doubles
    begin: Ints
    column: Ints
    coefficient: Doubles
    priced: dict[int, range]
    seconds: float
    """Wall time it took to build."""

    @cached_property
    def row(self) -> Ints:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.row_lower)), np.diff(self.begin))

    def activity(self, x: Doubles) -> Doubles:
        """Compute ``A x``."""
        return add_up(self.row, self.coefficient * x[self.column], len(self.row_lower))

    def value(self, x: Doubles) -> float:
        """Compute the objective at a point."""
        return float(self.cost @ x) + self.offset

    def violation(self, x: Doubles, *, added: Doubles | float = 0.0) -> float:
        """How far a point is from satisfying the worst of bounds and rows.

        `added` is what columns that are not in the relaxation add to the rows.
        """
        activity = self.activity(x) + added
        excess = [
            self.lower - x,
            x - self.upper,
            self.row_lower - activity,
            activity - self.row_upper,
        ]
        return float(max(part.max(initial=0.0) for part in excess))

    def has_impossible_row(self) -> bool:
        """Whether some row cannot be met by any point between the columns' bounds."""
        ends = self.coefficient * np.stack([self.lower[self.column], self.upper[self.column]])
        least = add_up(self.row, ends.min(axis=0), len(self.row_lower))
        most = add_up(self.row, ends.max(axis=0), len(self.row_lower))
        return bool(
            np.any((least > self.row_upper + ROUNDING) | (most < self.row_lower - ROUNDING))
        )

    def without_priced(self) -> Relaxation:
        """Leave out the factors that have no compact form."""
        row_lower, row_upper = self.row_lower.copy(), self.row_upper.copy()
        for waiting in self.priced.values():
            row_lower[waiting], row_upper[waiting] = -np.inf, np.inf
        return dataclasses.replace(self, row_lower=row_lower, row_upper=row_upper, priced={})

    def bound(self, multipliers: Doubles, *, cost: Doubles | None = None) -> float:
        """Compute the Lagrangian bound: no feasible point is worth more, whatever the multipliers.

        That makes it a certificate: it holds even when the solver that chose the multipliers was
        wrong. With a `cost` of zero, a negative bound proves that there is no feasible point.
        """
        side = np.where(multipliers > 0, self.row_upper, self.row_lower)
        y = np.where(np.isfinite(side), multipliers, 0.0)
        rows = float(y @ np.where(np.isfinite(side), side, 0.0))
        given, offset = (self.cost, self.offset) if cost is None else (cost, 0.0)
        reduced = given - add_up(self.column, self.coefficient * y[self.row], len(self.cost))
        columns = float(np.sum(np.where(reduced > 0, reduced * self.upper, reduced * self.lower)))
        return rows + columns + offset + self._rounding(y, side, given, offset)

    def _rounding(self, y: Doubles, side: Doubles, given: Doubles, offset: float) -> float:
        """By how much the sums of a bound may be wrong: each column's has as many terms as rows."""
        width = np.maximum(1.0, np.maximum(np.abs(self.lower), np.abs(self.upper)))
        terms = self._terms * add_up(
            self.column, np.abs(self.coefficient * y[self.row]), len(width)
        )
        size = float(((terms + 4.0 * np.abs(given)) * width).sum()) + 4.0 * abs(offset)
        sides = np.abs(y * np.where(np.isfinite(side), side, 0.0)).sum()
        return EPSILON * (size + 4.0 * math.sqrt(len(y) + 1.0) * float(sides))

    @cached_property
    def _terms(self) -> Doubles:
        """Rows of each column, and a few operations more."""
        count = np.bincount(self.column, minlength=len(self.cost))
        return 4.0 + count.astype(np.float64)


def linear_relaxation(graph: FactorGraph) -> Relaxation:
    """Write the relaxation of a graph, the one AD3 solves, as a linear program.

    For a solver of your own; ``solve(graph, "lp")`` gives it to HiGHS. Factors in `priced` have no
    compact form: without their columns the program has no solution.

    Parameters
    ----------
    graph
        The problem.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee = graph.variables([1.0, 1.5])
    >>> _ = graph.at_most_one(tea, coffee)
    >>> program = linear_relaxation(graph)
    >>> program.cost, program.row_upper, program.value([0.0, 1.0])
    (array([1. , 1.5]), array([1.]), 1.5)
    """
    return relax(graph.native)


def relax(graph: Graph, *, flow: bool = False, deadline: Deadline | None = None) -> Relaxation:
    """Write a graph as a linear program.

    Parameters
    ----------
    graph
        The factor graph.
    flow
        Write arborescences compactly as a single-commodity flow. That polytope is larger than the
        factor's own, but has the same integral points: right for an ILP, wrong for an LP.
    deadline
        When to stop, with `OutOfTime`.
    """
    started = time.perf_counter()
    view = GraphView.of(graph)
    rows = Rows(view.scores, view.evidence, deadline)
    first = view.categorical_first.astype(np.int64)
    where, row = ranges(first, first + view.categorical_size)
    rows.add(row, 2 * where, 1.0, np.ones(len(first)), 1.0)
    polytopes = POLYTOPES | ({Kind.arborescence: add_flows} if flow else {})
    for kind, add in polytopes.items():
        factors = view.of_kind(kind)
        for begin in range(0, len(factors), CHUNK):
            add(rows, view, factors[begin : begin + CHUNK])
    has_rows = np.isin(view.kinds, [kind.value for kind in polytopes])
    priced = {
        factor: _add_priced(rows, view.literals_of(factor))
        for factor in np.flatnonzero(~has_rows).tolist()
    }
    return Relaxation(
        variables=view.variables,
        **rows.finish(),
        priced=priced,
        seconds=time.perf_counter() - started,
    )


def _add_priced(rows: Rows, literals: Ints) -> range:
    """Add the rows of a factor whose columns come later."""
    first = rows.count
    rows.add(np.arange(len(literals)), literals, -1.0, np.zeros(len(literals)), 0.0)
    rows.add(np.zeros(0, dtype=int), literals[:0], 1.0, np.ones(1), 1.0)
    return range(first, rows.count)
