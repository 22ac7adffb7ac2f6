"""The tagger: coarse tags, fine tags and morphological features, a column at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty import _native
from treaty._native import Sequences, TagChoices, TagModel
from treaty.corpus import Sentence
from treaty.errors import UsageError
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import WeightsLearner, fit
from treaty.parse._tag_dictionary import TagDictionary
from treaty.parse._tag_templates import COLUMNS, FAMILIES, TEMPLATES, earlier_templates
from treaty.parse._tokenizer import Tokenizer

__all__ = ["ColumnTagger", "Tagger", "jackknife"]

Report = Callable[[str, int, int, int, Mapping[str, float] | None], object]

TAG_COLUMNS = ("upos", "xpos", "feats")
BATCH = 1024
"""Sentences that go to the native tagger at a time."""
RARE = "<rare>"
EPOCHS, AGGRESSIVENESS, DROPOUT, BITS = 30, 0.1, 0.5, 22
"""Chosen on English EWT dev, together: dropout pays with many epochs, and was not tried alone."""
WARM_UP = 10
"""Epochs whose weights the average leaves out, if there are more."""


class ColumnTagger:
    """A tagger for one column.

    Attributes
    ----------
    column, tags
        What it fills, and with what.
    earlier
        Columns it looks at.
    dictionary, templates, bits
        Which tags words may have; its features; its table has two to the power of `bits` weights.
    """

    def __init__(
        self,
        column: str,
        tags: Sequence[str],
        dictionary: TagDictionary,
        *,
        earlier: Sequence[str] = (),
        templates: Sequence[TemplateSet] | None = None,
        bits: int = BITS,
    ) -> None:
        self.column, self.tags, self.earlier = column, list(tags), tuple(earlier)
        self.dictionary, self.bits = dictionary, bits
        self.templates = tuple(templates or _usual_templates(earlier))
        names = dict.fromkeys(name for t in self.templates for name in t.attributes())
        self._attributes = [attribute(name, COLUMNS) for name in names]
        compiled = [
            compile_templates(family, templates, list(names))
            for family, templates in zip(FAMILIES, self.templates, strict=True)
        ]
        self.model = TagModel(compiled[0], compiled[1], compiled[2], bits, len(self.tags))
        self._looked_up: dict[str, tuple[str, int]] = {}

    def read(self, sentences: Iterable[Sentence]) -> tuple[Sequences, list[int]]:
        """Hash the attributes of all words, and look up the classes of their tags."""
        sequences, classes = Sequences(self._attributes), list[int]()
        known, looked_up = self.dictionary.known, self._looked_up
        for sentence in sentences:
            forms = [token.form for token in sentence.tokens]
            lower = [form.lower() for form in forms]
            found = [looked_up.get(form) or self._look_up(form) for form in forms]
            classes += [number for _, number in found]
            words = [form if form in known else RARE for form in lower]
            before = [
                [getattr(token, column) for token in sentence.tokens]
                if column in self.earlier
                else forms
                for column in TAG_COLUMNS
            ]
            sequences.add([forms, lower, words, [name for name, _ in found], *before])
        return sequences, classes

    def _look_up(self, form: str) -> tuple[str, int]:
        if len(self._looked_up) > 2**17:  # the memory stays flat
            self._looked_up.clear()
        found = self.dictionary.name_of(form), self.dictionary.class_of(form)
        self._looked_up[form] = found
        return found

    def choose(self, sentences: Sequence[Sentence], threads: int = 1) -> list[str]:
        """Choose the tags of all words, in one list."""
        sequences, classes = self.read(sentences)
        choices = TagChoices(sequences, *self.dictionary.flat(of=classes))
        chosen = _native.tag(self.model, sequences, choices, threads)
        return [self.tags[number] for number in chosen.tolist()]


class Tagger:
    """A second-order (trigram) tagger for one column or several, one after the other.

    Made by `Tagger.train` or `Tagger.load`.

    Attributes
    ----------
    taggers
        One for each column, in the order in which they are filled.
    info
        What is known of the training: language, licence, settings, scores.
    tokenizer
        What finds the words of raw text, if there is one; it is kept in the same model file.
    """

    def __init__(
        self,
        taggers: Sequence[ColumnTagger],
        info: Mapping[str, Any] | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        self.taggers, self.info, self.tokenizer = list(taggers), dict(info or {}), tokenizer

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it fills."""
        return tuple(tagger.column for tagger in self.taggers)

    @classmethod
    def train(
        cls,
        sentences: Iterable[Sentence],
        *,
        columns: Sequence[str] = ("upos",),
        dev: Iterable[Sentence] = (),
        epochs: int = EPOCHS,
        seed: int = 1,
        bits: int = BITS,
        batch: int = 1,
        threads: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        report: Report | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> Tagger:
        """Train a tagger on sentences that have the columns filled.

        Parameters
        ----------
        sentences, dev
            Tagged sentences; scores on `dev` are told after every epoch, nothing is tuned on them.
        columns
            Of ``"upos"``, ``"xpos"`` and ``"feats"``; a later column sees the earlier ones.
        epochs, seed
            How often the sentences are seen, and what their order depends on.
        bits
            Each weight table has two to this power buckets.
        batch, threads
            Sentences that are tagged with the same weights before these are changed, and how many
            at a time. The result depends on `batch`, and not on `threads`.
        checkpoint, resume
            A path whose files ``.upos`` and so on hold the state after each epoch, and whether to
            go on from there, to the same bytes as an unbroken run.
        report
            Called with the column, the epoch, sentences seen, sentences in all, and the scores at
            the end of the epoch.
        info
            Kept in the model file: language, data, licence.

        Examples
        --------
        >>> sentence = Sentence.from_words(["Cats", "sleep"])
        >>> sentence.tokens[0].upos, sentence.tokens[1].upos = "NOUN", "VERB"
        >>> tagger = Tagger.train([sentence] * 4, epochs=2, bits=10)
        >>> [token.upos for token in tagger.tag_one(Sentence.from_words(["Cats", "sleep"]))]
        ['NOUN', 'VERB']
        """
        examples, held_out = [s for s in sentences if len(s)], list(dev)
        _check(examples, columns)
        taggers: list[ColumnTagger] = []
        scores: dict[str, float] = {}
        for column in columns:
            tagger = _new_tagger(examples, column, [t.column for t in taggers], bits)
            training = _Training(tagger, examples, batch, threads)
            history = fit(
                training.learner,
                len(examples),
                epochs=epochs,
                seed=seed,
                evaluate=training.scorer(_tagged(taggers, held_out, threads), held_out),
                checkpoint=checkpoint and checkpoint.with_name(f"{checkpoint.name}.{column}"),
                resume=resume,
                report=report and _Reporter(report, column, len(examples)),
            )
            training.learner.finish()
            taggers.append(tagger)
            scores |= history[-1] if history else {}
        settings = {"epochs": epochs, "seed": seed, "batch": batch, "sentences": len(examples)}
        return cls(taggers, {**(info or {}), "training": settings, "scores": scores})

    def tag(self, sentences: Iterable[Sentence], *, threads: int = 1) -> Iterator[Sentence]:
        """Tag sentences as they come.

        Parameters
        ----------
        sentences
            What to tag; they stay as they are.
        threads
            Sentences tagged at the same time; the tags do not depend on it.

        Yields
        ------
        Sentence
            A copy of each, with the columns filled.
        """
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
        rest = iter(sentences)
        while batch := list(islice(rest, BATCH)):
            yield from _tagged(self.taggers, batch, threads)

    def tag_one(self, sentence: Sentence) -> Sentence:
        """Tag one sentence."""
        return next(self.tag([sentence]))

    def save(self, path: str | Path) -> None:
        """Write the tagger to a model file of its own."""
        from treaty.parse._tagger_file import save_tagger

        save_tagger(self, path)

    @staticmethod
    def load(path: str | Path | IO[bytes]) -> Tagger:
        """Read a tagger from a model file of its own."""
        from treaty.parse._tagger_file import load_tagger

        return load_tagger(path)


class _Training:
    """A column's tagger, its training data, and what learns."""

    def __init__(
        self, tagger: ColumnTagger, sentences: Sequence[Sentence], batch: int, threads: int
    ) -> None:
        self.tagger, self.threads = tagger, threads
        numbers = {tag: number for number, tag in enumerate(tagger.tags)}
        gold = [numbers[getattr(t, tagger.column)] for s in sentences for t in s.tokens]
        sequences, classes = tagger.read(sentences)
        choices = TagChoices(sequences, *tagger.dictionary.flat(gold, classes))
        flat = np.array(gold, np.int32)

        def step(ids: npt.NDArray[np.int32]) -> None:
            _native.train_tagger(
                tagger.model, sequences, choices, flat, ids, AGGRESSIVENESS, DROPOUT, batch, threads
            )

        warm_up = WARM_UP * len(sentences)
        self.learner = WeightsLearner(tagger.model.weights, step, warm_up=warm_up)

    def scorer(
        self, sentences: Sequence[Sentence], gold: Sequence[Sentence]
    ) -> Callable[[], dict[str, float]] | None:
        """Make what tells the share of right tags; `sentences` have predicted earlier columns."""
        column = self.tagger.column
        right = [getattr(token, column) for sentence in gold for token in sentence.tokens]
        if not right:
            return None

        def score() -> dict[str, float]:
            with self.learner.averaged():
                chosen = self.tagger.choose(sentences, self.threads)
            return {column: sum(map(str.__eq__, chosen, right)) / len(right)}

        return score


class _Reporter:
    """Adds the column and the number of sentences to what `fit` reports."""

    def __init__(self, report: Report, column: str, sentences: int) -> None:
        self.report, self.column, self.sentences = report, column, sentences

    def __call__(self, epoch: int, seen: int, scores: Mapping[str, float] | None) -> None:
        self.report(self.column, epoch, seen, self.sentences, scores)


def _usual_templates(earlier: Sequence[str]) -> tuple[TemplateSet, ...]:
    single, *others = TEMPLATES
    more = [t for column in earlier for t in earlier_templates(column).templates]
    return TemplateSet((*single.templates, *more)), *others


def _new_tagger(
    sentences: Sequence[Sentence], column: str, earlier: Sequence[str], bits: int
) -> ColumnTagger:
    tags = sorted({getattr(token, column) for s in sentences for token in s.tokens})
    numbers = {tag: number for number, tag in enumerate(tags)}
    items = ((t.form, numbers[getattr(t, column)]) for s in sentences for t in s.tokens)
    dictionary = TagDictionary.of(items, len(tags))
    return ColumnTagger(column, tags, dictionary, earlier=earlier, bits=bits)


def _tagged(
    taggers: Sequence[ColumnTagger], sentences: Sequence[Sentence], threads: int
) -> list[Sentence]:
    copies = [
        Sentence([replace(t) for t in s.tokens], list(s.comments), list(s.other_lines))
        for s in sentences
    ]
    for tagger in taggers:
        chosen = iter(tagger.choose(copies, threads))
        for sentence in copies:
            for token in sentence.tokens:
                setattr(token, tagger.column, next(chosen))
    return copies


def _check(sentences: Sequence[Sentence], columns: Sequence[str]) -> None:
    if not sentences:
        raise UsageError("there are no sentences to learn from")
    if not columns or len(set(columns)) < len(columns) or not set(columns) <= set(TAG_COLUMNS):
        raise UsageError(f"columns must be of {', '.join(TAG_COLUMNS)}, not {', '.join(columns)}")
    for column in columns:
        if all(getattr(token, column) == "_" for s in sentences for token in s.tokens):
            raise UsageError(f"the column {column} is empty: choose others with columns")


def jackknife(
    sentences: Iterable[Sentence],
    *,
    folds: int = 10,
    seed: int = 1,
    threads: int = 1,
    **options: Any,
) -> list[Sentence]:
    """Tag a training set by taggers that have not seen what they tag.

    A parser that is trained on such tags has met the mistakes it will meet in use.

    Parameters
    ----------
    sentences
        The training set, tagged.
    folds
        Into so many parts the sentences are dealt out; each is tagged by a tagger trained on the
        others.
    seed, threads, **options
        As `Tagger.train` has them.

    Returns
    -------
    list of Sentence
        Copies of the sentences, in their order, with predicted tags.
    """
    examples = list(sentences)
    if not 2 <= folds <= len(examples):
        raise UsageError(
            f"folds must be from 2 to the number of sentences, {len(examples)}, not {folds}"
        )
    part = np.random.default_rng(seed).permutation(len(examples)) % folds
    result = list(examples)
    for fold in range(folds):
        own = np.flatnonzero(part == fold).tolist()
        others = [examples[i] for i in np.flatnonzero(part != fold).tolist()]
        tagger = Tagger.train(others, seed=seed, threads=threads, **options)
        for i, tagged in zip(
            own, tagger.tag([examples[i] for i in own], threads=threads), strict=True
        ):
            result[i] = tagged
    return result
