"""The bounding step: the linear program of a box, tightened by tangents where needed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treaty.induce._features import Floats, Ints
from treaty.papers.relaxations._cuts import Cut, CutPool, violated
from treaty.papers.relaxations._filters import Choice, choose_products
from treaty.papers.relaxations._products import Constraints
from treaty.papers.relaxations._program import Program
from treaty.papers.relaxations._simplex import Basis, Simplex, interior_point
from treaty.papers.relaxations._sparse import Sparse
from treaty.solve._relaxation import Relaxation

__all__ = ["Bounded", "Bounder", "Box"]

ROUNDS = 10  # rounds of tangent cuts per box
FEW_ROWS = 1000  # programs with fewer are solved with all of them at once
A_WHILE = 3000  # iterations on a larger program after which the interior-point method takes over
NEGLIGIBLE = 0.005  # share of rows that may be violated when the bound does not improve any more
TOLERANCE = 1e-6  # rows that are violated by less are left out
WORTHWHILE = 0.01  # minimum progress towards pruning, as a share, for another round


@dataclass(frozen=True, eq=False)
class Box:
    """The region of a node: bounds of all columns of the program."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Bounded:
    """The result of the bounding step."""

    bound: float
    """An upper bound on all feasible points of the box; ``-inf`` if there are none."""
    x: Floats | None
    """The relaxed solution, if the program was solved to optimality."""
    objective: Floats | None
    """The relaxation's value of each parameter times its count, z in the paper."""
    basis: Basis | None
    seconds: float
    iterations: int


