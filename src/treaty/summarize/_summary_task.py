"""Extractive and compressive summarization as tasks to be learned: section 4, tasks 2 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from treaty.learn import SparseVector, TaskWeights, Violation
from treaty.summarize._arc_features import ArcTable
from treaty.summarize._coverage_features import Coverage
from treaty.summarize._decode import Decoded, decode
from treaty.summarize._problem import Problem

__all__ = ["Gold", "SummaryTask", "Topic"]

Floats = npt.NDArray[np.float64]
Gold = Literal["hope", "oracle"]


@dataclass(frozen=True)
class Topic:
    """A problem with its features, and what is known of the right answer.

    Attributes
    ----------
    problem
        What is summarized.
    coverage
        Features of its concepts.
    arcs
        Features of its arcs; None if sentences are only extracted.
    counts
        References that have each concept.
    best
        What the oracle says.
    words, sentences
        The limits of the summary.
    """

    problem: Problem
    coverage: Coverage
    arcs: ArcTable | None
    counts: Floats
    best: Decoded
    words: int
    sentences: int | None


class SummaryTask:
    """Summaries to learn from.

    The cost of a summary is what it lacks of the oracle's recall of concepts and, if sentences are
    compressed, the share of cuts that the oracle does not make in the sentences that it uses. The
    features, and with them the loss, are divided by the number of concepts of the oracle.

    Parameters
    ----------
    topics
        The examples.
    compressive
        Whether words may be cut.
    gold
        What is to win: the ``"oracle"``, as in the paper; or the ``"hope"``, the summary with the
        highest score less its cost (Chiang 2012). From few topics no weights learn to prefer the
        oracle, and the hinge loss is a bad guide where it cannot be met; a hope is within reach.
    cut_cost
        What cuts weigh in the cost, from 0 to 1; recall weighs the rest.
    iterations
        Of AD3 in training, as in the paper.
    """

    def __init__(
        self,
        topics: Sequence[Topic],
        *,
        compressive: bool,
        gold: Gold = "hope",
        cut_cost: float = 0.2,
        iterations: int = 200,
    ) -> None:
        self.topics, self.compressive, self.gold = topics, compressive, gold
        self.cut_cost, self.iterations = cut_cost if compressive else 0.0, iterations

    def __len__(self) -> int:
        return len(self.topics)

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Decode the relaxation of a problem, costs and all."""
        topic = self.topics[example]
        size = max(float(topic.best.concept_values.sum()), 1.0)
        concepts = topic.coverage.scores(weights) / size
        gain = (1.0 - self.cut_cost) * topic.counts / max(
            float(topic.counts @ topic.best.concept_values), 1.0
        )
        cuts, wrong = None, np.zeros(0)
        if self.compressive and topic.arcs is not None:
            cuts = topic.arcs.scores(weights, "cut") / size
            wrong = self.cut_cost * _wrong_cuts(topic)
        fear = self._decode(topic, concepts - gain, None if cuts is None else cuts + wrong)
        if self.gold == "hope":
            hope = self._decode(topic, concepts + gain, None if cuts is None else cuts - wrong)
        else:
            hope = topic.best
        cost = float(gain @ (hope.concept_values - fear.concept_values))
        if cuts is not None:
            cost += float(wrong @ (_cut_values(topic, fear) - _cut_values(topic, hope)))
        return Violation(cost, self._features(topic, fear, size), self._features(topic, hope, size))

    def _decode(self, topic: Topic, concepts: Floats, cuts: Floats | None) -> Decoded:
        return decode(
            topic.problem,
            concepts,
            cuts,
            words=topic.words,
            sentences=topic.sentences,
            iterations=self.iterations,
            rounded=False,
        )

    def _features(self, topic: Topic, found: Decoded, size: float) -> SparseVector:
        places, values = topic.coverage.total(found.concept_values / size)
        if self.compressive and topic.arcs is not None:
            cut = _cut_values(topic, found) / size
            used = np.flatnonzero(cut)
            rows = topic.arcs.of_event("cut", used).astype(np.int64)
            places = np.concatenate([places, rows.ravel()])
            values = np.concatenate([values, np.repeat(cut[used], rows.shape[1])])
        return SparseVector(places, values)


def _cut_values(topic: Topic, found: Decoded) -> Floats:
    """Tell how far each arc is cut: the value of its head less its own."""
    problem = topic.problem
    own, heads = found.token_values, problem.heads
    above = np.where(heads < 0, found.source_values[problem.source_of], own[heads])
    return np.where(problem.cuttable, np.maximum(above - own, 0.0), 0.0)


def _wrong_cuts(topic: Topic) -> Floats:
    """Spread a cost of 1 over the arcs that the oracle keeps in the sentences that it uses."""
    kept = topic.problem.cuttable & topic.best.keep
    return kept / max(float(_cut_values(topic, topic.best).sum()), 1.0)
