"""Labels chosen with the tree or after it: an experiment whose code was not kept."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import grid
from research.report.runs import Run

KEY = ("labels", "epochs")


def ways(runs: Sequence[Run]) -> str:
    """UAS / LAS by epochs, a column for each way."""
    names = list(dict.fromkeys(run["labels"] for run in runs))
    found = {(run["epochs"], run["labels"]): run for run in runs}
    rows = [
        [
            str(epochs),
            *(f"{100 * run['UAS']:.2f} / {100 * run['LAS']:.2f}"
              for name in names for run in [found[epochs, name]]),
        ]
        for epochs in dict.fromkeys(run["epochs"] for run in runs)
    ]  # fmt: skip
    return grid(["epochs", *names], rows, text=0)
