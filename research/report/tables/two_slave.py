"""Runs of `research/experiments/two_slave.py`: decoders of entities and links, and their course."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from research.report.markdown import Columns, given, grid, number, percent, table
from research.report.plots import BLUE, GREEN, ORANGE, PURPLE, YELLOW, panels, save
from research.report.runs import ALL, Run

KEY = ("what", "task", "dataset", "fold", "setting", "system", "method", "iterations", "seed")
DATASETS = {
    "tweebank": "Tweebank-NER",
    "wnut17": "WNUT-17",
    "msm2013": "MSM2013",
    "stac": "STAC",
    "irc": "Ubuntu IRC",
}
DECODERS = {
    "paper": "2-slave, the paper's",
    "naive rush": "naive, the paper's steps",
    "two-slave": "2-slave, Treaty's",
    "naive": "naive, Treaty's steps",
    "ad3": "AD3",
    "lp": "linear program",
    "ilp": "ILP",
    "exact": "exact",
}
SYSTEMS = {"chain": "linear chain", "independent": "independent"}
PATTERNS = {
    "chain": "none (linear chain)",
    "chain, ten epochs": "none (linear chain)",
    "phrases of up to 1 words": "single words",
}
ORDER = (tuple(DATASETS), ("chain", "global", "independent", "2d", "3-wise"), tuple(DECODERS))
COLORS = {"paper": BLUE, "two-slave": PURPLE, "naive rush": ORANGE, "naive": YELLOW, "ad3": GREEN}
FIGURES = {"entities": "two_slave_figure2.svg", "links": "two_slave_figure4.svg"}
PANELS = {"F1": ("F1 (%)", 100), "certificates": ("certificates (%)", 100), "bound": ("dual", 1)}
THEIRS = {
    ("entities", "chain", "exact"): ("0.657", "0.815", "98"),
    ("entities", "global", "paper"): ("0.680", "0.827", "214"),
    ("entities", "global", "naive rush"): ("0.672", "0.824", "490"),
    ("entities", "global", "exact"): ("0.680", "0.828", "8640"),
    ("links", "2d", "naive rush"): ("", "0.564", "9.2"),
    ("links", "2d", "paper"): ("", "0.565", "16.4"),
    ("links", "3-wise", "naive rush"): ("", "0.572", "18.7"),
    ("links", "3-wise", "paper"): ("", "0.584", "17.33"),
}
"""Tables 2 and 3 of the paper: macro F, micro F or F, and seconds; the exact answers are ILP's."""
SUMS = ("seconds", "training seconds", "bound", "done")
SHARES = ("F1", "macro F1", "precision", "recall")


def entities(runs: Sequence[Run], setting: str) -> str:
    """The paper's Table 2."""
    return _table(runs, "entities", setting)


def links(runs: Sequence[Run], setting: str) -> str:
    """The paper's Table 3."""
    return _table(runs, "links", setting)


def folds(runs: Sequence[Run], task: str) -> str:
    """F1 and certificates on each fold in the paper's setting."""
    own = [run for run in _of(runs, "table", task) if run["setting"] == "paper"]
    numbers = sorted({run["fold"] for run in own})
    rows = []
    for part in sorted(_by_system(own), key=lambda part: _place(part[0])):
        by_fold = {run["fold"]: run for run in part}
        cells = [
            f"{100 * by_fold[n]['F1']:.2f} ({100 * by_fold[n]['certificates']:.0f} %)"
            if n in by_fold else ""
            for n in numbers
        ]  # fmt: skip
        rows.append([DATASETS[part[0]["dataset"]], _system(part[0]), *cells])
    return grid(["data", "system", *(f"fold {n}" for n in numbers)], rows, text=2)


def relaxations(runs: Sequence[Run]) -> str:
    """What each decoder proves of the links of a test part, with 200 and with 1,000 iterations."""
    few = {_name(run): run for run in runs if (run["what"], run["task"]) == ("table", "links")
           and run["setting"] == "library"}  # fmt: skip
    rows = []
    for run in sorted(_of(runs, "why", "links"), key=_place):
        before = few.get(_name(run), {})
        row = [DATASETS[run["dataset"]], _system(run)]
        for one in (before, run):
            share = number(one.get("certificates"), ".1f", 100)
            row += [f"{share} %" if share else "", number(one.get("bound"), ".2f")]
        rows.append([*row, number(run["seconds"], ".2f")])
    head = [
        "data",
        "system",
        "proved, 200",
        "dual, 200",
        "proved, 1,000",
        "dual, 1,000",
        "s, 1,000",
    ]
    return grid(head, rows, text=2)


