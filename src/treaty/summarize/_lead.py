"""The first sentences: what a newspaper's reader in a hurry takes with him."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from treaty.errors import UsageError
from treaty.summarize._budget import Sentences, fitting, lengths_of

__all__ = ["lead"]


def lead(
    sentences: Sentences,
    budget: int,
    *,
    documents: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
) -> list[int]:
    """Take the first sentences of every document, then the second ones, and so on.

    Parameters
    ----------
    sentences
        The words of each sentence, in the order of the text.
    budget
        How many words the summary may have. A sentence that does not fit is left out, and shorter
        ones after it may still be taken.
    documents
        Which document each sentence is from; by default all are from one.
    lengths
        How many words each sentence counts, if not as many as it has.

    Returns
    -------
    list
        The numbers of the sentences taken, in the order of the text.

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
        raise UsageError(f"expected the documents of {len(sentences)} sentences")
    seen: Counter[int] = Counter()
    places = []
    for document in documents:
        places.append(seen[document])
        seen[document] += 1
    return fitting(sorted(range(len(sentences)), key=places.__getitem__), lengths, budget)
