"""Tokens as users have them, turned into hashed features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty._native.features import Sequences, template_features
from treaty.corpus import ColumnSentence
from treaty.errors import UsageError
from treaty.features import Family, TemplateSet, attribute, compile_templates
from treaty.label._instances import NO_VALUES

__all__ = [
    "Features",
    "Reader",
    "dict_features",
    "template_reader",
    "usual_columns",
    "usual_templates",
]

Features = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.float32]]
"""Hashes, where each token's begin, and their values (none if all are one)."""
Reader = Callable[[Sequence[Any]], Features]

FAMILY = Family("label", ("w",), ())
COLUMNS = ("form", *"bcdefghijklmnopqrstuvwxyz")
"""The names of columns that have none of their own."""


def dict_features(tokens: Sequence[Any]) -> Features:
    """Hash the features of tokens that are dicts, or lists of names.

    ``{"a": "b"}`` is the feature ``a=b``, ``{"a": ["b", "c"]}`` are ``a:b`` and ``a:c``, a nested
    dict ``{"a": {"b": 2.0}}`` is ``a:b`` that counts twice; True counts once and False does not.

    Examples
    --------
    >>> features, begin, values = dict_features([{"word": "Rome", "length": 4.0}, ["x"]])
    >>> begin.tolist(), values.tolist()
    ([0, 2, 3], [1.0, 4.0, 1.0])
    """
    try:
        return native.item_features(tokens)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"a token is a dict of features or a list of their names ({error}); "
            "for tokens with attributes give templates"
        ) from error


def template_reader(templates: Iterable[str], columns: Sequence[str]) -> Reader:
    """Make what hashes the features of tokens with attributes, by templates.

    Parameters
    ----------
    templates
        Such as ``"w.form"``, ``"w-1.pos w.pos"`` or ``"w.suffix3(form)"``; ``w`` is the token.
    columns
        The names of the attributes; tokens are tuples of as many strings, or dicts that have them.

    Examples
    --------
    >>> read = template_reader(["w.form", "w-1.form w.form"], ["form"])
    >>> features, begin, _ = read([("a",), ("b",)])
    >>> len(features), begin.tolist()
    (4, [0, 2, 4])
    """
    chosen = TemplateSet(tuple(templates))
    names = chosen.attributes()
    attributes = [attribute(name, tuple(columns)) for name in names]
    compiled = compile_templates(FAMILY, chosen, names)
    width = len(compiled)

    def read(tokens: Sequence[Any]) -> Features:
        sequences = Sequences(attributes)
        sequences.add(_columns(tokens, columns))
        begin = np.arange(len(tokens) + 1, dtype=np.int64) * width
        return template_features(sequences, compiled), begin, NO_VALUES

    return read


def usual_columns(sentence: ColumnSentence) -> list[str]:
    """Name the columns of a column file, all but the last one, which has the labels.

    Examples
    --------
    >>> usual_columns(ColumnSentence([("Cats", "NNS", "O")]))
    ['form', 'b']
    """
    width = len(sentence.rows[0]) - 1
    if width < 1:
        raise UsageError("expected a column of words and a column of labels, found one column")
    return list(COLUMNS[:width])


def usual_templates(columns: Sequence[str]) -> list[str]:
    """Make templates for tokens of these attributes: each of them, its neighbors, affixes.

    Examples
    --------
    >>> usual_templates(["form"])[:3]
    ['w.form', 'w-1.form', 'w+1.form']
    """
    form = columns[0]
    affixes = [f"w.{kind}{n}({form})" for kind in ("prefix", "suffix") for n in (2, 3)]
    around = [
        template
        for name in columns
        for template in (f"w.{name}", f"w-1.{name}", f"w+1.{name}", f"w-1.{name} w.{name}")
    ]
    return [*around, *affixes, f"w.shape({form})", f"w-1.shape({form}) w.shape({form})"]


def _columns(tokens: Sequence[Any], columns: Sequence[str]) -> list[list[str]]:
    if tokens and isinstance(tokens[0], Mapping):
        missing = [c for c in columns if any(c not in token for token in tokens)]
        if missing:
            raise UsageError(f"a token has no attribute {missing[0]!r}")
        lists = [[token[column] for token in tokens] for column in columns]
    else:
        if any(isinstance(token, str) or len(token) < len(columns) for token in tokens):
            raise UsageError(f"a token has the attributes {', '.join(columns)}, in this order")
        lists = [[token[i] for token in tokens] for i in range(len(columns))]
    if not all(isinstance(cell, str) for cells in lists for cell in cells):
        raise UsageError("the attributes of tokens are strings")
    return lists
