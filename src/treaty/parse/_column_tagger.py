"""Tagger of a single column: features and decoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty._threads import MANY, check_stopped, checked
from treaty.errors import TreatyError
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import Int, ModelFile, OneOf, Texts, pack_weights
from treaty.metrics import tagging_scores
from treaty.parse import _cluster_templates
from treaty.parse._clusters import Clusters, check_clusters
from treaty.parse._tag_dictionary import TagDictionary
from treaty.parse._tag_templates import (
    COLUMNS,
    FAMILIES,
    LEXICON,
    TEMPLATES,
    VECTOR,
    earlier_templates,
)
from treaty.parse._template_sets import template_sets
from treaty.text import Sentence

__all__ = ["TAG_COLUMNS", "ColumnTagger", "column_scores", "tagged"]

TAG_COLUMNS = ("upos", "xpos", "feats")
RARE = "<rare>"
BITS, MOST_BITS = 22, 26


class ColumnTagger:
    """Tagger of a single column.

    Attributes
    ----------
    column, tags
        The column to predict, and its tags.
    earlier
        Columns that were predicted before and serve as features.
    dictionary, templates, bits
        The tags allowed for each word; the features; the weight table has 2**bits weights.
    start
        The number that stands for the tag before the first. If tags were added later, this is less
        than their number, and the tag of this number is none.
    """

    def __init__(
        self,
        column: str,
        tags: Sequence[str],
        dictionary: TagDictionary,
        *,
        earlier: Sequence[str] = (),
        clusters: Clusters | None = None,
        vector_clusters: Clusters | None = None,
        lexicon: Clusters | None = None,
        templates: Sequence[TemplateSet] | None = None,
        bits: int = BITS,
        start: int | None = None,
    ) -> None:
        self.start = len(tags) if start is None else start
        self.column, self.tags, self.earlier = column, list(tags), tuple(earlier)
        self.dictionary, self.bits = dictionary, bits
        self.clusters, self.vector_clusters, self.lexicon = clusters, vector_clusters, lexicon
        self.templates = tuple(templates or self._usual_templates())
        names = dict.fromkeys(name for t in self.templates for name in t.attributes())
        self._attributes = [attribute(name, COLUMNS) for name in names]
        check_clusters(names, clusters)
        check_clusters(names, vector_clusters, VECTOR)
        check_clusters(names, lexicon, LEXICON)
        compiled = [
            compile_templates(family, templates, list(names))
            for family, templates in zip(FAMILIES, self.templates, strict=True)
        ]
        self.model = native.TagModel(
            compiled[0], compiled[1], compiled[2], bits, len(self.tags), self.start
        )
        self._looked_up: dict[str, tuple[str, int, str, str, str]] = {}

    def read(self, sentences: Iterable[Sentence]) -> tuple[Sequences, list[int]]:
        """Hash the attributes of all words, and look up their classes of allowed tags."""
        sequences, classes = Sequences(self._attributes), list[int]()
        known, looked_up = self.dictionary.known, self._looked_up
        for sentence in sentences:
            forms = [token.form for token in sentence.tokens]
            lower = [form.lower() for form in forms]
            found = [looked_up.get(form) or self._look_up(form) for form in checked(forms, MANY)]
            classes += [number for _, number, *_ in found]
            words = [form if form in known else RARE for form in lower]
            before = [
                [getattr(token, column) for token in sentence.tokens]
                if column in self.earlier
                else forms
                for column in checked(TAG_COLUMNS)
            ]
            check_stopped()
            names, _, *paths = map(list, zip(*found, strict=True)) if found else ([],) * 5
            sequences.add([forms, lower, words, names, *before, *paths])
        return sequences, classes

    def _look_up(self, form: str) -> tuple[str, int, str, str, str]:
        if len(self._looked_up) > 2**15:  # keep memory bounded
            self._looked_up.clear()
        every = self.clusters, self.vector_clusters, self.lexicon
        path, vector, listed = (c.path(form) if c is not None else "" for c in every)
        found = self.dictionary.name_of(form), self.dictionary.class_of(form), path, vector, listed
        self._looked_up[form] = found
        return found

    def choose(self, sentences: Sequence[Sentence], threads: int = 1) -> list[str]:
        """Predict the tags of all words, as one list."""
        sequences, choices = self._choices(sentences)
        chosen = native.tag(self.model, sequences, choices, threads)
        return [self.tags[number] for number in chosen.tolist()]

    def choose_among(self, sentence: Sentence, allowed: Mapping[int, Iterable[str]]) -> list[str]:
        """Predict the tags of a sentence; the words with these indices have only these tags."""
        sequences, classes = self.read([sentence])
        numbers, tags, begin = self.dictionary.flat(of=classes)
        every, ends = tags.tolist(), begin.tolist()
        for word, names in allowed.items():
            numbers[word] = len(ends) - 1
            every += sorted(self.tags.index(name) for name in names)
            ends.append(len(every))
        choices = native.TagChoices(
            sequences, numbers, np.array(every, np.int32), np.array(ends, np.int32)
        )
        return [self.tags[number] for number in native.tag(self.model, sequences, choices).tolist()]

    def choose_with_probabilities(
        self, sentences: Sequence[Sentence], threads: int = 1
    ) -> tuple[list[str], npt.NDArray[np.float64]]:
        """Predict the tags of all words, and the probability of each under the model."""
        sequences, choices = self._choices(sentences)
        chosen, sure = native.tag_with_probabilities(self.model, sequences, choices, threads)
        return [self.tags[number] for number in chosen.tolist()], sure

    def choose_otherwise(
        self, sentences: Sequence[Sentence], words: Sequence[int], threads: int = 1
    ) -> list[str]:
        """Predict the tags of all words if one word of each sentence may not have its tag."""
        sequences, classes = self.read(sentences)
        excluded, begin = dict[int, int](), 0
        for sentence, word in zip(sentences, words, strict=True):
            tag = getattr(sentence.tokens[word], self.column)
            excluded[begin + word] = self.tags.index(tag)
            begin += len(sentence)
        choices = native.TagChoices(sequences, *self.dictionary.without(classes, excluded))
        chosen = native.tag(self.model, sequences, choices, threads)
        return [self.tags[number] for number in chosen.tolist()]

    def _choices(self, sentences: Sequence[Sentence]) -> tuple[Sequences, native.TagChoices]:
        sequences, classes = self.read(sentences)
        return sequences, native.TagChoices(sequences, *self.dictionary.flat(of=classes))

    def _usual_templates(self) -> tuple[TemplateSet, ...]:
        single, *others = TEMPLATES
        more = [t for column in self.earlier for t in earlier_templates(column).templates]
        more += _cluster_templates.TAG.templates if self.clusters is not None else ()
        more += _cluster_templates.VECTOR.templates if self.vector_clusters is not None else ()
        more += _cluster_templates.LEXICON.templates if self.lexicon is not None else ()
        return TemplateSet((*single.templates, *more)), *others

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model file for this column, without the clusters."""
        header: dict[str, Any] = {
            "column": self.column,
            "earlier": list(self.earlier),
            "tags": self.tags,
            "bits": self.bits,
            "templates": [list(s.templates) for s in self.templates],
        }
        if self.start != len(self.tags):
            header["start"] = self.start
        weights = pack_weights("weights", self.model.weights.values)
        return ModelFile("column", header, {**weights, **self.dictionary.tensors("")})

    @classmethod
    def from_file(cls, file: ModelFile, before: Sequence[str], **clusters: Any) -> ColumnTagger:
        """Make a tagger from a file and validate it; `before` are the columns already filled."""
        column, earlier = file.value("column", OneOf(TAG_COLUMNS)), file.strings("earlier")
        tags, bits = file.strings("tags", Texts(1)), file.value("bits", Int(1, MOST_BITS))
        if column in before or not set(earlier) <= set(before):
            raise file.fault(f"not a valid order of columns at {column!r}")
        sets = template_sets(file, len(FAMILIES))
        codes = file.codes("weights", 2**bits)
        dictionary = TagDictionary.read(file, "", len(tags))
        start = file.value("start", Int(0, len(tags))) if "start" in file.header else None
        options = {"earlier": earlier, "templates": sets, "bits": bits, "start": start, **clusters}
        try:
            tagger = cls(column, tags, dictionary, **options)
        except TreatyError as error:
            raise file.fault(f"{column}: {error.message}") from error
        tagger.model.weights.freeze(*codes)
        return tagger


