"""Training of summarizers: three tasks that share parts (Almeida & Martins 2013, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError, check_threads
from treaty.learn import MultiTaskSvm, Task, fit, is_installed, needs
from treaty.parse import Pipeline
from treaty.progress import OnProgress
from treaty.summarize._arc_features import ArcFeatures, ArcTable
from treaty.summarize._compression_task import CompressionTask, Costs, gold_of
from treaty.summarize._concepts import ALL_BIGRAMS, Concepts, finder_of
from treaty.summarize._coverage_features import CoverageFeatures
from treaty.summarize._document_weights import document_weights
from treaty.summarize._examples import Example, parted, words_of_references
from treaty.summarize._frames import Frames
from treaty.summarize._oracle import reference_counts
from treaty.summarize._problem import Problem
from treaty.summarize._rules import Rules
from treaty.summarize._scorers import (
    COMPRESSION,
    COMPRESSIVE,
    DOCUMENT,
    EXTRACTIVE,
    TASKS,
    LinearScorer,
)
from treaty.summarize._source import Bools
from treaty.summarize._summarizer import ENGLISH, Summarizer
from treaty.summarize._summary_task import SummaryTask
from treaty.summarize._topic import Topic, parts_of
from treaty.text import Collection, Compression, stemmer

__all__ = ["LearningSettings", "Trainer", "train_summarizer"]

BITS = 18
FREE = ("epochs", "seed")
"""Settings that `fit` compares itself, or that a resumed training may change."""


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Training settings of a summarizer.

    Attributes
    ----------
    regularization
        lambda and the lambda_k of eq. 10, which are equal, as in the paper.
    document_regularization
        The same for the weights of single documents: see `document_weights`.
    shared
        Whether the tasks share weights.
    parts, part_sentences, part_share
        The small problems made from each topic: see `parts_of`.
    cut_cost
        Weight of wrong cuts against missing concepts.
    group
        Number of sentences per example of the third task.
    epochs, first_step, seed
        Settings of stochastic subgradient descent.
    """

    regularization: float = 0.1
    document_regularization: float = 0.007
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
    """Makes training examples from collections and compressions, and trains on them.

    Parameters
    ----------
    summarizer
        Its parser, language, concepts and rules are used; its scorer chooses candidates of topics.
    settings
        The training settings.
    coverage, arcs
        The features.
    threads
        Number of threads for parsing.
    """

    def __init__(
        self,
        summarizer: Summarizer,
        settings: LearningSettings = LearningSettings(),
        coverage: CoverageFeatures | None = None,
        arcs: ArcFeatures | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self.summarizer, self.settings, self.threads = summarizer, settings, threads
        self.coverage, self.arcs = coverage or CoverageFeatures(), arcs or ArcFeatures()
        self.find = finder_of(
            summarizer.concepts, stemmer(summarizer.language), summarizer.stop_words
        )

    # Examples

    def topic(self, collection: Collection, words: int | None = None) -> Topic:
        """Make a topic from a collection with references.

        Parameters
        ----------
        collection
            The articles and references.
        words
            Maximum number of words of a summary; by default the mean of the references.
        """
        words = words or words_of_references(collection)
        problem = self.summarizer.problem(collection.articles, words=words, threads=self.threads)
        # What matters is learned without the ties between sentences: they loosen the relaxation,
        # whose fractional summaries would say more than any real one.
        free = replace(problem, needs=(), leans=(), alike=())
        return self.topic_of(free, collection.references, words)

    def topic_of(self, problem: Problem, references: Sequence[str], words: int) -> Topic:
        """Make a topic from a problem."""
        parsed = all(source.is_parsed for source in problem.sources)
        sentences = [source.sentence for source in problem.sources]
        said = [self.summarizer.split(text) for text in references]
        counts = reference_counts(problem, said, self.find)
        return Topic(
            problem,
            self.coverage(problem),
            self.arcs(sentences) if parsed else None,
            counts,
            words,
            references=max(1, len(references)),
        )

    def compressions(self, given: Iterable[Compression]) -> tuple[ArcTable, Bools, Bools]:
        """Parse sentences; return their arcs, which words stay, and what may be cut."""
        examples = list(given)
        bare = (example.sentence for example in examples)
        sentences = self.summarizer.with_trees(bare, threads=self.threads)
        problem = Problem.of_sentences(sentences, self.summarizer.rules_for("short"))
        table = self.arcs([source.sentence for source in problem.sources])
        own = replace(table, head=problem.heads)  # with the ties of the rules
        gold = gold_of(examples[source.number] for source in problem.sources)
        return own, gold, problem.cuttable

    # Learning

    def parts(self, topics: Sequence[Topic]) -> list[Topic]:
        """Make small problems from topics."""
        s = self.settings
        return parts_of(
            topics, parts=s.parts, sentences=s.part_sentences, share=s.part_share, seed=s.seed
        )

    def tasks(
        self, parts: Sequence[Topic], compressions: tuple[ArcTable, Bools, Bools] | None = None
    ) -> dict[str, Task]:
        """Make the tasks for which there are examples."""
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

    def of_documents(self, topics: Sequence[Topic]) -> dict[str, npt.NDArray[np.float64]]:
        """Learn the weights of single documents, by their name; empty if there are none."""
        if not topics:
            return {}
        strength = self.settings.document_regularization
        return {DOCUMENT: document_weights(topics, 2**self.arcs.bits, strength)}

    def learn(
        self,
        tasks: Mapping[str, Task],
        documents: Sequence[Topic] = (),
        *,
        evaluate: Callable[[LinearScorer], Mapping[str, float]] | None = None,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        data: Sequence[Any] = (),
    ) -> LinearScorer:
        """Train the weights of all tasks; those without examples get the shared weights.

        Parameters
        ----------
        tasks
            The result of `tasks`.
        documents
            Topics of a single document, for the weights of such.
        evaluate
            Called with the scorer after each epoch, for scores on dev data.
        checkpoint, resume, progress
            As in `fit`.
        data
            What the tasks were made from, to refuse checkpoints of other data.
        """
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

        single = self.of_documents(documents)

        def scorer() -> LinearScorer:
            weights = {name: svm.weights(name) for name in TASKS}
            return LinearScorer(self.coverage, self.arcs, weights | single)

        fit(
            svm,
            examples,
            epochs=s.epochs,
            seed=s.seed,
            stage="summaries",
            evaluate=evaluate and (lambda: evaluate(scorer())),
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            made_from={
                **{name: value for name, value in asdict(s).items() if name not in FREE},
                "bits": self.arcs.bits,
                "templates": [self.coverage.templates, self.arcs.templates],
                "tasks": {name: len(task) for name, task in tasks.items()},
                "data": data,
            },
        )
        return scorer()


def train_summarizer(
    examples: Iterable[Example],
    dev: Iterable[Example] = (),
    *,
    parser: str | Path | Pipeline | None = "english",
    language: str | None = None,
    concepts: Concepts = ALL_BIGRAMS,
    rules: Rules | None = None,
    frames: Frames | None = None,
    words: int | None = None,
    bits: int = BITS,
    seed: int = 1,
    threads: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    info: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Summarizer:
    """Train a summarizer on collections with human summaries, and on compressed sentences.

    Unlike in the paper, there are no human compressive summaries to train on: the best ones under
    the hard constraints, by the bigrams of the references, are used instead. Collections of one
    document have weights of their own (`document_weights`); the three tasks learn from the others,
    if there are any.

    Parameters
    ----------
    examples
        Collections with references and, for cuts of single sentences, compressions. Without
        compressions, cuts are learned from the summaries alone.
    dev
        Held-out examples to score on after each epoch; nothing is tuned on them.
    parser, concepts, rules, frames
        As in `Summarizer`; by default, concepts are all bigrams, including those of two stop words.
    language
        By default that of the first collection that has one, or English.
    words
        The length of summaries; by default that of the references.
    bits
        Base-2 logarithm of the size of weight tables.
    seed
        The seed of the order of the examples and of the small problems.
    threads, checkpoint, resume, progress, info
        See `treaty.Model.train`.
    **settings
        Other fields of `LearningSettings`.
    """
    check_threads(threads)
    chosen = LearningSettings(seed=seed, **settings)
    collections, compressions = parted(examples)
    if not collections:
        raise UsageError("there are no collections to train on")
    spoken = language or next((c.language for c in collections if c.language), ENGLISH)
    base = Summarizer(
        parser=parser,
        language=spoken,
        concepts=concepts,
        rules=rules,
        frames=frames or Frames(),
    )
    trainer = Trainer(
        base, chosen, CoverageFeatures(bits=bits), ArcFeatures(bits=bits), threads=threads
    )
    topics = [trainer.topic(collection, words) for collection in collections]
    arcs = trainer.compressions(compressions) if compressions else None
    single = [topic for topic in topics if topic.problem.documents == 1]
    several = [topic for topic in topics if topic.problem.documents > 1]
    tasks = trainer.tasks(trainer.parts(several or single), arcs)
    held_out = list(dev)

    def evaluate(scorer: LinearScorer) -> Mapping[str, float]:
        return replace(base, scorer=scorer).evaluate(held_out, threads=threads, words=words)

    scorer = trainer.learn(
        tasks,
        single,
        evaluate=evaluate if held_out else None,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        data=[*collections, *compressions, spoken, words, concepts, rules, _known(parser)],
    )
    training = {"topics": len(topics), "compressions": len(compressions), **asdict(chosen)}
    about = {**(info or {}), "training": training}
    if held_out:
        about["scores"] = {name: round(score, 4) for name, score in evaluate(scorer).items()}
    return replace(base, scorer=scorer, info=about)


def _known(parser: str | Path | Pipeline | None) -> Any:
    """Return what tells parsers apart: their content."""
    if isinstance(parser, str) and is_installed(parser):
        return needs(parser)
    return Pipeline.load(parser) if isinstance(parser, str | Path) else parser
