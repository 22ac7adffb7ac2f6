"""Runs of `research/experiments/turbo_figure2.py`: AD3 and the subgradient method by length of
sentence.

A line has the averages over a group of sentences: those of similar length (``first`` to ``last``
words), ``"all"``, or those that ``"both"`` prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from research.report.markdown import Columns, given, table, text_of
from research.report.plots import BLUE, ORANGE, panels, save
from research.report.runs import Run

KEY = ("group",)
TITLES = {"all": "All sentences", "both": "Those that both solvers prove"}


def by_length(runs: Sequence[Run]) -> str:
    """Averages by length of sentence, then over all."""
    groups = [run for run in runs if run["group"] not in TITLES]
    whole = [run for run in runs if run["group"] in TITLES]
    columns: Columns = {
        "words": lambda run: TITLES.get(run["group"], run["group"]),
        "sentences": text_of("sentences"),
        "AD3 ms": given("ad3 seconds", ".3f", 1e3),
        "subgradient ms": given("subgradient seconds", ".3f", 1e3),
        "times faster": lambda run: f"{run['subgradient seconds'] / run['ad3 seconds']:.1f}",
        "AD3 optimal %": given("ad3 optimal", ".1f", 100),
        "subgradient optimal %": given("subgradient optimal", ".1f", 100),
    }
    return table([*groups, *whole], columns)


def draw(runs: Sequence[Run], folder: Path) -> None:
    """Draw average seconds by length, a line for each solver."""
    groups = [run for run in runs if run["group"] not in TITLES]
    figure, (axes,) = panels()
    middles = [(run["first"] + run["last"]) / 2 for run in groups]
    for name, color, marker in (("ad3", BLUE, "o"), ("subgradient", ORANGE, "s")):
        values = [1e3 * run[f"{name} seconds"] for run in groups]
        label = "AD3" if name == "ad3" else name
        axes.plot(middles, values, color=color, marker=marker, markersize=4, label=label)
    axes.legend(frameon=False, loc="upper left")
    axes.set_xlabel("sentence length (words)")
    axes.set_ylabel("average CPU time to solve (ms)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    save(figure, folder / "turbo_figure2.svg")
