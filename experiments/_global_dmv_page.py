"""Runs of `global_dmv.py` as tables and pictures of docs/results.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from _runs import Run, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe & Ito's colors, which the color-blind can tell apart.
COLORS = {
    "viterbi-em": "#666666",
    "chords": "#D55E00",
    "mccormick": "#0072B2",
    "rlt-obj": "#009E73",
    "rlt-max-1k": "#AA4499",
    "rlt-max-10k": "#E69F00",
}
GREY = "#666666"
NAMES = {
    "mccormick": "Max.0k (envelopes)",
    "rlt-obj": "Obj.Filter",
    "rlt-max-1k": "Max.1k",
    "rlt-max-10k": "Max.10k",
    "chords": "chords (ours)",
    "viterbi-em": "Viterbi EM",
}


def markdown(runs: list[Run], images: Path) -> str:
    """All tables and pictures, each under a heading."""
    if not runs:
        raise SystemExit("there are no runs to make a page of")
    by_part: dict[str, list[Run]] = {}
    for run in runs:
        by_part.setdefault(run["part"], []).append(run)
    makers = {"figure4": figure4, "figure5": figure5, "table1": table1, "figure6": figure6}
    parts = [make(by_part[part], images) for part, make in makers.items() if part in by_part]
    return "\n\n".join([_origin(runs), *parts])


def figure4(runs: list[Run], images: Path) -> str:
    """The bound at the root by the share of rows."""
    figure, axes = _axes()
    shares = [float(run["method"].rstrip("%")) for run in runs]
    axes.plot(shares, [run["bound"] for run in runs], "o-", color=COLORS["mccormick"], ms=4)
    optimum = max(run["objective"] for run in runs)
    axes.axhline(optimum, color=COLORS["chords"], lw=1)
    axes.annotate("optimum", (0, optimum), (2, 3), textcoords="offset points", color=GREY)
    axes.set_xlabel("share of RLT rows (%)")
    axes.set_ylabel("bound at the root")
    _save(figure, images / "global_dmv_figure4.svg")
    rows = [
        [
            run["method"],
            f"{run['rows']:,}",
            f"{run['bound']:.4f}",
            f"{run['seconds']:.2f}",
            "yes" if run["is_solved"] else f"no, stopped at {run['limit']:.0f} s",
        ]
        for run in runs
    ]
    return (
        "#### Bound at the root by share of RLT rows (the paper's Figure 4)\n\n"
        f"Five synthetic sentences, {runs[0]['possible']:,} possible products; the best "
        f"log-likelihood there is is {optimum:.4f}.\n\n"
        "![Bound at the root by share of RLT rows](images/global_dmv_figure4.svg)\n\n"
        + grid(["share", "rows", "bound", "CPU s", "solved to the end"], rows)
    )


def figure5(runs: list[Run], images: Path) -> str:
    """Bounds over time by relaxation."""
    figure, axes = _axes()
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
    _save(figure, images / "global_dmv_figure5.svg")
    rows = [
        [
            NAMES[run["method"]],
            f"{run['objective']:.4f}",
            f"{run['bound']:.4f}",
            f"{_gap(run):.2%}",
            f"{run['nodes']:,}",
            f"{run['seconds']:.3g}",
            f"{1e3 * run['seconds'] / run['nodes']:.3g}",
            run["status"],
        ]
        for run in runs
    ]
    columns = ["method", "answer", "bound", "gap", "nodes", "s", "ms per node", "status"]
    return (
        "#### Bounds over time by relaxation (the paper's Figure 5)\n\n"
        f"The same five sentences, ε = 0.01, at most {runs[0]['limit']:.0f} s each.\n\n"
        "![Bounds over time by relaxation](images/global_dmv_figure5.svg)\n\n" + grid(columns, rows)
    )


def table1(runs: list[Run], _: Path) -> str:
    """Estimates of the tree."""
    rows = []
    for run in runs:
        deviation = run["nodes deviation"]
        rows.append(
            [
                NAMES[run["method"]],
                f"{run['milliseconds']:.3g}",
                f"{run['samples']:,}",
                f"{run['nodes']:.1e}",
                "–" if deviation is None else f"{deviation:.1e}",
                f"{run['hours']:.1e}",
            ]
        )
    searched = [run for run in runs if "searched" in run]
    note = "".join(
        f"\n\nThe search by chords itself ended {run['searched status']} after "
        f"{run['searched']:,} nodes and {run['searched seconds']:.3g} s."
        for run in searched
    )
    columns = ["relaxation", "ms per node", "samples", "est. nodes", "deviation", "est. hours"]
    return (
        "#### Estimates of the search tree (the paper's Table 1)\n\n"
        "Eight synthetic sentences, ε = 0.01, random descents (Knuth 1975; Lobjois & Lemaître "
        f"1998) for {runs[0]['limit']:.0f} s each; the incumbent is the best of ten restarts of "
        "Viterbi EM. The deviation is that of single descents: estimates from a handful of them "
        "are worth little, and low ones are likely to be too low.\n\n" + grid(columns, rows) + note
    )


def figure6(runs: list[Run], images: Path) -> str:
    """Log-likelihood and accuracy of the answer over time, on each corpus."""
    parts = []
    for data in dict.fromkeys(run["data"] for run in runs):
        own = [run for run in runs if run["data"] == data]
        name = f"global_dmv_figure6_{data}.svg"
        _draw_answers(own, images / name)
        first = own[0]
        rows = [[NAMES[run["method"]], _share(run), *_last(run["stages"])] for run in own]
        columns = ["method", "constraint", "log-likelihood", "accuracy %", "bound"]
        parts.append(
            f"##### {data}\n\n{first['sentences']} sentences of at most 10 tokens, "
            f"{first['tokens']:,} tokens, {first['tags']} tags, {first['limit']:.0f} s each.\n\n"
            f"![Log-likelihood and accuracy over time on {data}](images/{name})\n\n"
            + grid(columns, rows)
        )
    return (
        "#### The answer over time on real sentences (the paper's Figure 6)\n\n"
        "Log-likelihood, and unlabeled directed accuracy, of the best answer so far; with the "
        "constraint, so many of the arcs are of the kinds of Naseem et al. (2010); of these EWT "
        "sentences no trees have more than 72.2 %, so that less is asked for. Tags are the 12 "
        "universal ones and auxiliaries. The relaxations begin with 200 restarts of Viterbi EM "
        "(the paper: 45 minutes of 8 hours); their programs take seconds per node.\n\n"
        + "\n\n".join(parts)
    )


def _draw_answers(runs: list[Run], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained", facecolor="white")
    panels = figure.subplots(1, 2)
    for run in runs:
        style = {
            "color": COLORS[run["method"]],
            "ls": "-" if run["constrained"] else "--",
            "drawstyle": "steps-post",
            "lw": 1.4,
        }
        stages = run["stages"]
        end = max(stage[0] for other in runs for stage in other["stages"])
        for panel, column, scale in ((panels[0], 1, 1.0), (panels[1], 3, 100.0)):
            points = [(s[0], scale * s[column]) for s in stages if s[column] is not None]
            points = [(max(seconds, 0.05), value) for seconds, value in points]
            if points:
                panel.plot(*zip(*points, (end, points[-1][1]), strict=True), **style)
    for panel, label in zip(panels, ("log-likelihood", "accuracy (%)"), strict=True):
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_xlabel("seconds")
        panel.set_ylabel(label)
        _tidy(panel)
    for method in dict.fromkeys(run["method"] for run in runs):
        panels[1].plot([], [], color=COLORS[method], label=NAMES[method])
    for label, dashes in (("constrained", "-"), ("unconstrained", "--")):
        panels[1].plot([], [], color=GREY, ls=dashes, label=label)
    figure.legend(*panels[1].get_legend_handles_labels(), loc="outside right", frameon=False)
    _save(figure, path)


def _last(stages: list[list[Any]]) -> list[str]:
    objective = next((s[1] for s in reversed(stages) if s[1] is not None), None)
    accuracy = next((s[3] for s in reversed(stages) if s[3] is not None), None)
    bound = next((s[2] for s in reversed(stages) if s[2] is not None), None)
    return [
        "–" if objective is None else f"{objective:.1f}",
        "–" if accuracy is None else f"{100 * accuracy:.1f}",
        "–" if bound is None else f"{bound:.1f}",
    ]


def _share(run: Run) -> str:
    return f"{run.get('share') or 0.75:.0%}" if run["constrained"] else "–"


def _gap(run: Run) -> float:
    return max(0.0, run["bound"] - run["objective"]) / abs(run["objective"])


def _axes() -> tuple[Any, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    _tidy(axes)
    return figure, axes


def _tidy(axes: Axes) -> None:
    axes.grid(color="#e4e4e4", lw=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="both", colors=GREY, length=0)


def _save(figure: Any, path: Path) -> None:
    import matplotlib as mpl

    path.parent.mkdir(parents=True, exist_ok=True)
    # No date and no random names: the same numbers give the same file.
    with mpl.rc_context({"svg.hashsalt": "treaty", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})


def _origin(runs: list[Run]) -> str:
    commits = sorted({run["commit"] for run in runs})
    return (
        f"- commits: {', '.join(f'`{commit}`' for commit in commits)}, {runs[-1]['date']}; "
        "commands: `python experiments/global_dmv.py PART --out runs.jsonl`\n"
        f"- machine: {runs[-1]['machine']}; one thread, while other work ran beside it\n"
        "- synthetic sentences are drawn from the grammar of `experiments/_synthetic.py`: three "
        "tags,\n  short sentences in English order; the paper does not give its own"
    )
