"""Linear chains beside CRFsuite: training time, memory, speed, F1 and model size.

    python benchmarks/labeling.py
    python benchmarks/labeling.py --tasks spanish --data FOLDER --markdown table.md

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
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from _process import FailedError, run_python

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "chunking"
CHILD = Path(__file__).with_name("_labeling_child.py")
FILES = {
    "chunking": ("conll2000/train.txt", "conll2000/test.txt"),
    "spanish": ("conll2002-es/esp.train", "conll2002-es/esp.testb"),
}
SYSTEMS = ("treaty", "crfsuite-lbfgs", "crfsuite-ap")
MORE = ("crfsuite-lbfgs-streamed", "crfsuite-ap-streamed")
"""Fed sentence by sentence, which takes less memory than the way of the tutorials."""
COLUMNS = (
    "task",
    "system",
    "training CPU s",
    "peak MB",
    "F1",
    "tokens/s",
    "labeling MB",
    "model MB",
)


@dataclass(frozen=True)
class Row:
    """A system on a task."""

    task: str
    system: str
    training: float
    """CPU seconds of the whole process that trains."""
    training_megabytes: float
    f1: float
    speed: float
    """Tokens per CPU second of labeling."""
    labeling_megabytes: float
    model_bytes: int

    def cells(self) -> list[str]:
        """What the table shows."""
        return [
            self.task,
            self.system,
            f"{self.training:.1f}",
            f"{self.training_megabytes:.0f}",
            f"{self.f1:.2f}",
            f"{self.speed:,.0f}",
            f"{self.labeling_megabytes:.0f}",
            f"{self.model_bytes / 1e6:.1f}",
        ]


@dataclass(frozen=True)
class Run:
    """What a process said, and what it took."""

    said: dict[str, float]
    seconds: float
    megabytes: float


def main() -> None:
    """Measure and print."""
    options = _options()
    rows, notes = [], []
    for task in options.tasks:
        train, test = (options.data / name for name in FILES[task])
        for system in _installed(options.systems, notes):
            print(f"{task}, {system}", file=sys.stderr)
            try:
                rows.append(measure(task, system, train, test, options.repeat))
            except FailedError as error:
                notes.append(f"{task}, {system} failed: {error}")
    _print_report(rows, notes)
    if options.markdown:
        options.markdown.write_text(markdown(rows, notes), encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def measure(task: str, system: str, train: Path, test: Path, repeat: int) -> Row:
    """Train once, label a few times; the run that labels fastest counts."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model"
        learned = run("train", system, task, train, model)
        labeled = min(
            (run("label", system, task, test, model) for _ in range(repeat)),
            key=lambda run: run.said["labeling"],
        )
        return Row(
            task=task,
            system=system,
            training=learned.seconds,
            training_megabytes=learned.megabytes,
            f1=labeled.said["f1"],
            speed=labeled.said["words"] / max(labeled.said["labeling"], 1e-9),
            labeling_megabytes=labeled.megabytes,
            model_bytes=model.stat().st_size,
        )


def run(*arguments: object) -> Run:
    """Run a child, and read what it says."""
    done = run_python(CHILD, *arguments)
    return Run(json.loads(done.output.splitlines()[-1]), done.seconds, done.megabytes)


def _installed(systems: list[str], notes: list[str]) -> Iterator[str]:
    """Treaty, and the peers that are installed."""
    missing = importlib.util.find_spec("pycrfsuite") is None
    note = "CRFsuite is left out: python-crfsuite is not installed"
    for system in systems:
        if system == "treaty" or not missing:
            yield system
        elif note not in notes:
            notes.append(note)


def _print_report(rows: list[Row], notes: list[str]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160)
    table = Table(box=box.SIMPLE_HEAD)
    for column in COLUMNS:
        left = column in ("task", "system")
        table.add_column(column, justify="left" if left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row.cells())
    console.print(table)
    for note in notes:
        console.print(note, highlight=False, markup=False, soft_wrap=True)


def markdown(rows: list[Row], notes: list[str]) -> str:
    """The same for the documentation."""
    rule = ["---" if column in ("task", "system") else "---:" for column in COLUMNS]
    lines = [list(COLUMNS), rule, *(row.cells() for row in rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return table + "\n" + "".join(f"\n- {note}" for note in notes) + "\n" * bool(notes)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--tasks", nargs="+", choices=FILES, default=list(FILES), help="which; all by default")
    add("--systems", nargs="+", choices=SYSTEMS + MORE, default=list(SYSTEMS), help="likewise")
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="where the column files are")
    add("--repeat", type=int, default=3, help="runs of labeling; the fastest counts")
    add("--json", type=Path, metavar="FILE", help="write the results there")
    add("--markdown", type=Path, metavar="FILE", help="write the table there")
    options = parser.parse_args()
    for name in (name for task in options.tasks for name in FILES[task]):
        if not (options.data / name).exists():
            sys.exit(f"there is no {options.data / name}: say where the data are with --data")
    return options


if __name__ == "__main__":
    main()
