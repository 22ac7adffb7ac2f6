"""The sentences nearest to the center of all (Radev et al. 2004)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treaty.summarize._budget import Sentences, fitting, lengths_of
from treaty.summarize._vectors import Vectors

__all__ = ["centroid"]


def centroid(
    sentences: Sentences, budget: int, *, lengths: Sequence[int] | None = None
) -> list[int]:
    """Take the sentences most like the mean of all sentences.

    Likeness is the cosine of vectors of words, each weighed by how few sentences have it. Nothing
    keeps two sentences from saying the same; `mmr` sees to that.

    Parameters
    ----------
    sentences
        The words of each sentence, in the order of the text, as they shall be compared: in lower
        case, stemmed, without stop words, or as they are.
    budget, lengths
        As in `lead`.

    Returns
    -------
    list
        The numbers of the sentences taken, in the order of the text.

    Examples
    --------
    >>> centroid([["sun"], ["rain", "wind"], ["rain", "hail"], ["snow"]], 4)
    [1, 2]
    """
    lengths = lengths_of(sentences, lengths, budget)
    vectors = Vectors(sentences)
    likeness = vectors.dot(vectors.mean())
    # Digits that rounding made do not decide: of equals, the first comes first.
    order = np.argsort(-np.round(likeness, 12), kind="stable")
    return fitting(order.tolist(), lengths, budget)
