"""Training of summarizers: three tasks that share parts (Almeida & Martins 2013, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from treaty.corpus import Collection, Compression, stemmer
from treaty.errors import UsageError
from treaty.learn import MultiTaskSvm, Task, fit
from treaty.parse import Pipeline
from treaty.progress import OnProgress
from treaty.summarize._arc_features import ArcFeatures, ArcTable
from treaty.summarize._compression_task import CompressionTask, Costs, gold_of
from treaty.summarize._concepts import ALL_BIGRAMS, Concepts, finder_of
from treaty.summarize._coverage_features import CoverageFeatures
from treaty.summarize._examples import Example, parted, words_of_references
from treaty.summarize._oracle import reference_counts
from treaty.summarize._problem import Problem
from treaty.summarize._rules import Rules
from treaty.summarize._scorers import COMPRESSION, COMPRESSIVE, EXTRACTIVE, TASKS, LinearScorer
from treaty.summarize._source import Bools
from treaty.summarize._summarizer import ENGLISH, Summarizer
from treaty.summarize._summary_task import SummaryTask
from treaty.summarize._topic import Topic, parts_of

__all__ = ["LearningSettings", "Trainer", "train_summarizer"]

BITS = 18


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
    threads
        Sentences parsed at a time.
    """

    def __init__(
        self,
        summarizer: Summarizer,
        settings: LearningSettings = LearningSettings(),  # noqa: B008 - frozen
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
        """Make a topic of a collection with references.

        Parameters
        ----------
        collection
            Its articles and references.
        words
            How many words a summary may have; by default as many as the references on average.
        """
        words = words or words_of_references(collection)
        problem = self.summarizer.problem(collection.articles, words=words, threads=self.threads)
        return self.topic_of(problem, collection.references, words)

    def topic_of(self, problem: Problem, references: Sequence[str], words: int) -> Topic:
        """Make a topic of a problem that is stated."""
        parsed = all(source.is_parsed for source in problem.sources)
        sentences = [source.sentence for source in problem.sources]
        said = [self.summarizer.split(text) for text in references]
        counts = reference_counts(problem, said, self.find)
        return Topic(
            problem, self.coverage(problem), self.arcs(sentences) if parsed else None, counts, words
        )

    def compressions(self, given: Iterable[Compression]) -> tuple[ArcTable, Bools, Bools]:
        """Parse sentences; returns their arcs, which words stay, and what may be cut."""
        examples = list(given)
        bare = (example.sentence for example in examples)
        sentences = self.summarizer.with_trees(bare, threads=self.threads)
        problem = Problem.of_sentences(sentences, self.summarizer.rules)
        table = self.arcs([source.sentence for source in problem.sources])
        own = replace(table, head=problem.heads)  # as the rules tie words together
        gold = gold_of(examples[source.number] for source in problem.sources)
        return own, gold, problem.cuttable

    # Learning

    def parts(self, topics: Sequence[Topic]) -> list[Topic]:
        """Make small problems of topics."""
        s = self.settings
        return parts_of(
            topics, parts=s.parts, sentences=s.part_sentences, share=s.part_share, seed=s.seed
        )

    def tasks(
        self, parts: Sequence[Topic], compressions: tuple[ArcTable, Bools, Bools] | None = None
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
        evaluate: Callable[[LinearScorer], Mapping[str, float]] | None = None,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
    ) -> LinearScorer:
        """Learn the weights of all tasks; those without examples get what the others share.

        Parameters
        ----------
        tasks
            What `tasks` gives.
        evaluate
            Called with the scorer after each epoch, for scores on dev data.
        checkpoint, resume, progress
            As in `fit`.
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

        def scorer() -> LinearScorer:
            weights = {name: svm.weights(name) for name in TASKS}
            return LinearScorer(self.coverage, self.arcs, weights)

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

    There are no compressive summaries by humans to learn from, as the paper has: the best ones
    under the hard constraints, by the bigrams of the references, take their place.

    Parameters
    ----------
    examples
        Collections with references and, for cuts of single sentences, compressions. Without any of
        these, cuts are learned from the summaries alone.
    dev
        Others, to score on after each epoch; nothing is tuned on them.
    parser, concepts, rules
        As in `Summarizer`; all bigrams are concepts, also those of two stop words.
    language
        By default that of the first collection that tells its own, or English.
    words
        The length of summaries; by default that of the references.
    bits
        Weight tables have two to this power buckets.
    seed
        What the order of the examples and the small problems depend on.
    threads
        Sentences parsed at a time; nothing depends on it.
    checkpoint, resume
        A file for the state after each epoch, and whether to continue from it, to the same bytes as
        an uninterrupted run.
    progress
        Called with `treaty.Progress` events.
    info
        Kept in the model: language, data, license.
    **settings
        Others of `LearningSettings`.
    """
    chosen = LearningSettings(seed=seed, **settings)
    collections, compressions = parted(examples)
    if not collections:
        raise UsageError("there are no collections to learn from")
    spoken = language or next((c.language for c in collections if c.language), ENGLISH)
    base = Summarizer(parser=parser, language=spoken, concepts=concepts, rules=rules)
    trainer = Trainer(
        base, chosen, CoverageFeatures(bits=bits), ArcFeatures(bits=bits), threads=threads
    )
    topics = [trainer.topic(collection, words) for collection in collections]
    arcs = trainer.compressions(compressions) if compressions else None
    tasks = trainer.tasks(trainer.parts(topics), arcs)
    held_out = list(dev)

    def evaluate(scorer: LinearScorer) -> Mapping[str, float]:
        return replace(base, scorer=scorer).evaluate(held_out, threads=threads, words=words)

    scorer = trainer.learn(
        tasks,
        evaluate=evaluate if held_out else None,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
    )
    training = {"topics": len(topics), "compressions": len(compressions), **asdict(chosen)}
    about = {**(info or {}), "training": training}
    if held_out:
        about["scores"] = {name: round(score, 4) for name, score in evaluate(scorer).items()}
    return replace(base, scorer=scorer, info=about)
