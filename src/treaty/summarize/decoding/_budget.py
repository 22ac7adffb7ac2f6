"""Greedy selection of sentences within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treaty.errors import UsageError

__all__ = ["Sentences", "fitting", "lengths_of"]

Sentences = Sequence[Sequence[str]]


def fitting(order: Iterable[int], lengths: Sequence[int], budget: int) -> list[int]:
    """Take sentences in this order, skipping those that do not fit, or have no words.

    Returns
    -------
    list
        The indices of the sentences, in the order of the text.
    """
    taken = []
    for sentence in order:
        if 0 < lengths[sentence] <= budget:
            budget -= lengths[sentence]
            taken.append(sentence)
    return sorted(taken)


def lengths_of(sentences: Sentences, lengths: Sequence[int] | None, budget: int) -> Sequence[int]:
    """Count the words of sentences unless given; raise `UsageError` for negative numbers."""
    if lengths is None:
        lengths = [len(sentence) for sentence in sentences]
    if len(lengths) != len(sentences):
        raise UsageError(f"expected {len(sentences)} lengths, one per sentence, got {len(lengths)}")
    if budget < 0 or any(length < 0 for length in lengths):
        raise UsageError("the budget and the lengths of sentences must be at least 0")
    return lengths
