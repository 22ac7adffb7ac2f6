"""The kinds of factors of an entity labeller, declared as data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from treaty.corpus import OUTSIDE, Scheme, Span, labels_of_spans
from treaty.label._kinds import PatternKind

__all__ = ["FIRST", "LAST", "NEXT", "WORD", "chain_kinds", "phrase_kinds", "same"]

WORD, FIRST, LAST, NEXT = "word", "first", "last", "next"


def same(length: int) -> str:
    """Name the kind that ties two identical phrases of so many words."""
    return f"same{length}"


def chain_kinds(scheme: Scheme, types: Sequence[str]) -> list[PatternKind]:
    """Declare what a linear chain scores, and which labels never come first, last or in a row."""
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
    """Declare the patterns ``c[s]`` that reward identical phrases for identical labels.

    Qian and Liu (2014, section 4.1.3): c are the words of both phrases, s any labels that are the
    same for both. Of single words any label counts; of longer phrases, that all words are outside,
    or that the phrase is an entity.
    """
    labels = scheme.labels(types)
    number = {label: i for i, label in enumerate(labels)}
    kinds = []
    for length in range(1, longest + 1):
        rows = [[label] for label in labels] if length == 1 else _whole(scheme, types, length)
        patterns = tuple(tuple(number[label] for label in [*row, *row]) for row in rows)
        kinds.append(PatternKind(same(length), patterns))
    return kinds


def _whole(scheme: Scheme, types: Sequence[str], length: int) -> list[list[str]]:
    entities = [labels_of_spans([Span(0, length, kind)], length, scheme.name) for kind in types]
    return [[OUTSIDE] * length, *entities]
