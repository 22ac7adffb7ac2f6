"""The bounding step: the linear program of a box, tightened by tangents where it needs them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from treaty.induce._features import Floats
from treaty.induce.relaxation._cuts import Cut, violated
from treaty.induce.relaxation._filters import Choice, choose_products
from treaty.induce.relaxation._products import Constraints
from treaty.induce.relaxation._program import Program
from treaty.induce.relaxation._simplex import Basis, Simplex
from treaty.induce.relaxation._sparse import Sparse
from treaty.solve._relaxation import Relaxation

__all__ = ["Bounded", "Bounder", "Box"]

ROUNDS = 10  # of tangent cuts for one box
WORTHWHILE = 0.01  # share of the way to being pruned that a round must gain to be followed by one


@dataclass(frozen=True, eq=False)
class Box:
    """The region of a node: bounds of all of the program's columns."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class Bounded:
    """What is known of a box after the bounding step."""

    bound: float
    """No feasible point of the box is worth more; ``-inf`` if there is none."""
    x: Floats | None
    """The relaxed answer, if the program was solved to the end."""
    objective: Floats | None
    """What the relaxation takes each parameter times its count to be, z in the paper."""
    basis: Basis | None
    seconds: float
    iterations: int


class Bounder:
    """A program with its products: bounds any box."""

    def __init__(self, program: Program, choice: Choice, seed: int = 0) -> None:
        self.program = program
        self.constraints = Constraints.of(program)
        self.products = choose_products(program, choice, seed)
        self._fixed = Sparse.stacked([program.equal, program.at_most, self.products.pattern])
        self._first_value = len(program.equal.value) + len(program.at_most.value)
        self._cost = np.zeros(program.columns + len(self.products.left))
        self._cost[program.columns : program.columns + program.parameters] = 1.0
        self._cost[: program.parameters] = program.smoothing

    @property
    def root(self) -> Box:
        """The box of everything."""
        return Box(self.program.lower, self.program.upper)

    def bound(
        self,
        box: Box,
        basis: Basis | None = None,
        *,
        at_most: float = math.inf,
        enough: float = -math.inf,
        time_limit: float | None = None,
    ) -> Bounded:
        """Bound a box from above.

        Parameters
        ----------
        box
            The region.
        basis
            Where to start: what the parent ended with.
        at_most
            A bound that is known already, the parent's.
        enough
            A bound as low as this need not be improved by further cuts; nor one so far above it
            that cuts hardly bring it nearer.
        time_limit
            Seconds.
        """
        started = time.perf_counter()
        cuts = basis.cuts if basis is not None else ()
        program = self.linear_program(box, cuts)
        if program.has_impossible_row():
            return Bounded(-math.inf, None, None, None, time.perf_counter() - started, 0)
        simplex = Simplex(program, basis)
        best, point = at_most, None
        for _ in range(ROUNDS):
            left = None if time_limit is None else time_limit - (time.perf_counter() - started)
            bound, found = simplex.run(program, left)
            gain = math.inf if point is None else best - bound
            best, point = min(best, bound), found if found is not None else point
            missing = best - enough if math.isfinite(enough) else 0.0
            if found is None or best <= enough or gain < WORTHWHILE * missing:
                break
            theta = found[: self.program.parameters]
            more = violated(theta, self.program.distribution, self.program.floor)
            if not more:
                break
            simplex.add(more)
            cuts = (*cuts, *more)
            program = self.linear_program(box, cuts)
        return self._bounded(best, point, simplex.basis(cuts), started, simplex.iterations)

    def _bounded(
        self, bound: float, point: Floats | None, basis: Basis, started: float, iterations: int
    ) -> Bounded:
        seconds = time.perf_counter() - started
        if bound == -math.inf or point is None:
            return Bounded(bound, None, None, None, seconds, iterations)
        n, k = self.program.columns, self.program.parameters
        return Bounded(bound, point[:n], point[n : n + k], basis, seconds, iterations)

    def linear_program(self, box: Box, cuts: tuple[Cut, ...] = ()) -> Relaxation:
        """Write the relaxation of a box."""
        g = self.constraints.g(box.lower, box.upper)
        fixed = self._fixed.value.copy()
        fixed[self._first_value :] = self.products.values(g)
        row_lower, row_upper = self.products.row_bounds(g)
        w_lower, w_upper = self.products.column_bounds(box.lower, box.upper)
        equal, at_most = self.program.equal_right, self.program.at_most_right
        sizes = np.concatenate([np.diff(self._fixed.begin), [len(cut.column) for cut in cuts]])
        return Relaxation(
            variables=self.program.columns,
            cost=self._cost,
            offset=0.0,
            lower=np.concatenate([box.lower, w_lower]),
            upper=np.concatenate([box.upper, w_upper]),
            row_lower=np.concatenate(
                [equal, np.full(len(at_most), -np.inf), row_lower, np.full(len(cuts), -np.inf)]
            ),
            row_upper=np.concatenate([equal, at_most, row_upper, [cut.right for cut in cuts]]),
            begin=np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
            column=np.concatenate([self._fixed.column, *(cut.column for cut in cuts)]),
            coefficient=np.concatenate([fixed, *(cut.probability for cut in cuts)]),
            priced={},
            seconds=0.0,
        )
