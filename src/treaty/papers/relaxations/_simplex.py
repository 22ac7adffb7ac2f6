"""HiGHS' dual simplex on the programs of a search; results are used only if proved.

A box's program has many rows of which few bind. HiGHS gets the equalities and the rows that bind in
the parent, starts from the parent's basis, and is given more rows as they turn out to be violated.
A large program without a parent is first solved by the interior-point method, with all rows, to
find out which of them bind, and so is one on which the dual simplex takes long: the programs are so
degenerate that it may take a hundred times as long. For the same reason the crossover to a basis is
given up when the simplex would have to clean up after it.

The bound is computed from HiGHS' row multipliers: any multipliers give a valid bound (weak
duality), so a program that was stopped early or solved wrongly only makes the bound weaker. A box
is considered empty only if Farkas multipliers prove it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from treaty._threads import apart
from treaty.errors import SolverError
from treaty.induce._features import Floats, Ints
from treaty.papers.relaxations._cuts import Cut
from treaty.solve._highs import ENDS, End, objective_scale, run_highs
from treaty.solve._relaxation import Relaxation
from treaty.solve._view import ranges

__all__ = ["STATUSES", "Basis", "Interior", "Simplex", "interior_point", "with_cuts"]

ROUNDING = 1e-9  # rounding error of a bound, relative to its size
NO_DOUBT = 1e-7  # minimum infeasibility that Farkas multipliers, scaled to 1, must prove
STATUSES = tuple(highspy.HighsBasisStatus.__members__.values())
NUMBER_OF_STATUS = {status: number for number, status in enumerate(STATUSES)}
LARGE = 10**5
"""Number of coefficients of a program that takes some time to load."""
BASIC = NUMBER_OF_STATUS[highspy.HighsBasisStatus.kBasic]
SMALL = 2000  # rows of programs that are solved in an instant: Ctrl-C can wait for it
OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "solver": "simplex",
    "simplex_strategy": 1,  # dual
    "presolve": "off",  # it would discard the basis
}
PATIENCE = 1_000_000  # iterations, if it cycles
INTERIOR = {"solver": "ipm", "run_crossover": "off"}  # what presolve takes out has bad multipliers
CROSSOVER = {"run_crossover": "on", "presolve": "on", "simplex_iteration_limit": 1000}
IMPRECISE = 1e-3  # relative gap of what the interior-point method may find; HiGHS asks for 1e-7
Statuses = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Basis:
    """A basis of the dual simplex, without the rows that do not bind."""

    columns: Statuses
    rows: Ints
    """The rows of the box's program that are part of it."""
    cuts: tuple[Cut, ...]
    """The cuts that are part of it."""
    statuses: Statuses
    """The statuses of the rows, then of the cuts."""

    @property
    def nbytes(self) -> int:
        """Memory in bytes, without the cuts, which nodes share."""
        return self.columns.nbytes + self.rows.nbytes + self.statuses.nbytes + 8 * len(self.cuts)


@dataclass(frozen=True, eq=False)
class Interior:
    """What the interior-point method found: a bound that is proved, an optimum, maybe a basis."""

    bound: float
    point: Floats
    basis: Basis | None


