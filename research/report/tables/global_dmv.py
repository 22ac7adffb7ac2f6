"""Runs of `global_dmv.py`: bounds and answers of searches for the best grammar."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from research.report.markdown import NONE, Columns, given, grid, number, table, text_of
from research.report.plots import (
    BLUE,
    GRAY,
    GREEN,
    ORANGE,
    PURPLE,
    YELLOW,
    panels,
    save,
)
from research.report.runs import Run

NOT_YET = "*Not run yet.*"
KEY = ("part", "data", "method", "constrained")
NAMES = {
    "mccormick": "Max.0k (envelopes)",
    "rlt-obj": "Obj.Filter",
    "rlt-max-1k": "Max.1k",
    "rlt-max-10k": "Max.10k",
    "rlt-max-100k": "Max.100k",
    "mccormick+counts": "Max.0k, counts bounded (ours)",
    "chords": "chords (ours)",
    "viterbi-em": "Viterbi EM",
    "viterbi-em-1": "Viterbi EM, the paper's",
}
COLORS = dict(zip(NAMES, (BLUE, GREEN, PURPLE, YELLOW, "#56B4E9", "#8C564B", ORANGE, GRAY,
                         "black"), strict=True))  # fmt: skip
PAPER = {
    "rlt-obj": (63, 10_000, 3.2e8, 4.6e9),
    "mccormick": (6, 10_000, 1.7e10, 7.8e10),
    "rlt-max-1k": (15, 10_000, 3.5e8, 4.2e9),
    "rlt-max-10k": (161, 10_000, 1.3e9, 3.4e10),
    "rlt-max-100k": (232_259, 5, 1.7e9, 9.7e13),
}
"""The paper's Table 1: milliseconds per node, samples, estimated nodes and hours."""
SECONDS, OBJECTIVE, BOUND, NODES, ACCURACY = range(5)
"""Columns of moments."""


def figure4(runs: Sequence[Run]) -> str:
    """The bound at the root by the share of rows, for every corpus."""
    own = _part(runs, "figure4")
    if not own:
        return NOT_YET
    corpora = _corpora(own)
    rows = []
    for share in dict.fromkeys(run["method"] for run in own):
        of = {run["data"]: run for run in own if run["method"] == share}
        found = [of[data] for data in corpora if data in of]
        rows.append([
            share,
            *(_bound_at_root(of.get(data)) for data in corpora),
            f"{median(run['linked rows'] / run['rows'] for run in found):.0%}",
            f"{median(run['seconds'] for run in found):.2f}",
        ])  # fmt: skip
    best = [max(r["objective"] for r in own if r["data"] == data) for data in corpora]
    rows.append(["best answer", *(f"{value:.2f}" for value in best), "", ""])
    possible = [next(r["possible"] for r in own if r["data"] == data) for data in corpora]
    rows.append(["possible rows", *(f"{value:,}" for value in possible), "", ""])
    names = [f"corpus {data.split('/')[1]}" for data in corpora]
    return grid(["share", *names, "rows that matter, median", "CPU s, median"], rows)


def _bound_at_root(run: Run | None) -> str:
    if run is None:
        return NONE
    return f"{run['bound']:.2f}{'' if run['is_solved'] else ' (not solved)'}"


def figure5(runs: Sequence[Run], part: str) -> str:
    """Gaps by relaxation, for every corpus."""
    own = _part(runs, part)
    corpora = _corpora(own)
    rows = []
    for method in _methods(own):
        of = {run["data"]: run for run in own if run["method"] == method}
        found = [of[data] for data in corpora if data in of]
        rows.append([
            NAMES[method],
            *(_gap_of(of.get(data)) for data in corpora),
            f"{median(1e3 * run['seconds'] / run['nodes'] for run in found):.3g}",
        ])  # fmt: skip
    names = [f"corpus {data.split('/')[1]}" for data in corpora]
    return grid(["method", *names, "ms per node, median"], rows)


def _gap_of(run: Run | None) -> str:
    if run is None:
        return NONE
    gap = max(0.0, run["bound"] - run["objective"]) / abs(run["objective"])
    ended = "proved" if run["done"] else "stopped"
    return f"{gap:.1%}, {run['nodes']:,} nodes, {ended} at {run['seconds']:.3g} s"


