"""Treaty, HiGHS and the C++ libraries of the field on the same problems, in one run.

    python benchmarks/inference.py                 # everything, about a quarter of an hour
    python benchmarks/inference.py --quick         # small limits
    python benchmarks/inference.py --problems 'skip*' --solvers 'treaty ad3,highs lp'

Seconds are CPU seconds, the best of several runs when they are short, each solver in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.console import Console

from _measure import Failure, Measured, cpu_seconds, in_child, measure
from _report import Row, Summary, markdown, print_report
from _solvers import AD3, MANY_ITERATIONS, Outcome, Solver, solvers
from problems import DATA, Problem, problems
from treaty.errors import InputError
from treaty.graph import FactorGraph
from treaty.solve import solve

ACCURACIES = (1e-4, 1e-6)
GRACE = 60.0  # seconds beyond the time limit before a child is given up


def main() -> int:
    options = _options()
    available, notes = solvers(options.time_limit)
    unknown = set(options.solvers) - set(available)
    if unknown:
        sys.exit(f"no solver {', '.join(sorted(unknown))}; there are {', '.join(available)}")
    chosen = [available[name] for name in available if name in (options.solvers or available)]
    if not DATA.exists():
        notes.append(f"{DATA} does not exist: generated problems only")
    progress = Console(stderr=True)
    summaries = []
    with progress.status("starting") as status:
        for problem in problems(options.problems):
            try:
                graph = problem.build()
            except InputError as error:
                notes.append(f"{problem.name} is left out: {error}")
                continue
            rows = []
            for solver in chosen:
                status.update(f"{problem.name}: {solver.name}")
                rows.append(_row(problem, graph, solver, options))
            summaries.append(_summary(problem, graph, rows, options))
    wide = Console(width=None if sys.stdout.isatty() else 200)
    is_good = print_report(wide, summaries, notes)
    if options.json:
        options.json.write_text(json.dumps([asdict(s) for s in summaries], indent=1) + "\n")
    if options.markdown:
        options.markdown.write_text(markdown(summaries, notes))
    return 0 if is_good else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", default="*", metavar="PATTERN", help="names, such as 'skip*'")
    parser.add_argument(
        "--solvers",
        default=[],
        type=lambda text: text.split(","),
        metavar="NAMES",
        help="some of them, such as 'treaty ad3,highs lp'",
    )
    parser.add_argument("--quick", action="store_true", help="5 seconds per solver, no repetitions")
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of less than a second are repeated"
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="SECONDS", help="per solver"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results there")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    options = parser.parse_args()
    if options.quick:
        options.time_limit, options.repeat = 5.0, 1
    return options


def _row(problem: Problem, graph: FactorGraph, solver: Solver, options: argparse.Namespace) -> Row:
    try:
        measured: Measured[Outcome] = measure(
            solver.prepare,
            solver.solve,
            graph,
            warm_up=_small_graph(),
            repeat=options.repeat,
            patience=options.time_limit + GRACE,
        )
    except Failure as failure:
        return Row(solver.name, str(failure))
    outcome = measured.result
    return Row(
        solver=solver.name,
        status=outcome.status,
        seconds=measured.seconds,
        build=measured.build,
        objective=outcome.objective,
        bound=outcome.bound,
        gap=outcome.gap,
        iterations=outcome.iterations,
        megabytes=measured.megabytes,
    )


def _small_graph() -> FactorGraph:
    graph = FactorGraph()
    a, b, c = graph.variables([1.0, 0.5, -0.2])
    graph.at_most_one(a, b)
    graph.or_with_output([a, b], c)
    return graph


def _summary(
    problem: Problem, graph: FactorGraph, rows: list[Row], options: argparse.Namespace
) -> Summary:
    """All rows of a problem, and the time AD3 needs until its bound is good enough."""
    summary = Summary(problem.name, problem.is_of_the_nine, len(graph), len(graph.factors), rows)
    if (value := summary.lp_value) is None or summary.row(AD3) is None:
        return summary
    try:
        summary.seconds_to = in_child(
            lambda: _seconds_to_accuracy(graph, value, options), 10 * options.time_limit + GRACE
        )
    except Failure as failure:
        print(f"{problem.name}: time to accuracy: {failure}", file=sys.stderr)
    return summary


def _seconds_to_accuracy(
    graph: FactorGraph, value: float, options: argparse.Namespace
) -> list[float | None]:
    """CPU seconds until the bound is near the relaxation's value, for each accuracy.

    A trace tells after how many iterations that is; a run that stops there tells how long it takes.
    """
    limits = {"max_iterations": MANY_ITERATIONS, "time_limit": options.time_limit}
    trace = solve(graph, "ad3", trace=True, **limits).trace
    assert trace is not None
    seconds: list[float | None] = []
    for accuracy in ACCURACIES:
        reached = np.flatnonzero(trace.bound - value <= accuracy * max(1.0, abs(value)))
        if not len(reached):
            seconds.append(None)
            continue
        iterations = int(trace.iteration[reached[0]])
        run = lambda: solve(graph, "ad3", max_iterations=iterations)  # noqa: B023, E731
        seconds.append(cpu_seconds(run, options.repeat))
    return seconds


if __name__ == "__main__":
    sys.exit(main())
