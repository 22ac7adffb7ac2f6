"""Attributes of the items of a sequence: the properties of a word or character in templates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treaty._native.features import Attribute, Derivation
from treaty.errors import UsageError

_NAME = re.compile(
    r"(?P<what>[a-z]+)(?P<length>\d{1,2})?((\((?P<column>\w+)\))|(\[(?P<key>\w+)\]))?", re.ASCII
)
_DERIVED = {"prefix": Derivation.PREFIX, "suffix": Derivation.SUFFIX, "shape": Derivation.SHAPE}
_USUAL_COLUMN = {"prefix": "lower", "suffix": "lower", "shape": "form"}


def attribute(name: str, columns: Sequence[str]) -> Attribute:
    """Read the name of an attribute.

    A name is a column (``form``), or something derived from one: ``prefix2``, ``suffix3`` (of the
    lower-case form, or of another column: ``suffix3(lemma)``), ``shape``, ``feats[Case]`` (the
    value of one morphological feature). `columns` are the columns of
    the items, in order.

    Examples
    --------
    >>> columns = ["form", "lower", "feats"]
    >>> attribute("suffix3", columns).derive("running")
    'ing'
    >>> attribute("feats[Number]", columns).derive("Case=Nom|Number=Plur")
    'Plur'
    """
    match = _NAME.fullmatch(name)
    derived = match is not None and match["what"] in _DERIVED
    if match is None or match["key" if derived else "column"]:
        raise UsageError(
            f"{name!r} is not an attribute; write one like form, suffix3, "
            "suffix3(lemma) or feats[Case]"
        )
    what, length, column, key = match["what"], match["length"], match["column"], match["key"]
    derivation = _DERIVED.get(what, Derivation.FEATURE if key else Derivation.WHOLE)
    column = (column or _USUAL_COLUMN[what]) if derived else what
    if column not in columns:
        raise UsageError(
            f"attribute {name!r}: no column {column!r}; there are {', '.join(columns)}"
        )
    if (derivation in (Derivation.PREFIX, Derivation.SUFFIX)) != bool(length):
        raise UsageError(
            f"attribute {name!r}: prefixes and suffixes, and they alone, have a length"
        )
    if length and int(length) == 0:
        raise UsageError(f"attribute {name!r}: lengths count from 1")
    return Attribute(list(columns).index(column), derivation, int(length or 0), key or "")