def table1(runs: Sequence[Run]) -> str:
    """Estimates of the search tree, the paper's beside ours."""
    own = _part(runs, "table1")
    rows = []
    for run in (run for run in own if run["method"] in PAPER):
        theirs = PAPER[run["method"]]
        rows.append([
            run["data"].split("/")[1],
            NAMES[run["method"]],
            f"{run['linked rows']:,} of {run['rows']:,}",
            f"{run['milliseconds']:.3g}",
            f"{run['samples']:,}",
            f"{run['nodes']:.1e} ± {run['nodes deviation']:.0e}",
            f"{run['largest share']:.0%}",
            f"{run['nodes median']:.1e}",
            f"{run['hours']:.1e}",
            f"{theirs[0]:,} / {theirs[1]:,} / {theirs[2]:.1e} / {theirs[3]:.1e}",
        ])  # fmt: skip
    head = ["corpus", "relaxation", "rows that matter", "ms per node", "samples", "est. nodes",
            "share of the largest", "median", "est. hours",
            "paper's ms / samples / nodes / hours"]  # fmt: skip
    note = "".join(
        f"\n- corpus {run['data'].split('/')[1]}: the search by chords ended "
        f"{run['searched status']} after {run['searched']:,} nodes and "
        f"{run['searched seconds']:.3g} s."
        for run in own
        if "searched" in run
    )
    return grid(head, rows, text=2) + "\n" + note


def figure6(runs: Sequence[Run], data: str) -> str:
    """Log-likelihood and accuracy of the last answer on a corpus."""
    columns: Columns = {
        "method": _name,
        "constraint": lambda run: f"{run['share']:.0%}" if run["constrained"] else NONE,
        "CPU s": given("seconds", ",.0f"),
        "nodes or restarts": given("nodes", ",d"),
        "log-likelihood": lambda run: number(_last(run, OBJECTIVE), ".1f", missing=NONE),
        "accuracy %": lambda run: number(_last(run, ACCURACY), ".1f", 100, missing=NONE),
        "highest accuracy %": lambda run: number(_highest(run), ".1f", 100, missing=NONE),
        "bound": lambda run: number(_last(run, BOUND), ".1f", missing=NONE),
    }
    return table(_of_data(runs, data), columns)


def speed(runs: Sequence[Run]) -> str:
    """Milliseconds per node before and after the relaxations were made faster."""
    own = _part(runs, "speed")
    columns: Columns = {
        "data": text_of("data"),
        "relaxation": _name,
        "rows": given("rows", ",d"),
        "rows that matter": given("linked rows", ",d"),
        "nodes": given("nodes", ",d"),
        "before, ms per node": given("before", ".3g"),
        "after, ms per node": given("after", ".3g"),
        "times": lambda run: f"{run['before'] / run['after']:.1f}",
        "bound before": given("bound before", ".2f"),
        "bound after": given("bound after", ".2f"),
    }
    return table(own, columns, text=2)


def interior(runs: Sequence[Run]) -> str:
    """CPU seconds, answers and bounds before and after the interior-point method came in."""
    columns: Columns = {
        "data": text_of("data"),
        "relaxation": _name,
        "rows that matter": given("linked rows", ",d"),
        "nodes": given("nodes", ",d"),
        "before, CPU s": given("before", ".1f"),
        "after, CPU s": given("after", ".1f"),
        "answer before": given("answer before", ".2f"),
        "answer after": given("answer after", ".2f"),
        "bound before": given("bound before", ".2f"),
        "bound after": given("bound after", ".2f"),
    }
    return table(_part(runs, "interior"), columns, text=2)


def draw(runs: Sequence[Run], folder: Path) -> None:
    """Draw all figures that there are runs for."""
    if own := _part(runs, "figure4"):
        _draw_root(own, folder / "global_dmv_figure4.svg")
    for part in ("figure5", "figure5-short"):
        if own := _part(runs, part):
            _draw_bounds(own, folder / f"global_dmv_{part}.svg")
    for data in dict.fromkeys(run["data"] for run in _part(runs, "figure6")):
        _draw_answers(_of_data(runs, data), folder / f"global_dmv_figure6_{data}.svg")


