"""The tagger: coarse tags, fine tags and morphological features, a column at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.corpus import Sentence
from treaty.errors import UsageError
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.parse import _cluster_templates
from treaty.parse._clusters import Clusters, check_clusters
from treaty.parse._tag_dictionary import TagDictionary
from treaty.parse._tag_templates import COLUMNS, FAMILIES, TEMPLATES, earlier_templates
from treaty.parse._tokenizer import Tokenizer

__all__ = ["ColumnTagger", "Tagger"]

Report = Callable[[str, int, int, int, Mapping[str, float] | None], object]

TAG_COLUMNS = ("upos", "xpos", "feats")
BATCH = 1024
"""Sentences that go to the native tagger at a time."""
RARE = "<rare>"
EPOCHS, BITS = 30, 22


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
        clusters: Clusters | None = None,
        kin: Clusters | None = None,
        templates: Sequence[TemplateSet] | None = None,
        bits: int = BITS,
    ) -> None:
        self.column, self.tags, self.earlier = column, list(tags), tuple(earlier)
        self.dictionary, self.bits = dictionary, bits
        self.clusters, self.kin = clusters, kin
        self.templates = tuple(templates or self._usual_templates())
        names = dict.fromkeys(name for t in self.templates for name in t.attributes())
        self._attributes = [attribute(name, COLUMNS) for name in names]
        check_clusters(names, clusters)
        check_clusters(names, kin, "kin")
        compiled = [
            compile_templates(family, templates, list(names))
            for family, templates in zip(FAMILIES, self.templates, strict=True)
        ]
        self.model = native.TagModel(compiled[0], compiled[1], compiled[2], bits, len(self.tags))
        self._looked_up: dict[str, tuple[str, int, str, str]] = {}

    def read(self, sentences: Iterable[Sentence]) -> tuple[Sequences, list[int]]:
        """Hash the attributes of all words, and look up the classes of their tags."""
        sequences, classes = Sequences(self._attributes), list[int]()
        known, looked_up = self.dictionary.known, self._looked_up
        for sentence in sentences:
            forms = [token.form for token in sentence.tokens]
            lower = [form.lower() for form in forms]
            found = [looked_up.get(form) or self._look_up(form) for form in forms]
            classes += [number for _, number, *_ in found]
            words = [form if form in known else RARE for form in lower]
            before = [
                [getattr(token, column) for token in sentence.tokens]
                if column in self.earlier
                else forms
                for column in TAG_COLUMNS
            ]
            names, _, paths, kin = map(list, zip(*found, strict=True)) if found else ([],) * 4
            sequences.add([forms, lower, words, names, *before, paths, kin])
        return sequences, classes

    def _look_up(self, form: str) -> tuple[str, int, str, str]:
        if len(self._looked_up) > 2**17:  # the memory stays flat
            self._looked_up.clear()
        path, kin = (c.path(form) if c is not None else "" for c in (self.clusters, self.kin))
        found = self.dictionary.name_of(form), self.dictionary.class_of(form), path, kin
        self._looked_up[form] = found
        return found

    def choose(self, sentences: Sequence[Sentence], threads: int = 1) -> list[str]:
        """Choose the tags of all words, in one list."""
        sequences, classes = self.read(sentences)
        choices = native.TagChoices(sequences, *self.dictionary.flat(of=classes))
        chosen = native.tag(self.model, sequences, choices, threads)
        return [self.tags[number] for number in chosen.tolist()]

    def _usual_templates(self) -> tuple[TemplateSet, ...]:
        single, *others = TEMPLATES
        more = [t for column in self.earlier for t in earlier_templates(column).templates]
        more += _cluster_templates.TAG.templates if self.clusters is not None else ()
        more += _cluster_templates.KIN.templates if self.kin is not None else ()
        return TemplateSet((*single.templates, *more)), *others


class Tagger:
    """A second-order (trigram) tagger for one column or several, one after the other.

    Made by `Tagger.train` or `Tagger.load`.

    Attributes
    ----------
    taggers
        One for each column, in the order in which they are filled.
    info
        What is known of the training: language, license, settings, scores.
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
    def clusters(self) -> Clusters | None:
        """Where the paths of words come from, if there are any."""
        return next((t.clusters for t in self.taggers if t.clusters is not None), None)

    @property
    def kin(self) -> Clusters | None:
        """A second set of them, if there is one."""
        return next((t.kin for t in self.taggers if t.kin is not None), None)

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
        clusters: Clusters | None = None,
        kin: Clusters | None = None,
        epochs: int = EPOCHS,
        seed: int = 1,
        seeds: int = 1,
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
        clusters
            Paths of words that features may look at; the model keeps them.
        kin
            A second set of them, from another source.
        epochs, seed
            How often the sentences are seen, and what their order depends on.
        seeds
            Train so many times, with this seed and those that follow it, and keep the mean of the
            weights: slower to train, as fast to use, a little more accurate.
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
            Kept in the model file: language, data, license.

        Examples
        --------
        >>> sentence = Sentence.from_words(["Cats", "sleep"])
        >>> sentence.tokens[0].upos, sentence.tokens[1].upos = "NOUN", "VERB"
        >>> tagger = Tagger.train([sentence] * 4, epochs=2, bits=10)
        >>> [token.upos for token in tagger.tag_one(Sentence.from_words(["Cats", "sleep"]))]
        ['NOUN', 'VERB']
        """
        from treaty.parse._tagger_training import train_columns

        settings = {"epochs": epochs, "seed": seed, "batch": batch}
        trained, scores, examples = train_columns(
            sentences,
            columns,
            list(dev),
            clusters=clusters,
            kin=kin,
            bits=bits,
            seeds=seeds,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            report=report,
            **settings,
        )
        settings |= {"sentences": examples} | ({"seeds": seeds} if seeds > 1 else {})
        return cls(trained, {**(info or {}), "training": settings, "scores": scores})

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
            yield from tagged(self.taggers, batch, threads)

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


def tagged(
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
