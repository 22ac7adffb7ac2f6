"""``python -m research.fuzz``: run the harnesses and print what they found."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from research.fuzz._run import WATCHDOG, Harness, fuzz

FOUND = Path(__file__).parent / "found"


def harnesses(only: list[str]) -> Iterator[Harness]:
    """Find the lists ``HARNESSES`` of all modules here; `only` are beginnings of their names."""
    for module in sorted(found.name for found in iter_modules([str(Path(__file__).parent)])):
        if not module.startswith("_"):
            for harness in getattr(import_module(f"research.fuzz.{module}"), "HARNESSES", ()):
                if not only or any(harness.name.startswith(name) for name in only):
                    yield harness


def main() -> int:
    """Run the harnesses one after the other; returns 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m research.fuzz", description=__doc__)
    parser.add_argument("only", nargs="*", help="beginnings of the names of harnesses")
    parser.add_argument("--minutes", type=float, help="for all harnesses together")
    parser.add_argument("--inputs", type=int, default=10**9, help="for each harness")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--watchdog", type=float, default=WATCHDOG, help="seconds of a hang")
    parser.add_argument("--save", type=Path, default=FOUND, help="where found cases go")
    given = parser.parse_args()
    chosen = list(harnesses(given.only))
    minutes = given.minutes or (1.0 if given.inputs == 10**9 else float("inf"))
    print(f"{'harness':24} {'inputs':>12} {'inputs':>10}/s {'findings':>8}")
    wrong = 0
    for harness in chosen:
        report = fuzz(
            harness,
            inputs=given.inputs,
            seconds=60.0 * minutes / len(chosen),
            seed=given.seed,
            processes=given.processes,
            watchdog=given.watchdog,
        )
        print(report, flush=True)
        report.save(given.save)
        wrong += bool(report.found)
        if report.interrupted:
            break
    if wrong:
        print(f"cases of the findings are in {given.save}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
