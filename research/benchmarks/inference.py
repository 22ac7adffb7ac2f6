"""Treaty, HiGHS and two C++ libraries on the same problems, in one run.

    python -m research.benchmarks.inference                 # everything, about a quarter of an hour
    python -m research.benchmarks.inference --quick         # small limits
    python -m research.benchmarks.inference --problems 'skip*' --solvers 'treaty ad3,highs lp'
    python -m research.benchmarks.inference --out docs/results/inference.jsonl

Seconds are CPU seconds, the best of several runs when they are short, each solver in a process of
its own. Time limits are wall time: on a busy machine they cut earlier.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from research.benchmarks._comparisons import (
    answers,
    compared,
    contradictions,
    lp_value,
    means,
    reaches_lp,
)
from research.benchmarks._measure import RunError, cpu_seconds, in_child, measure
from research.benchmarks._solvers import MANY_ITERATIONS, Solver, solvers
from research.benchmarks.problems import DATA, Problem, problems
from research.report import Run, append_run, say
from research.report.tables import inference as tables
from research.report.tables.inference import ACCURACIES, AD3
from treaty.errors import InputError
from treaty.graph import FactorGraph
from treaty.solve import solve

GRACE = 60.0  # seconds beyond the time limit before a child is given up


def main() -> int:
    """Run, report, and fail when AD3 misses a relaxation's value or two solvers disagree."""
    options = _options()
    available, notes = solvers(options.time_limit)
    if unknown := set(options.solvers) - set(available):
        sys.exit(f"cannot run {', '.join(sorted(unknown))}; there are {', '.join(available)}")
    chosen = [available[name] for name in available if name in (options.solvers or available)]
    if not DATA.exists():
        notes.append(f"there is no {DATA}: generated problems only")
    runs: list[Run] = []
    for problem in problems(options.problems):
        say(problem.name)
        try:
            graph = problem.build()
        except InputError as error:
            notes.append(f"{problem.name} is left out: {str(error).partition(';')[0]}")
        else:
            found = _runs(problem, graph, chosen, options)
            runs += [append_run(options.out, run) for run in found]
    rows = answers(runs)
    overall = [append_run(options.out, run) for run in means(rows)]
    print(tables.by_problem(runs), tables.means(overall), tables.findings(runs), sep="\n\n")
    wrong = [line for own in rows for line in contradictions(own)]
    for line in [*notes, *wrong]:
        say(line)
    missed = [own for own in rows if "difference" in own.get(AD3, {}) and not reaches_lp(own[AD3])]
    return 1 if missed or wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--problems", default="*", metavar="PATTERN", help="names, such as 'skip*'")
    add("--solvers", default=[], type=lambda text: text.split(","), metavar="NAMES",
        help="some of them, such as 'treaty ad3,highs lp'")  # fmt: skip
    add("--quick", action="store_true", help="5 seconds per solver, no repetitions")
    add("--repeat", type=int, default=3, help="how often runs of less than a second are repeated")
    add("--time-limit", type=float, default=60.0, metavar="SECONDS", help="for each solver")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args()
    if options.quick:
        options.time_limit, options.repeat = 5.0, 1
    return options


def _runs(
    problem: Problem, graph: FactorGraph, chosen: list[Solver], options: argparse.Namespace
) -> list[Run]:
    """Run every solver, and see when AD3's bound is good enough."""
    about = {
        "part": "run",
        "problem": problem.name,
        "variables": len(graph),
        "factors": len(graph.factors),
        "is pattern": problem.is_pattern,
        "time limit": options.time_limit,
    }
    runs = [{**about, "solver": solver.name, **_run(graph, solver, options)} for solver in chosen]
    (rows,) = answers(runs)
    value = lp_value(rows)
    if value is not None and AD3 in rows:
        patience = 10 * options.time_limit + GRACE
        rows[AD3] |= in_child(lambda: _seconds_to_accuracy(graph, value, options), patience)
    return [compared(run, rows) for run in runs]


def _run(graph: FactorGraph, solver: Solver, options: argparse.Namespace) -> Run:
    try:
        measured = measure(
            solver.prepare,
            solver.solve,
            graph,
            warm_up=_small_graph(),
            repeat=options.repeat,
            patience=options.time_limit + GRACE,
        )
    except RunError as error:
        names = ("seconds", "build seconds", "objective", "bound", "gap", "iterations", "megabytes")
        return {"status": str(error), "note": "", **dict.fromkeys(names)}
    outcome = measured.result
    return {
        "status": outcome.status,
        "note": outcome.note,
        "seconds": measured.seconds,
        "build seconds": measured.build,
        "objective": outcome.objective,
        "bound": outcome.bound,
        "gap": outcome.gap,
        "iterations": outcome.iterations,
        "megabytes": measured.megabytes,
    }


def _small_graph() -> FactorGraph:
    graph = FactorGraph()
    a, b, c = graph.variables([1.0, 0.5, -0.2])
    graph.at_most_one(a, b)
    graph.or_with_output([a, b], c)
    return graph


def _seconds_to_accuracy(
    graph: FactorGraph, value: float, options: argparse.Namespace
) -> dict[str, float | None]:
    """CPU seconds until the bound is near the relaxation's value, for each accuracy.

    A trace tells after how many iterations that is; a run that stops there tells how long it takes.
    """
    limits = {"iterations": MANY_ITERATIONS, "time_limit": options.time_limit}
    trace = solve(graph, "ad3", trace=True, **limits).trace
    seconds: dict[str, float | None] = {}
    for accuracy in ACCURACIES:
        is_near = trace.bound - value <= float(accuracy) * max(1.0, abs(value))
        name = f"seconds to {accuracy}"
        if not is_near.any():
            seconds[name] = None
            continue
        limits["iterations"] = int(trace.iteration[np.argmax(is_near)])
        seconds[name] = cpu_seconds(lambda: solve(graph, "ad3", **limits), options.repeat)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
