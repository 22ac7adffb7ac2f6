"""Runs of `experiments/global_dmv.py`: bounds and answers of searches for the best grammar."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.report.markdown import NONE, Columns, given, number, table, text_of
from experiments.report.plots import (
    BLUE,
    GRAY,
    GREEN,
    ORANGE,
    PURPLE,
    YELLOW,
    panels,
    save,
)
from experiments.report.runs import Run

KEY = ("part", "data", "method", "constrained")
NAMES = {
    "mccormick": "Max.0k (envelopes)",
    "rlt-obj": "Obj.Filter",
    "rlt-max-1k": "Max.1k",
    "rlt-max-10k": "Max.10k",
    "chords": "chords (ours)",
    "viterbi-em": "Viterbi EM",
}
COLORS = dict(zip(NAMES, (BLUE, GREEN, PURPLE, YELLOW, ORANGE, GRAY), strict=True))


def figure4(runs: Sequence[Run]) -> str:
    """The bound at the root by the share of rows."""
    columns: Columns = {
        "share": text_of("method"),
        "rows": given("rows", ",d"),
        "bound": given("bound", ".4f"),
        "CPU s": given("seconds", ".2f"),
        "solved to the end": lambda run: (
            "yes" if run["is_solved"] else f"no, stopped at {run['limit']:.0f} s"
        ),
    }
    return table(_part(runs, "figure4"), columns)


def figure5(runs: Sequence[Run]) -> str:
    """Bounds over time by relaxation."""
    columns: Columns = {
        "method": _name,
        "answer": given("objective", ".4f"),
        "bound": given("bound", ".4f"),
        "gap": given("gap", ".2%"),
        "nodes": given("nodes", ",d"),
        "s": given("seconds", ".3g"),
        "ms per node": lambda run: f"{1e3 * run['seconds'] / run['nodes']:.3g}",
        "status": text_of("status"),
    }
    return table(_part(runs, "figure5"), columns)


def table1(runs: Sequence[Run]) -> str:
    """Estimates of the search tree, and what the search by chords then took."""
    own = _part(runs, "table1")
    columns: Columns = {
        "relaxation": _name,
        "ms per node": given("milliseconds", ".3g"),
        "samples": given("samples", ",d"),
        "est. nodes": given("nodes", ".1e"),
        "deviation": lambda run: number(run["nodes deviation"], ".1e", missing=NONE),
        "est. hours": given("hours", ".1e"),
    }
    note = "".join(
        f"\n\nThe search by chords itself ended {run['searched status']} after "
        f"{run['searched']:,} nodes and {run['searched seconds']:.3g} s."
        for run in own
        if "searched" in run
    )
    return table(own, columns) + note


def figure6(runs: Sequence[Run], data: str) -> str:
    """Log-likelihood and accuracy of the last answer on a corpus."""
    columns: Columns = {
        "method": _name,
        "constraint": lambda run: f"{run['share']:.0%}" if run["constrained"] else NONE,
        "log-likelihood": lambda run: number(_last(run, 1), ".1f", missing=NONE),
        "accuracy %": lambda run: number(_last(run, 3), ".1f", 100, missing=NONE),
        "bound": lambda run: number(_last(run, 2), ".1f", missing=NONE),
    }
    return table([run for run in _part(runs, "figure6") if run["data"] == data], columns)


def draw(runs: Sequence[Run], folder: Path) -> None:
    """Draw all figures that there are runs for."""
    if own := _part(runs, "figure4"):
        _draw_root(own, folder / "global_dmv_figure4.svg")
    if own := _part(runs, "figure5"):
        _draw_bounds(own, folder / "global_dmv_figure5.svg")
    for data in dict.fromkeys(run["data"] for run in _part(runs, "figure6")):
        own = [run for run in _part(runs, "figure6") if run["data"] == data]
        _draw_answers(own, folder / f"global_dmv_figure6_{data}.svg")


def _draw_root(runs: Sequence[Run], path: Path) -> None:
    figure, (axes,) = panels()
    shares = [float(run["method"].rstrip("%")) for run in runs]
    axes.plot(shares, [run["bound"] for run in runs], "o-", color=BLUE, ms=4)
    optimum = max(run["objective"] for run in runs)
    axes.axhline(optimum, color=ORANGE, lw=1)
    axes.annotate("optimum", (0, optimum), (2, 3), textcoords="offset points", color=GRAY)
    axes.set_xlabel("share of RLT rows (%)")
    axes.set_ylabel("bound at the root")
    save(figure, path)


def _draw_bounds(runs: Sequence[Run], path: Path) -> None:
    figure, (axes,) = panels()
    for run in runs:
        moments = [moment for moment in run["trace"] if None not in moment]
        seconds = [max(moment[0], 1e-4) for moment in moments]
        color = COLORS[run["method"]]
        style = {"color": color, "drawstyle": "steps-post", "lw": 1.4}
        axes.plot(seconds, [m[2] for m in moments], label=NAMES[run["method"]], **style)
        axes.plot(seconds, [m[1] for m in moments], ls=":", **style)
        axes.plot(seconds[-1:], [moments[-1][2]], "o", color=color, ms=4)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("seconds")
    axes.set_ylabel("log-likelihood: bound, and answer (dotted)")
    axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def _draw_answers(runs: Sequence[Run], path: Path) -> None:
    figure, both = panels(2, (9, 4))
    end = max(stage[0] for run in runs for stage in run["stages"])
    for run in runs:
        style = {
            "color": COLORS[run["method"]],
            "ls": "-" if run["constrained"] else "--",
            "drawstyle": "steps-post",
            "lw": 1.4,
        }
        for panel, column, scale in ((both[0], 1, 1.0), (both[1], 3, 100.0)):
            points = [
                (max(stage[0], 0.05), scale * stage[column])
                for stage in run["stages"]
                if stage[column] is not None
            ]
            if points:
                panel.plot(*zip(*points, (end, points[-1][1]), strict=True), **style)
    for panel, label in zip(both, ("log-likelihood", "accuracy (%)"), strict=True):
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_xlabel("seconds")
        panel.set_ylabel(label)
    for method in dict.fromkeys(run["method"] for run in runs):
        both[1].plot([], [], color=COLORS[method], label=NAMES[method])
    for label, dashes in (("constrained", "-"), ("unconstrained", "--")):
        both[1].plot([], [], color=GRAY, ls=dashes, label=label)
    figure.legend(*both[1].get_legend_handles_labels(), loc="outside right", frameon=False)
    save(figure, path)


def _part(runs: Sequence[Run], part: str) -> list[Run]:
    return [run for run in runs if run["part"] == part]


def _name(run: Run) -> str:
    return NAMES[run["method"]]


def _last(run: Run, column: int) -> Any:
    """The last value that the stages of a search have in a column."""
    return next((s[column] for s in reversed(run["stages"]) if s[column] is not None), None)
