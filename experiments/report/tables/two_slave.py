"""Runs of `experiments/two_slave.py`: decoders of entities and links, and their course."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from experiments.report.markdown import Columns, given, interval, percent, table
from experiments.report.plots import BLUE, GREEN, ORANGE, panels, save
from experiments.report.runs import ALL, Run

KEY = ("what", "task", "dataset", "fold", "system", "method", "iterations", "seed")
NAMES = {
    "tweebank": "Tweebank-NER",
    "wnut17": "WNUT-17",
    "msm2013": "MSM2013 (10 folds)",
    "stac": "STAC",
    "irc": "Ubuntu IRC",
}
SYSTEMS = {
    ("chain", "auto"): "linear chain",
    ("global", "two-slave"): "general, 2-slave",
    ("global", "naive"): "general, naive",
    ("global", "ad3"): "general, AD3",
    ("global", "ilp"): "general, ILP",
    ("independent", "auto"): "independent",
}
ORDER = (
    tuple(NAMES),
    ("chain", "global", "independent", "2d", "3-wise"),
    ("auto", "two-slave", "naive", "ad3", "ilp", "exact"),
)
COLORS = {"two-slave": BLUE, "naive": ORANGE, "ad3": GREEN}
FIGURES = {"entities": "two_slave_figure2.svg", "threads": "two_slave_figure4.svg"}


def entities(runs: Sequence[Run]) -> str:
    """The paper's Table 2."""
    return _table(runs, "entities")


def threads(runs: Sequence[Run]) -> str:
    """The paper's Table 3."""
    return _table(runs, "threads")


def draw(runs: Sequence[Run], folder: Path) -> None:
    """Draw the course of both tasks."""
    for task, name in FIGURES.items():
        course = [run for run in runs if (run["what"], run["task"]) == ("course", task)]
        if course:
            draw_course(course, folder / name)


def draw_course(runs: Sequence[Run], path: Path) -> None:
    """Draw F1, certificates and the dual bound against iterations; the legend has the seconds.

    Seconds would not do as an axis: reading features takes most of them.
    """
    figure, axes_of = panels(3, (9, 3.6))
    ticks = sorted({run["iterations"] for run in runs})
    for method in dict.fromkeys(run["method"] for run in runs):
        own = sorted((r for r in runs if r["method"] == method), key=lambda r: r["iterations"])
        label = f"{method}: {_more(own)}"
        style = {"color": COLORS[method], "marker": "o", "markersize": 3, "label": label}
        for axes, name, scale in zip(
            axes_of, ("F1", "certificates", "bound"), (100, 100, 1), strict=True
        ):
            axes.plot(ticks, [scale * run[name] for run in own], **style)
    for axes, title in zip(axes_of, ("F1 (%)", "certificates (%)", "dual bound"), strict=True):
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("iterations")
    axes_of[2].legend(frameon=False, title=f"from {ticks[0]} to {ticks[-1]}")
    save(figure, path)


def _more(course: Sequence[Run]) -> str:
    """Tell how much longer it took; a negative difference is noise, and shows how large that is."""
    more = _more_seconds(course)
    return f"{more:+.1f} s" if more >= 0 else f"±{-more:.1f} s"


def _more_seconds(course: Sequence[Run]) -> float:
    """How much longer the last run of a course took than the first."""
    first, last = course[0], course[-1]
    more: float = last["seconds"] - first["seconds"] if "seconds" in last else last["more seconds"]
    return more


def _table(runs: Sequence[Run], task: str) -> str:
    """One line per data set and system; folds are taken together."""
    by_system: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        if (run["what"], run["task"]) == ("table", task):
            key = (run["dataset"], run["system"], run["method"])
            by_system.setdefault(key, []).append(run)
    lines = [together(by_system[key]) for key in sorted(by_system, key=_place)]
    columns: Columns = {
        "data": lambda run: NAMES[run["dataset"]],
        "system": _system,
        "micro F1" if task == "entities" else "link F1": percent("F1"),
        "95% interval": _interval,
        "macro F1": percent("macro F1"),
        "decoding s": given("seconds", ".1f"),
        "certificates": lambda run: f"{100 * run['certificates']:.1f}%",
        "dual bound": given("bound", ".2f"),
    }
    if task != "entities":
        del columns["macro F1"]
    return table(lines, columns, text=2)


def together(runs: Sequence[Run]) -> Run:
    """Take folds together: scores by their words, seconds and bounds summed."""
    folds = [run for run in runs if run["fold"] != ALL]
    if len(folds) < 2:
        return (folds or runs)[0]
    weights = [run["words"] for run in folds]
    shares = ("F1", "macro F1", "certificates")
    scores = [run["F1"] for run in folds]
    return {
        **folds[0],
        **{name: fmean([run[name] for run in folds], weights) for name in shares},
        **{name: sum(run[name] for run in folds) for name in ("seconds", "bound")},
        "by fold": [min(scores), max(scores)],
        "fold": ALL,
    }


def _place(key: tuple[str, str, str]) -> tuple[int, ...]:
    """Where a line stands: data sets, systems and methods in their usual order."""
    return tuple(order.index(name) for order, name in zip(ORDER, key, strict=True))


def _system(run: Run) -> str:
    order, method = run["system"], run["method"]
    return SYSTEMS.get((order, method)) or f"{order}, {method}"


def _interval(run: Run) -> str:
    if "by fold" in run:
        return f"{interval(run['by fold'], '.1f')} by fold"
    return interval(run["interval"])
