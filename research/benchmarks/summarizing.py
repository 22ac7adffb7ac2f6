"""AD3 with rounding beside HiGHS on the same compressive problems, in one run.

    python -m research.benchmarks.summarizing                  # MultiLing 2011, the embedded model
    python -m research.benchmarks.summarizing --topics 3 --out runs.jsonl

Problems are those of the embedded summarizer: 250 words of ten articles. Seconds are CPU seconds of
the whole decoding, graph and rounding included, the best of several when it is short.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from research.benchmarks._measure import cpu_seconds
from research.benchmarks.problems import DATA
from research.report import Run, append_run, say
from research.report.tables.summarizing import ILP, solvers
from treaty.summarize import Decoded, Problem, Summarizer, decode
from treaty.text import read_collections

TOPICS = DATA / "summarization" / "multiling2011" / "en.jsonl"
WORDS = 250
SOLVERS: dict[str, dict[str, Any]] = {
    ILP: {"method": "ilp"},
    "LP": {"method": "lp"},
    "AD3-5000": {"iterations": 5000},
    "AD3-1000": {"iterations": 1000},
    "AD3-200": {"iterations": 200},
}
TIGHT = 1e-6
REPEAT = 3


def main() -> int:
    """Run, report, and fail when a bound lies below the best summary."""
    options = _options()
    if not TOPICS.exists():
        sys.exit(f"there is no {TOPICS}")
    summarizer = Summarizer.load()
    runs: list[Run] = []
    for collection in list(read_collections(TOPICS))[: options.topics]:
        say(str(collection.id))
        problem = summarizer.problem(collection.articles, words=WORDS)
        found = [_run(str(collection.id), name, problem, summarizer) for name in SOLVERS]
        runs += [append_run(options.out, run) for run in found]
    print(solvers(runs))
    best = {run["topic"]: run["objective"] for run in runs if run["solver"] == ILP}
    wrong = [r for r in runs if r["bound"] < best[r["topic"]] - TIGHT * abs(best[r["topic"]])]
    for run in wrong:
        say(f"{run['topic']}, {run['solver']}: the bound {run['bound']} is too low")
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
    return {
        "topic": topic,
        "solver": name,
        "words": WORDS,
        "seconds": seconds,
        "objective": last.objective,
        "bound": last.bound,
        "status": last.status.value,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--topics", type=int, metavar="N", help="only the first so many")
    parser.add_argument("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
