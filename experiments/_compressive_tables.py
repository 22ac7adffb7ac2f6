"""Runs of `compressive.py` as the tables of docs/results.md."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from _runs import Run, all_of, grid
from treaty.evaluate import confidence_interval

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
PAPER_SOLVERS = {
    "ILP, exact": (10.394, 12.40),
    "LP relaxation": (2.265, 12.38),
    "AD3-5000": (0.952, 12.38),
    "AD3-1000": (0.406, 12.30),
    "AD3-200": (0.159, 12.15),
    "extractive, ILP": (0.265, 11.16),
}
"""Seconds and ROUGE-2 of its Table 3."""
PEERS = {
    "multiling": ("LEAD round robin .211, hand-weighted ILP .219 (tried on these topics), "
                  "one human against the others .199"),
    "opinosis": "the best peer: ILP over bigrams of 3 sentences, .119",
    "amazon": "the best peer: ILP over bigrams of 2 reviews, .061",
    "amazon-test": "trained on the 28 topics of its train split",
}  # fmt: skip
TITLES = {
    "multiling": "MultiLing 2011, English, 250 words, leave one topic out",
    "opinosis": "Opinosis, 20 words, ten folds",
    "amazon": "Amazon reviews, 50 words, all 60 topics, ten folds",
    "amazon-test": "Amazon reviews, 50 words, the 20 topics of its test split",
}


def markdown(runs: list[Run]) -> str:
    """All tables, each under a heading, after the lines that tell how they came about."""
    if not runs:
        return "No runs yet."
    parts = [_origin(runs)]
    for dataset, title in TITLES.items():
        own = _of(runs, "summaries", dataset)
        if own:
            parts += [f"#### {title}", f"Beside it: {PEERS[dataset]}.", summaries(own)]
    own = _of(runs, "summaries", "multiling")
    if own:
        parts += ["#### MultiLing by topic (ROUGE-2 recall)", by_topic(own)]
    if solved := _of(runs, "solvers", "multiling"):
        parts += ["#### Solvers (the paper's Table 3 in form)", solvers(solved)]
    if compressed := [run for run in runs if run["what"] == "compressions"]:
        parts += ["#### Sentence compression, test sets", compressions(compressed)]
    return "\n\n".join(parts)


def summaries(runs: list[Run]) -> str:
    """The paper's Table 2 in form."""
    lines = []
    for system in SUMMARIZERS:
        own = [run for run in runs if run["system"] == system]
        if not own:
            continue
        recall = [run["R2"] for run in own]
        interval = confidence_interval(recall, [1] * len(recall))
        paper = PAPER.get(system) if own[0]["dataset"] == "multiling" else None
        lines.append(
            [
                system,
                f"{100 * fmean(recall):.2f}",
                f"{100 * interval.low:.1f}-{100 * interval.high:.1f}",
                f"{100 * _mean(own, 'SU4'):.2f}",
                f"{_mean(own, 'cut words'):.0f}" if "cut words" in own[0] else "",
                f"{paper[0]:.2f} / {paper[1]:.2f}" if paper else "",
            ]
        )
    head = ["system", "ROUGE-2", "95% interval", "SU-4", "words cut", "paper's R-2 / SU-4"]
    return grid(head, lines)


def by_topic(runs: list[Run]) -> str:
    """One line per topic, a column per system."""
    systems = [s for s in SUMMARIZERS if any(run["system"] == s for run in runs)]
    found = {(run["topic"], run["system"]): 100 * run["R2"] for run in runs}
    lines = []
    for topic in sorted({run["topic"] for run in runs}):
        cells = [found.get((topic, system)) for system in systems]
        lines.append([f"M{topic:03d}", *("" if cell is None else f"{cell:.1f}" for cell in cells)])
    return grid(["topic", *systems], lines)


def solvers(runs: list[Run]) -> str:
    """Seconds, objectives and scores by solver."""
    exact = {run["topic"]: run for run in runs if run["system"] == "ILP, exact"}
    lines = []
    for system, (seconds, score) in PAPER_SOLVERS.items():
        own = [run for run in runs if run["system"] == system]
        if not own:
            continue
        shares, ratios, sound = [], [], []
        for run in own if not system.startswith("extractive") else []:
            best = exact[run["topic"]]
            shares.append(run["objective"] / best["objective"])
            ratios.append(run["seconds"] / best["seconds"])
            sound.append(run["bound"] >= best["objective"] - 1e-6)
        lines.append(
            [
                system,
                f"{_mean(own, 'seconds'):.3f}",
                f"{median(ratios):.3f}" if ratios else "",
                f"{100 * fmean(shares):.2f} ({100 * min(shares):.2f})" if shares else "",
                f"{sum(sound)} of {len(sound)}" if sound else "",
                f"{100 * _mean(own, 'R2'):.2f}",
                f"{seconds:.3f} / {score:.2f}",
            ]
        )
    head = ["solver", "CPU s", "time / ILP's, median", "objective, % of ILP's (least)",
            "bounds at or above ILP's", "ROUGE-2", "paper's s / R-2"]  # fmt: skip
    return grid(head, lines)


def compressions(runs: list[Run]) -> str:
    """One line per data set and system."""
    lines = []
    for run in runs:
        low, high = run["interval"]
        lines.append(
            [
                run["dataset"],
                run["system"],
                f"{100 * run['F1']:.2f}",
                f"{100 * low:.1f}-{100 * high:.1f}",
                f"{run['rate']:.3f}",
                f"{run['gold rate']:.3f}",
                f"{100 * run['arcs']:.1f}",
                f"{100 * run['dev F1']:.2f}" if "dev F1" in run else "",
            ]
        )
    head = ["data", "system", "F1 of kept words", "95% interval", "kept", "gold kept",
            "arcs rightly kept or not, %", "dev F1"]  # fmt: skip
    return grid(head, lines, text=2)


def _origin(runs: list[Run]) -> str:
    return "\n".join(
        [
            f"- commit: `{all_of(runs, 'commit')}`, {all_of(runs, 'date')}; command: "
            "`python experiments/compressive.py PART --out runs.jsonl` for each of its parts",
            f"- machine: {all_of(runs, 'machine')}; CPU seconds, with other work on the machine",
            "- ROUGE: recall, stemmed, as ROUGE-1.5.5 counts; of a summary as `treaty summarize` "
            "writes it no more blank-separated words count than it may have",
            f"- settings chosen for each topic or fold without a look at it:{_settings(runs)}",
        ]
    )


def _settings(runs: list[Run]) -> str:
    """Say how often each setting was chosen."""
    found = []
    for run in (run for run in runs if run["what"] == "settings"):
        chosen = [str(settings) for settings in run["settings"]]
        counted = {text: chosen.count(text) for text in dict.fromkeys(chosen)}
        told = ", ".join(f"`{text}` {times} times" for text, times in counted.items())
        found.append(f"\n  - {run['dataset']}, {run['system']}: {told}")
    return "".join(found) or " none yet"


def _of(runs: list[Run], what: str, dataset: str) -> list[Run]:
    return [run for run in runs if (run["what"], run["dataset"]) == (what, dataset)]


def _mean(runs: Sequence[Run], name: str) -> float:
    return fmean(run[name] for run in runs)
