"""Linear chains beside CRFsuite: training time, memory, speed, F1 and model size.

    python -m research.benchmarks.labeling
    python -m research.benchmarks.labeling --tasks spanish --data FOLDER --out runs.jsonl

The tasks are CoNLL-2000 chunking with the features of CRFsuite's tutorial and CoNLL-2002 Spanish
entities with those of sklearn-crfsuite's. Each line is two processes on one thread, one that trains
and one that labels the test set. CPU seconds are user and system time; those of training are of the
whole process: start, reading, features, learning, writing the model. "tokens/s" counts labeling
with its features, once the model and the file are read. Peak memory is that of the whole process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from research.benchmarks._process import FailedError, run_python
from research.report import ROOT, Run, append_run, say
from research.report.tables.labeling import chains

DATA = ROOT.parent / "shared" / "data" / "chunking"
CHILD = Path(__file__).with_name("_labeling_child.py")
FILES = {
    "chunking": ("conll2000/train.txt", "conll2000/test.txt"),
    "spanish": ("conll2002-es/esp.train", "conll2002-es/esp.testb"),
}
SYSTEMS = ("treaty", "crfsuite-lbfgs", "crfsuite-ap")
MORE = ("crfsuite-lbfgs-streamed", "crfsuite-ap-streamed")
"""Fed sentence by sentence, which takes less memory than the way of the tutorials."""


@dataclass(frozen=True)
class Done:
    """What a process said, and what it took."""

    said: dict[str, float]
    seconds: float
    megabytes: float


def main() -> None:
    """Measure and print."""
    options = _options()
    runs, notes = [], []
    for task in options.tasks:
        train, test = (options.data / name for name in FILES[task])
        for system in _installed(options.systems, notes):
            say(f"{task}, {system}")
            try:
                found = measure(task, system, train, test, options.repeat)
                runs.append(append_run(options.out, found))
            except FailedError as error:
                notes.append(f"{task}, {system} failed: {error}")
    print(chains(runs))
    for note in notes:
        say(note)


def measure(task: str, system: str, train: Path, test: Path, repeat: int) -> Run:
    """Train once, label a few times; the run that labels fastest counts."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        learned = run("train", system, task, train, model)
        labeled = min(
            (run("label", system, task, test, model) for _ in range(repeat)),
            key=lambda run: run.said["labeling"],
        )
        return {
            "task": task,
            "system": system,
            "training seconds": learned.seconds,
            "training megabytes": learned.megabytes,
            "F1": labeled.said["f1"],
            "tokens per second": labeled.said["words"] / max(labeled.said["labeling"], 1e-9),
            "labeling megabytes": labeled.megabytes,
            "model bytes": model.stat().st_size,
        }


def run(*arguments: object) -> Done:
    """Run a child, and read what it says."""
    done = run_python(CHILD, *arguments)
    return Done(json.loads(done.output.splitlines()[-1]), done.seconds, done.megabytes)


def _installed(systems: list[str], notes: list[str]) -> Iterator[str]:
    """Treaty, and the peers that are installed."""
    missing = importlib.util.find_spec("pycrfsuite") is None
    note = "CRFsuite is left out: python-crfsuite is not installed"
    for system in systems:
        if system == "treaty" or not missing:
            yield system
        elif note not in notes:
            notes.append(note)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tasks", nargs="+", choices=FILES, default=list(FILES), help="which; all by default")
    add("--systems", nargs="+", choices=SYSTEMS + MORE, default=list(SYSTEMS), help="likewise")
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="where the column files are")
    add("--repeat", type=int, default=3, help="runs of labeling; the fastest counts")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args()
    for name in (name for task in options.tasks for name in FILES[task]):
        if not (options.data / name).exists():
            sys.exit(f"there is no {options.data / name}: say where the data are with --data")
    return options


if __name__ == "__main__":
    main()
