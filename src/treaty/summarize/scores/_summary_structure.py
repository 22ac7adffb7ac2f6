"""The structure of summaries: concepts and cuts as parts (Almeida & Martins 2013, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from treaty.features import PartFeatures
from treaty.graph import FactorGraph
from treaty.learn import (
    Decoding,
    HashedLinear,
    LearnerOptions,
    PartList,
    Structure,
)
from treaty.learn._learners import Examples, Prepared
from treaty.learn._structure import check_scores
from treaty.summarize.cuts._nodes import Floats
from treaty.summarize.decoding._decode import Decoded, cuts_by, decode, said_by
from treaty.summarize.decoding._graph import compressive_graph, extractive_graph
from treaty.summarize.scores._topic import Topic
from treaty.text import Compression

__all__ = ["SummaryParts", "SummaryStructure", "summary_examples"]

ITERATIONS = 200
"""Iterations of AD3 in training, as in the paper."""


class SummaryParts(PartList):
    """The concepts of a problem, then the cuts of its tokens if sentences are compressed.

    Attributes
    ----------
    topic
        The problem with its features and limits.
    """

    def __init__(self, topic: Topic, compressive: bool) -> None:
        self.topic, self.compressive = topic, compressive and topic.arcs is not None
        concepts, tokens = len(topic.problem.concepts), len(topic.problem.source_of)
        self.kinds = {"concept": slice(0, concepts)}
        if self.compressive:
            self.kinds["cut"] = slice(concepts, concepts + tokens)

    @cached_property
    def features(self) -> Sequence[tuple[slice, PartFeatures]]:
        """The features of concepts, and of arcs that are cut."""
        rows = [(self.kinds["concept"], self.topic.coverage)]
        if self.compressive and self.topic.arcs is not None:
            places = self.topic.arcs.of_event("cut").astype(np.int32)
            rows.append((self.kinds["cut"], PartFeatures(places)))
        return rows

    def split(self, numbers: Floats) -> tuple[Floats, Floats | None]:
        """Return the numbers of concepts, and those of cuts."""
        concepts = self.kinds["concept"].stop
        return numbers[:concepts], numbers[concepts:] if self.compressive else None

    def relaxed(self, decoded: Decoded) -> Floats:
        """Return the amounts of a relaxation's solution."""
        cuts = [cut_values(self.topic, decoded)] if self.compressive else []
        return np.concatenate([decoded.concept_values, *cuts])


