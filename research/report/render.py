"""Pages of the results from run lines: ``make results``.

    python -m research.report                       # docs/results/*.md, README.md, docs/images
    python -m research.report --runs DIR --pages DIR   # pages of your own runs

A page is a template of ``pages/`` in which ``{{name.table}}`` stands for what a function of
``tables/name.py`` makes of the runs of ``name.jsonl``; words behind it are its arguments.
``{{name.origin}}`` says where the runs come from, all or those with ``key=value``;
``{{summary.table}}`` is made of all runs.
"""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

from research.report import summary
from research.report.markdown import fill, origin_of
from research.report.runs import RESULTS, ROOT, Run, read_runs, say

TEMPLATES = Path(__file__).with_name("pages")
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"
MARK = "results"
PLACE = re.compile(r"\{\{([\w-]+)\.([\w-]+)([^}]*)\}\}")
HEAD = "<!-- Made by `make results` from the runs of this folder: edit research/report/pages. -->"


def main() -> None:
    """Write all pages and draw all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--runs", type=Path, default=RESULTS, metavar="FOLDER", help="of the .jsonl files")
    add("--pages", type=Path, metavar="FOLDER", help="where pages and figures go; docs by default")
    options = parser.parse_args()
    runs = read_all(options.runs)
    folder = options.pages or RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in render(runs).items():
        (folder / name).write_text(text, encoding="utf-8")
        say(f"{folder / name}")
    draw(runs, folder / "images" if options.pages else IMAGES)
    if options.pages is None:
        page = README.read_text(encoding="utf-8")
        README.write_text(with_summary(page, runs), encoding="utf-8")


def read_all(folder: Path) -> dict[str, list[Run]]:
    """Read the runs of all files that there are tables for."""
    return {name: read_runs(folder / f"{name}.jsonl", tables(name).KEY) for name in summary.ABOUT}


def tables(name: str) -> ModuleType:
    """Find the module that makes tables of a file."""
    return import_module(f"research.report.tables.{name}")


def render(runs: summary.AllRuns) -> dict[str, str]:
    """Fill all templates."""

    def piece(place: re.Match[str]) -> str:
        name, table, arguments = place.groups()
        if name == "summary":
            found = getattr(summary, table)(runs)
            return found.replace("](docs/results/", "](")
        if table == "origin":
            wanted = dict(pair.split("=") for pair in arguments.split())
            return origin_of([run for run in runs[name] if run | wanted == run])
        if not runs[name]:
            return f"There are no runs in {name}.jsonl."
        return str(getattr(tables(name), table)(runs[name], *arguments.split()))

    return {
        path.name: f"{HEAD}\n\n{PLACE.sub(piece, path.read_text(encoding='utf-8'))}"
        for path in sorted(TEMPLATES.glob("*.md"))
    }


def with_summary(page: str, runs: summary.AllRuns) -> str:
    """Put the block of accuracy and speed into README.md."""
    return fill(page, MARK, summary.accuracy_and_speed(runs))


def draw(runs: summary.AllRuns, folder: Path) -> None:
    """Draw the figures of all files that have some."""
    for name, own in runs.items():
        if own and hasattr(tables(name), "draw"):
            tables(name).draw(own, folder)
