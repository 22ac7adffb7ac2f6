"""Entities as labels of words: BIO, IOB1, BIESO, BILOU, and the transitions they allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treaty.errors import InputError, UsageError

__all__ = [
    "OUTSIDE",
    "SCHEMES",
    "Scheme",
    "Span",
    "convert_labels",
    "labels_of_spans",
    "scheme_named",
    "spans_of_labels",
]

OUTSIDE = "O"
BEGINS = frozenset("BSU")
"""Marks that start an entity, whatever comes before."""
ENDS = frozenset("ESLU")
"""Marks that end an entity, whatever comes after."""


class Span(NamedTuple):
    """An entity among the words of a sentence: ``words[start:end]``."""

    start: int
    end: int
    type: str


class Scheme(NamedTuple):
    """The marks of a labeling scheme for the words of an entity.

    `first`, `inside` and `last` are for entities of several words, `only` for those of one word.
    """

    name: str
    first: str
    inside: str
    last: str
    only: str

    def labels(self, types: Iterable[str]) -> list[str]:
        """List all labels for entities of these types, ``O`` first.

        Examples
        --------
        >>> scheme_named("BIESO").labels(["PER"])
        ['O', 'B-PER', 'I-PER', 'E-PER', 'S-PER']
        """
        marks = dict.fromkeys([self.first, self.inside, self.last, self.only])
        return [OUTSIDE, *(f"{mark}-{kind}" for kind in types for mark in marks)]

    def may_begin(self, label: str) -> bool:
        """Return whether a sentence may begin with a label."""
        return self.may_follow(OUTSIDE, label)

    def may_end(self, label: str) -> bool:
        """Return whether a sentence may end with a label."""
        return self.may_follow(label, OUTSIDE)

    def may_follow(self, label: str, following: str) -> bool:
        """Return whether a label may directly follow another.

        Examples
        --------
        >>> bieso = scheme_named("BIESO")
        >>> bieso.may_follow("B-PER", "E-PER"), bieso.may_follow("B-PER", "E-LOC")
        (True, False)
        """
        (mark, kind), (following_mark, following_kind) = parts(label), parts(following)
        goes_on = mark in (self.first, self.inside)
        continues = following_mark in (self.inside, self.last)
        if self.first == self.only:  # BIO does not mark the last word of an entity
            return not continues or (goes_on and kind == following_kind)
        return goes_on == continues and (not goes_on or kind == following_kind)


SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("BIO", "B", "I", "I", "B"),
        Scheme("BIESO", "B", "I", "E", "S"),
        Scheme("BILOU", "B", "I", "L", "U"),
    )
}


def scheme_named(name: str) -> Scheme:
    """Return the scheme of this name: BIO, BIESO or BILOU.

    Examples
    --------
    >>> scheme_named("BILOU").only
    'U'
    """
    if name not in SCHEMES:
        raise UsageError(f"unknown scheme {name!r}; expected one of {', '.join(SCHEMES)}")
    return SCHEMES[name]


def parts(label: str) -> tuple[str, str]:
    """Split a label into mark and type; ``O`` has no type."""
    mark, _, kind = label.partition("-")
    return mark, kind


def spans_of_labels(labels: Sequence[str]) -> list[Span]:
    """Convert labels of any scheme to entities, as conlleval does.

    Any order is accepted: an entity continues while the type stays the same and no mark starts or
    ends one, so IOB1 and inconsistent sequences are interpreted, too.

    Examples
    --------
    >>> spans_of_labels(["I-PER", "I-PER", "O", "B-LOC", "I-PER"])
    [Span(start=0, end=2, type='PER'), Span(start=3, end=4, type='LOC'),
     Span(start=4, end=5, type='PER')]
    """
    spans: list[Span] = []
    start, before = 0, OUTSIDE
    before_kind = ""
    for place, label in enumerate([*labels, OUTSIDE]):
        mark, kind = parts(label)
        broken = (
            before in ENDS or mark in BEGINS or OUTSIDE in (before, mark) or kind != before_kind
        )
        if broken and before != OUTSIDE:
            spans.append(Span(start, place, before_kind))
        if broken:
            start = place
        before, before_kind = mark, kind
    return spans


def labels_of_spans(spans: Iterable[Span], length: int, scheme: str = "BIESO") -> list[str]:
    """Convert entities to labels.

    Parameters
    ----------
    spans
        Entities that do not overlap.
    length
        Number of words.
    scheme
        ``"BIO"``, ``"BIESO"`` or ``"BILOU"``.

    Examples
    --------
    >>> labels_of_spans([Span(0, 2, "PER"), Span(3, 4, "LOC")], 4)
    ['B-PER', 'E-PER', 'O', 'S-LOC']
    """
    marks = scheme_named(scheme)
    labels = [OUTSIDE] * length
    for start, end, kind in spans:
        if not 0 <= start < end <= length or any(x != OUTSIDE for x in labels[start:end]):
            raise UsageError(
                f"the entity from {start} to {end} overlaps another one or has no words"
            )
        inner = [marks.inside] * (end - start - 2)
        row = [marks.first, *inner, marks.last] if end - start > 1 else [marks.only]
        labels[start:end] = [f"{mark}-{kind}" for mark in row]
    return labels


def convert_labels(labels: Sequence[str], scheme: str = "BIESO") -> list[str]:
    """Convert labels of any scheme to another one.

    Examples
    --------
    >>> convert_labels(["I-PER", "I-PER", "B-PER", "O"], "BIO")
    ['B-PER', 'I-PER', 'B-PER', 'O']
    """
    return labels_of_spans(spans_of_labels(labels), len(labels), scheme)


def check_labels(labels: Iterable[str]) -> None:
    """Raise `InputError` for a label that belongs to no scheme."""
    for label in labels:
        mark, kind = parts(label)
        if label != OUTSIDE and (mark not in frozenset("BIESLU") or not kind):
            raise InputError(
                "not a valid entity label: expected O, or one of B I E S L U, a dash and a type",
                text=label,
            )
