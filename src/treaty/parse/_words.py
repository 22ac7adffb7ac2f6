"""Conversion of sentences for the native parser: hashed attributes, and gold trees as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.features import TemplateSet, attribute
from treaty.parse._clusters import Clusters
from treaty.text import Sentence

Ints = npt.NDArray[np.int32]
Column = Callable[[Sentence, list[str], Clusters | None], list[str]]

WORD_COLUMNS: dict[str, Column] = {
    "form": lambda sentence, forms, clusters: forms,
    "lower": lambda sentence, forms, clusters: [form.lower() for form in forms],
    "lemma": lambda sentence, forms, clusters: [token.lemma for token in sentence.tokens],
    "upos": lambda sentence, forms, clusters: [token.upos for token in sentence.tokens],
    "xpos": lambda sentence, forms, clusters: [token.xpos for token in sentence.tokens],
    "feats": lambda sentence, forms, clusters: [token.feats for token in sentence.tokens],
    "cluster": lambda sentence, forms, clusters: clusters.paths_of(forms) if clusters else forms,
}
"""The columns that templates of parsers may name, and how each is read from a sentence."""


def attribute_names(templates: Iterable[TemplateSet]) -> list[str]:
    """List the attributes that templates use, and ``upos``, for the words in between."""
    names = dict.fromkeys(name for t in templates for name in t.attributes())
    return list(names | {"upos": None})


def sequences_of(
    sentences: Iterable[Sentence], attributes: Sequence[str], clusters: Clusters | None = None
) -> Sequences:
    """Hash the attributes of the words of all sentences, with the root before the first."""
    sequences = Sequences([attribute(name, list(WORD_COLUMNS)) for name in attributes], True)
    for sentence in sentences:
        forms = sentence.words
        sequences.add([column(sentence, forms, clusters) for column in WORD_COLUMNS.values()])
    return sequences


def gold_of(
    sequences: Sequences, sentences: Sequence[Sentence], labels: Mapping[str, int]
) -> tuple[native.Gold, Ints, Ints]:
    """Return gold heads and labels of all sentences; an unlisted label becomes -1."""
    heads: list[int] = []
    numbers: list[int] = []
    for sentence in sentences:
        heads.append(-1)
        numbers.append(-1)
        for token in sentence.tokens:
            heads.append(token.head)
            numbers.append(labels.get(token.deprel, -1))
    head_array, label_array = np.array(heads, np.int32), np.array(numbers, np.int32)
    return native.Gold(sequences, head_array, label_array), head_array, label_array
