"""Runs of `research/experiments/judging.py`: sentences that can be understood alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from research.report.markdown import grid
from research.report.runs import Run

KEY = ("number",)
REASONS = {"ref": "points elsewhere", "link": "leans on another", "part": "not whole",
           "about": "not clear what about"}  # fmt: skip


def shares(runs: Sequence[Run]) -> str:
    """One row per system: the share of sentences that can be understood alone, and why not."""
    rows = []
    for system in sorted({run["system"] for run in runs}, key="Treaty LEAD TextRank".index):
        own = [run for run in runs if run["system"] == system]
        alone = sum(run["alone"] for run in own)
        why = Counter(run["reason"] for run in own if not run["alone"])
        cells = [f"{why[reason]}" for reason in REASONS]
        inside = sum(run["in summary"] for run in own)
        shares = [f"{n} ({100 * n / len(own):.0f} %)" for n in (alone, inside)]
        rows.append([system, f"{len(own)}", *shares, *cells])
    head = ["system", "sentences", "understood alone", "in the summary", *REASONS.values()]
    return grid(head, rows)
