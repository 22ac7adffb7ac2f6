"""Runs of `research/benchmarks/inducing.py`: how fast trees are found, and how far gaps fall."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, table, text_of
from research.report.runs import Run

KEY = ("part", "data", "method")


def parsing(runs: Sequence[Run]) -> str:
    """Sentences of ten tokens per second."""
    columns: Columns = {
        "method": text_of("method"),
        "tags": given("tags", "d"),
        "sentences/s": given("sentences per second", ",.0f"),
    }
    return table(_part(runs, "parsing"), columns)


def synthetic(runs: Sequence[Run]) -> str:
    """Drawn sentences to a gap of 1 %."""
    columns: Columns = {
        "data": text_of("data"),
        "corpora": given("corpora", "d"),
        "proved": given("proved", "d"),
        "seconds, median": given("median seconds", ".4f"),
        "most": given("most seconds", ".4f"),
        "nodes, median": given("median nodes", ",.0f"),
        "most nodes": given("most nodes", ",d"),
    }
    return table(_part(runs, "synthetic"), columns)


def searches(runs: Sequence[Run]) -> str:
    """Real sentences within a limit of time."""
    columns: Columns = {
        "data": text_of("data"),
        "method": text_of("method"),
        "log-likelihood": given("objective", ".2f"),
        "bound": given("bound", ".2f"),
        "gap": given("gap", ".2%"),
        "nodes": given("nodes", ",d"),
        "s": given("seconds", ".1f"),
        "accuracy %": given("accuracy", ".1f", 100),
        "status": text_of("status"),
    }
    return table(_part(runs, "search"), columns, text=("data", "method", "status"))


def _part(runs: Sequence[Run], part: str) -> list[Run]:
    return [run for run in runs if run["part"] == part]
