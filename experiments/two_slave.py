"""Tables 2 and 3 and Figures 2 and 4 of Qian & Liu (2014) on the data at hand.

    python -m experiments.two_slave entities --out runs.jsonl          # Table 2
    python -m experiments.two_slave threads --out runs.jsonl           # Table 3
    python -m experiments.two_slave course --out runs.jsonl            # Figures 2 and 4

Runs that the file has are not done again. A model is trained once, with its default decoder, and
the test data are decoded by every method: differences between methods are the decoders' alone. The
course of a method is what it has found when it is stopped after so many iterations.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from experiments import entities, threads
from experiments.report import Run, append_run, key_of, read_runs, say
from experiments.report.tables.two_slave import KEY

DUAL = ("two-slave", "naive", "ad3")
ITERATIONS = 200
"""Of dual decomposition, as in the paper."""
COURSE = (1, 2, 5, 10, 20, 50, 100, 200)
Job = tuple[Run, Callable[[], dict[str, Any]]]


def entity_jobs(datasets: Iterable[str], seed: int) -> Iterator[Job]:
    """Chains, and groups of messages by every method."""
    for dataset in datasets:
        for fold in range(10) if dataset == "msm2013" else (None,):
            yield _entity_job("table", dataset, fold, "chain", "auto", None, seed)
            for method in (*DUAL, "ilp"):
                yield _entity_job("table", dataset, fold, "global", method, ITERATIONS, seed)


def thread_jobs(datasets: Iterable[str], seed: int) -> Iterator[Job]:
    """Independent decisions, and grids by every method."""
    for dataset in datasets:
        yield _thread_job("table", dataset, "independent", "auto", None, seed)
        for order in ("2d", "3-wise"):
            for method in (*DUAL, "exact"):
                yield _thread_job("table", dataset, order, method, ITERATIONS, seed)


def course_jobs(seed: int) -> Iterator[Job]:
    """The two decompositions of the paper, and AD3, stopped early and late."""
    for method in DUAL:
        for iterations in COURSE:
            yield _entity_job("course", "wnut17", None, "global", method, iterations, seed)
            yield _thread_job("course", "stac", "3-wise", method, iterations, seed)


def _entity_job(
    what: str, dataset: str, fold: int | None, order: str, method: str, most: int | None, seed: int
) -> Job:
    key = (what, "entities", dataset, fold, order, method, most, seed)

    def work() -> dict[str, Any]:
        limits = {"iterations": most} if method in DUAL else {}
        found = entities.run(dataset, order, method, seed, part="test", fold=fold, **limits)
        return {
            "F1": found["micro F1"],
            "interval": found["micro interval"],
            "macro F1": found["macro F1"],
            "seconds": found["label seconds"],
            "training seconds": found["train seconds"],
            "certificates": found["certified"],
            "bound": found["bound"],
            "words": found["words"],
        }

    return dict(zip(KEY, key, strict=True)), work


def _thread_job(
    what: str, dataset: str, order: str, method: str, most: int | None, seed: int
) -> Job:
    key = (what, "threads", dataset, None, order, method, most, seed)

    def work() -> dict[str, Any]:
        limits = {"iterations": most} if method in DUAL else {}
        found = threads.run(dataset, order, method, seed, split="test", **limits)
        return {
            "F1": found["F1"],
            "interval": [found["low"], found["high"]],
            "seconds": found["seconds"],
            "training seconds": found["training seconds"],
            "certificates": found["certificates"],
            "bound": found["bound"],
        }

    return dict(zip(KEY, key, strict=True)), work


def do(jobs: Iterable[Job], out: Path) -> None:
    """Do what has not been done yet."""
    done = {key_of(run, KEY) for run in read_runs(out, KEY)}
    for key, work in jobs:
        if key_of(key, KEY) not in done:
            run = append_run(out, {**key, **work()})
            say(f"{' '.join(str(part) for part in key.values() if part)}: F1 {run['F1']:.4f}")


def main() -> None:
    options = _options()
    if options.part == "entities":
        do(
            entity_jobs(options.datasets or ("tweebank", "wnut17", "msm2013"), options.seed),
            options.out,
        )
    elif options.part == "threads":
        do(thread_jobs(options.datasets or ("stac", "irc"), options.seed), options.out)
    elif options.part == "course":
        do(course_jobs(options.seed), options.out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("part", choices=("entities", "threads", "course"), help="what to do")
    add("--datasets", nargs="*", metavar="NAME", help="not all of them")
    add("--seed", type=int, default=1)
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    return parser.parse_args()


if __name__ == "__main__":
    main()