def variants(runs: Sequence[Run]) -> str:
    """Variants of the patterns of entities beside the chain, on the same folds."""
    own = [run for run in _of(runs, "why", "entities") if run["method"] == "exact"]
    folds = {run["fold"] for run in own}
    chain = [
        run for run in _of(runs, "table", "entities")
        if (run["dataset"], run["system"], run["setting"]) == ("msm2013", "chain", "library")
        and run["fold"] in folds
    ]  # fmt: skip
    return table(*_against_chain([*chain, *own]))


def phrases(runs: Sequence[Run]) -> str:
    """The paper's patterns by the length of phrases, beside a chain with as many epochs."""
    own = [run for run in runs if run["what"] == "phrases"]
    lines, columns = _against_chain(own)
    columns |= {
        "certificates": lambda run: f"{100 * run['certificates']:.1f}%",
        "training s": given("training seconds", ".0f"),
    }
    return table(lines, columns)


def _against_chain(runs: Sequence[Run]) -> tuple[list[Run], Columns]:
    """Take the folds of each system together; the first is the chain that others differ from."""
    lines = [together(part) for part in _by_system(runs)]
    base = lines[0]["F1"] if lines else 0.0
    columns: Columns = {
        "patterns": lambda run: PATTERNS.get(run["system"], run["system"]),
        "micro F1": percent("F1"),
        "difference": lambda run: f"{100 * (run['F1'] - base):+.2f}",
        "macro F1": percent("macro F1"),
        "folds": given("folds", "d"),
    }
    return lines, columns


def gold(runs: Sequence[Run]) -> str:
    """How far identical names agree in the gold labels."""
    columns: Columns = {
        "data": lambda run: DATASETS[run["dataset"]],
        "messages of a group share": lambda run: run["system"],
        "joined messages": lambda run: f"{100 * run['joined']:.0f} %",
        "pairs of names": given("pairs", "d"),
        "agree": lambda run: f"{100 * run['agree']:.1f} %",
        "pairs with an entity": given("named pairs", "d"),
        "of these, agree": lambda run: f"{100 * run['named agree']:.1f} %",
    }
    own = [run for run in runs if run["what"] == "gold"]
    return table(own, columns, text=2)


def draw(runs: Sequence[Run], folder: Path) -> None:
    """Draw the course of both tasks."""
    for task, name in FIGURES.items():
        course = _of(runs, "course", task)
        if course:
            draw_course(course, folder / name)


def draw_course(runs: Sequence[Run], path: Path) -> None:
    """Draw F1, certificates and the dual against seconds (above) and iterations (below)."""
    figure, rows = panels_in_rows(2, len(PANELS), (10, 6.4))
    for axes_of, axis, title in zip(
        rows, ("seconds", "iterations"), ("CPU seconds of decoding", "iterations"), strict=True
    ):
        for method in [name for name in DECODERS if any(r["method"] == name for r in runs)]:
            own = sorted((r for r in runs if r["method"] == method), key=lambda r: r["iterations"])
            style = {"color": COLORS[method], "marker": "o", "markersize": 3, "lw": 1.3}
            for axes, (name, (_, scale)) in zip(axes_of, PANELS.items(), strict=True):
                at = [run[axis] for run in own]
                axes.plot(at, [scale * run[name] for run in own], label=DECODERS[method], **style)
        for axes, (name, _) in zip(axes_of, PANELS.values(), strict=True):
            axes.set_title(name, fontsize=10)
            axes.set_xscale("log")
            ticks = _ticks([run[axis] for run in runs])
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.minorticks_off()
            axes.set_xlabel(title)
    least = min(run["bound"] for run in runs)
    near = [run["bound"] for run in runs if run["iterations"] >= 5 and run["method"] != "paper"]
    room = max([*near, least]) - least
    middle = 100 * fmean(run["F1"] for run in runs)
    for axes_of in rows:
        axes_of[0].set_ylim(middle - 1.5, middle + 1.5)
        axes_of[2].set_ylim(least - 0.05 * room - 1e-9, least + 1.05 * room + 1e-9)
    rows[0][2].legend(frameon=False, fontsize=8)
    save(figure, path)


