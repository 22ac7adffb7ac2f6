"""Sentence compressors by data set, for `compressive.py`: trained on train, tuned on dev."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from research.experiments import _summary_data as data
from research.report import Run
from treaty.metrics import CompressionScores, compression_scores
from treaty.summarize import Compressor, Costs, Rules
from treaty.text import Compression

Keep = list[list[bool]]
ALL = ("cut", "lift", "keep")
CORE = frozenset({
    "root", "nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp", "aux", "cop", "expl", "case", "mark",
    "det", "fixed", "flat", "compound",
})  # fmt: skip
"""Labels of the arcs from the root down that the head chain keeps."""
SYSTEMS: dict[str, dict[str, Any]] = {
    "cuts, hard constraints": {"events": ("cut",), "rules": Rules.of_structure()},
    "cuts": {"events": ("cut",), "rules": None},
    "cuts, lifts, words": {"events": ALL, "rules": None},
}
COSTS = (Costs(1.0, 0.0, 0.0), Costs(0.0, 1.0, 1.0), Costs(0.0, 0.5, 1.0))
"""The paper's precision of deletions; words that are wrong either way; mostly words lost."""
REGULARIZATION = (1e-3, 1e-2)
"""What is tried; the best of all is scored on test."""
FOLDS = 5
MANY = 5000
"""Of smaller sets, whose dev part is small, too, every fifth sentence to learn from is held out in
turn, and settings are tuned on all of them."""


def compression_runs(
    datasets: Iterable[str],
) -> Iterator[tuple[Run, Callable[[], dict[str, Any]]]]:
    """List what is to be done: every system on every data set."""
    for dataset in datasets:
        for system in ("keep everything", "head chain", *SYSTEMS):
            key = {"what": "compressions", "dataset": dataset, "system": system, "topic": None}
            yield key, lambda d=dataset, s=system: _run(d, s)


def _run(dataset: str, system: str) -> dict[str, Any]:
    splits = data.compressions(dataset)
    if system in SYSTEMS:
        compressor, chosen = _best(splits["train"], splits["dev"], SYSTEMS[system])
        found = compressor.compress([example.sentence for example in splits["test"]])
        return {**_told(_scores(splits["test"], found)), **chosen}
    baseline = _everything if system == "keep everything" else head_chain
    return _told(_scores(splits["test"], [baseline(example) for example in splits["test"]]))


def _best(
    train: list[Compression], dev: list[Compression], options: dict[str, Any]
) -> tuple[Compressor, dict[str, Any]]:
    """Train with all costs and regularizations; the best on what is held out is it."""
    folds = FOLDS if len(train) < MANY else 0
    found = []
    for costs in COSTS:
        for strength in REGULARIZATION:
            made = Compressor.train(
                train, dev, costs=costs, regularization=strength, folds=folds, **options
            )
            told = {"dev F1": made.tuned_f1, "costs": str(costs), "regularization": strength}
            found.append((made, told))
    return max(found, key=lambda entry: entry[0].tuned_f1)


def _scores(gold: list[Compression], kept: Keep) -> CompressionScores:
    heads = [example.sentence.heads for example in gold]
    return compression_scores([example.keep for example in gold], kept, heads)


def _told(scores: CompressionScores) -> dict[str, Any]:
    interval = scores.interval()
    return {
        "F1": scores.kept.f1,
        "interval": [interval.low, interval.high],
        "mean F1": scores.mean_f1,
        "rate": scores.rate,
        "gold rate": scores.gold_rate,
        "arcs": scores.arc_decisions.value,
        "sentences": len(scores.by_sentence),
    }


def _everything(example: Compression) -> list[bool]:
    return [True] * len(example.keep)


def head_chain(example: Compression) -> list[bool]:
    """Keep the root and what only core labels connect to it: subject, verb, objects."""
    heads = np.array(example.sentence.heads) - 1
    core = [token.deprel.partition(":")[0] in CORE for token in example.sentence.tokens]
    kept = [False] * len(core)
    for word in range(len(core)):
        place = word
        while place >= 0 and core[place]:
            place = int(heads[place])
        kept[word] = place < 0
    return kept
