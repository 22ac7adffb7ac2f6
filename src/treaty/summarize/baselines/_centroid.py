"""Centroid baseline: the sentences closest to the centroid (Radev et al. 2004)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treaty.summarize.baselines._vectors import Vectors
from treaty.summarize.decoding._budget import Sentences, fitting, lengths_of

__all__ = ["centroid"]


def centroid(
    sentences: Sentences, budget: int, *, lengths: Sequence[int] | None = None
) -> list[int]:
    """Select the sentences most similar to the mean of all sentences.

    Similarity is the cosine of tf-idf vectors. Redundant sentences are not avoided; `mmr` does
    that.

    Parameters
    ----------
    sentences
        The words of each sentence, in the order of the text, in the form to compare: in lower case,
        stemmed, without stop words, or unchanged.
    budget, lengths
        As in `lead`.

    Returns
    -------
    list
        The indices of the selected sentences, in the order of the text.

    Examples
    --------
    >>> centroid([["sun"], ["rain", "wind"], ["rain", "hail"], ["snow"]], 4)
    [1, 2]
    """
    lengths = lengths_of(sentences, lengths, budget)
    vectors = Vectors(sentences)
    likeness = vectors.dot(vectors.mean())
    # Rounding errors must not decide: of equal scores, the first is taken.
    order = np.argsort(-np.round(likeness, 12), kind="stable")
    return fitting(order.tolist(), lengths, budget)
