"""Labels that are known only in part: of data that leave out a type, or tell types apart less."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treaty.errors import InputError
from treaty.text import OUTSIDE, convert_labels
from treaty.text._schemes import check_labels, parts

__all__ = ["ALTERNATIVE", "UNKNOWN", "check_partial", "known_part", "label_numbers", "types_of"]

UNKNOWN, ALTERNATIVE = "?", "|"
"""``?`` is any label, ``?MISC|ORG`` outside of entities or in one of these types; ``B-MISC|ORG``
begins an entity of one of these types."""


def known_part(labels: Sequence[str]) -> list[str]:
    """Return labels with those that are unknown taken for outside of entities.

    Examples
    --------
    >>> known_part(["B-LOC", "?MISC", "?"])
    ['B-LOC', 'O', 'O']
    """
    return [OUTSIDE if label.startswith(UNKNOWN) else label for label in labels]


def types_of(label: str) -> list[str]:
    """List the types that a label allows.

    Examples
    --------
    >>> types_of("B-MISC|ORG"), types_of("?PER"), types_of("O")
    (['MISC', 'ORG'], ['PER'], [])
    """
    named = label[1:] if label.startswith(UNKNOWN) else parts(label)[1]
    return named.split(ALTERNATIVE) if named else []


def check_partial(labels: Iterable[str]) -> None:
    """Raise `InputError` for a label that belongs to no scheme, or has a type without a name."""
    for label in labels:
        if not label.startswith(UNKNOWN):
            check_labels([label])
        if not all(types_of(label)):
            raise InputError("not a valid entity label: a type has no name", text=label)


def label_numbers(
    rows: Iterable[Sequence[str]], labels: Sequence[str], scheme: str
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Return the number of each word's label, and the sets that numbers beyond the labels mean.

    Examples
    --------
    >>> numbers, sets = label_numbers([["B-LOC", "?LOC"]], ["O", "B-LOC", "I-LOC"], "BIO")
    >>> numbers.tolist(), sets.tolist()
    ([1, 3], [[1, 1, 1]])
    """
    number: dict[str | frozenset[str], int] = {label: i for i, label in enumerate(labels)}
    found = []
    for row in rows:
        converted = convert_labels(known_part(row), scheme)
        for given, label in zip(row, converted, strict=True):
            key = _alternatives(given, label, labels)
            found.append(number.setdefault(key, len(number)))
    sets = [[label in key for label in labels] for key in list(number)[len(labels) :]]
    return np.array(found, np.int32), np.array(sets, np.uint8).reshape(-1, len(labels))


def _alternatives(given: str, label: str, labels: Sequence[str]) -> str | frozenset[str]:
    """Return the label, or the set of labels that it may be."""
    if given == UNKNOWN:
        return frozenset(labels)
    types = types_of(given)
    if given.startswith(UNKNOWN):
        return frozenset({OUTSIDE} | {one for one in labels if parts(one)[1] in types})
    if len(types) < 2:
        return label
    return frozenset(f"{parts(label)[0]}-{kind}" for kind in types)
