"""Running HiGHS: gap 0, one thread, fixed seed, no output, and all results checked."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from enum import Enum
from typing import Any

import highspy
import numpy as np

from treaty._threads import apart
from treaty.errors import SolverError, UsageError
from treaty.solve._highs_process import HighsProcess, is_large
from treaty.solve._relaxation import Relaxation
from treaty.solve._view import Doubles

__all__ = ["End", "Outcome", "run"]

TOLERANCE = 1e-6  # largest violation of a row, relative to its coefficients
FEASIBLE = 1e-9  # tolerance of the search for integers and reduced costs
PRUNED = 1e-7  # by this much HiGHS' search prunes too much, in its scaled objective
SOLVERS = {"dual": ("simplex", 1), "primal": ("simplex", 4), "ipm": ("ipm", 1)}


class End(Enum):
    """How a run ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    STOPPED = "stopped"


ENDS = {
    highspy.HighsModelStatus.kOptimal: End.OPTIMAL,
    highspy.HighsModelStatus.kInfeasible: End.INFEASIBLE,
    # Every column is bounded, so this can only mean infeasible.
    highspy.HighsModelStatus.kUnboundedOrInfeasible: End.INFEASIBLE,
    highspy.HighsModelStatus.kTimeLimit: End.STOPPED,
    highspy.HighsModelStatus.kIterationLimit: End.STOPPED,
    highspy.HighsModelStatus.kUnknown: End.STOPPED,
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """The checked result of a linear or integer program."""

    end: End
    point: Doubles | None
    """A feasible point: the optimum, or the best one so far of an interrupted integer program."""
    value: float
    """The objective at `point`, ``-inf`` without one."""
    bound: float
    """An upper bound on the objective of every feasible point."""
    iterations: int
    """Simplex or interior-point iterations, or nodes of an integer program."""
    seconds: float
    """Wall-clock time inside HiGHS."""


def run(
    relaxation: Relaxation,
    *,
    integral: bool = False,
    solver: str = "dual",
    time_limit: float | None = None,
) -> Outcome:
    """Solve a relaxation with HiGHS and check the answer.

    Parameters
    ----------
    relaxation
        A relaxation with a compact form (empty `priced`).
    integral
        Whether to restrict the graph's variables to 0 and 1.
    solver
        For the linear program: ``"dual"`` or ``"primal"`` simplex, or ``"ipm"`` (interior point and
        crossover).
    time_limit
        Limit in seconds.
    """
    found = obvious_outcome(relaxation)
    if found is not None:
        return found
    highs = open_highs(relaxation, integral=integral, solver=solver)
    return run_loaded(highs, relaxation, integral=integral, time_limit=time_limit)


def obvious_outcome(relaxation: Relaxation) -> Outcome | None:
    """Return the outcome of a relaxation that HiGHS need not solve, or could not load."""
    if relaxation.has_impossible_row() or np.any(relaxation.lower > relaxation.upper):
        return Outcome(End.INFEASIBLE, None, -math.inf, -math.inf, 0, 0.0)
    if not len(relaxation.cost):
        return Outcome(End.OPTIMAL, np.zeros(0), relaxation.offset, relaxation.offset, 0, 0.0)
    return None


def run_loaded(
    highs: Any,
    relaxation: Relaxation,
    *,
    integral: bool = False,
    time_limit: float | None = None,
) -> Outcome:
    """Solve a relaxation that HiGHS has loaded and check the answer."""
    started = time.perf_counter()
    end = run_highs(highs, time_limit)
    seconds = time.perf_counter() - started
    info, scale = highs.getInfo(), objective_scale(relaxation)
    if integral:
        iterations = int(max(info.mip_node_count, 0))
        bound = _from_highs(info.mip_dual_bound, scale) + search_error(relaxation, scale)
        bound = min(bound, _trivial_bound(relaxation))
    else:
        iterations = int(info.simplex_iteration_count + max(info.ipm_iteration_count, 0))
        bound = _dual_bound(relaxation, highs, scale)
    left = None if time_limit is None else time_limit - seconds
    if end is End.INFEASIBLE and (integral or is_infeasible(relaxation, left)):
        return Outcome(end, None, -math.inf, -math.inf, iterations, seconds)
    if end is End.INFEASIBLE:  # no proof
        return Outcome(
            End.STOPPED, None, -math.inf, _trivial_bound(relaxation), iterations, seconds
        )
    has_point = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    if not has_point or (end is End.STOPPED and not integral):
        return Outcome(End.STOPPED, None, -math.inf, bound, iterations, seconds)
    point = np.array(highs.getSolution().col_value)
    value = relaxation.value(point)
    claimed = _from_highs(info.objective_function_value, scale)
    check_claim(relaxation, relaxation.violation(point), value, claimed)
    if end is End.OPTIMAL:
        check_optimal(relaxation, value, bound)
    return Outcome(end, point, value, max(bound, value), iterations, seconds)


def open_highs(relaxation: Relaxation, *, integral: bool = False, solver: str = "dual") -> Any:
    """Load a relaxation into HiGHS, without output, to minimize the negated, scaled objective."""
    if solver not in SOLVERS:
        raise UsageError(f"unknown LP solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    name, strategy = SOLVERS[solver]
    options: dict[str, Any] = {"output_flag": False, "threads": 1, "random_seed": 0}
    if integral:
        options |= {"mip_rel_gap": 0.0, "mip_abs_gap": 0.0, "mip_feasibility_tolerance": FEASIBLE}
        options |= {
            "primal_feasibility_tolerance": FEASIBLE,
            "dual_feasibility_tolerance": FEASIBLE,
        }
    else:
        options |= {"solver": name, "simplex_strategy": strategy}
    highs: Any
    if is_large(len(relaxation.coefficient)) and not relaxation.priced:
        highs = HighsProcess(_arrays(relaxation, integral), wants_ray=not integral)
    else:
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in options.items():
        highs.setOptionValue(option, setting)
    if isinstance(highs, HighsProcess):
        return highs

    lp = highspy.HighsLp()
    scale = objective_scale(relaxation)
    lp.num_col_, lp.num_row_ = len(relaxation.cost), len(relaxation.row_lower)
    lp.col_cost_, lp.offset_ = -scale * relaxation.cost, -scale * relaxation.offset
    lp.col_lower_, lp.col_upper_ = relaxation.lower, relaxation.upper
    lp.row_lower_, lp.row_upper_ = relaxation.row_lower, relaxation.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = relaxation.begin.astype(np.int32)
    lp.a_matrix_.index_ = relaxation.column.astype(np.int32)
    lp.a_matrix_.value_ = relaxation.coefficient
    if integral:
        integer, free = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
        others = len(relaxation.cost) - relaxation.variables
        lp.integrality_ = [integer] * relaxation.variables + [free] * others
    if highs.passModel(lp) == highspy.HighsStatus.kError:
        raise SolverError(
            "HiGHS rejected the linear program: its numbers are out of range; try method='ad3'"
        )
    return highs


def _arrays(relaxation: Relaxation, integral: bool) -> dict[str, Any]:
    """Return the arrays of the scaled, negated program, by their names in HiGHS."""
    scale = objective_scale(relaxation)
    kinds = np.zeros(len(relaxation.cost) if integral else 0, np.int8)
    kinds[: relaxation.variables] = 1
    return {
        "col_cost": -scale * relaxation.cost,
        "offset": -scale * relaxation.offset,
        "col_lower": relaxation.lower,
        "col_upper": relaxation.upper,
        "row_lower": relaxation.row_lower,
        "row_upper": relaxation.row_upper,
        "start": relaxation.begin.astype(np.int32),
        "index": relaxation.column.astype(np.int32),
        "value": relaxation.coefficient,
        "integrality": kinds,
    }


def objective_scale(relaxation: Relaxation) -> float:
    """Choose a power of two that scales the objective to HiGHS' absolute tolerances."""
    largest = float(np.abs(relaxation.cost).max(initial=0.0))
    if largest == 0.0:
        return 1.0
    wanted = min(max(2.0, largest), 1e4)
    return 2.0 ** min(
        round(math.log2(wanted) - math.log2(largest)), 1000
    )  # denormals would need more


def run_highs(highs: Any, time_limit: float | None) -> End:
    """Run HiGHS, with a limit in seconds; return how it ended."""
    if time_limit is not None:
        highs.setOptionValue("time_limit", float(highs.getRunTime() + max(time_limit, 0.0)))
    run_apart(highs)
    status = highs.getModelStatus()
    if status not in ENDS:
        raise SolverError(
            f"HiGHS stopped with {highs.modelStatusToString(status)!r}; try method='ad3'"
        )
    return ENDS[status]


def run_apart(highs: Any) -> None:
    """Run HiGHS so that Ctrl-C is answered, also while it sets up its search."""

    def stop() -> None:
        highs.setOptionValue("time_limit", 0.0)  # presolve looks at the time only
        # Enable the check for cancellation only now: it would cost a fifth of the time.
        highs.HandleUserInterrupt = True
        highs.cancelSolve()

    apart(highs.run, stop)


def check_claim(relaxation: Relaxation, violation: float, value: float, claimed: float) -> None:
    """Raise `SolverError` if a point violates a row or its value is not what HiGHS reports."""
    if not violation <= TOLERANCE:
        raise SolverError(
            f"HiGHS returned a point that violates a row by {violation:.3g}; try method='ad3'"
        )
    if not disagreement(relaxation, value, claimed) <= TOLERANCE:
        raise SolverError(
            f"HiGHS reports the value {claimed!r} for a point of value {value!r}; try method='ad3'"
        )


def check_optimal(relaxation: Relaxation, value: float, bound: float) -> None:
    """Raise `SolverError` for an optimum that its own multipliers do not prove."""
    if not disagreement(relaxation, value, bound) <= TOLERANCE:
        raise SolverError(
            f"HiGHS reports {value!r} as optimal, but its multipliers prove only {bound!r}; "
            "try method='ad3'"
        )


def disagreement(relaxation: Relaxation, value: float, other: float) -> float:
    """Return the difference of two objective values, relative to the numbers in the objective."""
    largest = max(float(np.abs(relaxation.cost).max(initial=0.0)), abs(value))
    return abs(value - other) / (largest or 1.0)


def _from_highs(value: float, scale: float) -> float:
    return -value / scale


def _trivial_bound(relaxation: Relaxation) -> float:
    return relaxation.bound(np.zeros(len(relaxation.row_lower)))


def _dual_bound(relaxation: Relaxation, highs: Any, scale: float) -> float:
    """Compute the bound that the multipliers prove, if any."""
    multipliers = np.array(highs.getSolution().row_dual)
    bound = _trivial_bound(relaxation)
    if len(multipliers) != len(relaxation.row_lower):
        return bound
    return min(bound, relaxation.bound(-multipliers / scale))


def search_error(relaxation: Relaxation, scale: float) -> float:
    """By how much the bound of HiGHS' search may be too low.

    It prunes by a tolerance, accepts reduced costs that are wrong by one, and variables that are
    off an integer by another; each of the latter counts with its cost.
    """
    size = float(np.abs(relaxation.cost).sum()) * scale + len(relaxation.cost)
    return (PRUNED + FEASIBLE * size) / scale


def is_infeasible(relaxation: Relaxation, time_limit: float | None = None) -> bool:
    """Whether Farkas multipliers prove that there is no feasible point.

    Rows of column generation are left out, and so are costs. Presolve and the other solvers do not
    always return multipliers; the dual simplex does. Multipliers prove whatever they are: rounded
    ones, which cancel better, are tried as well.
    """
    nothing = np.zeros(len(relaxation.cost))
    program = dataclasses.replace(relaxation.without_priced(), cost=nothing, offset=0.0)
    if program.has_impossible_row() or np.any(program.lower > program.upper):
        return True
    highs = open_highs(program, solver="dual")
    highs.setOptionValue("presolve", "off")
    run_highs(highs, time_limit)
    _, has_ray, ray = highs.getDualRay()
    if not has_ray or len(ray) != len(program.row_lower):
        return False
    multipliers = -np.array(ray)
    largest = float(np.abs(multipliers).max(initial=0.0))
    if not 0.0 < largest < math.inf:
        return False
    unit = multipliers / largest
    tries = (multipliers, np.round(unit * 2.0**20), np.round(unit * 2.0**10))
    return any(program.bound(y, cost=nothing) < 0.0 for y in tries)


def is_hopeless(relaxation: Relaxation, time_limit: float | None = None) -> bool:
    """Whether HiGHS finds no integral point, without costs and presolve: a second opinion.

    For an integer program that it called infeasible. Coefficients of very different sizes hide
    behind its tolerances; then it is not believed.
    """
    size = np.abs(relaxation.coefficient)
    if len(size) and size.min() < 1e-3 * size.max():
        return False
    nothing = np.zeros(len(relaxation.cost))
    program = dataclasses.replace(relaxation, cost=nothing, offset=0.0)
    highs = open_highs(program, integral=True)
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("random_seed", 1)
    return run_highs(highs, time_limit) is End.INFEASIBLE
