"""Runs of `research/experiments/threads.py`: links of threads by order and seed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from research.report.markdown import grid
from research.report.runs import ALL, Run

KEY = ("dataset", "split", "order", "method", "seed")
NAMES = {"stac": "STAC", "irc": "IRC"}
ORDERS = {"independent": "independent", "2d": "2-D", "3-wise": "3-wise"}


def by_order(runs: Sequence[Run]) -> str:
    """Link F1 by order, means over seeds."""
    rows = []
    for dataset, split in dict.fromkeys((run["dataset"], run["split"]) for run in runs):
        cells = []
        for order in ORDERS:
            own = [
                run
                for run in runs
                if (run["dataset"], run["split"], run["order"]) == (dataset, split, order)
            ]
            seeds = [run for run in own if run["seed"] != ALL] or own
            cells.append(f"{100 * fmean(run['F1'] for run in seeds):.2f}" if seeds else "")
        rows.append([f"{NAMES.get(dataset, dataset)} {split}", *cells])
    return grid(["data", *ORDERS.values()], rows)
