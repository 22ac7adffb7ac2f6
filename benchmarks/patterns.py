"""The decoders of pattern problems and HiGHS on the same problems, in one run.

    python benchmarks/patterns.py                     # everything, some minutes
    python benchmarks/patterns.py --problems 'skip*'
    python benchmarks/patterns.py --time-limit 5 --json results.json

Seconds are CPU seconds of the whole call, the best of several when it is short. Time limits are
wall time: on a busy machine they cut earlier.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from _cuts import CutTimes, time_cuts
from _measure import cpu_seconds
from problems import DATA
from treaty.graph import FactorGraph, read_graph
from treaty.solve import Solution

FOLDER = DATA / "patterns"
LP, ILP, AD3, EXACT = "highs lp", "highs ilp", "ad3", "exact"
TIGHT, PAPER = "two-slave", "two-slave paper"
METHODS = {
    LP: ("lp", {}),
    ILP: ("ilp", {}),
    AD3: ("ad3", {}),
    EXACT: ("exact", {}),
    TIGHT: ("two-slave", {}),
    PAPER: ("two-slave", {"style": "paper", "iterations": 300}),
    "naive": ("naive", {}),
}
PROVED = ("skip", "light")  # kinds of problems that AD3 or branch and bound shall prove
TIGHT_ON = ("skip", "light", "pos")  # where the improved bound shall be that of the local polytope


@dataclass(frozen=True)
class Run:
    """One decoder on one problem."""

    problem: str
    method: str
    status: str
    bound: float
    objective: float
    iterations: int
    seconds: float

    @property
    def is_proved(self) -> bool:
        """Whether it certified its answer."""
        return self.status == "OPTIMAL"


def main() -> int:
    """Run, report, and fail when a bound lies below an answer."""
    options = _options()
    files = [path for path in sorted(FOLDER.glob("*.mrf*")) if fnmatch(path.name, options.problems)]
    if not files:
        sys.exit(f"there is no {FOLDER / options.problems}")
    runs: list[Run] = []
    cuts: list[CutTimes] = []
    for path in files:
        name, graph = path.name.partition(".")[0], read_graph(path)
        print(name, file=sys.stderr)
        runs += [_run(name, method, graph, options) for method in METHODS]
        cuts += [time_cuts(name, style, graph) for style in ("tight", "paper")]
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(_table(runs), _cut_table(cuts))
    for line in _conclusions(runs, cuts):
        console.print(line)
    if options.json:
        records = {"runs": [asdict(run) for run in runs], "cuts": [asdict(cut) for cut in cuts]}
        options.json.write_text(json.dumps(records, indent=1) + "\n")
    return 1 if _contradictions(runs) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--problems", default="*", metavar="PATTERN", help="names, such as 'skip*'")
    add("--repeat", type=int, default=3, help="how often runs of less than a second are repeated")
    add("--time-limit", type=float, default=20.0, metavar="SECONDS", help="for each decoder")
    add("--json", type=Path, metavar="FILE", help="write all results there")
    return parser.parse_args()


def _run(name: str, method: str, graph: FactorGraph, options: argparse.Namespace) -> Run:
    solver, settings = METHODS[method]
    found: list[Solution] = []

    def solve() -> None:
        found.append(graph.solve(solver, time_limit=options.time_limit, **settings))

    seconds = cpu_seconds(solve, options.repeat)
    best = found[0]
    return Run(
        name, method, best.status.value, best.bound, best.objective, best.iterations, seconds
    )


def _table(runs: list[Run]) -> Table:
    table = Table(box=SIMPLE, title="Decoders")
    for column in ("problem", "method", "status"):
        table.add_column(column)
    for column in ("bound", "answer", "iterations", "CPU s"):
        table.add_column(column, justify="right")
    last = ""
    for run in runs:
        if last not in ("", run.problem):
            table.add_section()
        last = run.problem
        table.add_row(
            run.problem,
            run.method,
            run.status,
            f"{run.bound:.3f}",
            f"{run.objective:.3f}",
            str(run.iterations),
            f"{run.seconds:.4f}",
        )
    return table


def _cut_table(cuts: list[CutTimes]) -> Table:
    table = Table(box=SIMPLE, title="Minimum cuts, per iteration")
    for column in ("problem", "style"):
        table.add_column(column)
    for column in ("nodes", "pairs", "cold ms", "warm ms", "times faster"):
        table.add_column(column, justify="right")
    for cut in cuts:
        table.add_row(
            cut.problem,
            cut.style,
            str(cut.nodes),
            str(cut.pairs),
            f"{1e3 * cut.cold:.4f}",
            f"{1e3 * cut.warm:.4f}",
            f"{cut.cold / cut.warm:.1f}",
        )
    return table


def _conclusions(runs: list[Run], cuts: list[CutTimes]) -> Iterable[str]:
    by_method = {(run.problem, run.method): run for run in runs}
    problems = list(dict.fromkeys(run.problem for run in runs))

    def each(kinds: tuple[str, ...], number: Callable[[str], float]) -> list[float]:
        return [number(name) for name in problems if name.startswith(kinds)]

    def speed_up(name: str) -> float:
        """How much faster than HiGHS the faster of AD3 and branch and bound proves the optimum."""
        proofs = [by_method[name, method] for method in (AD3, EXACT)]
        fastest = min((run.seconds for run in proofs if run.is_proved), default=np.inf)
        return by_method[name, ILP].seconds / fastest

    def excess(name: str) -> float:
        return by_method[name, TIGHT].bound / by_method[name, LP].bound - 1.0

    if speeds := each(PROVED, speed_up):
        yield (
            f"AD3 or exact proves the optimum of {np.count_nonzero(speeds)} of {len(speeds)} skip "
            f"and light problems, {_mean(speeds):.1f} times faster than HiGHS ILP (geometric mean)"
        )
    if above := each(TIGHT_ON, excess):
        yield (
            "two-slave's bound lies above the local polytope's by at most "
            f"{100 * max(above):.4f}% on skip, light and pos problems"
        )
    for style in ("tight", "paper"):
        ratios = [cut.cold / cut.warm for cut in cuts if cut.style == style]
        yield (
            f"warm cuts are {_mean(ratios):.1f} times faster than cold ones ({style}; "
            f"{min(ratios):.1f} to {max(ratios):.1f})"
        )
    yield from _contradictions(runs)


def _contradictions(runs: list[Run]) -> list[str]:
    """A bound below an answer, whoever found either."""
    best: dict[str, float] = {}
    for run in runs:
        best[run.problem] = max(best.get(run.problem, -np.inf), run.objective)
    return [
        f"{run.problem}: the bound {run.bound} of {run.method} lies below {best[run.problem]}"
        for run in runs
        if run.bound < best[run.problem] - 1e-6 * max(1.0, abs(best[run.problem]))
    ]


def _mean(ratios: list[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


if __name__ == "__main__":
    sys.exit(main())
