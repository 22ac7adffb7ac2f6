"""Extractive and compressive summarization as tasks to be learned: section 4, tasks 2 and 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treaty.learn import SparseVector, TaskWeights, Violation
from treaty.summarize._decode import Decoded, decode
from treaty.summarize._nodes import Floats
from treaty.summarize._topic import Topic

__all__ = ["SummaryTask"]


class SummaryTask:
    """Summaries to learn from, the oracles' of some topics.

    The cost of a summary is what it lacks of the oracle's recall of concepts and, if sentences are
    compressed, the share of cuts that the oracle does not make in the sentences that it uses. The
    features, and with them the loss, are divided by the number of concepts of the oracle.

    Parameters
    ----------
    topics
        The examples.
    compressive
        Whether words may be cut.
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
        cut_cost: float = 0.2,
        iterations: int = 200,
    ) -> None:
        self.topics, self.compressive = topics, compressive
        self.cut_cost, self.iterations = cut_cost if compressive else 0.0, iterations
        self.gold = [t.best_compression if compressive else t.best_extract for t in topics]

    def __len__(self) -> int:
        return len(self.topics)

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        """Decode the relaxation of a problem, costs and all."""
        topic, gold = self.topics[example], self.gold[example]
        size = max(float(gold.concept_values.sum()), 1.0)
        reached = max(float(topic.counts @ gold.concept_values), 1.0)
        lack = (1.0 - self.cut_cost) * topic.counts / reached  # the cost of not having a concept
        concepts = topic.coverage.scores(weights) / size - lack
        cuts, wrong = None, np.zeros(0)
        if self.compressive and topic.arcs is not None:
            wrong = self.cut_cost * _wrong_cuts(topic, gold)
            cuts = topic.arcs.scores(weights, "cut") / size + wrong
        found = self._decode(topic, concepts, cuts)
        cost = float(lack @ (gold.concept_values - found.concept_values))
        if cuts is not None:
            cost += float(wrong @ _cut_values(topic, found))
        return Violation(
            cost, self._features(topic, found, size), self._features(topic, gold, size)
        )

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


def _wrong_cuts(topic: Topic, gold: Decoded) -> Floats:
    """Spread a cost of 1 over the arcs that the oracle keeps in the sentences that it uses."""
    kept = topic.problem.cuttable & gold.keep
    return kept / max(float(_cut_values(topic, gold).sum()), 1.0)
