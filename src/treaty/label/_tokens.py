"""Conversion of tokens to hashed features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty._native.features import Sequences, template_features
from treaty.errors import UsageError
from treaty.features import Family, TemplateSet, attribute, compile_templates
from treaty.label._instances import NO_VALUES
from treaty.text import ColumnSentence

__all__ = [
    "Features",
    "Reader",
    "dict_features",
    "template_reader",
    "usual_columns",
    "usual_templates",
]

Features = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.float32]]
"""Hashes, the start of each token's hashes, and their values (None if all are 1)."""
Reader = Callable[[Sequence[Any]], Features]

FAMILY = Family("label", ("w",), ())
COLUMNS = ("form", *"bcdefghijklmnopqrstuvwxyz")
"""Default names of columns."""


def dict_features(tokens: Sequence[Any]) -> Features:
    """Hash the features of tokens that are dicts or lists of feature names.

    ``{"a": "b"}`` is the feature ``a=b``, ``{"a": ["b", "c"]}`` are ``a:b`` and ``a:c``, a nested
    dict ``{"a": {"b": 2.0}}`` is ``a:b`` with the value 2; True has the value 1, False the value 0.

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
            f"expected a token that is a dict of features or a list of feature names ({error}); "
            "for tokens with attributes, give templates"
        ) from error


def template_reader(templates: Iterable[str], columns: Sequence[str]) -> Reader:
    """Make a function that hashes the features of tokens with attributes, by templates.

    Parameters
    ----------
    templates
        Templates such as ``"w.form"``, ``"w-1.pos w.pos"`` or ``"w.suffix3(form)"``; ``w`` is the
        token.
    columns
        The names of the attributes; tokens are tuples of as many strings, or dicts with these keys.

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
    """Return default names of the columns of a column file, except the last, which has the labels.

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
    """Make default templates for these attributes: each of them, its neighbors, affixes.

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
            raise UsageError(
                f"expected a token with the attributes {', '.join(columns)}, in this order"
            )
        lists = [[token[i] for token in tokens] for i in range(len(columns))]
    if not all(isinstance(cell, str) for cells in lists for cell in cells):
        raise UsageError("the attributes of tokens must be strings")
    return lists