class Bounder:
    """A program with its products, to bound boxes.

    Parameters
    ----------
    program, choice, seed, idle
        The program, and the products to include: see `choose_products`.

    Attributes
    ----------
    program, products
        All rows.
    pool
        Cuts that other boxes needed; it is for the caller to add some.
    """

    def __init__(
        self, program: Program, choice: Choice, seed: int = 0, *, idle: bool = False
    ) -> None:
        self.program = program
        self.constraints = Constraints.of(program)
        self.products = choose_products(program, choice, seed, idle=idle)
        self.pool = CutPool(program.distribution)
        self._fixed = Sparse.stacked([program.equal, program.at_most, self.products.pattern])
        rows = self._fixed.rows
        self._first_rows = np.arange(program.equal.rows if self._is_large else rows)
        self._first_value = len(program.equal.value) + len(program.at_most.value)
        self._cost = np.zeros(program.columns + len(self.products.left))
        self._cost[program.columns : program.columns + program.parameters] = 1.0
        self._cost[: program.parameters] = program.smoothing

    @property
    def root(self) -> Box:
        """The box of the whole space."""
        return Box(self.program.lower, self.program.upper)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns of the linear program of a box."""
        return self._fixed.rows, len(self._cost)

    def bound(
        self,
        box: Box,
        basis: Basis | None = None,
        *,
        at_most: float = math.inf,
        enough: float = -math.inf,
        time_limit: float | None = None,
        childless: bool = False,
    ) -> Bounded:
        """Compute an upper bound of a box.

        Parameters
        ----------
        box
            The region.
        basis
            The basis to start from, that of the parent. Without one, a large program is solved by
            the interior-point method; so is one on which the simplex takes long.
        at_most
            A known bound, that of the parent.
        enough
            No more cuts are added when the bound is this low, or so far above it that cuts make
            little progress.
        time_limit
            Limit in seconds.
        childless
            Nobody will start from the basis: a large program need not have one.
        """
        started = time.perf_counter()
        program = self.linear_program(box)
        if program.has_impossible_row():
            return Bounded(-math.inf, None, None, None, time.perf_counter() - started, 0)

        def left() -> float | None:
            return None if time_limit is None else time_limit - (time.perf_counter() - started)

        simplex = Simplex(program, self._first_rows, basis)
        best, point, before = at_most, None, math.inf
        tangents = 0
        while True:
            simplex, bound, found = self._run(program, simplex, left, not childless)
            best, point = min(best, bound), found if found is not None else point
            if found is None or best <= enough:
                break
            missing = best - enough if math.isfinite(enough) else 0.0
            gains, before = before - best >= WORTHWHILE * missing, best
            rows = self._violated(program, found, simplex)
            if len(rows) > (0 if gains else NEGLIGIBLE * self._fixed.rows):
                simplex.add(rows)
                continue
            cuts = self._tangents(found, simplex) if tangents < ROUNDS else []
            if not cuts or (tangents and not gains):
                break
            tangents += 1
            simplex.add(rows, cuts)
        return self._bounded(best, point, simplex, started)

    @property
    def _is_large(self) -> bool:
        return self._fixed.rows > FEW_ROWS

    def _run(
        self, program: Relaxation, simplex: Simplex, left: Callable[[], float | None], basis: bool
    ) -> tuple[Simplex, float, Floats | None]:
        """Run the simplex; if it takes long, the interior-point method.

        That has all rows: the simplex would need many rounds to be given them. With its `basis`,
        if it is wanted and can be had, there is a simplex to go on with.
        """
        if not self._is_large:
            return simplex, *simplex.run(left())
        if simplex.has_basis:
            bound, found = simplex.run(left(), A_WHILE)
            if not simplex.ran_out_of_patience:
                return simplex, bound, found
        inner = interior_point(program, simplex.cuts, left(), crossover=basis)
        if inner is None:
            return simplex, *simplex.run(left())
        if inner.basis is None:
            return simplex, inner.bound, inner.point
        taken = simplex.iterations
        simplex = Simplex(program, self._first_rows, inner.basis)
        simplex.iterations = taken
        return simplex, *simplex.run(left())

    def _violated(self, program: Relaxation, point: Floats, simplex: Simplex) -> Ints:
        """List the rows that a point violates and that are not among those of the simplex."""
        activity = program.activity(point)
        excess = np.maximum(program.row_lower - activity, activity - program.row_upper)
        excess[simplex.rows] = 0.0
        return np.flatnonzero(excess > TOLERANCE)

    def _tangents(self, point: Floats, simplex: Simplex) -> list[Cut]:
        """Make tangents at a point that violates sum-to-one, and look for others in the pool."""
        theta = point[: self.program.parameters]
        fresh = violated(theta, self.program.distribution, self.program.floor)
        known = {id(cut) for cut in simplex.cuts}
        return [*(cut for cut in self.pool.like(fresh, theta) if id(cut) not in known), *fresh]

    def _bounded(
        self, bound: float, point: Floats | None, simplex: Simplex, started: float
    ) -> Bounded:
        seconds, iterations = time.perf_counter() - started, simplex.iterations
        if bound == -math.inf or point is None:
            return Bounded(bound, None, None, None, seconds, iterations)
        n, k = self.program.columns, self.program.parameters
        basis = simplex.basis() if simplex.has_basis else None
        return Bounded(bound, point[:n], point[n : n + k], basis, seconds, iterations)

    def linear_program(self, box: Box) -> Relaxation:
        """Make the linear program of a box."""
        g = self.constraints.g(box.lower, box.upper)
        fixed = self._fixed.value.copy()
        fixed[self._first_value :] = self.products.values(g)
        row_lower, row_upper = self.products.row_bounds(g)
        w_lower, w_upper = self.products.column_bounds(box.lower, box.upper)
        equal, at_most = self.program.equal_right, self.program.at_most_right
        return Relaxation(
            variables=self.program.columns,
            cost=self._cost,
            offset=0.0,
            lower=np.concatenate([box.lower, w_lower]),
            upper=np.concatenate([box.upper, w_upper]),
            row_lower=np.concatenate([equal, np.full(len(at_most), -np.inf), row_lower]),
            row_upper=np.concatenate([equal, at_most, row_upper]),
            begin=self._fixed.begin,
            column=self._fixed.column,
            coefficient=fixed,
            priced={},
            seconds=0.0,
        )
