"""Maximal marginal relevance baseline (Carbonell and Goldstein 1998)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treaty.errors import UsageError
from treaty.summarize.baselines._vectors import Vectors
from treaty.summarize.decoding._budget import Sentences, lengths_of

__all__ = ["mmr"]

TINY = 1e-300  # avoids division by zero: the cosine is 0 if the mean is 0


def mmr(
    sentences: Sentences,
    budget: int,
    *,
    relevance: float = 0.7,
    lengths: Sequence[int] | None = None,
) -> list[int]:
    """Select sentences one by one that are similar to all, and dissimilar to those selected.

    The next sentence is the one with the highest ``relevance * (its cosine with the mean of all
    sentences) - (1 - relevance) * (its highest cosine with a selected one)`` among those that fit.

    Parameters
    ----------
    sentences
        As in `centroid`.
    budget, lengths
        As in `lead`.
    relevance
        Weight of relevance against novelty, from 0 to 1; at 1 the result is that of `centroid`.

    Returns
    -------
    list
        The indices of the selected sentences, in the order of the text.

    Examples
    --------
    >>> sentences = [["rain", "wind"], ["rain", "wind"], ["hail", "wind"], ["sun", "moon"]]
    >>> mmr(sentences, 4), mmr(sentences, 4, relevance=1)
    ([0, 2], [0, 1])
    """
    if not 0 <= relevance <= 1:
        raise UsageError(f"relevance must be between 0 and 1, not {relevance}")
    sizes = np.array(lengths_of(sentences, lengths, budget), np.int64)
    vectors = Vectors(sentences)
    mean = vectors.mean()
    likeness = vectors.dot(mean) / max(float(np.linalg.norm(mean)), TINY)
    nearest = np.zeros(len(sentences))  # cosines are not negative
    waiting = sizes > 0
    taken: list[int] = []
    while (fits := waiting & (sizes <= budget)).any():
        # Rounding errors must not decide: of equal scores, the first is taken.
        scores = np.round(relevance * likeness - (1 - relevance) * nearest, 12)
        best = int(np.where(fits, scores, -np.inf).argmax())
        taken.append(best)
        waiting[best] = False
        budget -= int(sizes[best])
        nearest = np.maximum(nearest, vectors.dot(vectors.row(best)))
    return sorted(taken)
