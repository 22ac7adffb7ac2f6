"""Summarizers that are trained on some topics and tried on others, for `compressive.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import Any, Literal

import numpy as np

import _summary_data as data
from _summary_data import Given
from treaty.evaluate import RougeOptions, RougeScore, rouge
from treaty.learn import Task
from treaty.summarize import (
    Decoded,
    LearningSettings,
    LinearScorer,
    Problem,
    Summarizer,
    Trainer,
    decode,
)
from treaty.summarize._writing import written

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
GRID: tuple[dict[str, float], ...] = (
    {"regularisation": 0.03}, {"regularisation": 0.1}, {"regularisation": 0.3}
)  # fmt: skip
CUT_COSTS: tuple[dict[str, float], ...] = ({"cut_cost": 0.2}, {"cut_cost": 0.4})
CANDIDATES = 1000
"""Words of candidates, as in the paper."""
NEIGHBOURS = 2
"""Topics on either side of one in the list, on which its settings are tried."""
OPTIONS = RougeOptions(("ROUGE-2", "ROUGE-SU4"), stem=True)


@dataclass(frozen=True)
class Bench:
    """The topics of a data set with their features and parts, made once for all folds."""

    given: list[Given]
    trainer: Trainer
    topics: list[Any]
    parts: list[list[Any]]

    @classmethod
    def of(
        cls,
        given: list[Given],
        settings: LearningSettings,
        concepts: Concepts = "all bigrams",
        candidates: int | None = CANDIDATES,
    ) -> Bench:
        trainer = Trainer(Summarizer(parser=data.pipeline(), concepts=concepts), settings)
        topics = [
            trainer.topic_of(
                Problem.of(g.sources, concepts=concepts, reduce_to=candidates, titles=g.titles),
                g.references,
                g.words,
            )
            for g in given
        ]
        parts = [
            Trainer(trainer.summarizer, replace(settings, seed=settings.seed + n)).parts([topic])
            for n, topic in enumerate(topics)
        ]
        return cls(given, trainer, topics, parts)

    def train(self, system: str, topics: Sequence[int], **changed: Any) -> LinearScorer:
        """Train a system on some topics."""
        settings = replace(self.trainer.settings, shared=system != "single-task", **changed)
        trainer = Trainer(
            self.trainer.summarizer, settings, self.trainer.coverage, self.trainer.arcs
        )
        wanted = TASKS[system]
        compressions = _compressions() if COMPRESSION in wanted else None
        parts = [part for number in topics for part in self.parts[number]]
        tasks: Mapping[str, Task] = trainer.tasks(parts, compressions)
        return trainer.learn({name: task for name, task in tasks.items() if name in wanted})

    def decode(self, scorer: LinearScorer, system: str, topic: int, **options: Any) -> Decoded:
        """Summarize a topic."""
        own = self.topics[topic]
        compressive = system != "extractive"
        weights = scorer.weights[COMPRESSIVE if compressive else EXTRACTIVE]
        cuts = own.arcs.scores(weights, "cut") if compressive else None
        return decode(own.problem, own.coverage.scores(weights), cuts, words=own.words, **options)

    def score(self, topic: int, found: Decoded) -> dict[str, RougeScore]:
        """Score a summary against the references of its topic."""
        text = text_of(self.topics[topic].problem, found.keep, self.given[topic].words)
        return rouge(text, self.given[topic].references, OPTIONS)

    def recall(self, scorer: LinearScorer, system: str, topic: int) -> float:
        return self.score(topic, self.decode(scorer, system, topic))["ROUGE-2"].recall


@cache
def _compressions() -> Any:
    """The third task's data, as in the paper: Simple English Wikipedia."""
    return Trainer(Summarizer(parser=data.pipeline())).compressions(
        data.compressions("simplewiki")["train"]
    )


def text_of(problem: Problem, keep: np.ndarray, words: int) -> str:
    """Write what is kept as `treaty summarize` does, a sentence a line.

    Words beyond the limit, as blanks part them, are left out: a lone dash is one here.
    """
    lines = []
    for n in np.unique(problem.source_of[keep]).tolist():
        own = keep[problem.begin[n] : problem.begin[n + 1]]
        line = written(problem.sources[n], own, 0.0).text.split()
        lines.append(" ".join(line[: max(words, 0)]))
        words -= len(line)
    return "\n".join(line for line in lines if line)


def chosen_settings(
    bench: Bench, system: str, grid: Sequence[dict[str, float]], fixed: Sequence[dict[str, float]]
) -> list[dict[str, float]]:
    """Choose settings for every topic without a look at it, by scores on its neighbours.

    A model that has seen neither of two topics serves both.

    Parameters
    ----------
    bench, system
        What is trained.
    grid
        What is tried.
    fixed
        For each topic settings that have been chosen before.
    """
    size = len(bench.topics)
    found: dict[tuple[int, int], list[float]] = {}
    for topic in range(size):
        for distance in range(1, NEIGHBOURS + 1):
            other = (topic + distance) % size
            rest = [n for n in range(size) if n not in (topic, other)]
            for place, settings in enumerate(grid):
                scorer = None
                for held_out, seen in ((topic, other), (other, topic)):
                    if scorer is None or fixed[topic] != fixed[other]:
                        scorer = bench.train(system, rest, **{**fixed[held_out], **settings})
                    recall = bench.recall(scorer, system, seen)
                    found.setdefault((held_out, place), []).append(recall)
    means = [[fmean(found[topic, g]) for g in range(len(grid))] for topic in range(size)]
    return [{**fixed[topic], **grid[int(np.argmax(means[topic]))]} for topic in range(size)]
