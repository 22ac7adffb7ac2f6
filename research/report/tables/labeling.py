"""Runs of `research/benchmarks/labeling.py`: linear chains beside CRFsuite."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, table, text_of
from research.report.runs import Run

KEY = ("task", "system")


def chains(runs: Sequence[Run]) -> str:
    """One row per task and system."""
    columns: Columns = {
        "task": text_of("task"),
        "system": text_of("system"),
        "training CPU s": given("training seconds", ".1f"),
        "peak MB": given("training megabytes", ".0f"),
        "F1": given("F1", ".2f", 100),
        "tokens/s": given("tokens per second", ",.0f"),
        "labeling MB": given("labeling megabytes", ".0f"),
        "model MB": given("model bytes", ".1f", 1e-6),
    }
    return table(runs, columns, text=2)
