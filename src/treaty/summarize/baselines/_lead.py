"""Lead baseline: the first sentences of each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from treaty.errors import UsageError
from treaty.summarize.decoding._budget import Sentences, fitting, lengths_of

__all__ = ["lead"]


def lead(
    sentences: Sentences,
    budget: int,
    *,
    documents: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
) -> list[int]:
    """Select the first sentence of every document, then the second, and so on.

    Parameters
    ----------
    sentences
        The words of each sentence, in the order of the text.
    budget
        Maximum number of words. A sentence that does not fit is skipped, and shorter ones after it
        may still be taken.
    documents
        The document of each sentence; by default all are from one.
    lengths
        Number of words that each sentence counts for, if different from its length.

    Returns
    -------
    list
        The indices of the selected sentences, in the order of the text.

    Examples
    --------
    >>> sentences = [["It", "rained"], ["And", "poured"], ["It", "snowed"], ["Not", "much"]]
    >>> lead(sentences, 4)
    [0, 1]
    >>> lead(sentences, 4, documents=[0, 0, 1, 1])
    [0, 2]
    """
    lengths = lengths_of(sentences, lengths, budget)
    if documents is None:
        return fitting(range(len(sentences)), lengths, budget)
    if len(documents) != len(sentences):
        raise UsageError(f"expected a document for each of {len(sentences)} sentences")
    seen: Counter[int] = Counter()
    places = []
    for document in documents:
        places.append(seen[document])
        seen[document] += 1
    return fitting(sorted(range(len(sentences)), key=places.__getitem__), lengths, budget)
