"""Exact solvers of a `.uai` file: Treaty, HiGHS and CP-SAT on its integer program, toulbar2."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from research.benchmarks._measure import RunError, in_child
from treaty.graph import FactorGraph, read_graph
from treaty.solve import check, linear_relaxation, solve

GRACE = 60.0  # seconds beyond the time limit before a process is given up
TOULBAR2_UNIT = 1e7  # costs are integers, by default in steps of 1e-7
EXACT, ILP, TOULBAR2, CP_SAT = "treaty exact", "highs ilp", "toulbar2", "cp-sat"


@dataclass(frozen=True)
class Answer:
    """What a solver found, scored by the checker, and the CPU seconds that it took."""

    status: str
    objective: float = -math.inf
    bound: float = math.inf
    seconds: float | None = None


def missing(name: str) -> str | None:
    """Why a solver cannot be run here, if so."""
    if name == TOULBAR2 and shutil.which("toulbar2") is None:
        return "there is no program toulbar2"
    if name == CP_SAT and find_spec("ortools") is None:
        return "there is no package ortools"
    return None


def read(path: Path) -> FactorGraph:
    """Read a problem and its evidence, if that holds any."""
    evidence = path.with_name(path.name + ".evid")
    if evidence.exists() and evidence.read_text().split() not in ([], ["0"]):
        return read_graph(path, evidence=evidence)
    return read_graph(path)


def value_of(graph: FactorGraph, values: Any) -> float:
    """The score of an answer, by the independent checker; -inf if it breaks a factor."""
    found = check(graph, values)
    return found.objective if found.feasible else -math.inf


def run_treaty(method: str, path: Path, time_limit: float) -> Answer:
    """Run a method of Treaty in a child."""

    def work() -> Answer:
        started = time.process_time()
        graph = read(path)
        found = solve(graph, method, time_limit=time_limit)
        seconds = time.process_time() - started
        objective = value_of(graph, found.values) if math.isfinite(found.objective) else -math.inf
        return Answer(found.status.value, objective, found.bound, seconds)

    return in_child(work, time_limit + GRACE)


def run_cp_sat(path: Path, time_limit: float) -> Answer:
    """Run CP-SAT with one worker on the integer program that HiGHS is given."""

    def work() -> Answer:
        from ortools.sat.python import cp_model

        started = time.process_time()
        graph = read(path)
        model = cp_sat_model(cp_model, graph)
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = time_limit
        solver.parameters.num_workers = 1
        status = solver.solve(model)
        seconds = time.process_time() - started
        ends = {cp_model.OPTIMAL: "OPTIMAL", cp_model.FEASIBLE: "FEASIBLE",
                cp_model.INFEASIBLE: "INFEASIBLE"}  # fmt: skip
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer(ends.get(status, "UNKNOWN"), seconds=seconds)
        on = list(solver.response_proto.solution)[: len(graph)]
        objective = value_of(graph, np.array(on, dtype=np.int8))
        return Answer(ends[status], objective, solver.best_objective_bound, seconds)

    return in_child(work, time_limit + 2 * GRACE)


def cp_sat_model(cp_model: Any, graph: FactorGraph) -> Any:
    """Write the relaxation's program with 0 or 1 for every column."""
    program = linear_relaxation(graph)
    whole = np.round(program.coefficient).astype(int)
    if program.priced or not np.array_equal(whole, program.coefficient):
        raise RunError("the program has coefficients that are not whole")
    model = cp_model.CpModel()
    columns = [
        model.new_int_var(math.ceil(low), math.floor(high), "")
        for low, high in zip(program.lower.tolist(), program.upper.tolist(), strict=True)
    ]
    least, most = -(2**40), 2**40
    for r, (low, high) in enumerate(
        zip(program.row_lower.tolist(), program.row_upper.tolist(), strict=True)
    ):
        span = slice(int(program.begin[r]), int(program.begin[r + 1]))
        terms = [columns[c] for c in program.column[span].tolist()]
        total = cp_model.LinearExpr.weighted_sum(terms, whole[span].tolist())
        model.add_linear_constraint(total, math.ceil(max(low, least)), math.floor(min(high, most)))
    used = np.flatnonzero(program.cost)
    model.maximize(
        cp_model.LinearExpr.weighted_sum(
            [columns[c] for c in used.tolist()], program.cost[used].tolist()
        )
        + program.offset
    )
    return model


def run_toulbar2(path: Path, time_limit: float) -> Answer:
    """Run the program on the file, which it reads with the evidence beside it."""
    with tempfile.TemporaryDirectory() as folder:
        best = Path(folder) / "best.sol"
        output, seconds = _timed_process(["toulbar2", str(path), f"-w={best}"], time_limit)
        if not best.exists() or not best.read_text().split():
            status = "INFEASIBLE" if "No solution" in output else "UNKNOWN"
            return Answer(status, seconds=seconds)
        states = [int(state) for state in best.read_text().split()]
    graph = read(path)
    values = np.zeros(len(graph), dtype=np.int8)
    for variable, state in zip(graph.categoricals, states, strict=True):
        values[variable.first + state] = 1
    objective = value_of(graph, values)
    if "Optimum:" in output:
        return Answer("OPTIMAL", objective, objective, seconds)
    return Answer("FEASIBLE", objective, toulbar2_bound(output, objective), seconds)


def toulbar2_bound(output: str, objective: float) -> float:
    """Read the dual bound off the last line that has one, relative to the best answer's cost."""
    costs = [int(cost) for cost in re.findall(r"New solution: (\d+)", output)]
    lowers = re.findall(r"(?:Optimality gap|bounds): \[(\d+)", output)
    if not costs or not lowers:
        return math.inf
    return objective + (min(costs) - max(map(int, lowers))) / TOULBAR2_UNIT


def _timed_process(command: Sequence[str], time_limit: float) -> tuple[str, float]:
    """Run a program until it ends or the time is over; what it said, and its CPU seconds."""
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + time_limit
        is_asked = False
        while True:
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                break
            late = time.monotonic() - deadline
            if late > 0.0 and not is_asked:
                child.terminate()
                is_asked = True
            if late > GRACE:
                child.kill()
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)  # or else Popen waits for it again
        output.seek(0)
        return output.read(), usage.ru_utime + usage.ru_stime


SOLVERS: dict[str, Callable[[Path, float], Answer]] = {
    EXACT: partial(run_treaty, "exact"),
    TOULBAR2: run_toulbar2,
    ILP: partial(run_treaty, "ilp"),
    CP_SAT: run_cp_sat,
}
