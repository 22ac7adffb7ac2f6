"""Run lines: one measured run per line of JSON, with what is needed to make it again."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from treaty import Progress

Run = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
ORIGIN = ("command", "commit", "date", "machine")
"""What every line says of where it comes from. A line that was not written by a script has a
``source``, and null for what is not known."""
ALL = "all"
"""In the place of a topic, fold or seed: a line that stands for all of them."""
STARTED = time.monotonic()


def read_runs(path: Path, key: tuple[str, ...]) -> list[Run]:
    """Read all runs; of two with the same key the later counts, in the place of the first."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    runs = [json.loads(line) for line in lines if line.strip()]
    return list({key_of(run, key): run for run in runs}.values())


def append_run(path: Path | None, run: Run) -> Run:
    """Add a finished run in one write, so that several processes may share the file.

    Returns the run as it will be read: with its origin, and null for infinite numbers. Without a
    path nothing is written.
    """
    line = json.dumps(_finite({**run, **origin()}), allow_nan=False)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    read: Run = json.loads(line)
    return read


def key_of(run: Run, key: tuple[str, ...]) -> tuple[Any, ...]:
    """What makes a run worth doing only once."""
    return tuple(run.get(name) for name in key)


@cache
def origin() -> Run:
    """The command, the commit, the day, the machine and its load, when the first run ends."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    status = [*git, "status", "--porcelain", "-uno", "--", ":!docs/results"]
    changes = subprocess.run(status, capture_output=True, text=True)
    found = (
        command(),
        commit.stdout.strip() + ("+changes" if changes.stdout.strip() else ""),
        datetime.now(UTC).date().isoformat(),
        machine(),
    )
    return {**dict(zip(ORIGIN, found, strict=True)), "load": round(os.getloadavg()[0], 1)}


def command() -> str:
    """The command line of this process, as it is typed in the project's folder."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    program = f"-m {spec.name}" if spec else Path(sys.argv[0]).name
    return shlex.join(["python", *program.split(), *sys.argv[1:]])


def machine() -> str:
    """Processor, memory, system and Python."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def say(message: str) -> None:
    """Tell what goes on, with the seconds since the start, where it disturbs no results."""
    print(f"[{time.monotonic() - STARTED:7.1f} s] {message}", file=sys.stderr, flush=True)


def report_epoch(event: Progress) -> None:
    """Say how far a training is; scripts hand this to it."""
    told = ", ".join(f"{name} {100 * score:.2f}" for name, score in event.scores.items())
    epoch = f", epoch {event.epoch}" if event.epoch else ""
    say(f"{event.stage}{epoch}, {event.done} of {event.total}{': ' * bool(told)}{told}")


def report_scores(model: str, part: str, scores: dict[str, float], path: Path | None) -> None:
    """Print the scores of a model that was trained, in percent, and keep them as a run."""
    percent = {name: round(100 * score, 2) for name, score in scores.items()}
    for name, score in percent.items():
        print(f"{part}, {name:<24} {score:6.2f}")
    append_run(path, {"model": model, "part": part, "scores": percent})


def report_file(path: Path) -> None:
    """Print how large a model is."""
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


def each_once(runs: Iterable[Run], name: str) -> list[str]:
    """List what runs say of something, each answer once, in their order."""
    return list(dict.fromkeys(str(run[name]) for run in runs if run.get(name) is not None))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _processor() -> str:
    try:
        names = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        names = []
    return names[0] if names else platform.machine()
