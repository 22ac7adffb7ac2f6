"""Runs of `two_slave.py` as tables and pictures of docs/results.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from _runs import Run, grid

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
COLORS = {"two-slave": "#0b6bcb", "naive": "#c25700", "ad3": "#2b8a3e"}
GREY = "#666666"


def markdown(runs: list[Run]) -> str:
    """All tables, each under a heading, after the lines that tell how they came about."""
    tables = [run for run in runs if run["what"] == "table"]
    if not tables:
        return "No runs yet."
    parts = [_origin(runs)]
    for task, heading in (
        ("entities", "#### Entities (the paper's Table 2 in form)"),
        ("threads", "#### Links of threads (the paper's Table 3 in form)"),
    ):
        own = [run for run in tables if run["task"] == task]
        if own:
            parts += [heading, table(own, macro=task == "entities")]
    return "\n\n".join(parts)


def table(runs: list[Run], *, macro: bool) -> str:
    """One line per data set and system; folds are taken together."""
    head = ["data", "system", "micro F1" if macro else "link F1", "95% interval"]
    head += (["macro F1"] if macro else []) + ["decoding s", "certificates", "dual bound"]
    lines = []
    keys = {(run["dataset"], run["system"], run["method"]) for run in runs}
    for key in sorted(keys, key=_place):
        own = [run for run in runs if (run["dataset"], run["system"], run["method"]) == key]
        mean = _mean_of(own)
        cells = [NAMES[key[0]], _system(*key[1:]), f"{100 * mean('F1'):.2f}", _interval(own)]
        if macro:
            cells.append(f"{100 * mean('macro F1'):.2f}")
        cells += [f"{sum(run['seconds'] for run in own):.1f}", f"{100 * mean('certificates'):.1f}%"]
        lines.append([*cells, f"{sum(run['bound'] for run in own):.2f}"])
    return grid(head, lines, text=2)


def _place(key: tuple[str, str, str]) -> tuple[int, ...]:
    """Where a line stands: data sets, systems and methods in their usual order."""
    return tuple(order.index(name) for order, name in zip(ORDER, key, strict=True))


def _mean_of(runs: list[Run]) -> Callable[[str], float]:
    """Folds count by their words."""
    weights = [run.get("words", 1) for run in runs]

    def mean(name: str) -> float:
        return fmean([run[name] for run in runs], weights)

    return mean


def _system(order: str, method: str) -> str:
    return SYSTEMS.get((order, method)) or f"{order}, {method}"


def _interval(runs: list[Run]) -> str:
    if len(runs) > 1:
        scores = [100 * run["F1"] for run in runs]
        return f"{min(scores):.1f} to {max(scores):.1f} by fold"
    low, high = runs[0]["interval"]
    return f"{100 * low:.2f} to {100 * high:.2f}"


def draw(runs: list[Run], path: Path) -> None:
    """Draw F1, certificates and the dual bound against iterations; the legend has the seconds.

    Seconds would not do as an axis: reading features takes most of them.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained", facecolor="white")
    panels = figure.subplots(1, 3)
    ticks = sorted({run["iterations"] for run in runs})
    for method in dict.fromkeys(run["method"] for run in runs):
        own = sorted((r for r in runs if r["method"] == method), key=lambda r: r["iterations"])
        label = f"{method}: {own[-1]['seconds'] - own[0]['seconds']:+.1f} s"
        style = {"color": COLORS[method], "marker": "o", "markersize": 3, "label": label}
        for axes, name, scale in zip(
            panels, ("F1", "certificates", "bound"), (100, 100, 1), strict=True
        ):
            axes.plot(ticks, [scale * run[name] for run in own], **style)
    for axes, title in zip(panels, ("F1 (%)", "certificates (%)", "dual bound"), strict=True):
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log")
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("iterations")
        axes.grid(axis="y", color="#dddddd")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(colors=GREY)
    panels[2].legend(frameon=False, title=f"from {ticks[0]} to {ticks[-1]}")
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date and no random names: the same numbers give the same file.
    with mpl.rc_context({"svg.hashsalt": "treaty", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _origin(runs: list[Run]) -> str:
    commits = ", ".join(f"`{commit}`" for commit in dict.fromkeys(run["commit"] for run in runs))
    machines = ", ".join(dict.fromkeys(run["machine"] for run in runs))
    dates = ", ".join(dict.fromkeys(run["date"] for run in runs))
    return (
        f"- commit: {commits}, {dates}; commands: `python experiments/two_slave.py entities --out "
        f"runs.jsonl`, the same with `threads` and `course`\n- machine: {machines}\n"
        "- test data, seed 1; a model is trained once, with its default decoder, and decoded by\n"
        "  all methods, dual decompositions with 200 iterations at most, the others to the end"
    )
