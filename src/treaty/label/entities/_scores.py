"""Scores of entities."""

from __future__ import annotations

import math
from collections.abc import Sequence

from treaty.metrics import span_scores

__all__ = ["entity_scores"]


def entity_scores(
    gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Score labels; leave out scores that are undefined because there are no entities.

    Examples
    --------
    >>> entity_scores([["B-PER", "O"]], [["B-PER", "B-LOC"]])
    {'micro F1': 0.6666666666666666, 'macro F1': 0.5, 'precision': 0.5, 'recall': 1.0}
    """
    scores = span_scores(gold, found)
    named = {
        "micro F1": scores.micro_f1,
        "macro F1": scores.macro_f1,
        "precision": scores.all.precision,
        "recall": scores.all.recall,
    }
    return {name: value for name, value in named.items() if not math.isnan(value)}
