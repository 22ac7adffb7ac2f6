"""The summarizer: from documents to a summary, with any scorer of concepts and cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import IO, Any, Literal

from treaty.errors import UsageError, check_several, check_threads
from treaty.learn import Model, ModelFile, Sample
from treaty.parse import Pipeline
from treaty.summarize._compressing import compress_sentences, write_compressed
from treaty.summarize._concepts import Concepts
from treaty.summarize._constraints import SummaryConstraints
from treaty.summarize._digest import CompressedSentence, Digest
from treaty.summarize._examples import (
    Example,
    Texts,
    as_collection,
    parted,
    read_examples,
    sample,
    words_of_references,
)
from treaty.summarize._frames import Frames
from treaty.summarize._posing import Cuts, Mode, problem_of
from treaty.summarize._problem import Problem
from treaty.summarize._rules import Rules
from treaty.summarize._scorers import Scorer, SimpleScorer
from treaty.summarize._scoring import scores_of_compressions, scores_of_digests
from treaty.summarize._split import split_text
from treaty.summarize._summarizing import summarized
from treaty.text import Article, Compression, Sentence, stop_words

__all__ = ["Summarizer"]

ENGLISH = "en"
"""The language of the parser that comes with Treaty."""


@dataclass(frozen=True, eq=False, repr=False)
class Summarizer(Model):
    """Compressive and extractive summarizer.

    Attributes
    ----------
    scorer
        The scorer of concepts and cuts.
    parser
        The model that parses the sentences: ``"english"``, a file, or a pipeline; None for none,
        then sentences are extracted but not compressed. By default that of the language, if there
        is one.
    language
        The ISO 639-1 code of the language, for its stemmer and stop words.
    concepts
        As in `Problem.of`.
    rules
        Hard constraints of compression; by default those that come with Treaty.
    info
        Metadata: language, data, license, training settings, scores.
    frames
        What words need beside them, for the rules.

    Examples
    --------
    >>> text = "Il a plu lundi à Lisbonne toute la journée. Le maire de Lisbonne dort, dit-on."
    >>> summary = Summarizer(SimpleScorer(), language="fr").summarize(text, words=10)
    >>> summary.text, summary.words
    ('Il a plu lundi à Lisbonne toute la journée.', 9)
    """

    task = "summarizer"
    shipped = "summarizer"

    scorer: Scorer = field(default_factory=SimpleScorer)
    parser: str | Path | Pipeline | None = "english"
    language: str = ENGLISH
    concepts: Concepts = "bigrams"
    rules: Rules | None = None
    info: dict[str, Any] = field(default_factory=dict)
    frames: Frames = field(default_factory=Frames)

    @cached_property
    def pipeline(self) -> Pipeline | None:
        """The parser's pipeline; None if there is none for the language."""
        if isinstance(self.parser, Pipeline) or self.parser is None:
            return self.parser
        if self.parser == "english" and self.language != ENGLISH:
            return None
        return _load(self.parser)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stop words of the language; empty if there is no list."""
        try:
            return stop_words(self.language)
        except UsageError:
            return frozenset()

    def rules_for(self, cuts: Cuts) -> Rules:
        """Return the rules with the frames of words, for safe or bold cuts."""
        if cuts not in ("safe", "short"):
            raise UsageError(f"cuts must be 'safe' or 'short', not {cuts!r}")
        own = self.rules or (Rules.load() if self.language == ENGLISH else Rules.of_structure())
        return replace(own, frames=self.frames, bold=cuts == "short")

    # Training and files

    @classmethod
    def train(
        cls, examples: Iterable[Example], dev: Iterable[Example] = (), **options: Any
    ) -> Summarizer:
        """Train a summarizer on collections with human summaries, and on compressed sentences.

        See `train_summarizer` for the options.
        """
        from treaty.summarize._training import train_summarizer

        return train_summarizer(examples, dev, **options)

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file: weights, and the name of the parser.

        Raises
        ------
        UsageError
            For parts that a file cannot store: a scorer without weights, a parser that is not an
            installed model, concepts found by a function, other rules. Save the summarizer without
            them (``dataclasses.replace(summarizer, parser=None)``), and set them again after
            loading.
        """
        from treaty.summarize._summarizer_file import file_of_summarizer

        return file_of_summarizer(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> Summarizer:
        """Make a summarizer from the contents of a file and validate it."""
        from treaty.summarize._summarizer_file import summarizer_of_file

        return summarizer_of_file(file)

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Example]:
        """Read collections and compressions from JSON Lines, or articles as one collection.

        Files named ``.jsonl`` and open streams are JSON Lines (`read_summary_examples`); other
        files and folders are articles (`read_articles`).
        """
        return read_examples(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests: extracts, and compressions of parsed sentences."""
        return sample()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all fields: scorer and parser as the bytes of their files."""
        return type(self), tuple(getattr(self, one.name) for one in fields(self))

    # Whole documents

    def predict(
        self,
        inputs: Iterable[Texts | Compression],
        *,
        threads: int = 1,
        words: int = 100,
        **options: Any,
    ) -> Iterator[Digest | CompressedSentence]:
        """Summarize collections, or other inputs of `summarize`, one at a time.

        Sentences of compressions are compressed again.
        """
        check_several(inputs, "collections of texts", "use summarize")
        for texts in inputs:
            if isinstance(texts, Compression):
                yield from self.compress([texts.sentence], threads=threads)
            else:
                yield self.summarize(texts, words=words, threads=threads, **options)

    def summarize(
        self,
        texts: Texts,
        *,
        words: int = 100,
        sentences: int | Literal["auto"] | None = "auto",
        mode: Mode | None = None,
        cuts: Cuts = "safe",
        names: bool = True,
        method: str = "ad3",
        iterations: int = 1000,
        time_limit: float | None = None,
        gap: float = 0.0,
        constraints: SummaryConstraints | None = None,
        threads: int = 1,
    ) -> Digest:
        """Summarize documents about one topic.

        Parameters
        ----------
        texts
            A collection, or articles, or texts.
        words
            Maximum number of words.
        sentences
            Maximum number of sentences; None for no limit. By default 6, or one for every 18 words,
            or as many words as a sentence of the texts usually has, if these are fewer.
        mode
            ``"compressive"`` to cut phrases from sentences, ``"extractive"`` to use whole ones. By
            default compressive if there is a parser.
        cuts
            As in `compress`.
        names
            Whether people are named in full where the summary mentions them first, if their
            documents do and there is room, and whether the senders of several e-mails are named
            before sentences with "I". These are the only words that are added.
        method, iterations, time_limit, gap
            As in `decode`. The time limit is for all that is done, reading and parsing included;
            `LimitError` is raised where it ends before there are sentences to choose from.
        constraints
            Sentences that the summary must contain, and others. The certificate is about the
            summaries that obey.
        threads
            Number of threads for parsing.

        Raises
        ------
        InputError
            When there are no sentences in the texts.
        SolverError
            When no summary was found that obeys the constraints.
        UsageError
            When there is no parser for a compressive summary.
        """
        return summarized(
            self,
            as_collection(texts),
            words=words,
            sentences=sentences,
            mode=mode,
            cuts=cuts,
            names=names,
            limits={
                "method": method,
                "iterations": iterations,
                "time_limit": time_limit,
                "gap": gap,
            },
            constraints=constraints,
            threads=threads,
        )

    def problem(
        self,
        articles: Sequence[Article],
        *,
        words: int = 100,
        mode: Mode | None = None,
        cuts: Cuts = "safe",
        threads: int = 1,
        constraints: SummaryConstraints | None = None,
    ) -> Problem:
        """Make the problem of summarizing articles: candidate sentences, parsed if needed."""
        return problem_of(
            self,
            articles,
            words=words,
            mode=mode,
            cuts=cuts,
            threads=threads,
            constraints=constraints,
        )

    def split(self, text: str) -> list[Sentence]:
        """Split a text into sentences: by the parser's tokenizer, or by rules."""
        tokenizer = self.pipeline.tokenizer if self.pipeline else None
        return tokenizer.sentences(text) if tokenizer else split_text(text)

    def with_trees(self, sentences: Iterable[Sentence], *, threads: int = 1) -> list[Sentence]:
        """Parse the sentences that have no tree."""
        check_threads(threads)
        found = list(sentences)
        bare = [n for n, sentence in enumerate(found) if any(t.head < 0 for t in sentence)]
        if bare:
            parses = self.required_parser().predict([found[n] for n in bare], threads=threads)
            for n, parse in zip(bare, parses, strict=True):
                found[n] = parse.sentence
        return found

    def required_parser(self) -> Pipeline:
        """Return the parser's pipeline.

        Raises
        ------
        UsageError
            If there is none.
        """
        if self.pipeline is None:
            raise UsageError(
                f"compressing sentences of the language {self.language!r} requires a parser: give "
                "a model (see 'treaty train parser'), or use the mode 'extractive'"
            )
        return self.pipeline

    def chosen_mode(self, mode: Mode | None) -> Mode:
        """Return the mode: by default compressive if there is a parser."""
        if mode not in (None, "compressive", "extractive"):
            raise UsageError(f"mode must be 'compressive' or 'extractive', not {mode!r}")
        if mode == "compressive":
            self.required_parser()
        return mode or ("extractive" if self.pipeline is None else "compressive")

    # Single sentences

    def compress(
        self,
        text: str | Iterable[Sentence],
        *,
        words: int | None = None,
        rate: float | None = None,
        cuts: Cuts = "safe",
        threads: int = 1,
    ) -> list[CompressedSentence]:
        """Compress the sentences of a text, each on its own.

        The best cuts are found by dynamic programming over the tree (eq. 8). Every compressed
        sentence is parsed again: if its tree is not the old one pruned, other cuts are made, or
        none.

        Parameters
        ----------
        text
            A text, or sentences, with or without trees.
        words
            Number of words per sentence to reach, as far as the cuts allow.
        rate
            The same as a share of the words, from 0 to 1. Without `words` and `rate`, all safe cuts
            are made, and those bold ones that score more than 0.
        cuts
            ``"safe"``: only the kinds of cuts that the rules call safe; ``"short"``: all that they
            do not forbid.
        threads
            Number of threads for parsing.
        """
        if words is not None and words < 0:
            raise UsageError(f"words must be at least 0, not {words}")
        if rate is not None and not 0 <= rate <= 1:
            raise UsageError(f"rate must be from 0 to 1, not {rate}")
        sentences = self.split(text) if isinstance(text, str) else text
        problem, found = compress_sentences(
            self, sentences, cuts=cuts, words=words, rate=rate, threads=threads
        )
        return [write_compressed(problem, one) for one in found]

    # Scores

    def evaluate(
        self,
        gold: Iterable[Example],
        *,
        threads: int = 1,
        words: int | None = None,
        **options: Any,
    ) -> dict[str, float]:
        """Summarize gold collections and compress gold sentences again, and score the results.

        Parameters
        ----------
        gold
            Collections with references, compressions, or both.
        threads
            Number of threads for parsing.
        words
            Maximum number of words of a summary; by default the mean of its references.
        **options
            Other options of `summarize`.

        Returns
        -------
        dict
            Recall of ROUGE with stemming, and F1 of the words kept in compressions.
        """
        collections, compressions = parted(gold)
        if not collections and not compressions:
            raise UsageError("there are no collections or compressions to score on")
        digests = [
            self.summarize(c, words=words or words_of_references(c), threads=threads, **options)
            for c in collections
        ]
        given = (compression.sentence for compression in compressions)
        problem, found = compress_sentences(self, given, threads=threads)
        right = [compressions[problem.sources[one.number].number] for one in found]
        return {
            **scores_of_digests(collections, digests, self.language),
            **scores_of_compressions(right, [one.keep for one in found]),
        }


@cache
def _load(parser: str | Path) -> Pipeline:
    """Load a parser once, for all summarizers that use it."""
    return Pipeline.load(parser)
