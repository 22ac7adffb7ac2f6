"""Runs of `research/experiments/turbo_exact.py`: sentences that are solved exactly."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import Columns, given, grid, number, table, text_of
from research.report.runs import Run

KEY = ("model", "order", "pruning", "iterations", "asked")


def shares(runs: Sequence[Run]) -> str:
    """One line per order, pruning and number of iterations."""

    def share(name: str, run: Run) -> str:
        return number(run[name] / run["sentences"], ".1f", 100)

    def stopped(run: Run) -> str:
        rest = run["sentences"] - run["optimal"] - run["fractional"]
        return number(rest / run["sentences"], ".1f", 100)

    columns: Columns = {
        "order": text_of("order"),
        "pruning": text_of("pruning"),
        "iterations": given("iterations", ",d"),
        "sentences": given("sentences", "d"),
        "exact %": lambda run: share("optimal", run),
        "fractional %": lambda run: share("fractional", run),
        "stopped at the limit %": stopped,
        "UAS": lambda run: number(run["right"] / run["words"], ".2f", 100),
        "CPU s": given("seconds", ".1f"),
    }
    return table(runs, columns, text=2)


def by_length(runs: Sequence[Run], pruning: str = "usual") -> str:
    """The share of exact sentences by length."""
    own = [run for run in runs if run["pruning"] == pruning]
    groups = list(dict.fromkeys(group for run in own for group in run["by length"]))
    lines = []
    for run in own:
        counts = [run["by length"].get(group, (0, 0, 0)) for group in groups]
        shares = [number(c[1] / c[0], ".1f", 100) if c[0] else "" for c in counts]
        lines.append([run["order"], f"{run['iterations']:,}", *shares])
    return grid(["order", "iterations", *(f"{group} words" for group in groups)], lines)
