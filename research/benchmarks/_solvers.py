"""What is measured: Treaty's solvers, HiGHS on the same relaxation, and two C++ libraries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import highspy
import numpy as np

from research.report.tables.inference import AD3, AD3_ROUGH, EXACT, ILP, LP
from treaty.graph import Factor, FactorGraph
from treaty.solve import Relaxation, Solution, Status, linear_relaxation, solve

COLUMNS = "column generation"
LIBRARIES = {"ad3": "ad3.factor_graph", "lp-sparsemap": "lpsmap.ad3qp.factor_graph"}
"""Peers, by their modules."""

MANY_ITERATIONS = 1_000_000  # AD3 stops by convergence or by time
PEER_ITERATIONS = 1000  # the libraries' own default
FORBIDDEN = -1000.0  # the libraries know no infinite scores


@dataclass(frozen=True)
class Outcome:
    """An answer and its certificate, as far as the solver gives them."""

    status: str
    objective: float = -math.inf
    bound: float = math.inf
    iterations: int | None = None
    note: str = ""

    @property
    def gap(self) -> float:
        gap = self.bound - self.objective
        return max(0.0, gap) if math.isfinite(gap) else math.inf


@dataclass(frozen=True)
class Solver:
    """A solver in two steps: make a model of the graph, and solve it. The first is timed apart."""

    name: str
    prepare: Callable[[FactorGraph], Any]
    solve: Callable[[Any], Outcome]


class UnsupportedError(Exception):
    """The library has no such factor."""


def solvers(time_limit: float) -> tuple[dict[str, Solver], list[str]]:
    """All solvers that can be had, by name, and a note on each that cannot."""
    options = {"time_limit": time_limit}
    found = [
        Solver(LP, _open_lp, partial(_run_lp, time_limit=time_limit)),
        Solver(AD3, _itself, partial(_run_treaty, "ad3", iterations=MANY_ITERATIONS, **options)),
        Solver(
            AD3_ROUGH,
            _itself,
            partial(_run_treaty, "ad3", iterations=MANY_ITERATIONS, tolerance=1e-4, **options),
        ),
        Solver(EXACT, _itself, partial(_run_treaty, "exact", **options)),
        Solver(ILP, _itself, partial(_run_treaty, "ilp", **options)),
    ]
    notes = []
    for name, module in LIBRARIES.items():
        try:
            library = import_module(module)
        except ImportError as error:
            notes.append(f"{name} is left out: {error}")
        else:
            found.append(Solver(name, partial(_peer_graph, library), _run_peer))
    return {solver.name: solver for solver in found}, notes


def _itself(graph: FactorGraph) -> FactorGraph:
    return graph


def _run_treaty(method: str, graph: FactorGraph, **options: Any) -> Outcome:
    return outcome_of(solve(graph, method, **options))


def outcome_of(solution: Solution) -> Outcome:
    """What the benchmark keeps of a solution."""
    return Outcome(solution.status.value, solution.objective, solution.bound, solution.iterations)


# HiGHS' dual simplex, timed without Python's share: writing the program and handing it over.


@dataclass(frozen=True)
class _LinearProgram:
    graph: FactorGraph
    highs: Any
    """None where columns must be generated: HiGHS and oracles take turns."""
    scale: float


def _open_lp(graph: FactorGraph) -> _LinearProgram:
    relaxation = linear_relaxation(graph)
    if relaxation.priced:
        return _LinearProgram(graph, None, 1.0)
    # HiGHS' tolerances are absolute: scores are scaled to a size between 1 and 10,000.
    largest = float(np.abs(relaxation.cost).max(initial=0.0)) or 1.0
    scale = 2.0 ** round(math.log2(min(max(1.0, largest), 1e4) / largest))
    return _LinearProgram(graph, _highs_of(relaxation, scale), scale)


def _highs_of(relaxation: Relaxation, scale: float) -> Any:
    """A silent HiGHS on one thread that minimizes the negated objective by dual simplex."""
    highs = highspy.Highs()
    options = {"output_flag": False, "threads": 1, "random_seed": 0, "solver": "simplex",
               "simplex_strategy": 1}  # fmt: skip
    for option, setting in options.items():
        highs.setOptionValue(option, setting)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(relaxation.cost), len(relaxation.row_lower)
    program.col_cost_ = -scale * relaxation.cost
    program.offset_ = -scale * relaxation.offset
    program.col_lower_, program.col_upper_ = relaxation.lower, relaxation.upper
    program.row_lower_, program.row_upper_ = relaxation.row_lower, relaxation.row_upper
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = relaxation.begin.astype(np.int32)
    program.a_matrix_.index_ = relaxation.column.astype(np.int32)
    program.a_matrix_.value_ = relaxation.coefficient
    highs.passModel(program)
    return highs


def _run_lp(program: _LinearProgram, time_limit: float) -> Outcome:
    if program.highs is None:
        return _run_columns(program.graph, time_limit)
    program.highs.setOptionValue("time_limit", program.highs.getRunTime() + time_limit)
    program.highs.run()
    info, status = program.highs.getInfo(), program.highs.getModelStatus()
    value = -info.objective_function_value / program.scale
    ends = {
        highspy.HighsModelStatus.kOptimal: ("OPTIMAL", value),
        highspy.HighsModelStatus.kInfeasible: ("INFEASIBLE", -math.inf),
        highspy.HighsModelStatus.kTimeLimit: ("STOPPED", math.inf),
    }
    end, bound = ends.get(status, (program.highs.modelStatusToString(status), math.inf))
    return Outcome(end, bound=bound, iterations=info.simplex_iteration_count)


def _run_columns(graph: FactorGraph, time_limit: float) -> Outcome:
    """The relaxation by column generation; rounding its answer takes next to no time."""
    found = solve(graph, "lp", time_limit=time_limit)
    ends = {Status.UNKNOWN: "STOPPED", Status.INFEASIBLE: "INFEASIBLE"}
    return Outcome(
        ends.get(found.status, "OPTIMAL"),
        bound=found.bound,
        iterations=found.iterations,
        note=COLUMNS,
    )


# The libraries `ad3` and `lp-sparsemap`, which share an interface.

_LOGIC = {
    "exactly_one": "XOR",
    "at_most_one": "ATMOSTONE",
    "at_least_one": "OR",
    "xor_with_output": "XOROUT",
    "or_with_output": "OROUT",
    "and_with_output": "ANDOUT",
}
_PEER_STATUS = ("OPTIMAL", "FRACTIONAL", "INFEASIBLE", "UNKNOWN")


def _peer_graph(library: Any, graph: FactorGraph) -> Any:
    """The same graph in the library's own objects."""
    peer, scores = library.PFactorGraph(), graph.scores.tolist()
    categoricals = {}
    states: dict[int, Any] = {}
    for categorical in graph.categoricals:
        multi = peer.create_multi_variable(len(categorical))
        categoricals[categorical.first] = multi
        for k in range(len(categorical)):
            states[categorical.first + k] = multi.get_state(k)
    variables = [states.get(v) or peer.create_binary_variable() for v in range(len(graph))]
    for v, (variable, fixed) in enumerate(zip(variables, graph.evidence.tolist(), strict=True)):
        if fixed == 1 and v not in states:  # a state that is on needs only the others off
            raise UnsupportedError("evidence")
        variable.set_log_potential(FORBIDDEN if fixed == 0 else scores[v])
    for factor in graph.factors:
        _add_to_peer(peer, factor, variables, categoricals)
    peer.fix_multi_variables_without_factors()
    return peer