def tagged(
    taggers: Sequence[ColumnTagger], sentences: Sequence[Sentence], threads: int
) -> list[Sentence]:
    copies = [
        Sentence(
            [replace(t) for t in checked(s.tokens, MANY)], list(s.comments), list(s.other_lines)
        )
        for s in sentences
    ]
    for tagger in taggers:
        chosen = iter(tagger.choose(copies, threads))
        for sentence in copies:
            for token in checked(sentence.tokens, MANY):
                setattr(token, tagger.column, next(chosen))
    return copies


def has_column(sentence: Sentence, column: str) -> bool:
    """Whether a sentence has the column: it is not empty for all its words."""
    return any(getattr(token, column) != "_" for token in sentence.tokens)


def completed(
    taggers: Sequence[ColumnTagger], sentences: Sequence[Sentence], threads: int = 1
) -> list[Sentence]:
    """Fill the columns that some sentences lack with the tags of taggers."""
    found = list(sentences)
    for tagger in taggers:
        lacking = [i for i, s in enumerate(found) if not has_column(s, tagger.column)]
        for i, filled in zip(
            lacking, tagged([tagger], [found[i] for i in lacking], threads), strict=True
        ):
            found[i] = filled
    return found


def column_scores(
    gold: Iterable[Sentence], system: Iterable[Sentence], columns: Sequence[str]
) -> dict[str, float]:
    """Return the share of words with the right tag or lemma, for each column."""
    scores = tagging_scores(gold, system)
    return {column.upper(): getattr(scores, column).value for column in columns}
