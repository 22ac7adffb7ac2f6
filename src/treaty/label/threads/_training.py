"""Training of linkers: weights on examples, then the prior of links on held-out threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.label.threads._cues import words_of
from treaty.label.threads._margins import margins
from treaty.label.threads._words import WordCounts
from treaty.learn import Calibration
from treaty.metrics import Retrieval
from treaty.progress import OnProgress
from treaty.text import Thread

if TYPE_CHECKING:
    from treaty.label.threads._batch import Batch
    from treaty.label.threads._linker import ThreadLinker

__all__ = ["train"]

Labels = npt.NDArray[np.int32]

LEARNER: dict[str, Any] = {"learner": "mira", "aggressiveness": 0.05, "dropout": 0.2}
DECODER: dict[str, Any] = {"decoder": "ad3", "limits": {"iterations": 50}}
"""Tuned on dev data of STAC, the same for all orders; exact decoding, tried once, was no better."""
STEPS = (0.4, 0.15)
"""Steps by which the prior is changed, in standard deviations of the margins."""
MOST_STEPS = 4
"""Number of steps in each direction, for each step size."""


def train(
    linker: ThreadLinker,
    examples: Sequence[Thread],
    dev: Sequence[Thread],
    settings: Mapping[str, Any],
    checkpoint: Path | None,
    resume: bool,
    progress: OnProgress | None,
    *,
    tune: bool = True,
) -> None:
    """Train a linker; see `ThreadLinker.train` for the parameters."""
    if not any(thread.links for thread in examples):
        raise UsageError("there are no links to train on")
    if dev and not any(thread.links for thread in dev):
        raise UsageError("the held-out threads have no links to tune on")
    linker.counts = WordCounts.of([words_of(p.text) for thread in examples for p in thread.posts])
    batch = linker.batch(examples)
    gold = batch.gold()
    if dev:
        batch.factors.clear()  # the instances have a copy, and these are large
    joined = any(family.size > 1 for family in linker.families)
    options = {**LEARNER, **(DECODER if joined else {}), **settings}
    linker.crf.train(
        batch.instances,
        gold,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        stage=linker.task,
        **options,
    )
    held_out = linker.batch(dev) if dev else batch
    right = held_out.gold() if dev else gold
    decoding = {"threads": options["threads"], **linker.decoding("auto", {})}
    if tune:
        labels = tune_prior(linker, held_out, right, decoding)
    else:
        found = linker.crf.decode(held_out.instances, **decoding)
        labels = np.concatenate([labeling.labels for labeling in found])
    linker.calibration = Calibration.fit(margins(linker.crf, held_out, labels)[:, None], right)
    linker.info["training"] = {
        "threads": len(examples),
        "pairs": len(gold),
        "links": int(gold.sum()),
        "epochs": options["epochs"],
        "seed": options["seed"],
    }
    if dev:
        scores = linker.evaluate(dev, threads=options["threads"])
        linker.info["scores"] = {name: round(value, 4) for name, value in scores.items()}


def tune_prior(
    linker: ThreadLinker, batch: Batch, gold: Labels, decoding: Mapping[str, Any]
) -> Labels:
    """Set the prior of links to the value with the best F1; return its labels.

    Learners minimize mistakes, and most pairs are not linked, which is not optimal for F1.
    """
    [prior] = linker.crf.weights()[0].ravel()[:1].tolist()
    tried: dict[float, float] = {}
    answers: dict[float, Labels] = {}

    def attempt(offset: float) -> None:
        if offset not in tried:
            linker.crf.weights()[0][:] = prior + offset
            found = linker.crf.decode(batch.instances, **decoding)
            answers[offset] = np.concatenate([labeling.labels for labeling in found])
            tried[offset] = pairs_f1(answers[offset], gold)

    attempt(0.0)
    unit = float(margins(linker.crf, batch, answers[0.0])[gold == 1].std()) or 1.0
    for step in STEPS:
        for way in (1, -1):
            start = max(tried, key=lambda offset: tried[offset])
            for number in range(1, MOST_STEPS + 1):
                offset = round(start + way * number * step * unit, 6)
                attempt(offset)
                if tried[offset] < max(tried.values()):
                    break
    best = max(tried, key=lambda offset: (tried[offset], -abs(offset)))
    linker.crf.weights()[0][:] = prior + best
    return answers[best]


def pairs_f1(labels: Labels, gold: Labels) -> float:
    """Compute the F1 of linked pairs, without making threads."""
    counts = Retrieval(int((labels & gold).sum()), int(gold.sum()), int(labels.sum()))
    return counts.f1 if counts.gold + counts.system else 0.0
