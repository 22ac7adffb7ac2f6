"""Accuracy and speed in a few lines, for README.md and the first page of the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from research.report.markdown import grid, number
from research.report.runs import Run, each_once
from research.report.tables import (
    compressive,
    global_dmv,
    inference,
    summarizing,
    turbo_parsing,
)

AllRuns = Mapping[str, Sequence[Run]]
"""The runs of each file of docs/results."""
ABOUT = {
    "inference": "Treaty's solvers, HiGHS and `ad3` on single graphs",
    "competition": "exact solvers on problems of the UAI 2014 competition",
    "turbo_parsing": "parsers of four orders on 17 treebanks",
    "turbo_figure2": "AD3 and the subgradient method by sentence length",
    "turbo_exact": "sentences that parsers solve exactly",
    "turbo_paths": "non-projective arcs and paths as parts, errors by kind of arc",
    "parsing": "speed, memory and size of parsers",
    "parsing_labels": "labels predicted jointly with the tree or after it",
    "models": "scores of the shipped models",
    "two_slave": "decoders of entities and links",
    "patterns": "decoders of pattern problems, minimum cuts",
    "labeling": "linear chains and CRFsuite",
    "entities": "entities by seed, with CRFsuite",
    "threads": "links of threads by order",
    "compressive": "summaries, solvers, sentence compression",
    "documents": "summaries of plain files, beside sumy",
    "judged": "sentences of summaries judged by a reader",
    "summarizing": "solvers on the problems of the shipped summarizer",
    "global_dmv": "global search for grammars, by CPU budgets",
    "inducing": "parsing speed and gaps in induction",
    "cluster": "jobs on several processes, and a simulation of many",
    "serving": "load on `treaty serve`, and a soak",
}
"""What the runs of each file are about."""


def accuracy_and_speed(runs: AllRuns) -> str:
    """One row per job: what was measured, the figure, and a peer's."""
    rows = [*_inference(runs), *_parsing(runs), *_labeling(runs), *_summarizing(runs),
            *_inducing(runs)]  # fmt: skip
    return grid(["task", "measure", "Treaty", "for comparison"], rows, text=4)


def files(runs: AllRuns) -> str:
    """One row per file of runs."""
    rows = []
    for name, about in ABOUT.items():
        own = runs[name]
        taken = sum("source" in run for run in own)
        rows.append(
            [
                f"[{name}.jsonl]({name}.jsonl)",
                about,
                ", ".join(sorted(each_once(own, "date"))),
                f"{len(own)}",
                f"{taken}" if taken else "",
            ]
        )
    return grid(["runs", "content", "days", "lines", "from the old page"], rows, text=3)


def _inference(runs: AllRuns) -> Iterator[list[str]]:
    own = runs["inference"]
    simplex = inference.mean(own, inference.AD3, inference.LP)
    yield [
        "[solve relaxations](docs/results/inference.md)",
        f"AD3 on {simplex['problems']} graphs, CPU time, geometric mean",
        f"{simplex['times faster']:.1f} times as fast",
        "HiGHS' dual simplex",
    ]
    peer = next(run for run in own if (run["solver"], run.get("beside")) == ("treaty ad3", "ad3"))
    yield [
        "",
        f"the same, on {peer['problems']} graphs that `ad3` can solve",
        f"{peer['times faster']:.1f} times as fast",
        "`ad3` 2.2.1 (C++)",
    ]


def _parsing(runs: AllRuns) -> Iterator[list[str]]:
    test = next(r for r in runs["models"] if (r["model"], r["part"]) == ("english", "test"))
    scores = test["scores"]
    yield [
        "[parse English](docs/results/parsing.md)",
        "EWT test, shipped model, UAS / LAS",
        f"{scores['UAS, gold tags']:.2f} / {scores['LAS, gold tags']:.2f} with gold tags, "
        f"{scores['UAS, own tags']:.2f} / {scores['LAS, own tags']:.2f} with predicted tags",
        "",
    ]
    which = ("danish-ddt", "third")
    danish = next(r for r in runs["turbo_parsing"] if (r["treebank"], r["order"]) == which)
    uas, speed = turbo_parsing.TABLE_3["danish-ddt"][-1]
    yield [
        "[parse Danish](docs/results/martins_2013.md#comparison-with-the-paper)",
        "CoNLL-2006 test, third order, UAS and tokens/s",
        f"{100 * danish['UAS without punctuation']:.2f}, {danish['tokens per second']:,.0f}",
        f"{uas:.2f}, {speed:,} (TurboParser, Martins et al. 2013, on their machine)",
    ]


def _labeling(runs: AllRuns) -> Iterator[list[str]]:
    jobs = {
        "chunking": ("label chunks", "CoNLL-2000"),
        "spanish": ("find names", "CoNLL-2002, Spanish"),
    }
    for task, (job, title) in jobs.items():
        own = {run["system"]: run for run in runs["labeling"] if run["task"] == task}
        peers = [run for system, run in own.items() if system != "treaty"]
        best = max(peers, key=lambda run: run["F1"])
        ours, theirs = (f"{100 * r['F1']:.2f}, {r['training seconds']:.1f} s"
                        for r in (own["treaty"], best))  # fmt: skip
        yield [
            f"[{job}](docs/results/labeling.md#linear-chains-and-crfsuite)",
            f"{title}, F1 and training time",
            ours,
            f"{theirs} ({best['system'].replace('crfsuite', 'CRFsuite')})",
        ]


def _summarizing(runs: AllRuns) -> Iterator[list[str]]:
    made = {run["system"]: run for run in compressive.summaries(runs["compressive"], "multiling")}
    yield [
        "[summarize news](docs/results/summarizing.md)",
        "MultiLing 2011, 250 words, ROUGE-2 recall",
        number(made["multi-task"]["R2"], ".2f", 100),
        f"{100 * made['LEAD']['R2']:.2f} (LEAD)",
    ]
    ad3, ilp = (summarizing.mean_of(runs["summarizing"], name) for name in ("AD3-1000", "ILP"))
    yield [
        "",
        "the same topics, shipped model, decoding time",
        f"{1e3 * ad3['seconds']:.0f} ms, {100 * ad3['objective share']:.1f} % of the best score",
        f"{1e3 * ilp['seconds']:.0f} ms (HiGHS, exact)",
    ]


def _inducing(runs: AllRuns) -> Iterator[list[str]]:
    own = [r for r in runs["global_dmv"] if r["part"] == "figure5"]
    chords = [run for run in own if run["method"] == "chords"]
    others = [run for run in own if run["method"] in global_dmv.PAPER]
    yield [
        "[induce grammars](docs/results/gormley_eisner_2013.md)",
        f"5 synthetic sentences, {len(chords)} corpora, a gap of 1 %",
        f"{sum(r['done'] for r in chords)} proved, median "
        f"{1e3 * median(r['seconds'] for r in chords):.2g} ms of CPU",
        f"{sum(r['done'] for r in others)} of {len(others)} runs of the relaxations of Gormley & "
        f"Eisner 2013 (our code), at most {max(r['seconds'] for r in others):.0f} s each",
    ]
    real = next(run for run in runs["inducing"] if run["part"] == "search")
    yield [
        "",
        f"{real['data']}, {real['limit']:.0f} s",
        f"gap {100 * real['gap']:.2f} %",
        "",
    ]