def _draw_root(runs: Sequence[Run], path: Path) -> None:
    """The bound as a share of the best answer: 1 at the answer itself, 0 says nothing."""
    figure, (axes,) = panels()
    for data, color in zip(_corpora(runs), COLORS.values(), strict=False):
        own = [run for run in runs if run["data"] == data]
        shares = [float(run["method"].rstrip("%")) for run in own]
        values = [run["bound"] / run["objective"] for run in own]
        label = f"corpus {data.split('/')[1]}"
        axes.plot(shares, values, "o-", color=color, ms=4, label=label)
    axes.axhline(1.0, color=GRAY, lw=1)
    axes.annotate("best answer", (0, 1.0), (2, -10), textcoords="offset points", color=GRAY)
    axes.set_xlabel("share of RLT rows (%)")
    axes.set_ylabel("bound at the root / best answer")
    axes.legend(frameon=False, fontsize=8)
    save(figure, path)


def _draw_bounds(runs: Sequence[Run], path: Path) -> None:
    corpora = _corpora(runs)
    figure, several = panels(len(corpora), (3 * len(corpora), 3.4))
    for data, axes in zip(corpora, several, strict=True):
        for run in (run for run in runs if run["data"] == data and run.get("moments")):
            moments = [m for m in run["moments"] if None not in m[:NODES]]
            seconds = [max(m[SECONDS], 1e-3) for m in moments]
            style = {"color": COLORS[run["method"]], "drawstyle": "steps-post", "lw": 1.4}
            style["marker"] = "." if len(moments) == 1 else ""  # it ended at once
            label = NAMES[run["method"]]
            axes.plot(seconds, [m[BOUND] for m in moments], label=label, **style)
            axes.plot(seconds, [m[OBJECTIVE] for m in moments], ls=":", **style)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("CPU seconds")
        axes.set_title(f"corpus {data.split('/')[1]}", fontsize=9)
    several[0].set_ylabel("log-likelihood: bound, answer (dotted)")
    figure.legend(*several[0].get_legend_handles_labels(), loc="outside lower center",
                  ncols=3, frameon=False, fontsize=8)  # fmt: skip
    save(figure, path)


def _draw_answers(runs: Sequence[Run], path: Path) -> None:
    figure, both = panels(2, (9, 4))
    end = max(run["seconds"] for run in runs)
    for run in runs:
        style = {
            "color": COLORS[run["method"]],
            "ls": "-" if run["constrained"] else "--",
            "drawstyle": "steps-post",
            "lw": 1.4,
        }
        for panel, column, scale in ((both[0], OBJECTIVE, 1.0), (both[1], ACCURACY, 100.0)):
            points = [
                (max(moment[SECONDS], 0.05), scale * moment[column])
                for moment in run.get("moments", [])
                if moment[column] is not None
            ]
            if points:
                panel.plot(*zip(*points, (end, points[-1][1]), strict=True), **style)
    for panel, label in zip(both, ("log-likelihood", "accuracy (%)"), strict=True):
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_xlabel("CPU seconds")
        panel.set_ylabel(label)
    for method in dict.fromkeys(run["method"] for run in runs):
        both[1].plot([], [], color=COLORS[method], label=NAMES[method])
    for label, dashes in (("constrained", "-"), ("unconstrained", "--")):
        both[1].plot([], [], color=GRAY, ls=dashes, label=label)
    figure.legend(*both[1].get_legend_handles_labels(), loc="outside right", frameon=False)
    save(figure, path)


def _part(runs: Sequence[Run], part: str) -> list[Run]:
    return [run for run in runs if run["part"] == part]


def _of_data(runs: Sequence[Run], data: str) -> list[Run]:
    own = [run for run in _part(runs, "figure6") if run["data"] == data]
    order = list(NAMES)
    return sorted(own, key=lambda run: (run["constrained"], order.index(run["method"])))


def _corpora(runs: Sequence[Run]) -> list[str]:
    return sorted({run["data"] for run in runs})


def _methods(runs: Sequence[Run]) -> list[str]:
    found = {run["method"] for run in runs}
    return [method for method in NAMES if method in found]


def _name(run: Run) -> str:
    return NAMES.get(run["method"], run["method"])


def _last(run: Run, column: int) -> Any:
    """The last value that the moments of a search have in a column."""
    moments = reversed(run.get("moments", []))
    return next((m[column] for m in moments if m[column] is not None), None)


def _highest(run: Run) -> Any:
    found = [m[ACCURACY] for m in run.get("moments", []) if m[ACCURACY] is not None]
    return max(found, default=None)
