"""Decoding with a second look at every compressed sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treaty.errors import LimitError
from treaty.summarize._decode import Decoded, decode, first_sentences
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._second_look import Look, refined
from treaty.summarize._source import Bools, Source

__all__ = ["decode_faithfully"]


def decode_faithfully(
    problem: Problem,
    concept_scores: Floats,
    cut_scores: Floats,
    look: Callable[[Sequence[tuple[Source, Bools]]], list[Look]],
    **options: Any,
) -> tuple[Decoded, dict[int, Look], Floats]:
    """Find the best summary without the cuts that the second look refuses.

    The certificate is about summaries without these cuts.

    Parameters
    ----------
    problem, concept_scores, cut_scores, **options
        As in `decode`.
    look
        The second look.

    Returns
    -------
    decoded, looks, cut_scores
        The summary, the look at each sentence with cuts, by its number in the problem, and the
        scores of cuts, ``-inf`` for refused ones.
    """
    found: list[tuple[Floats, Decoded]] = []

    def solve(scores: Floats) -> Bools:
        if not found or not np.array_equal(found[-1][0], scores):
            found.append((scores.copy(), decode(problem, concept_scores, scores, **options)))
        return found[-1][1].keep

    try:
        _, looks, scores = refined(problem, cut_scores, solve, look)
    except LimitError:  # cuts that were not looked at are none
        words, most, method = options["words"], options.get("sentences"), options.get("method")
        whole = first_sentences(problem, concept_scores, words, most, method or "ad3")
        return whole, {}, np.full_like(cut_scores, -np.inf)
    return found[-1][1], looks, scores
