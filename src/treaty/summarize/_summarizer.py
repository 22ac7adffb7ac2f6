"""The way from documents to a summary, for any scores of concepts and of cuts."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from treaty.corpus import Article, Collection, Sentence, stemmer, stop_words
from treaty.errors import InputError, UsageError
from treaty.parse import Pipeline
from treaty.solve import Status
from treaty.summarize._candidates import candidates, is_junk, simple_scores
from treaty.summarize._concepts import Concepts
from treaty.summarize._decode import Decoded, decode, objective_of
from treaty.summarize._digest import CompressedSentence, Digest
from treaty.summarize._nodes import Floats, Nodes
from treaty.summarize._problem import Problem
from treaty.summarize._reading import read_sources
from treaty.summarize._rounding import best_summary
from treaty.summarize._rules import Rules
from treaty.summarize._source import Bools, Source
from treaty.summarize._split import split_text
from treaty.summarize._writing import write_sentence, written_summary

__all__ = ["Scorer", "SimpleScorer", "Summarizer"]

Mode = Literal["compressive", "extractive"]
Texts = Collection | Article | str | Sequence[Article] | Sequence[str]

FEWEST_CANDIDATES = 1000
"""Words of candidates, as in the paper; more for summaries that are longer than its own."""
CANDIDATES_PER_WORD = 4
FEWEST_SENTENCES = 6
"""A summary may have so many, as in the paper; more if there is room."""
WORDS_PER_SENTENCE = 18
ENGLISH = "en"
"""The language of the parser that comes with Treaty."""


class Scorer(Protocol):
    """What tells how much concepts and cuts are worth."""

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        ...

    def cut_scores(self, problem: Problem) -> Floats:
        """Score for each token that it is cut off while its head stays."""
        ...


@dataclass(frozen=True)
class SimpleScorer:
    """Scores without a model: concepts by documents and leads (`simple_scores`), cuts alike.

    Attributes
    ----------
    cut_score
        The score of every cut.
    """

    cut_score: float = -0.5

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        return simple_scores(problem)

    def cut_scores(self, problem: Problem) -> Floats:
        """Score for each token that it is cut off while its head stays."""
        return np.full(len(problem.source_of), self.cut_score)


@dataclass(frozen=True, eq=False)
class Summarizer:
    """Makes short texts of long ones, of nothing but their words.

    Attributes
    ----------
    scorer
        What concepts and cuts are worth.
    parser
        The model that parses the sentences: ``"english"``, a file, or a pipeline; None for none,
        and then sentences are chosen, but not compressed. By default that of the language, if there
        is one.
    language
        The ISO 639-1 code of the language, for its stemmer and its stop words.
    concepts
        As in `Problem.of`.
    rules
        Hard constraints of compression; by default those that come with Treaty.
    info
        What is known of the model.

    Examples
    --------
    >>> text = "Il a plu lundi à Lisbonne toute la journée. Le maire de Lisbonne dort, dit-on."
    >>> summary = Summarizer(SimpleScorer(), language="fr").summarize(text, words=10)
    >>> summary.text, summary.words
    ('Il a plu lundi à Lisbonne toute la journée.', 9)
    """

    scorer: Scorer = field(default_factory=SimpleScorer)
    parser: str | Path | Pipeline | None = "english"
    language: str = ENGLISH
    concepts: Concepts = "bigrams"
    rules: Rules | None = None
    info: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def pipeline(self) -> Pipeline | None:
        """The parser's pipeline; None if there is none for the language."""
        if isinstance(self.parser, Pipeline) or self.parser is None:
            return self.parser
        if self.parser == "english" and self.language != ENGLISH:
            return None
        return _load(self.parser)

    # Whole documents

    def summarize(
        self,
        texts: Texts,
        *,
        words: int = 100,
        sentences: int | Literal["auto"] | None = "auto",
        mode: Mode | None = None,
        solver: str = "ad3",
        iterations: int = 1000,
        time_limit: float | None = None,
        threads: int = 1,
    ) -> Digest:
        """Summarize documents about one topic.

        Parameters
        ----------
        texts
            A collection, or articles, or texts.
        words
            How many words the summary may have.
        sentences
            How many sentences; None for as many as fit. By default 6, or one for every 18 words.
        mode
            ``"compressive"`` to cut phrases off sentences, ``"extractive"`` to leave them as they
            are. By default the former, if there is a parser.
        solver, iterations, time_limit
            As in `decode`.
        threads
            Sentences parsed at a time.

        Raises
        ------
        InputError
            When there are no sentences in the texts.
        UsageError
            When there is no parser for a compressive summary.
        """
        started = time.perf_counter()
        if words < 0 or (isinstance(sentences, int) and sentences < 0):
            raise UsageError("a summary has 0 words and sentences, or more")
        collection = _collection(texts)
        mode = self._mode(mode)
        if sentences == "auto":
            sentences = max(FEWEST_SENTENCES, -(-words // WORDS_PER_SENTENCE))
        problem = self.problem(collection.articles, words=words, mode=mode, threads=threads)
        concept_scores = self.scorer.concept_scores(problem)
        cut_scores = self.scorer.cut_scores(problem) if mode == "compressive" else None
        decoded = decode(
            problem,
            concept_scores,
            cut_scores,
            words=words,
            sentences=sentences,
            solver=solver,
            iterations=iterations,
            time_limit=time_limit,
        )
        if not decoded.keep.any() and sentences != 0:
            decoded = _first_that_fits(problem, decoded, concept_scores, words)
        found = written_summary(
            problem, decoded.keep, concept_scores, cut_scores, collection.articles
        )
        return Digest(
            sentences=tuple(found),
            words=int((decoded.keep & problem.counts).sum()),
            limit=words,
            mode=mode,
            solver=solver,
            status=decoded.status,
            objective=decoded.objective,
            bound=decoded.bound,
            gap=decoded.gap,
            iterations=decoded.iterations,
            seconds=time.perf_counter() - started,
            documents=len(collection.articles),
            id=collection.id,
        )

    def problem(
        self,
        articles: Sequence[Article],
        *,
        words: int = 100,
        mode: Mode | None = None,
        threads: int = 1,
    ) -> Problem:
        """State the problem of summarizing articles: candidate sentences, parsed if need be."""
        pipeline = self.pipeline
        split = pipeline.tokenizer.sentences if pipeline and pipeline.tokenizer else split_text
        whole = Problem.of(
            read_sources(articles, split),
            concepts=self.concepts,
            stemmer=stemmer(self.language),
            stop_words=_stop_words(self.language),
            reduce_to=None,
            rules=self.rules,
            titles=[article.title for article in articles if article.title],
        )
        if not whole.sources:
            raise InputError("there are no sentences in the texts: nothing to summarize")
        most = max(FEWEST_CANDIDATES, CANDIDATES_PER_WORD * words)
        chosen = whole.only(candidates(whole, self.scorer.concept_scores(whole), most))
        if self._mode(mode) == "extractive" or pipeline is None:
            return chosen
        return _parsed(chosen, pipeline, threads)

    def _mode(self, mode: Mode | None) -> Mode:
        if mode not in (None, "compressive", "extractive"):
            raise UsageError(f"the mode is 'compressive' or 'extractive', not {mode!r}")
        if self.pipeline is None and mode == "compressive":
            raise UsageError(
                f"to compress sentences of the language {self.language!r} a parser is needed: give "
                "the model of one ('treaty train parser'), or take the mode 'extractive'"
            )
        return mode or ("extractive" if self.pipeline is None else "compressive")

    # Single sentences

    def compress(
        self,
        text: str | Iterable[Sentence],
        *,
        words: int | None = None,
        rate: float | None = None,
        threads: int = 1,
    ) -> list[CompressedSentence]:
        """Compress the sentences of a text, each by itself.

        What is cut is what scores best, by dynamic programming over the tree (eq. 8).

        Parameters
        ----------
        text
            A text, or sentences, with or without trees.
        words
            How many words each sentence may keep, if its hard constraints let it.
        rate
            The same as a share of its words, from 0 to 1.
        threads
            Sentences parsed at a time.
        """
        if words is not None and words < 0:
            raise UsageError(f"a sentence keeps 0 words or more, not {words}")
        if rate is not None and not 0 <= rate <= 1:
            raise UsageError(f"the rate is from 0 to 1, not {rate}")
        pipeline = self.pipeline
        if isinstance(text, str):
            splitter = pipeline.tokenizer if pipeline else None
            text = splitter.sentences(text) if splitter else split_text(text)
        sources = [Source(0, n, sentence) for n, sentence in enumerate(text) if len(sentence)]
        if not all(source.is_parsed for source in sources):
            self._mode("compressive")
            sources = _with_trees(sources, pipeline, threads)
        problem = Problem.of(sources, concepts=_no_concepts, reduce_to=None, rules=self.rules)
        cut_scores = self.scorer.cut_scores(problem)
        nodes = Nodes.of(problem, cut_scores)
        found = []
        for n, source in enumerate(problem.sources):
            limits = [source.words]
            limits += [] if words is None else [words]
            limits += [] if rate is None else [round(rate * source.words)]
            chosen, score = _compressed(nodes, n, min(limits))
            own = nodes.of_token[problem.begin[n] : problem.begin[n + 1]]
            keep = chosen[own - nodes.of_source[n]]
            found.append(write_sentence(source, keep, score))
        return found


@cache
def _load(parser: str | Path) -> Pipeline:
    """Load a parser once, for all summarizers that differ in something else."""
    return Pipeline.load(parser)


def _collection(texts: Texts) -> Collection:
    if isinstance(texts, Collection):
        return texts
    given: list[Article | str] = [texts] if isinstance(texts, str | Article) else [*texts]
    if not given:
        raise UsageError("expected at least one text to summarize")
    return Collection([Article(text) if isinstance(text, str) else text for text in given])


def _first_that_fits(
    problem: Problem, decoded: Decoded, concept_scores: Floats, words: int
) -> Decoded:
    """Rather take a sentence that is worth nothing than none at all, such as a lone 'Hello'."""
    fitting = np.flatnonzero(problem.words <= words)
    if not len(fitting):
        return decoded
    keep = problem.source_of == fitting[0]
    objective = objective_of(problem, keep, concept_scores, None)
    status = Status.OPTIMAL if objective >= decoded.objective else Status.FEASIBLE
    return replace(decoded, keep=keep, objective=objective, status=status)


def _stop_words(language: str) -> frozenset[str]:
    """Look up stop words; where there are none, every word may be a concept."""
    try:
        return stop_words(language)
    except UsageError:
        return frozenset()


def _parsed(problem: Problem, pipeline: Pipeline, threads: int) -> Problem:
    """Parse the candidates; those that turn out to be headlines are left out."""
    parsed = problem.with_trees(_with_trees(problem.sources, pipeline, threads))
    sound = [n for n, source in enumerate(parsed.sources) if not is_junk(source)]
    return parsed.only(sound) if sound else parsed


def _with_trees(sources: Sequence[Source], pipeline: Pipeline | None, threads: int) -> list[Source]:
    if pipeline is None:
        return list(sources)
    bare = (source.sentence for source in sources)
    return [
        Source(source.document, source.number, parse.sentence)
        for source, parse in zip(
            sources, pipeline.parse_sentences(bare, threads=threads), strict=True
        )
    ]


def _no_concepts(_: Source) -> list[tuple[str, int, int]]:
    return []


def _compressed(nodes: Nodes, source: int, words: int) -> tuple[Bools, float]:
    """Cut a sentence down as it scores best; its root is kept, whatever the limit."""
    own = slice(nodes.of_source[source], nodes.of_source[source + 1])
    tree = Nodes(
        nodes.of_token,
        np.array([0, own.stop - own.start], np.int32),
        nodes.parent[own],
        nodes.size[own],
        nodes.cost[own],
        nodes.cut_score[own],
    )
    gains = np.zeros(len(tree))
    gains[0] = 1.0 + np.abs(tree.cut_score).sum()  # more than all else together
    chosen = best_summary(tree, gains, max(words, int(tree.cost[0])), 1)
    above = tree.parent
    cut = ~chosen & ((above < 0) | chosen[np.maximum(above - own.start, 0)])
    return chosen, float(tree.cut_score[cut].sum())