def _add_to_peer(
    peer: Any, factor: Factor, variables: list[Any], categoricals: dict[int, Any]
) -> None:
    codes = factor.codes.tolist()
    bound = [variables[code >> 1] for code in codes]
    negated = [bool(code & 1) for code in codes]
    if factor.kind in _LOGIC:
        peer.create_factor_logic(_LOGIC[factor.kind], bound, negated)
    elif factor.kind == "at_most":
        peer.create_factor_budget(bound, int(factor.shape[0]), negated)
    elif factor.kind == "knapsack":
        peer.create_factor_knapsack(bound, factor.data[:-1].tolist(), factor.data[-1], negated)
    elif factor.kind == "reward" and len(codes) == 2 and not any(negated):
        peer.create_factor_pair(bound, factor.data[0])
    elif factor.kind == "table":
        multis, first = [], 0
        for size in factor.shape.tolist():
            block = codes[first : first + size]
            multi = categoricals.get(block[0] >> 1)
            if multi is None or block != list(range(block[0], block[0] + 2 * size, 2)):
                raise UnsupportedError("a table over binary variables")
            multis.append(multi)
            first += size
        peer.create_factor_dense(multis, factor.data.clip(min=FORBIDDEN).tolist())
    else:
        raise UnsupportedError(factor.kind)


def _run_peer(peer: Any) -> Outcome:
    """Solve; the libraries give one value only, near the relaxation's but no certified bound."""
    peer.set_verbosity(0)
    peer.set_eta_ad3(0.1)
    peer.adapt_eta_ad3(True)
    peer.set_iterations_ad3(PEER_ITERATIONS)
    peer.set_residual_threshold_ad3(1e-6)
    value, _, _, status = peer.solve_lp_map_ad3()
    is_integral = _PEER_STATUS[status] == "OPTIMAL"
    return Outcome(_PEER_STATUS[status], value if is_integral else -math.inf, value)
