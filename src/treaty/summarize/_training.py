"""Training of summarizers: three tasks that share parts (Almeida & Martins 2013, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.corpus import Collection, Compression, Sentence, stemmer, stop_words
from treaty.errors import UsageError
from treaty.learn import MultiTaskSvm, Task, fit
from treaty.summarize._arc_features import ArcFeatures, ArcTable
from treaty.summarize._compression_task import CompressionTask, Costs
from treaty.summarize._concepts import ALL_BIGRAMS, finder_of
from treaty.summarize._coverage_features import CoverageFeatures
from treaty.summarize._linear_scorer import (
    COMPRESSION,
    COMPRESSIVE,
    EXTRACTIVE,
    TASKS,
    LinearScorer,
)
from treaty.summarize._oracle import reference_counts
from treaty.summarize._problem import Problem
from treaty.summarize._source import Source
from treaty.summarize._split import split_text
from treaty.summarize._summarizer import Summarizer
from treaty.summarize._summary_task import SummaryTask
from treaty.summarize._topic import Topic, parts_of

__all__ = ["LearningSettings", "Trainer", "train_summarizer"]

Report = Callable[[int, int, Mapping[str, float] | None], object]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How a summarizer is trained.

    Attributes
    ----------
    regularization
        lambda and the lambda_k of eq. 10, which are the same, as in the paper.
    shared
        Whether the tasks share weights.
    parts, part_sentences, part_share
        The small problems made of each topic: see `parts_of`.
    cut_cost
        What wrong cuts weigh against lacking concepts.
    group
        Sentences in an example of the third task.
    epochs, first_step, seed
        Of stochastic subgradient descent.
    """

    regularization: float = 0.1
    shared: bool = True
    parts: int = 25
    part_sentences: int = 12
    part_share: float = 0.33
    cut_cost: float = 0.2
    group: int = 4
    epochs: int = 3
    first_step: float = 1.0
    seed: int = 1


class Trainer:
    """Makes examples of collections and compressions, and learns from them.

    Parameters
    ----------
    summarizer
        Its parser, language, concepts and rules; its scorer chooses candidates of topics.
    settings
        How to learn.
    coverage, arcs
        The features.
    """

    def __init__(
        self,
        summarizer: Summarizer,
        settings: LearningSettings = LearningSettings(),  # noqa: B008 - frozen
        coverage: CoverageFeatures | None = None,
        arcs: ArcFeatures | None = None,
    ) -> None:
        self.summarizer, self.settings = summarizer, settings
        self.coverage, self.arcs = coverage or CoverageFeatures(), arcs or ArcFeatures()
        self.stop_words = _stop_words(summarizer.language)
        self.find = finder_of(summarizer.concepts, stemmer(summarizer.language), self.stop_words)

    # Examples

    def topic(self, collection: Collection, words: int | None = None) -> Topic:
        """Make a topic of a collection with references.

        Parameters
        ----------
        collection
            Its articles and references.
        words
            How many words a summary may have; by default as many as the references on average.
        """
        if not collection.references:
            raise UsageError(f"the collection {collection.id} has no references to learn from")
        lengths = [len(reference.split()) for reference in collection.references]
        words = words or round(sum(lengths) / len(lengths))
        problem = self.summarizer.problem(collection.articles, words=words)
        return self.topic_of(problem, collection.references, words)

    def topic_of(self, problem: Problem, references: Sequence[str], words: int) -> Topic:
        """Make a topic of a problem that is stated."""
        pipeline = self.summarizer.pipeline
        split = pipeline.tokenizer.sentences if pipeline and pipeline.tokenizer else split_text
        parsed = all(source.is_parsed for source in problem.sources)
        sentences = [source.sentence for source in problem.sources]
        counts = reference_counts(problem, [split(text) for text in references], self.find)
        return Topic(
            problem, self.coverage(problem), self.arcs(sentences) if parsed else None, counts, words
        )

    def compressions(self, given: Iterable[Compression]) -> tuple[ArcTable, Mask, Mask]:
        """Parse sentences; returns their arcs, which words stay, and what may be cut."""
        examples = list(given)
        sentences = self._parsed([example.sentence for example in examples])
        problem = Problem.of(
            [Source(0, n, sentence) for n, sentence in enumerate(sentences)],
            concepts=lambda _: [],
            reduce_to=None,
            rules=self.summarizer.rules,
        )
        kept = [examples[source.number] for source in problem.sources]
        table = self.arcs([source.sentence for source in problem.sources])
        own = replace(table, head=problem.heads)  # as the rules tie words together
        gold = np.concatenate([np.zeros(0, bool), *(np.array(e.keep, bool) for e in kept)])
        return own, gold, problem.cuttable

    def _parsed(self, sentences: list[Sentence]) -> list[Sentence]:
        pipeline = self.summarizer.pipeline
        bare = [n for n, s in enumerate(sentences) if any(t.head < 0 for t in s.tokens)]
        if bare and pipeline is None:
            raise UsageError("to learn from compressions a parser is needed, or trees")
        if bare and pipeline is not None:
            parses = pipeline.parse_sentences([sentences[n] for n in bare])
            for n, parse in zip(bare, parses, strict=True):
                sentences[n] = parse.sentence
        return sentences

    # Learning

    def parts(self, topics: Sequence[Topic]) -> list[Topic]:
        """Make small problems of topics."""
        s = self.settings
        return parts_of(
            topics, parts=s.parts, sentences=s.part_sentences, share=s.part_share, seed=s.seed
        )

    def tasks(
        self, parts: Sequence[Topic], compressions: tuple[ArcTable, Mask, Mask] | None = None
    ) -> dict[str, Task]:
        """State the tasks for which there are examples."""
        s = self.settings
        found: dict[str, Task] = {}
        trees = [part for part in parts if part.arcs is not None]
        if trees:
            found[COMPRESSIVE] = SummaryTask(trees, compressive=True, cut_cost=s.cut_cost)
        if parts:
            found[EXTRACTIVE] = SummaryTask(parts, compressive=False)
        if compressions is not None and len(compressions[0]):
            arcs, gold, cuttable = compressions
            found[COMPRESSION] = CompressionTask(
                arcs, gold, cuttable, costs=Costs(), group=s.group, seed=s.seed
            )
        return found

    def learn(
        self,
        tasks: Mapping[str, Task],
        *,
        checkpoint: Path | None = None,
        resume: bool = False,
        report: Report | None = None,
    ) -> LinearScorer:
        """Learn the weights of all tasks; those without examples get what the others share."""
        s = self.settings
        examples = sum(map(len, tasks.values()))
        svm = MultiTaskSvm(
            tasks,
            2**self.arcs.bits,
            regularization=s.regularization,
            shared=s.shared,
            first_step=min(s.first_step, 0.5 / s.regularization),
            warm_up=examples // 2,
        )
        fit(
            svm, examples, epochs=s.epochs, seed=s.seed,
            checkpoint=checkpoint, resume=resume, report=report,
        )  # fmt: skip
        return LinearScorer(self.coverage, self.arcs, {name: svm.weights(name) for name in TASKS})