class Simplex:
    """Some rows of a box's program, and cuts, in HiGHS.

    Parameters
    ----------
    program
        All rows of the program.
    rows
        Those to start with, in addition to those of the basis.
    basis
        The basis to start from.
    """

    def __init__(self, program: Relaxation, rows: Ints, basis: Basis | None) -> None:
        self._program = program
        if basis is not None:
            rows = np.concatenate([basis.rows, np.setdiff1d(rows, basis.rows)])
        self.rows: list[int] = rows.tolist()
        cuts = () if basis is None else basis.cuts
        self._of_cut: list[Cut | None] = [None] * len(self.rows) + list(cuts)
        self._part = with_cuts(_selected(program, rows), cuts)
        self._scale = objective_scale(program)
        self._started_with = len(self._of_cut)
        self.iterations = 0
        if len(self._part.coefficient) > LARGE:  # Ctrl-C does not wait for it
            apart(lambda: self._start(basis), on_stop=lambda: None)
        else:
            self._start(basis)

    def _start(self, basis: Basis | None) -> None:
        self._highs = _open(self._part, self._scale)
        if basis is not None:
            self._set_basis(basis)

    @property
    def has_basis(self) -> bool:
        """Whether there is a basis to start from, or one that was found."""
        return bool(self._highs.getBasis().valid)

    @property
    def ran_out_of_patience(self) -> bool:
        """Whether the last run ended at its limit of iterations."""
        return bool(self._highs.getModelStatus() == highspy.HighsModelStatus.kIterationLimit)

    @property
    def cuts(self) -> list[Cut]:
        """The cuts in the program."""
        return [cut for cut in self._of_cut if cut is not None]

    def add(self, rows: Ints, cuts: Sequence[Cut] = ()) -> None:
        """Add rows and cuts; they become part of the basis."""
        more = with_cuts(_selected(self._program, rows), cuts)
        self._highs.addRows(
            len(more.row_lower),
            more.row_lower,
            more.row_upper,
            len(more.column),
            more.begin[:-1].astype(np.int32),
            more.column.astype(np.int32),
            more.coefficient,
        )
        self.rows += rows.tolist()
        self._of_cut += [*[None] * len(rows), *cuts]
        self._part = _joined(self._part, more)

    def run(
        self, time_limit: float | None, patience: int = PATIENCE
    ) -> tuple[float, Floats | None]:
        """Solve the program in HiGHS; return a bound, and the optimum if it was found.

        `patience` limits the iterations.
        """
        part = self._part
        self._highs.setOptionValue("simplex_iteration_limit", patience)
        try:
            end = _run(self._highs, len(part.row_lower), time_limit)
        except SolverError:  # HiGHS failed; its multipliers may still give a bound
            end = End.STOPPED
        self.iterations += int(max(self._highs.getInfo().simplex_iteration_count, 0))
        if end is End.INFEASIBLE:
            nothing = np.zeros(len(part.row_lower))
            return (-math.inf if self._is_empty(part) else part.bound(nothing)), None
        bound, point = _solution(self._highs, part, self._scale)
        return bound, point if end is End.OPTIMAL else None

    def basis(self) -> Basis:
        """Return the basis, without rows that do not bind and were not needed on the way.

        Without rows that do not bind it is still a basis. Those that were added here are likely to
        be needed by the children, too.
        """
        columns, statuses = _statuses(self._highs)
        binds = statuses != BASIC
        is_cut = np.array([cut is not None for cut in self._of_cut])
        keeps = binds | (~is_cut & (np.arange(len(binds)) >= self._started_with))
        rows = np.array(self.rows, dtype=np.intp)[keeps[~is_cut]]
        used = tuple(
            cut for cut, own in zip(self._of_cut, keeps, strict=True) if own and cut is not None
        )
        kept = [statuses[keeps & ~is_cut], statuses[keeps & is_cut]]
        return Basis(columns, rows, used, np.concatenate(kept))

    def _set_basis(self, basis: Basis) -> None:
        own = len(basis.rows)
        others = np.full(len(self.rows) - own, BASIC)
        statuses = np.concatenate([basis.statuses[:own], others, basis.statuses[own:]])
        start = highspy.HighsBasis()
        start.col_status = [STATUSES[number] for number in basis.columns.tolist()]
        start.row_status = [STATUSES[number] for number in statuses.tolist()]
        start.valid = True
        self._highs.setBasis(start)

    def _is_empty(self, part: Relaxation) -> bool:
        """Return whether Farkas multipliers prove infeasibility."""
        _, has_ray, ray = self._highs.getDualRay()
        if not has_ray:
            return False
        nothing = np.zeros(len(part.cost))
        multipliers = -np.array(ray) / (float(np.abs(ray).max(initial=0.0)) or 1.0)
        return part.bound(multipliers, cost=nothing) < -NO_DOUBT


def interior_point(
    program: Relaxation, cuts: Sequence[Cut], time_limit: float | None, *, crossover: bool
) -> Interior | None:
    """Solve a program by the interior-point method, with all rows.

    With `crossover`, an optimal basis is looked for, too; there may be none without much work by
    the simplex. Returns None if the program is not solved within the limit in seconds.
    """
    whole, opened = with_cuts(program, cuts), list[Any]()
    scale = objective_scale(whole)  # loading may take seconds: Ctrl-C does not wait for it
    options = INTERIOR | (CROSSOVER if crossover else {})
    apart(lambda: opened.append(_open(whole, scale, options)), on_stop=lambda: None)
    highs = opened[0]
    with suppress(SolverError):  # HiGHS is not content with what it has; it may still do
        run_highs(highs, time_limit)
    status, of = highs.getModelStatus(), highspy.HighsModelStatus
    if status == of.kIterationLimit and crossover:
        left = None if time_limit is None else time_limit - highs.getRunTime()
        return interior_point(program, cuts, left, crossover=False)
    if status not in (of.kOptimal, of.kUnknown) or not highs.getSolution().value_valid:
        return None
    bound, point = _solution(highs, whole, scale)
    if bound - whole.value(point) > IMPRECISE * max(1.0, abs(bound)):
        return None
    basis = _binding(highs, len(program.row_lower), cuts) if crossover else None
    return Interior(bound, point, basis)


