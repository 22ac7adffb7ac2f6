"""AD3 with rounding beside HiGHS on the same compressive problems, in one run.

    python benchmarks/summarizing.py                  # MultiLing 2011, the embedded model
    python benchmarks/summarizing.py --topics 3 --json results.json

Problems are those of the embedded summarizer: 250 words of ten articles. Seconds are CPU seconds of
the whole decoding, graph and rounding included, the best of several when it is short.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from _measure import cpu_seconds
from problems import DATA
from treaty.corpus import read_collections
from treaty.summarize import Decoded, Problem, Summarizer, decode

TOPICS = DATA / "summarization" / "multiling2011" / "en.jsonl"
WORDS = 250
ILP = "ILP"
SOLVERS: dict[str, dict[str, Any]] = {
    ILP: {"method": "ilp"},
    "LP": {"method": "lp"},
    "AD3-5000": {"iterations": 5000},
    "AD3-1000": {"iterations": 1000},
    "AD3-200": {"iterations": 200},
}
TIGHT = 1e-6
REPEAT = 3


@dataclass(frozen=True)
class Run:
    """One solver on one problem."""

    topic: str
    solver: str
    seconds: float
    objective: float
    bound: float
    status: str


def main() -> int:
    """Run, report, and fail when a bound lies below the best summary."""
    options = _options()
    if not TOPICS.exists():
        sys.exit(f"there is no {TOPICS}")
    summarizer = Summarizer.load()
    runs: list[Run] = []
    for collection in list(read_collections(TOPICS))[: options.topics]:
        print(collection.id, file=sys.stderr)
        problem = summarizer.problem(collection.articles, words=WORDS)
        runs += [_run(str(collection.id), name, problem, summarizer) for name in SOLVERS]
    Console(width=None if sys.stdout.isatty() else 120).print(_table(runs))
    if options.json:
        options.json.write_text(json.dumps([asdict(run) for run in runs], indent=1))
    best = {run.topic: run.objective for run in runs if run.solver == ILP}
    wrong = [run for run in runs if run.bound < best[run.topic] - TIGHT * abs(best[run.topic])]
    for run in wrong:
        print(f"{run.topic}, {run.solver}: the bound {run.bound} is too low", file=sys.stderr)
    return 1 if wrong else 0


def _run(topic: str, name: str, problem: Problem, summarizer: Summarizer) -> Run:
    concepts = summarizer.scorer.concept_scores(problem)
    cuts = summarizer.scorer.cut_scores(problem)
    found: list[Decoded] = []
    seconds = cpu_seconds(
        lambda: found.append(decode(problem, concepts, cuts, words=WORDS, **SOLVERS[name])),
        REPEAT,
    )
    last = found[-1]
    return Run(topic, name, seconds, last.objective, last.bound, last.status.value)


def _table(runs: list[Run]) -> Table:
    exact = {run.topic: run for run in runs if run.solver == ILP}
    table = Table(box=SIMPLE)
    for column in ("solver", "CPU s, mean", "of the ILP's time, median", "objective, % of ILP's",
                   "least", "proved"):  # fmt: skip
        table.add_column(column, justify="left" if column == "solver" else "right")
    for name in SOLVERS:
        own = [run for run in runs if run.solver == name]
        shares = [100 * run.objective / exact[run.topic].objective for run in own]
        ratios = [run.seconds / exact[run.topic].seconds for run in own]
        proved = sum(run.status == "OPTIMAL" for run in own)
        table.add_row(
            name,
            f"{fmean(run.seconds for run in own):.3f}",
            f"{median(ratios):.3f}",
            f"{fmean(shares):.2f}",
            f"{min(shares):.2f}",
            f"{proved} of {len(own)}",
        )
    return table


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--topics", type=int, metavar="N", help="only the first so many")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the runs go, too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
