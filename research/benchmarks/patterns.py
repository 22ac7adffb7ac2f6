"""The decoders of pattern problems and HiGHS on the same problems, in one run.

    python -m research.benchmarks.patterns                     # everything, some minutes
    python -m research.benchmarks.patterns --problems 'skip*'
    python -m research.benchmarks.patterns --only cuts --out runs.jsonl
    python -m research.benchmarks.patterns --only decoders --methods 'two-slave paper'

Seconds are CPU seconds of the whole call, the best of several when it is short. Time limits are
wall time: on a busy machine they cut earlier. "Cuts" are iterations of the two-slave decoder with
the paper's steps, whose minimum cuts start from the one before (warm) or from nothing (cold): tree
and prices are in the seconds, and are the same for both.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from research.benchmarks._measure import cpu_seconds
from research.benchmarks.problems import DATA
from research.report import Run, append_run, say
from research.report.markdown import geometric_mean
from research.report.tables import patterns as tables
from treaty.graph import FactorGraph, read_graph
from treaty.solve import Solution

FOLDER = DATA / "patterns"
LP, ILP, AD3, EXACT = "highs lp", "highs ilp", "ad3", "exact"
METHODS = {
    LP: ("lp", {}),
    ILP: ("ilp", {}),
    EXACT: ("exact", {}),
    AD3: ("ad3", {}),
    "two-slave": ("two-slave", {}),
    "two-slave paper": ("two-slave", {"style": "paper", "iterations": 300}),
    "two-slave released": ("two-slave", {"style": "released", "iterations": 300}),
    "naive": ("naive", {}),
}
STYLES = ("tight", "paper", "released")
ITERATIONS = 100  # of a decoder whose cuts are timed
PROVED = ("skip", "light")  # kinds of problems that AD3 or branch and bound shall prove


def main() -> int:
    """Run, report, and fail when a bound lies below an answer."""
    options = _options()
    files = [path for path in sorted(FOLDER.glob("*.mrf*")) if fnmatch(path.name, options.problems)]
    if not files:
        sys.exit(f"there is no {FOLDER / options.problems}")
    runs: list[Run] = []
    for path in files:
        name, graph = path.name.partition(".")[0], read_graph(path)
        say(name)
        for part in options.only or PARTS:
            runs += [append_run(options.out, run) for run in PARTS[part](name, graph, options)]
    runs += [append_run(options.out, run) for run in means(runs)]
    print(tables.decoders(runs), tables.iterations(runs), tables.means(runs), sep="\n\n")
    wrong = contradictions(runs)
    for line in wrong:
        say(line)
    return 1 if wrong else 0


def decoders(name: str, graph: FactorGraph, options: argparse.Namespace) -> Iterator[Run]:
    """Every decoder on a problem."""
    for method in options.methods or METHODS:
        solver, settings = METHODS[method]
        limit = options.time_limit
        seconds, found = _timed(graph, solver, options.repeat, time_limit=limit, **settings)
        yield {
            "part": "decoder",
            "problem": name,
            "method": method,
            "status": found.status.value,
            "bound": found.bound,
            "objective": found.objective,
            "iterations": found.iterations,
            "seconds": seconds,
            "time limit": options.time_limit,
        }


def cuts(name: str, graph: FactorGraph, options: argparse.Namespace) -> Iterator[Run]:
    """Iterations with warm and with cold cuts, in all styles."""
    for style in STYLES:
        settings = {"style": style, "step_rule": "rush", "iterations": ITERATIONS}
        seconds, done = {}, 0
        for warm in (False, True):
            taken, found = _timed(graph, "two-slave", options.repeat, warm_cut=warm, **settings)
            done = found.iterations
            seconds[warm] = taken / max(done, 1)
        yield {
            "part": "cuts",
            "problem": name,
            "style": style,
            "timed": "iteration",
            "iterations": done,
            "cold seconds": seconds[False],
            "warm seconds": seconds[True],
            "times faster": seconds[False] / seconds[True],
        }


PARTS = {run.__name__: run for run in (decoders, cuts)}


def means(runs: list[Run]) -> Iterator[Run]:
    """Geometric means of ratios over the problems of this session."""
    ratios = {
        ("AD3 or exact, to a proof", ILP, "skip and light"): _proof_speed_ups(runs),
        **{
            ("warm cuts", "cold cuts", f"{style}, whole iterations"): [
                run["times faster"] for run in runs if run.get("style") == style
            ]
            for style in STYLES
        },
    }
    for (solver, beside, over), found in ratios.items():
        if found:
            yield {
                "part": "mean",
                "solver": solver,
                "beside": beside,
                "over": over,
                "times faster": geometric_mean(found),
                "problems": len(found),
            }


def contradictions(runs: list[Run]) -> list[str]:
    """A bound below an answer, whoever found either."""
    own = [run for run in runs if run["part"] == "decoder"]
    best: dict[str, float] = {}
    for run in own:
        value = -math.inf if run["objective"] is None else run["objective"]
        best[run["problem"]] = max(best.get(run["problem"], -math.inf), value)
    return [
        f"{run['problem']}: the bound {run['bound']} of {run['method']} lies below {value}"
        for run in own
        for value in [best[run["problem"]]]
        if run["bound"] is not None and run["bound"] < value - 1e-6 * max(1.0, abs(value))
    ]


def _proof_speed_ups(runs: list[Run]) -> list[float]:
    """How much faster than HiGHS the faster of AD3 and branch and bound proves an optimum."""
    found = {(r["problem"], r["method"]): r for r in runs if r["part"] == "decoder"}
    ratios = []
    for problem in dict.fromkeys(problem for problem, _ in found):
        proofs = [found[key] for method in (AD3, EXACT) if (key := (problem, method)) in found]
        seconds = [run["seconds"] for run in proofs if run["status"] == "OPTIMAL"]
        if problem.startswith(PROVED) and seconds and (problem, ILP) in found:
            ratios.append(found[problem, ILP]["seconds"] / min(seconds))
    return ratios


def _timed(
    graph: FactorGraph, solver: str, repeat: int, **settings: object
) -> tuple[float, Solution]:
    found: list[Solution] = []
    seconds = cpu_seconds(lambda: found.append(graph.solve(solver, **settings)), repeat)
    return seconds, found[0]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--problems", default="*", metavar="PATTERN", help="names, such as 'skip*'")
    add("--only", action="append", choices=PARTS, help="one of the parts")
    add("--methods", nargs="*", choices=METHODS, metavar="NAME", help="of the decoders; not all")
    add("--repeat", type=int, default=3, help="how often runs of less than a second are repeated")
    add("--time-limit", type=float, default=20.0, metavar="SECONDS", help="for each decoder")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
