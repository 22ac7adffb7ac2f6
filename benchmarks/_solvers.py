"""What is measured: Treaty's solvers, HiGHS on the same relaxation, and two C++ libraries."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from treaty._native.graph import Graph
from treaty.graph import Factor, FactorGraph
from treaty.solve import Solution, solve
from treaty.solve._columns import Master
from treaty.solve._highs import End, objective_scale, open_highs, run_highs
from treaty.solve._relaxation import relax

AD3 = "treaty ad3"
AD3_ROUGH = "treaty ad3 1e-4"  # told to stop at that accuracy
EXACT = "treaty exact"
LP = "highs lp"
ILP = "highs ilp"
COLUMNS = "column generation"
PEERS = {"ad3": "ad3.factor_graph", "lp-sparsemap": "lpsmap.ad3qp.factor_graph"}

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
        Solver(
            AD3, _itself, partial(_run_treaty, "ad3", iterations=MANY_ITERATIONS, **options)
        ),
        Solver(
            AD3_ROUGH,
            _itself,
            partial(_run_treaty, "ad3", iterations=MANY_ITERATIONS, tolerance=1e-4, **options),
        ),
        Solver(EXACT, _itself, partial(_run_treaty, "exact", **options)),
        Solver(ILP, _itself, partial(_run_treaty, "ilp", **options)),
    ]
    notes = []
    for name, module in PEERS.items():
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


# HiGHS' dual simplex, timed without Python's share: building the rows and handing them over.


@dataclass(frozen=True)
class _LinearProgram:
    graph: Graph
    relaxation: Any
    highs: Any


def _open_lp(graph: FactorGraph) -> _LinearProgram:
    relaxation = relax(graph.native)
    highs = None if relaxation.priced else open_highs(relaxation, solver="dual")
    return _LinearProgram(graph.native, relaxation, highs)


def _run_lp(program: _LinearProgram, time_limit: float) -> Outcome:
    if program.highs is None:  # column generation: HiGHS and oracles take turns
        result = Master(program.graph, program.relaxation).solve(time_limit=time_limit)
        return Outcome(
            result.end.name, bound=result.bound, iterations=result.iterations, note=COLUMNS
        )
    end = run_highs(program.highs, time_limit)
    info = program.highs.getInfo()
    value = -info.objective_function_value / objective_scale(program.relaxation)
    bound = {End.OPTIMAL: value, End.INFEASIBLE: -math.inf, End.STOPPED: math.inf}[end]
    return Outcome(end.name, bound=bound, iterations=info.simplex_iteration_count)


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
