"""Runs of `research/benchmarks/parsing.py`: whole processes that parse or train."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, table, text_of
from research.report.runs import Run

KEY = ("run",)


def processes(runs: Sequence[Run]) -> str:
    """One row per process."""
    columns: Columns = {
        "run": text_of("run"),
        "words": given("words", ",d"),
        "CPU s": given("seconds", ".2f"),
        "tokens/s": given("tokens per second", ",.0f"),
        "without loading": given("tokens per second without loading", ",.0f"),
        "peak MB": given("megabytes", ".0f"),
        "model MB": given("model bytes", ".1f", 1e-6),
    }
    return table(runs, columns)