def _ticks(values: Sequence[float]) -> list[float]:
    """Round numbers in the range of values: 1, 2 and 5 times powers of ten."""
    every = [factor * 10.0**power for power in range(-3, 5) for factor in (1, 2, 5)]
    return [tick for tick in every if 0.8 * min(values) <= tick <= 1.2 * max(values)]


def panels_in_rows(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, list[Any]]:
    """Open a figure with rows of panels, drawn as those of `panels`."""
    figure, _ = panels(1, size)
    figure.clear()
    found = figure.subplots(rows, columns, squeeze=False)
    for axes in found.ravel():
        axes.grid(color="#e4e4e4", lw=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    return figure, [list(row) for row in found]


def _of(runs: Iterable[Run], what: str, task: str) -> list[Run]:
    return [run for run in runs if (run["what"], run["task"]) == (what, task)]


def _name(run: Run) -> tuple[str, str, str]:
    return run["dataset"], run["system"], run["method"]


def _by_system(runs: Iterable[Run]) -> list[list[Run]]:
    """Group the folds of each system."""
    found: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        found.setdefault(_name(run), []).append(run)
    return list(found.values())


def _table(runs: Sequence[Run], task: str, setting: str) -> str:
    """One line per data set and system; folds are taken together."""
    own = [run for run in _of(runs, "table", task) if run["setting"] == setting]
    lines = sorted((together(part) for part in _by_system(own)), key=_place)
    columns: Columns = {
        "data": _data,
        "system": _system,
        "macro F1": percent("macro F1"),
        "micro F1" if task == "entities" else "F1": percent("F1"),
        "training s": lambda run: number(run["training seconds"] or None, ".0f"),
        "decoding s": given("seconds", ".2f"),
        "ms/iteration": _milliseconds,
        "certificates": lambda run: f"{100 * run['certificates']:.1f}%",
    }
    if setting == "paper":
        columns |= {
            "theirs: macro F": lambda run: _theirs(run, 0),
            "theirs: F": lambda run: _theirs(run, 1),
            "theirs: s": lambda run: _theirs(run, 2),
        }
    if task != "entities":
        columns.pop("macro F1")
        columns.pop("theirs: macro F", None)
    return table(lines, columns, text=2)


def _milliseconds(run: Run) -> str:
    """Of one iteration on one problem, with all that comes before and after."""
    return (
        f"{1e3 * run['seconds'] / run['done']:.3f}"
        if run["done"] and run["method"] in COLORS
        else ""
    )


def _theirs(run: Run, column: int) -> str:
    """What the paper has in the place of a line; its data are others."""
    found = THEIRS.get((run["task"], run["system"], run["method"]))
    return found[column] if found else ""


def together(runs: Sequence[Run]) -> Run:
    """Take folds together: scores by their words or problems, seconds and bounds summed."""
    weights = [run.get("words") or run.get("instances") or 1 for run in runs]
    instances = [run.get("instances") or 1 for run in runs]
    return {
        **runs[0],
        **{name: fmean([run[name] for run in runs], weights) for name in SHARES if name in runs[0]},
        "certificates": fmean([run["certificates"] for run in runs], instances),
        **{name: sum(run.get(name) or 0.0 for run in runs) for name in SUMS},
        "folds": len(runs),
    }


def _place(run: Run) -> tuple[int, ...]:
    """Where a line stands: data sets, systems and decoders in their usual order."""
    return tuple(
        order.index(name) if name in order else len(order)
        for order, name in zip(ORDER, _name(run), strict=True)
    )


def _data(run: Run) -> str:
    name = DATASETS.get(run["dataset"], run["dataset"])
    if run["fold"] is None:
        return name
    if run["fold"] == ALL:
        return f"{name} (10 folds)"
    return f"{name} ({run['folds']} folds)" if run["folds"] > 1 else f"{name} (fold {run['fold']})"


def _system(run: Run) -> str:
    order, method = run["system"], run["method"]
    return SYSTEMS.get(order) or f"{'general' if order == 'global' else order}, {DECODERS[method]}"