def _binding(highs: Any, rows: int, cuts: Sequence[Cut]) -> Basis | None:
    """Return the basis that HiGHS has, if any, with the rows and cuts that bind in it."""
    if not highs.getBasis().valid:
        return None
    columns, statuses = _statuses(highs)
    binding = np.flatnonzero(statuses != BASIC)
    used = tuple(cuts[row - rows] for row in binding.tolist() if row >= rows)
    return Basis(columns, binding[binding < rows], used, statuses[binding])


def _solution(highs: Any, part: Relaxation, scale: float) -> tuple[float, Floats]:
    """Return the bound that HiGHS' multipliers prove, and its point."""
    solution = highs.getSolution()
    bound = part.bound(np.zeros(len(part.row_lower)))
    multipliers = -np.array(solution.row_dual) / scale
    if len(multipliers) == len(part.row_lower):
        bound = min(bound, part.bound(multipliers))
    return bound + ROUNDING * max(1.0, abs(bound)), np.array(solution.col_value)


def _statuses(highs: Any) -> tuple[Statuses, Statuses]:
    """Return the statuses of columns and rows in the basis that HiGHS has."""
    found = highs.getBasis()
    columns, rows = (
        np.array([NUMBER_OF_STATUS[status] for status in some], dtype=np.int8)
        for some in (found.col_status, found.row_status)
    )
    return columns, rows


def _run(highs: Any, rows: int, time_limit: float | None) -> End:
    """Run HiGHS; on small programs without a thread of its own, which would take longer."""
    if rows > SMALL:
        return run_highs(highs, time_limit)
    if time_limit is not None:
        highs.setOptionValue("time_limit", float(highs.getRunTime() + max(time_limit, 0.0)))
    highs.run()
    return ENDS.get(highs.getModelStatus(), End.STOPPED)


def _open(program: Relaxation, scale: float, options: dict[str, Any] = OPTIONS) -> Any:
    """Load a program into HiGHS, as arrays: lists would take longer than solving."""
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in (OPTIONS | options).items():
        highs.setOptionValue(option, setting)
    columns = len(program.cost)
    passed = highs.passModel(
        columns,
        len(program.row_lower),
        len(program.column),
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        -scale * program.offset,
        -scale * program.cost,
        program.lower,
        program.upper,
        program.row_lower,
        program.row_upper,
        program.begin.astype(np.int32),
        program.column.astype(np.int32),
        program.coefficient,
        np.zeros(columns, dtype=np.int32),  # all columns are continuous
    )
    if passed == highspy.HighsStatus.kError:
        raise SolverError("HiGHS rejected the linear program; please report the corpus")
    return highs


def _selected(program: Relaxation, rows: Ints) -> Relaxation:
    """Keep some rows of a program."""
    entry, row = ranges(program.begin[rows], program.begin[rows + 1])
    sizes = np.bincount(row, minlength=len(rows))
    return replace(
        program,
        row_lower=program.row_lower[rows],
        row_upper=program.row_upper[rows],
        begin=np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp),
        column=program.column[entry],
        coefficient=program.coefficient[entry],
    )


def with_cuts(program: Relaxation, cuts: Sequence[Cut]) -> Relaxation:
    """Append cuts to a program."""
    if not cuts:
        return program
    sizes = [len(cut.column) for cut in cuts]
    return _joined(
        program,
        replace(
            program,
            row_lower=np.full(len(cuts), -np.inf),
            row_upper=np.array([cut.right for cut in cuts]),
            begin=np.cumsum([0, *sizes], dtype=np.intp),
            column=np.concatenate([cut.column for cut in cuts]),
            coefficient=np.concatenate([cut.probability for cut in cuts]),
        ),
    )


def _joined(one: Relaxation, other: Relaxation) -> Relaxation:
    """Append the rows of a program to another one over the same columns."""
    return replace(
        one,
        row_lower=np.concatenate([one.row_lower, other.row_lower]),
        row_upper=np.concatenate([one.row_upper, other.row_upper]),
        begin=np.concatenate([one.begin, one.begin[-1] + other.begin[1:]]),
        column=np.concatenate([one.column, other.column]),
        coefficient=np.concatenate([one.coefficient, other.coefficient]),
    )