def train_summarizer(
    collections: Iterable[Collection],
    compressions: Iterable[Compression] = (),
    *,
    summarizer: Summarizer | None = None,
    words: int | None = None,
    settings: LearningSettings = LearningSettings(),  # noqa: B008 - frozen
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Callable[[int, int, int, Mapping[str, float] | None], object] | None = None,
    info: Mapping[str, Any] | None = None,
) -> Summarizer:
    """Train a summarizer on collections with human summaries, and on compressed sentences.

    There are no compressive summaries by humans to learn from, as the paper has: the best ones
    under the hard constraints, by the bigrams of the references, take their place.

    Parameters
    ----------
    collections
        Articles and references.
    compressions
        Sentences and the words that are left of them; without any, cuts are learned from the
        summaries alone.
    summarizer
        Parser, language, concepts and rules; by default those of English, and all bigrams.
    words
        The length of summaries; by default that of the references.
    settings
        How to learn.
    checkpoint, resume
        A file for the state after each epoch, and whether to go on from it.
    report
        Called with the epoch, examples seen in it, all examples, and scores, of which there are
        none.
    info
        What is kept in the model: the license of the data, and such.
    """
    base = summarizer or Summarizer(concepts=ALL_BIGRAMS)
    trainer = Trainer(base, settings)
    topics = [trainer.topic(collection, words) for collection in collections]
    if not topics:
        raise UsageError("there are no collections to learn from")
    sentences = list(compressions)
    arcs = trainer.compressions(sentences) if sentences else None
    tasks = trainer.tasks(trainer.parts(topics), arcs)
    examples = sum(map(len, tasks.values()))
    scorer = trainer.learn(
        tasks,
        checkpoint=checkpoint,
        resume=resume,
        report=report and (lambda epoch, seen, scores: report(epoch, seen, examples, scores)),
    )
    training = {"topics": len(topics), "compressions": len(sentences), **asdict(settings)}
    return replace(base, scorer=scorer, info={**(info or {}), "training": training})


def _stop_words(language: str) -> frozenset[str]:
    try:
        return stop_words(language)
    except UsageError:
        return frozenset()
