"""Finished runs as JSON lines, what a reader must know to repeat them, and pages made of them."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Run = dict[str, Any]
KEY = ("treebank", "order", "epochs", "seed", "sentences")


def read_runs(path: Path, key: tuple[str, ...] = KEY) -> list[Run]:
    """Read all runs; of two with the same key the later counts."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    runs = [json.loads(line) for line in lines if line.strip()]
    return list({key_of(run, key): run for run in runs}.values())


def append_run(path: Path, run: Run) -> None:
    """Add a finished run in one write, so that several processes may share the file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run) + "\n")


def key_of(run: Run, key: tuple[str, ...] = KEY) -> tuple[Any, ...]:
    """What makes a run worth doing only once."""
    return tuple(run[name] for name in key)


def provenance() -> Run:
    """The commit, the machine and the day."""
    git = ["git", "-C", str(Path(__file__).parent)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    changes = subprocess.run(
        [*git, "status", "--porcelain", "-uno"], capture_output=True, text=True
    )
    return {
        "commit": commit.stdout.strip() + ("+changes" if changes.stdout.strip() else ""),
        "machine": f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "date": datetime.now(UTC).date().isoformat(),
    }


def all_of(runs: Iterable[Run], name: str) -> str:
    """List what runs say of something, each answer once."""
    return ", ".join(sorted({str(run[name]) for run in runs}))


def grid(head: list[str], rows: Iterable[list[str]], text: int = 1) -> str:
    """Write a table in Markdown: so many columns of text, then numbers."""
    rule = ["---"] * text + ["---:"] * (len(head) - text)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def fill(path: Path, name: str, text: str) -> None:
    """Put a text between the marks of this name in a Markdown page."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    page = path.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{path} has no marks {begin} and {end}")
    filled = pattern.sub(lambda _: f"{begin}\n\n{text.strip()}\n\n{end}", page)
    path.write_text(filled, encoding="utf-8")


def _processor() -> str:
    try:
        names = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        names = []
    return names[0] if names else platform.machine()