class SummaryStructure(Structure[SummaryParts]):
    """The structure of summaries: what concepts are said, and what is cut.

    Examples are topics, and their right answers are the best summaries by the references. The cost
    of a summary is its loss in recall of concepts against that and, if sentences are compressed,
    the share of cuts that it does not make in the sentences that it uses. The features, and thus
    the loss, are divided by the number of its concepts.

    Parameters
    ----------
    compressive
        Whether words may be cut.
    bits
        Logarithm of the number of features.
    cut_cost
        Weight of cuts in the cost, from 0 to 1; recall has the remaining weight.
    topic_of
        Makes a topic of an input of another kind, such as a collection.
    """

    reads_all = False

    def __init__(
        self,
        *,
        compressive: bool,
        bits: int,
        cut_cost: float = 0.2,
        topic_of: Callable[[Any], Topic] | None = None,
    ) -> None:
        self.compressive, self.bits = compressive, bits
        self.cut_cost = cut_cost if compressive else 0.0
        self._topic_of = topic_of

    def takes(self, given: Any) -> bool:
        """Return whether an input is a collection, or other texts."""
        return not isinstance(given, Compression)

    def parts(self, given: Any) -> SummaryParts:
        """List the concepts and cuts of a topic, or of an input."""
        is_topic = isinstance(given, Topic) or self._topic_of is None
        topic = given if is_topic else self._topic_of(given)  # type: ignore[misc]
        return SummaryParts(topic, self.compressive)

    def training_parts(self, example: Any) -> SummaryParts:
        """List the parts, scaled by the number of concepts of the right answer."""
        parts = self.parts(example)
        parts.scale = max(float(self._oracle(parts).concept_values.sum()), 1.0)
        return parts

    def gold(self, parts: SummaryParts, example: Any) -> Floats:
        """Return the amounts of the best summary by the references."""
        return parts.relaxed(self._oracle(parts))

    def costs(self, parts: SummaryParts, gold: Floats) -> Floats:
        """Charge concepts that are not said, and cuts that are not those of the right answer."""
        concepts, cuts = parts.split(gold)
        counts = parts.topic.counts
        reached = max(float(counts @ concepts), 1.0)
        lack = (1.0 - self.cut_cost) * counts / reached  # the cost of not having a concept
        if cuts is None:
            return -lack
        # A cost of 1 is spread over the arcs that it keeps in the sentences it uses.
        kept = parts.topic.problem.cuttable & self._oracle(parts).keep
        return np.concatenate([-lack, self.cut_cost * (kept / max(float(cuts.sum()), 1.0))])

    def decode(
        self, parts: SummaryParts, scores: Floats, *, relaxed: bool = False, **limits: Any
    ) -> Decoding:
        """Find the best summary; the limits are those of `treaty.summarize.decode`.

        Parameters
        ----------
        parts, scores
            As in `Structure.decode`.
        relaxed
            Whether to return the solution of the relaxation, from which learners learn.
        **limits
            Method and limits.
        """
        topic = parts.topic
        concepts, cuts = parts.split(check_scores(parts, scores))
        decoded = decode(
            topic.problem,
            concepts,
            cuts,
            words=topic.words,
            sentences=topic.sentences,
            rounded=not relaxed,
            **limits,
        )
        if relaxed:
            return Decoding(parts.relaxed(decoded), decoded.certificate, answer=decoded)
        chosen = [said_by(topic.problem, decoded.keep)]
        if parts.compressive:
            chosen.append(cuts_by(topic.problem, decoded.keep))
        amounts = np.concatenate(chosen).astype(np.float64)
        return Decoding(amounts, decoded.certificate, answer=decoded)

    def read(self, parts: SummaryParts, decoding: Decoding) -> Decoded:
        """Return which tokens are kept: `Summarizer.summarize` writes them."""
        return decoding.answer  # type: ignore[no-any-return]

    def graph(self, parts: SummaryParts, scores: Floats) -> FactorGraph:
        """Return the graph of the relaxation that `decode` solves."""
        topic = parts.topic
        concepts, cuts = parts.split(check_scores(parts, scores))
        if cuts is None:
            return extractive_graph(topic.problem, concepts, topic.words, topic.sentences).graph
        return compressive_graph(topic.problem, concepts, cuts, topic.words, topic.sentences).graph

    def _oracle(self, parts: SummaryParts) -> Decoded:
        topic = parts.topic
        return topic.best_compression if self.compressive else topic.best_extract


def summary_examples(
    topics: Sequence[Topic],
    *,
    compressive: bool,
    bits: int,
    cut_cost: float = 0.2,
    iterations: int = ITERATIONS,
) -> Examples:
    """Make the training examples of summarization, for `MultiTaskSvm`."""
    structure = SummaryStructure(compressive=compressive, bits=bits, cut_cost=cut_cost)
    limits = {"relaxed": True, "iterations": iterations}
    options = LearnerOptions("svm", limits=limits)
    return Examples(structure, HashedLinear(bits), Prepared.of(structure, topics), options)


def cut_values(topic: Topic, decoded: Decoded) -> Floats:
    """Compute how far each arc is cut: the value of its head minus its own."""
    problem = topic.problem
    token, heads = decoded.token_values, problem.heads
    above = np.where(heads < 0, decoded.source_values[problem.source_of], token[heads])
    return np.where(problem.cuttable, np.maximum(above - token, 0.0), 0.0)
