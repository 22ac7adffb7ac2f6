"""Summarizers that are trained on some topics and tried on others, for `compressive.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import fmean
from typing import Any, Literal

import numpy as np

from research.experiments import _summary_data as data
from research.experiments._summary_data import Given
from treaty.learn import Task
from treaty.metrics import RougeOptions, RougeScore, rouge
from treaty.summarize import (
    Decoded,
    LearningSettings,
    LinearScorer,
    Problem,
    Rules,
    Summarizer,
    Trainer,
    decode,
    write_sentence,
)

Concepts = Literal["bigrams", "all bigrams"]
COMPRESSIVE, EXTRACTIVE, COMPRESSION = "compressive", "extractive", "compression"
LEARNED = ("extractive", "post-combined", "single-task", "multi-task")
"""The paper's systems: extractive alone; extraction and compression trained apart and put together;
compressive alone; all three tasks at once."""
TASKS = {
    "extractive": (EXTRACTIVE,),
    "post-combined": (EXTRACTIVE, COMPRESSION),
    "single-task": (COMPRESSIVE,),
    "multi-task": (COMPRESSIVE, EXTRACTIVE, COMPRESSION),
}
Settings = dict[str, float]
GRID: tuple[Settings, ...] = (
    {"regularization": 0.03}, {"regularization": 0.1}, {"regularization": 0.3}
)  # fmt: skip
CUT_COSTS: tuple[Settings, ...] = ({"cut_cost": 0.2}, {"cut_cost": 0.4})
SHAPES: tuple[Settings, ...] = (
    {"part_sentences": 12, "part_share": 0.33}, {"part_sentences": 24, "part_share": 0.1}
)  # fmt: skip
"""Small problems as they are for news, and such that little of much can be said, as of reviews."""
CANDIDATES = 1000
"""Words of candidates, as in the paper."""
NEIGHBORS = 2
"""Folds on either side of one in the list, on which its settings are tried."""
OPTIONS = RougeOptions(("ROUGE-2", "ROUGE-SU4"), stem=True)


@dataclass(frozen=True)
class Bench:
    """The topics of a data set with their features and parts, made once for all folds."""

    given: list[Given]
    trainer: Trainer
    topics: list[Any]
    made: dict[tuple[int, int, float], list[Any]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        given: list[Given],
        settings: LearningSettings,
        concepts: Concepts = "all bigrams",
        candidates: int | None = CANDIDATES,
    ) -> Bench:
        rules = Rules.of_structure()  # the paper's hard constraints
        trainer = Trainer(
            Summarizer(parser=data.pipeline(), concepts=concepts, rules=rules), settings
        )
        made = {"concepts": concepts, "reduce_to": candidates, "rules": rules}
        topics = [
            trainer.topic_of(Problem.of(g.sources, titles=g.titles, **made), g.references, g.words)
            for g in given
        ]
        return cls(given, trainer, topics)

    def parts(self, topic: int, settings: LearningSettings) -> list[Any]:
        """Make small problems of a topic; each has draws of its own."""
        key = (topic, settings.part_sentences, settings.part_share)
        if key not in self.made:
            own = replace(settings, seed=settings.seed + topic)
            self.made[key] = Trainer(self.trainer.summarizer, own).parts([self.topics[topic]])
        return self.made[key]

    def train(self, system: str, topics: Sequence[int], **changed: Any) -> LinearScorer:
        """Train a system on some topics."""
        settings = replace(self.trainer.settings, shared=system != "single-task", **changed)
        trainer = Trainer(
            self.trainer.summarizer, settings, self.trainer.coverage, self.trainer.arcs
        )
        wanted = TASKS[system]
        compressions = _compressions() if COMPRESSION in wanted else None
        parts = [part for number in topics for part in self.parts(number, settings)]
        tasks: Mapping[str, Task] = trainer.tasks(parts, compressions)
        return trainer.learn({name: task for name, task in tasks.items() if name in wanted})

    def scores(
        self, scorer: LinearScorer, system: str, topic: int
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Score the concepts of a topic and, if the system compresses, its cuts."""
        own = self.topics[topic]
        compressive = system != "extractive"
        weights = scorer.weights[COMPRESSIVE if compressive else EXTRACTIVE]
        cuts = own.arcs.scores(weights, "cut") if compressive else None
        return own.coverage.scores(weights), cuts

    def decode(self, scorer: LinearScorer, system: str, topic: int, **options: Any) -> Decoded:
        """Summarize a topic, by default in as many words as its references have."""
        own = self.topics[topic]
        options = {"words": own.words, **options}
        return decode(own.problem, *self.scores(scorer, system, topic), **options)

    def score(self, topic: int, found: Decoded, words: int | None = None) -> dict[str, RougeScore]:
        """Score a summary against the references of its topic."""
        text = text_of(self.topics[topic].problem, found.keep, words or self.given[topic].words)
        return rouge(text, self.given[topic].references, OPTIONS)

    def recall(self, scorer: LinearScorer, system: str, topic: int) -> float:
        return self.score(topic, self.decode(scorer, system, topic))["ROUGE-2"].recall


@cache
def _compressions() -> Any:
    """The third task's data, as in the paper: Simple English Wikipedia."""
    summarizer = Summarizer(parser=data.pipeline(), rules=Rules.of_structure())
    return Trainer(summarizer).compressions(data.compressions("simplewiki")["train"])


def text_of(problem: Problem, keep: np.ndarray, words: int) -> str:
    """Write what is kept as `treaty summarize` does, a sentence a line.

    Words beyond the limit, as blanks part them, are left out: a lone dash is one here.
    """
    lines = []
    for n in np.unique(problem.source_of[keep]).tolist():
        own = keep[problem.begin[n] : problem.begin[n + 1]]
        line = write_sentence(problem.sources[n], own).text.split()
        lines.append(" ".join(line[: max(words, 0)]))
        words -= len(line)
    return "\n".join(line for line in lines if line)


def chosen_settings(
    bench: Bench,
    system: str,
    grid: Sequence[Settings],
    fixed: Sequence[Settings],
    folds: Sequence[Sequence[int]],
) -> list[Settings]:
    """Choose settings for every fold without a look at it, by scores on its neighbors.

    A model that has seen neither of two folds serves both.

    Parameters
    ----------
    bench, system
        What is trained.
    grid
        What is tried.
    fixed
        For each fold settings that have been chosen before.
    folds
        Topics that are held out together.
    """
    size = len(folds)
    found: dict[tuple[int, int], list[float]] = {}
    for fold in range(size):
        for distance in range(1, NEIGHBORS + 1):
            other = (fold + distance) % size
            rest = [n for f in range(size) if f not in (fold, other) for n in folds[f]]
            for place, settings in enumerate(grid):
                scorer = None
                for held_out, seen in ((fold, other), (other, fold)):
                    if scorer is None or fixed[fold] != fixed[other]:
                        scorer = bench.train(system, rest, **{**fixed[held_out], **settings})
                    recalls = [bench.recall(scorer, system, topic) for topic in folds[seen]]
                    found.setdefault((held_out, place), []).extend(recalls)
    means = [[fmean(found[fold, g]) for g in range(len(grid))] for fold in range(size)]
    return [{**fixed[fold], **grid[int(np.argmax(means[fold]))]} for fold in range(size)]
