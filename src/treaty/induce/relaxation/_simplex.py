"""HiGHS' dual simplex on the programs of a search; results are used only if proved.

The bound is computed from HiGHS' row multipliers: any multipliers give a valid bound (weak
duality), so a program that was stopped early or solved wrongly only makes the bound weaker. A box
is considered empty only if Farkas multipliers prove it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from treaty._threads import apart
from treaty.errors import SolverError
from treaty.induce._features import Floats
from treaty.induce.relaxation._cuts import Cut
from treaty.solve._highs import End, objective_scale, open_highs, run_highs
from treaty.solve._relaxation import Relaxation

__all__ = ["STATUSES", "Basis", "Simplex"]

ROUNDING = 1e-9  # rounding error of a bound, relative to its size
NO_DOUBT = 1e-7  # minimum infeasibility that Farkas multipliers, scaled to 1, must prove
STATUSES = tuple(highspy.HighsBasisStatus.__members__.values())
NUMBER_OF_STATUS = {status: number for number, status in enumerate(STATUSES)}
LARGE = 10**5
"""Number of coefficients of a program that takes some time to load."""
BASIC = NUMBER_OF_STATUS[highspy.HighsBasisStatus.kBasic]


@dataclass(frozen=True, eq=False)
class Basis:
    """A basis of the dual simplex: the status of every column and row, and the cuts of the last."""

    columns: npt.NDArray[np.int8]
    rows: npt.NDArray[np.int8]
    cuts: tuple[Cut, ...]


class Simplex:
    """A linear program in HiGHS, to which cuts are added."""

    def __init__(self, program: Relaxation, basis: Basis | None) -> None:
        self.iterations, self._scale = 0, objective_scale(program)
        if len(program.coefficient) > LARGE:  # Ctrl-C does not wait for it
            apart(lambda: self._open(program, basis), on_stop=lambda: None)
        else:
            self._open(program, basis)

    def _open(self, program: Relaxation, basis: Basis | None) -> None:
        self._highs = open_highs(program)
        self._highs.setOptionValue("presolve", "off")  # it would discard the basis
        if basis is not None:
            start = highspy.HighsBasis()
            start.col_status = [STATUSES[number] for number in basis.columns]
            start.row_status = [STATUSES[number] for number in basis.rows]
            start.valid = True
            self._highs.setBasis(start)

    def add(self, cuts: Sequence[Cut]) -> None:
        """Add rows; they become part of the basis."""
        begin = np.cumsum([0, *(len(cut.column) for cut in cuts)])
        self._highs.addRows(
            len(cuts),
            np.full(len(cuts), -np.inf),
            np.array([cut.right for cut in cuts]),
            int(begin[-1]),
            begin[:-1].astype(np.int32),
            np.concatenate([cut.column for cut in cuts]).astype(np.int32),
            np.concatenate([cut.probability for cut in cuts]),
        )

    def run(self, program: Relaxation, time_limit: float | None) -> tuple[float, Floats | None]:
        """Solve the program in HiGHS; return a bound, and the optimum if it was found."""
        trivial = program.bound(np.zeros(len(program.row_lower)))
        try:
            end = run_highs(self._highs, time_limit)
        except SolverError:  # HiGHS failed; its multipliers may still give a bound
            end = End.STOPPED
        self.iterations += int(max(self._highs.getInfo().simplex_iteration_count, 0))
        if end is End.INFEASIBLE:
            return (-math.inf if self._is_empty(program) else trivial), None
        solution = self._highs.getSolution()
        multipliers, bound = -np.array(solution.row_dual) / self._scale, trivial
        if len(multipliers) == len(program.row_lower):
            bound = min(trivial, program.bound(multipliers))
        bound += ROUNDING * max(1.0, abs(bound))
        return bound, np.array(solution.col_value) if end is End.OPTIMAL else None

    def basis(self, cuts: tuple[Cut, ...]) -> Basis:
        """Return the basis; cuts that are not binding are dropped, which leaves a valid basis."""
        found = self._highs.getBasis()
        columns, rows = (
            np.array([NUMBER_OF_STATUS[status] for status in statuses], dtype=np.int8)
            for statuses in (found.col_status, found.row_status)
        )
        first = len(rows) - len(cuts)
        binds = rows[first:] != BASIC
        keep = np.concatenate([np.ones(first, dtype=np.bool_), binds])
        used = tuple(cut for cut, is_used in zip(cuts, binds, strict=True) if is_used)
        return Basis(columns, rows[keep], used)

    def _is_empty(self, program: Relaxation) -> bool:
        """Return whether Farkas multipliers prove infeasibility."""
        _, has_ray, ray = self._highs.getDualRay()
        if not has_ray:
            return False
        nothing = np.zeros(len(program.cost))
        multipliers = -np.array(ray) / (float(np.abs(ray).max(initial=0.0)) or 1.0)
        return program.bound(multipliers, cost=nothing) < -NO_DOUBT
