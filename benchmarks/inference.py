"""Treaty, HiGHS and two C++ libraries on the same problems, in one run.

    python benchmarks/inference.py                 # everything, about a quarter of an hour
    python benchmarks/inference.py --quick         # small limits
    python benchmarks/inference.py --problems 'skip*' --solvers 'treaty ad3,highs lp'

Seconds are CPU seconds, the best of several runs when they are short, each solver in a process of
its own. Time limits are wall time: on a busy machine they cut earlier.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from rich.console import Console

from _measure import RunError, cpu_seconds, in_child, measure
from _report import markdown, print_report
from _results import Result, Row
from _solvers import AD3, MANY_ITERATIONS, Solver, solvers
from problems import DATA, Problem, problems
from treaty.errors import InputError
from treaty.graph import FactorGraph
from treaty.solve import solve

ACCURACIES = {"1e-4": 1e-4, "1e-6": 1e-6}
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
    results = []
    for problem in problems(options.problems):
        print(problem.name, file=sys.stderr)
        try:
            graph = problem.build()
        except InputError as error:
            notes.append(f"{problem.name} is left out: {str(error).partition(';')[0]}")
        else:
            results.append(_result(problem, graph, chosen, options))
    print_report(Console(width=None if sys.stdout.isatty() else 240), results, notes)
    if options.json:
        text = json.dumps([result.as_json() for result in results], indent=1)
        options.json.write_text(text + "\n")
    if options.markdown:
        options.markdown.write_text(markdown(results, notes))
    missed = [r for r in results if r.difference() is not None and not r.reaches_lp()]
    return 1 if missed or any(result.contradictions() for result in results) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--problems", default="*", metavar="PATTERN", help="names, such as 'skip*'")
    add("--solvers", default=[], type=lambda text: text.split(","), metavar="NAMES",
        help="some of them, such as 'treaty ad3,highs lp'")  # fmt: skip
    add("--quick", action="store_true", help="5 seconds per solver, no repetitions")
    add("--repeat", type=int, default=3, help="how often runs of less than a second are repeated")
    add("--time-limit", type=float, default=60.0, metavar="SECONDS", help="for each solver")
    add("--json", type=Path, metavar="FILE", help="write all results there")
    add("--markdown", type=Path, metavar="FILE", help="write the tables there")
    options = parser.parse_args()
    if options.quick:
        options.time_limit, options.repeat = 5.0, 1
    return options


def _result(
    problem: Problem, graph: FactorGraph, chosen: list[Solver], options: argparse.Namespace
) -> Result:
    """Run every solver, and see when AD3's bound is good enough."""
    rows = [_row(graph, solver, options) for solver in chosen]
    seconds_to: dict[str, float | None] = {}
    result = Result(
        problem=problem.name,
        is_pattern=problem.is_pattern,
        variables=len(graph),
        factors=len(graph.factors),
        rows=rows,
        seconds_to=seconds_to,
    )
    value = result.lp_value
    if value is not None and result.row(AD3) is not None:
        patience = 10 * options.time_limit + GRACE
        seconds_to |= in_child(lambda: _seconds_to_accuracy(graph, value, options), patience)
    return result


def _row(graph: FactorGraph, solver: Solver, options: argparse.Namespace) -> Row:
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
        return Row(solver.name, str(error))
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
        note=outcome.note,
    )


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
    for name, accuracy in ACCURACIES.items():
        is_near = trace.bound - value <= accuracy * max(1.0, abs(value))
        if not is_near.any():
            seconds[name] = None
            continue
        limits["iterations"] = int(trace.iteration[np.argmax(is_near)])
        seconds[name] = cpu_seconds(lambda: solve(graph, "ad3", **limits), options.repeat)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
