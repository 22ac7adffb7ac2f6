"""Runs of `summarizing.py`: solvers on the problems of the embedded summarizer."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from research.report.markdown import grid
from research.report.runs import Run

KEY = ("topic", "solver")
ILP = "ILP"


def solvers(runs: Sequence[Run]) -> str:
    """One row per solver."""
    rows = [
        [
            solver,
            f"{mean['seconds']:.3f}",
            f"{mean['time ratio']:.3f}",
            f"{100 * mean['objective share']:.2f}",
            f"{100 * mean['least share']:.2f}",
            f"{mean['proved']} of {mean['topics']}",
        ]
        for solver in dict.fromkeys(run["solver"] for run in runs)
        for mean in [mean_of(runs, solver)]
    ]
    head = ["solver", "CPU s, mean", "time / ILP's, median", "objective, % of ILP's", "least",
            "proved"]  # fmt: skip
    return grid(head, rows)


def mean_of(runs: Sequence[Run], solver: str) -> Run:
    """The values of a solver over topics, beside the exact one."""
    exact = {run["topic"]: run for run in runs if run["solver"] == ILP}
    own = [run for run in runs if run["solver"] == solver]
    shares = [run["objective"] / exact[run["topic"]]["objective"] for run in own]
    return {
        "seconds": fmean(run["seconds"] for run in own),
        "time ratio": median(run["seconds"] / exact[run["topic"]]["seconds"] for run in own),
        "objective share": fmean(shares),
        "least share": min(shares),
        "proved": sum(run["status"] == "OPTIMAL" for run in own),
        "topics": len(own),
    }
