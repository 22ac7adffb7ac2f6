"""Labels that exclude each other among the dependents of one head: its subjects, its objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from treaty.text import Sentence

__all__ = ["exclusions_of"]

AMONG = ("nsubj", "nsubj:pass", "csubj", "csubj:pass", "aux:pass", "obj")
"""Labels that may exclude each other. With all labels, 135 pairs of English exclude each other, but
accuracy falls: where the tree is wrong, the next best label is seldom right."""
EXPECTED = 8.0
"""Least number of heads expected to have both labels, if these were independent."""
LEAST = 0.02
"""Labels exclude each other if fewer heads have both than this share of what is expected."""


def exclusions_of(
    sentences: Iterable[Sentence], labels: Sequence[str]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return pairs of labels that no head has, or hardly any; a pair of equal ones means two.

    A head has at most one subject, active or passive, and one direct object. What excludes what is
    counted among the labels of `AMONG`: heads with both against the number expected if labels were
    independent.

    Examples
    --------
    >>> one = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    >>> first, second = exclusions_of([one] * 20, ["nsubj", "obj", "root"])
    >>> list(zip(first.tolist(), second.tolist(), strict=True))
    [(0, 0)]
    """
    numbers = {label: number for number, label in enumerate(labels) if label in AMONG}
    single, both, heads = Counter[int](), Counter[tuple[int, int]](), 0
    for sentence in sentences:
        found: dict[int, list[int]] = {}
        for token in sentence.tokens:
            if token.head > 0:
                found.setdefault(token.head, [])
                if token.deprel in numbers:
                    found[token.head].append(numbers[token.deprel])
        heads += len(found)
        for below in found.values():
            single.update(below)
            own = Counter(below)
            both.update(
                (a, b)
                for a, b in combinations_with_replacement(sorted(own), 2)
                if a != b or own[a] > 1
            )
    pairs = [
        (a, b)
        for a, b in combinations_with_replacement(sorted(single), 2)
        if (expected := single[a] * single[b] / heads / (2 if a == b else 1)) >= EXPECTED
        and both[a, b] <= LEAST * expected
    ]
    first, second = np.array(pairs, np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(first), np.ascontiguousarray(second)
