"""Runs of `research/experiments/compressive.py`: summaries, solvers and sentence compression.

A line is a system on a topic, or on all of them (``topic`` is ``"all"``, with the values that
`summary`, `solver` and `by_topic` make of single topics).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, median

from research.report.markdown import (
    Columns,
    given,
    grid,
    interval,
    number,
    percent,
    table,
    text_of,
)
from research.report.runs import ALL, Run
from treaty.metrics import confidence_interval

KEY = ("what", "dataset", "system", "topic")
SUMMARIZERS = (
    "LEAD", "centroid", "MMR", "extractive, counts", "extractive, content", "extractive",
    "post-combined", "single-task", "multi-task",
)  # fmt: skip
PAPER = {
    "extractive": (11.16, 14.07),
    "post-combined": (11.07, 13.85),
    "single-task": (11.88, 14.86),
    "multi-task": (12.30, 15.18),
}
"""ROUGE-2 and SU-4 of the paper's Table 2, on TAC 2008 at 100 words."""
LIMITS = {
    "multiling": "250 words",
    "multiling-6": "250 words, 6 sentences",
    "multiling-100-6": "100 words, 6 sentences",
}
"""The news under several limits; the last are the paper's."""
PAPER_SOLVERS = {
    "ILP, exact": (10.394, 12.40),
    "LP relaxation": (2.265, 12.38),
    "AD3-5000": (0.952, 12.38),
    "AD3-1000": (0.406, 12.30),
    "AD3-200": (0.159, 12.15),
    "AD3, own rule": None,
    "subgradient-5000": None,
    "subgradient-1000": None,
    "subgradient-200": None,
    "extractive, ILP": (0.265, 11.16),
}
"""Seconds and ROUGE-2 of its Table 3."""
NEWS = "multiling"
NOT_YET = "*Not run yet.*"
SOUND = 1e-6
"""By how much a bound may be below the best summary."""


def news(runs: Sequence[Run]) -> str:
    """MultiLing: the paper's Table 2, with its scores."""
    columns: Columns = {
        **SCORES,
        "words cut": given("cut words", ".0f"),
        "paper's R-2 / SU-4": lambda run: _two(PAPER.get(run["system"]), ".2f", ".2f"),
    }
    return table(summaries(runs, NEWS), columns)


def reviews(runs: Sequence[Run], dataset: str) -> str:
    """The same on reviews, which the paper does not have."""
    return table(summaries(runs, dataset), SCORES)


def news_by_topic(runs: Sequence[Run]) -> str:
    """ROUGE-2 recall, one line per topic, a column per system."""
    found = {run["system"]: run["by topic"] for run in summaries(runs, NEWS)}
    topics = dict.fromkeys(topic for by_topic in found.values() for topic in by_topic)
    rows = [
        [topic, *(number(by_topic.get(topic), ".1f", 100) for by_topic in found.values())]
        for topic in sorted(topics)
    ]
    return grid(["topic", *found], rows)


def table2(runs: Sequence[Run]) -> str:
    """ROUGE-2 and SU-4 under all limits, beside the paper's."""
    made = {dataset: {run["system"]: run for run in summaries(runs, dataset)} for dataset in LIMITS}
    rows = []
    for system in made[NEWS]:
        found = [made[dataset].get(system) for dataset in LIMITS]
        cells = [_two((100 * r["R2"], 100 * r["SU4"]), ".2f", ".2f") if r else "" for r in found]
        wide = made[NEWS][system]["interval"]
        rows.append([system, cells[0], interval(wide, ".1f", "-"), *cells[1:],
                     _two(PAPER.get(system), ".2f", ".2f")])  # fmt: skip
    first, *others = LIMITS.values()
    head = ["system", first, "interval of R-2", *others, "paper's: 100 words, 6 sentences"]
    return grid(head, rows)


def solvers(runs: Sequence[Run], dataset: str = NEWS) -> str:
    """Seconds, objectives and scores by solver (the paper's Table 3)."""
    own = [run for run in runs if (run["what"], run["dataset"]) == ("solvers", dataset)]
    if not own:
        return NOT_YET
    exact = {run["topic"]: run for run in own if run["system"] == "ILP, exact"}
    lines = [
        _together([run for run in own if run["system"] == system], lambda r: solver(r, exact))
        for system in PAPER_SOLVERS
        if any(run["system"] == system for run in own)
    ]
    columns: Columns = {
        "solver": text_of("system"),
        "CPU s": given("seconds", ".3f"),
        "time / ILP's, median": given("time ratio", ".3f"),
        "iterations": given("iterations", ",.0f"),
        "objective, % of ILP's (least)": lambda run: (
            f"{100 * run['objective share']:.2f} ({100 * run['least share']:.2f})"
            if "objective share" in run
            else ""
        ),
        "bounds at or above ILP's": lambda run: (
            f"{run['sound']} of {run['topics']}" if "sound" in run else ""
        ),
        "ROUGE-2": percent("R2"),
        "paper's s / R-2": lambda run: _two(PAPER_SOLVERS[run["system"]], ".3f", ".2f"),
    }
    return table(lines, columns)


