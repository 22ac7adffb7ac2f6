"""Training topics: problems with references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treaty.features import PartFeatures
from treaty.summarize.cuts._arc_features import ArcTable
from treaty.summarize.decoding._decode import Decoded
from treaty.summarize.decoding._problem import Problem
from treaty.summarize.scores._oracle import oracle

__all__ = ["Topic", "parts_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Topic:
    """A problem with its features and references.

    Attributes
    ----------
    problem
        The problem.
    coverage
        Features of its concepts.
    arcs
        Features of its arcs; None if sentences are only extracted.
    counts
        Number of references with each concept.
    words, sentences
        The limits of the summary.
    references
        Number of references.
    """

    problem: Problem
    coverage: PartFeatures
    arcs: ArcTable | None
    counts: Floats
    words: int
    sentences: int | None = None
    references: int = 1

    @cached_property
    def best_extract(self) -> Decoded:
        """The best summary of whole sentences, by the references."""
        return self._oracle(compressive=False)

    @cached_property
    def best_compression(self) -> Decoded:
        """The best summary of compressed sentences, by the references."""
        return self._oracle(compressive=True)

    def _oracle(self, *, compressive: bool) -> Decoded:
        return oracle(
            self.problem,
            self.counts,
            words=self.words,
            sentences=self.sentences,
            compressive=compressive,
        )

    def part(self, sources: Sequence[int] | npt.NDArray[np.integer], words: int) -> Topic:
        """Select some of the sentences; features of concepts remain those of the whole text."""
        numbers = np.asarray(sources, np.int32)
        problem = self.problem.only(numbers)
        place = {name: number for number, name in enumerate(self.problem.concepts)}
        concepts = np.array([place[name] for name in problem.concepts], np.int64)
        return Topic(
            problem,
            self.coverage[concepts],
            None if self.arcs is None else self.arcs.sentences(numbers),
            self.counts[concepts],
            words,
            references=self.references,
        )


def parts_of(
    topics: Sequence[Topic], *, parts: int, sentences: int, share: float, seed: int
) -> list[Topic]:
    """Make many small problems from few large ones, to have more training examples.

    A part has some of a topic's sentences, drawn at random, and its summary may have a share of
    their words. The oracles of such small problems can be reached by the features, so the hinge
    loss is more useful than on a whole topic, whose oracle no weights can find.

    Parameters
    ----------
    topics
        The large problems.
    parts
        Number of parts per topic.
    sentences
        Number of sentences per part.
    share
        Maximum length of a summary, as a share of the words.
    seed
        Seed of the random numbers.
    """
    rng = np.random.default_rng(seed)
    small = []
    for topic in topics:
        for _ in range(parts):
            size = min(sentences, len(topic.problem.sources))
            drawn = np.sort(rng.choice(len(topic.problem.sources), size, replace=False))
            part = topic.part(drawn, round(share * float(topic.problem.words[drawn].sum())))
            if part.counts.any():
                small.append(part)
    return small
