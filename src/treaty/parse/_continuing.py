"""Models that go on from others: the same features and weights, more labels and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.learn import Model
from treaty.parse._tag_dictionary import MANY_TAGS, TagDictionary
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse._column_tagger import ColumnTagger
    from treaty.parse._parser import Parser

__all__ = ["check_same", "continued_parser", "continued_tagger", "origin_of"]

NO_TAG = "<start>"
"""Holds the place of the number that stands for the tag before the first."""


def check_same(*settings: tuple[str, Any, Any]) -> None:
    """Refuse settings that differ from those of the model to go on from.

    Parameters
    ----------
    *settings
        Name, what is given (None if nothing is), and what the model has.
    """
    for name, given, own in settings:
        if given is not None and given != own:
            one = isinstance(own, str | int | float | tuple) and not isinstance(given, Mapping)
            shown = f" {own!r}, not {given!r}" if one else " of its own"
            raise UsageError(
                f"the model to go on from has {name}{shown}; leave out {name}, or train anew"
            )


def origin_of(model: Model) -> dict[str, Any]:
    """Say what a model goes on from: what is known about it, and the hash of its file."""
    from treaty.learn._identity import digest

    kept = ("language", "data", "license", "source")
    told = {name: model.info[name] for name in kept if name in model.info}
    return {**told, "digest": digest(model.to_bytes().hex())}


def continued_tagger(
    base: ColumnTagger, sentences: Sequence[Sentence]
) -> tuple[ColumnTagger, npt.NDArray[np.float32]]:
    """Make a tagger that knows the tags and words of more sentences.

    Returns
    -------
    ColumnTagger, ndarray
        The tagger, and the weights to start from.
    """
    from treaty.parse._column_tagger import ColumnTagger

    seen = sorted({getattr(token, base.column) for s in sentences for token in s.tokens})
    new = [tag for tag in seen if tag not in base.tags]
    # The number of the tag before the first is a part of features: it must stay what it is.
    gap = [NO_TAG] if new and base.start == len(base.tags) else []
    tags = [*base.tags, *gap, *new]
    numbers = {tag: number for number, tag in enumerate(tags)}
    items = [(t.form, numbers[getattr(t, base.column)]) for s in sentences for t in s.tokens]
    usable = [number for number in range(len(tags)) if number != base.start]
    made = ColumnTagger(
        base.column,
        tags,
        _extended(base.dictionary, items, usable, len(base.tags)),
        earlier=base.earlier,
        clusters=base.clusters,
        vector_clusters=base.vector_clusters,
        lexicon=base.lexicon,
        templates=base.templates,
        bits=base.bits,
        start=base.start,
    )
    return made, base.model.weights.values.copy()


def _extended(
    base: TagDictionary, items: Sequence[tuple[str, int]], usable: list[int], before: int
) -> TagDictionary:
    """Add words with their tags; the numbers of classes, which are features, stay the same."""
    own = TagDictionary.of(items, len(usable))
    classes = list(base.classes)
    if before <= MANY_TAGS:  # the first class has all tags
        classes[0] = tuple(usable)
    numbers = {tags: number for number, tags in enumerate(classes)}

    def number_of(tags: tuple[int, ...]) -> int:
        if tags not in numbers:
            numbers[tags] = len(classes)
            classes.append(tags)
        return numbers[tags]

    seen: dict[str, Counter[int]] = {}
    for form, tag in items:
        seen.setdefault(form, Counter())[tag] += 1
    made = TagDictionary(classes, dict(base.words), dict(base.suffixes), dict(base.telling))
    made.known = base.known | own.known
    for form, number in base.words.items():  # frequent words are restricted to their tags
        if form in seen and (more := set(seen[form]) - set(classes[number])):
            made.words[form] = number_of(tuple(sorted({*classes[number], *more})))
    for entries, added in ((made.words, own.words), (made.telling, own.telling)):
        for form, number in added.items():
            if form not in base.words and form not in base.telling:
                entries[form] = number_of(own.classes[number])
    for suffix, number in own.suffixes.items() if base.suffixes else ():
        tags = {
            *own.classes[number],
            *(classes[base.suffixes[suffix]] if suffix in base.suffixes else ()),
        }
        made.suffixes[suffix] = number_of(tuple(sorted(tags)))
    return made


def continued_parser(
    base: Parser,
    sentences: Sequence[Sentence],
    single_root: bool,
    info: dict[str, Any],
    given: Mapping[str, Any],
) -> Parser:
    """Make a parser with the settings, features and weights of another, and more labels."""
    from treaty.parse._parser import Parser

    settings = base.settings
    own = {name: getattr(settings, name, getattr(base, name, None)) for name in given}
    for name in given:
        if own[name] is None and given[name] is not None:
            raise UsageError(f"the model to go on from has no {name}; train anew")
    check_same(*((name, given[name], own[name]) for name in given))
    if settings.single_root and not single_root:
        raise UsageError(
            "the model to go on from has one root per tree, and some trees of the data have "
            "several; leave them out, or train anew"
        )
    seen = {token.deprel for sentence in sentences for token in sentence.tokens}
    labels = [*base.labels, *sorted(seen - set(base.labels))]
    made = Parser(settings, base.templates, labels, info, base.clusters)
    made.info["from"] = origin_of(base)
    made.calibration = base.calibration
    for own_model, others in (
        (made.pruner_model, base.pruner_model),
        (made.parser_model, base.parser_model),
        (made.label_model, base.label_model),
    ):
        own_model.weights.values[:] = others.weights.values
    made.label_model.seen = base.label_model.seen
    made.label_model.exclusions = base.label_model.exclusions
    return made
