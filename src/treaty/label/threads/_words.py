"""Similarity of posts, with words weighted by their rarity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treaty._native.features import text_hash

__all__ = ["WordCounts", "likeness"]

Floats = npt.NDArray[np.float32]

FEWEST = 3
"""Minimum number of posts with a word for it to be counted; others get the maximum weight."""
RARE = 0.005
"""A word is rare if it is in a smaller share of the posts."""


class WordCounts:
    """Document frequencies of the words of the training data.

    Attributes
    ----------
    posts
        Number of posts.
    counts
        Number of posts with each word, by the hash of the word.
    """

    def __init__(self, posts: int, counts: dict[int, int]) -> None:
        self.posts, self.counts = posts, counts
        self._weights: dict[str, float] = {}

    @classmethod
    def of(cls, posts: Sequence[Sequence[str]]) -> WordCounts:
        """Count the words of posts.

        Examples
        --------
        >>> counts = WordCounts.of([["any", "sheep"], ["no", "sheep"], ["sheep", "!"]])
        >>> counts.weight("sheep") < counts.weight("wheat")
        True
        """
        counts = Counter(word for words in posts for word in set(words))
        kept = {text_hash(word): n for word, n in counts.items() if n >= FEWEST}
        return cls(len(posts), kept)

    def weight(self, word: str) -> float:
        """Compute the logarithm of the inverse document frequency of a word."""
        if word not in self._weights:
            if len(self._weights) > 2**17:  # keep memory bounded
                self._weights.clear()
            count = self.counts.get(text_hash(word), 1)
            self._weights[word] = math.log((self.posts + 2) / (count + 1))
        return self._weights[word]

    def is_rare(self, word: str) -> bool:
        """Return whether a word has letters and is in few posts."""
        return len(word) > 2 and self.weight(word) > -math.log(RARE)


def likeness(posts: Sequence[Sequence[str]], counts: WordCounts) -> tuple[Floats, Floats, Floats]:
    """Compute the similarity of all pairs of posts.

    Returns
    -------
    cosine, overlap, shared
        Three square matrices: the cosine of tf-idf vectors, the share of words in common
        (Jaccard), the number of rare words in common.
    """
    places: dict[str, int] = {}
    flat = [(n, places.setdefault(w, len(places))) for n, words in enumerate(posts) for w in words]
    row, column = np.array(flat, np.int64).reshape(-1, 2).T
    used = np.zeros((len(posts), len(places)), np.float32)
    np.add.at(used, (row, column), 1)
    weights = _array(map(counts.weight, places))
    rare = np.flatnonzero(_array(map(counts.is_rare, places)))
    weighted = used * weights
    weighted /= np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-6)
    present = (used > 0).astype(np.float32)
    common = present @ present.T
    sizes = present.sum(axis=1)
    union = np.maximum(sizes[:, None] + sizes[None, :] - common, 1)
    return weighted @ weighted.T, common / union, present[:, rare] @ present[:, rare].T


def _array(values: Iterable[float]) -> Floats:
    return np.fromiter(values, np.float32)
