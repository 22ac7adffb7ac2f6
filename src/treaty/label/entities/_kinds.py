"""The kinds of factors of an entity labeler, as data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from treaty.label._kinds import PatternKind
from treaty.label.entities._settings import EntitySettings
from treaty.text import OUTSIDE, Scheme, Span, labels_of_spans, scheme_named

__all__ = ["FIRST", "LAST", "NEXT", "SAME", "WORD", "kinds_of", "same"]

WORD, FIRST, LAST, NEXT, SAME = "word", "first", "last", "next", "same"


def same(length: int) -> str:
    """Return the name of the kind for two identical phrases of this length."""
    return f"{SAME}{length}"


def kinds_of(settings: EntitySettings, types: Sequence[str]) -> list[PatternKind]:
    """Make the kinds of a labeler from its settings and types."""
    scheme = scheme_named(settings.scheme)
    chain = chain_kinds(scheme, types)
    if settings.order == "chain":
        return chain
    return chain + phrase_kinds(scheme, types, settings.longest_phrase)


def chain_kinds(scheme: Scheme, types: Sequence[str]) -> list[PatternKind]:
    """Make the kinds of a linear chain, with the labels that are forbidden as first, last, next."""
    labels = scheme.labels(types)
    count = len(labels)
    not_first = tuple((i,) for i in range(count) if not scheme.may_begin(labels[i]))
    not_last = tuple((i,) for i in range(count) if not scheme.may_end(labels[i]))
    not_next = tuple(
        (i, j)
        for i, j in product(range(count), repeat=2)
        if not scheme.may_follow(labels[i], labels[j])
    )
    return [
        PatternKind.every(WORD, count, 1),
        PatternKind.every(FIRST, count, 1, not_first),
        PatternKind.every(LAST, count, 1, not_last),
        PatternKind.every(NEXT, count, 2, not_next),
    ]


def phrase_kinds(scheme: Scheme, types: Sequence[str], longest: int) -> list[PatternKind]:
    """Make the patterns ``c[s]`` that reward identical labels of identical phrases.

    Qian and Liu (2014, section 4.1.3): c are the words of both phrases, s labels that are the same
    for both. Single words match if both are outside, or both are anywhere in entities of the same
    type ("Obama", "Barack Obama"); longer phrases match if all words are outside, or if the phrase
    is an entity.
    """
    labels = scheme.labels(types)
    number = {label: i for i, label in enumerate(labels)}
    kinds = [PatternKind(same(1), tuple(_pairs_of_a_type(labels)))]
    for length in range(2, longest + 1):
        entities = [labels_of_spans([Span(0, length, t)], length, scheme.name) for t in types]
        rows = [[OUTSIDE] * length, *entities]
        patterns = tuple(tuple(number[label] for label in [*row, *row]) for row in rows)
        kinds.append(PatternKind(same(length), patterns))
    return kinds


def _pairs_of_a_type(labels: Sequence[str]) -> list[tuple[int, int]]:
    types = [label.partition("-")[2] for label in labels]
    numbers = range(len(labels))
    return [(i, j) for i, j in product(numbers, repeat=2) if types[i] == types[j]]
