"""Entities as labels of words: BIO, IOB1, BIESO, BILOU, and what may follow what."""

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
"""Marks of a first word whatever comes before."""
ENDS = frozenset("ESLU")
"""Marks of a last word whatever comes after."""


class Span(NamedTuple):
    """An entity among the words of a sentence: ``words[start:end]``."""

    start: int
    end: int
    type: str


class Scheme(NamedTuple):
    """The marks of a scheme for the words of an entity.

    `first`, `inside` and `last` are those of an entity of several words, `only` that of one word.
    """

    name: str
    first: str
    inside: str
    last: str
    only: str

    def labels(self, types: Iterable[str]) -> list[str]:
        """List all labels for entities of these types, the outside first.

        Examples
        --------
        >>> scheme_named("BIESO").labels(["PER"])
        ['O', 'B-PER', 'I-PER', 'E-PER', 'S-PER']
        """
        marks = dict.fromkeys([self.first, self.inside, self.last, self.only])
        return [OUTSIDE, *(f"{mark}-{kind}" for kind in types for mark in marks)]

    def may_begin(self, label: str) -> bool:
        """Whether a sentence may begin with a label."""
        return self.may_follow(OUTSIDE, label)

    def may_end(self, label: str) -> bool:
        """Whether a sentence may end with a label."""
        return self.may_follow(label, OUTSIDE)

    def may_follow(self, label: str, following: str) -> bool:
        """Whether a label may come right after another.

        Examples
        --------
        >>> bieso = scheme_named("BIESO")
        >>> bieso.may_follow("B-PER", "E-PER"), bieso.may_follow("B-PER", "E-LOC")
        (True, False)
        """
        (mark, kind), (following_mark, following_kind) = parts(label), parts(following)
        goes_on = mark in (self.first, self.inside)
        continues = following_mark in (self.inside, self.last)
        if self.first == self.only:  # BIO: the last word of an entity looks like any other
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
    """Find a scheme by its name: BIO, BIESO or BILOU.

    Examples
    --------
    >>> scheme_named("BILOU").only
    'U'
    """
    if name not in SCHEMES:
        raise UsageError(f"no scheme {name!r}; there are {', '.join(SCHEMES)}")
    return SCHEMES[name]


def parts(label: str) -> tuple[str, str]:
    """Part a label in its mark and its type; the outside has none."""
    mark, _, kind = label.partition("-")
    return mark, kind


def spans_of_labels(labels: Sequence[str]) -> list[Span]:
    """Read entities off labels of any scheme, as conlleval does.

    Nothing is refused for its order: an entity goes on as long as the type stays the same and no
    mark begins or ends one, so that IOB1 and broken sequences have a meaning, too.

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
    """Write entities as labels.

    Parameters
    ----------
    spans
        Entities that do not overlap.
    length
        How many words there are.
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
            raise UsageError(f"an entity at {start} to {end} overlaps another, or has no words")
        inner = [marks.inside] * (end - start - 2)
        row = [marks.first, *inner, marks.last] if end - start > 1 else [marks.only]
        labels[start:end] = [f"{mark}-{kind}" for mark in row]
    return labels


def convert_labels(labels: Sequence[str], scheme: str = "BIESO") -> list[str]:
    """Write labels of any scheme in another one.

    Examples
    --------
    >>> convert_labels(["I-PER", "I-PER", "B-PER", "O"], "BIO")
    ['B-PER', 'I-PER', 'B-PER', 'O']
    """
    return labels_of_spans(spans_of_labels(labels), len(labels), scheme)


def check_labels(labels: Iterable[str]) -> None:
    """Refuse what no scheme has."""
    for label in labels:
        mark, kind = parts(label)
        if label != OUTSIDE and (mark not in frozenset("BIESLU") or not kind):
            raise InputError(
                "no label of an entity: expected O, or one of B I E S L U, a dash and a type",
                text=label,
            )