def bounds(runs: Sequence[Run]) -> str:
    """When the bounds of AD3 and the subgradient method come close to the LP's optimum."""
    rows = []
    for dataset, limits in LIMITS.items():
        own = [run for run in runs if (run["what"], run["dataset"]) == ("bounds", dataset)]
        if not own:
            continue
        rows.append([limits, "LP (HiGHS), to the end", str(len(own)),
                     f"{1e3 * fmean(run['LP seconds'] for run in own):.1f}", "", ""])  # fmt: skip
        for name in ("AD3", "subgradient"):
            rows.append([limits, name, str(len(own)),
                         *(_reach(own, f"{name} {share}") for share in ("1%", "0.1%", "0.01%"))]
                        )  # fmt: skip
    head = ["limits", "solver", "topics", "ms to 1 %", "to 0.1 %", "to 0.01 %"]
    return grid(head, rows, text=2) if rows else NOT_YET


def _reach(runs: Sequence[Run], key: str) -> str:
    """Write the median time to get there, and how many never did."""
    found = sorted(run[f"{key} seconds"] for run in runs if run[key] is not None)
    never = len(runs) - len(found)
    note = f" (not in {never})" if never else ""
    return f"{1e3 * median(found):.1f}{note}" if found else "never"


def compressions(runs: Sequence[Run]) -> str:
    """Sentence compression: one line per data set and system."""
    columns: Columns = {
        "data": text_of("dataset"),
        "system": text_of("system"),
        "F1 of kept words": percent("F1"),
        "95% interval": lambda run: interval(run["interval"], ".1f", "-"),
        "kept": given("rate", ".3f"),
        "gold kept": given("gold rate", ".3f"),
        "arcs rightly kept or not, %": given("arcs", ".1f", 100),
        "dev F1": percent("dev F1"),
    }
    return table([run for run in runs if run["what"] == "compressions"], columns, text=2)


def settings(runs: Sequence[Run]) -> str:
    """How often each setting was chosen."""
    rows = []
    for run in (run for run in runs if run["what"] == "settings"):
        chosen = [_settings(settings) for settings in run["settings"]]
        for text in dict.fromkeys(chosen):
            rows.append([run["dataset"], run["system"], text, str(chosen.count(text))])
    return grid(["data", "system", "settings", "chosen"], rows, text=3)


def summary(runs: Sequence[Run]) -> Run:
    """The values of a system over topics."""
    recall = [run["R2"] for run in runs]
    bounds = confidence_interval(recall, [1] * len(recall))
    found: Run = {
        "R2": fmean(recall),
        "interval": [bounds.low, bounds.high],
        "SU4": fmean(run["SU4"] for run in runs),
        "by topic": {f"M{run['topic']:03d}": run["R2"] for run in runs},
    }
    if "cut words" in runs[0]:
        found["cut words"] = fmean(run["cut words"] for run in runs)
    return found


def solver(runs: Sequence[Run], exact: dict[int, Run]) -> Run:
    """The values of a solver over topics, beside the exact one."""
    wanted = [name for name in ("seconds", "R2", "iterations") if name in runs[0]]
    found: Run = {name: fmean(run[name] for run in runs) for name in wanted}
    if runs[0]["system"].startswith("extractive"):  # another problem
        return found
    pairs = [(run, exact[run["topic"]]) for run in runs]
    shares = [run["objective"] / best["objective"] for run, best in pairs]
    return {
        **found,
        "time ratio": median(run["seconds"] / best["seconds"] for run, best in pairs),
        "objective share": fmean(shares),
        "least share": min(shares),
        "sound": sum(run["bound"] >= best["objective"] - SOUND for run, best in pairs),
        "topics": len(pairs),
    }


def summaries(runs: Sequence[Run], dataset: str) -> list[Run]:
    """One line for each system on a data set, all topics together."""
    own = [run for run in runs if (run["what"], run["dataset"]) == ("summaries", dataset)]
    return [
        _together([run for run in own if run["system"] == system], summary)
        for system in SUMMARIZERS
        if any(run["system"] == system for run in own)
    ]


def _together(runs: Sequence[Run], values: Callable[[list[Run]], Run]) -> Run:
    """One line of a system: made of single topics if there are any."""
    topics = [run for run in runs if run["topic"] != ALL]
    return {"system": runs[0]["system"], **values(topics)} if topics else runs[0]


def _two(pair: tuple[float, float] | None, *forms: str) -> str:
    return " / ".join(map(format, pair, forms)) if pair else ""


def _settings(settings: Run) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in settings.items())


SCORES: Columns = {
    "system": text_of("system"),
    "ROUGE-2": percent("R2"),
    "95% interval": lambda run: interval(run["interval"], ".1f", "-"),
    "SU-4": percent("SU4"),
}
