"""The evidence for a link: how much it adds to the score if all other labels are right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treaty.label._crf import PatternCrf
from treaty.label.threads._batch import Batch

__all__ = ["margins"]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int32]


def margins(crf: PatternCrf, batch: Batch, labels: Labels) -> Floats:
    """Compute how much linking each pair adds to the score, with all other labels fixed."""
    total = np.zeros(len(labels))
    for number, (kind, weights) in enumerate(zip(crf.kinds, crf.weights(), strict=True)):
        pairs, features = batch.factors[number]
        scores = _scores(crf.native.features(number), weights, features)
        numbers = {pattern: place for place, pattern in enumerate(kind.patterns)}
        given = labels[pairs]
        for place in range(kind.size):
            for sign, label in ((1, 1), (-1, 0)):
                turned = given.copy()
                turned[:, place] = label
                at = _numbers(turned, numbers)
                part = np.where(at >= 0, scores[np.arange(len(pairs)), at], 0.0)
                total += sign * np.bincount(pairs[:, place], part, minlength=len(labels))
    return total


def _scores(
    known: npt.NDArray[np.uint64],
    weights: npt.NDArray[np.float32],
    features: npt.NDArray[np.uint64],
) -> Floats:
    """Sum the weights of each factor's features: a row per factor, a column per pattern."""
    scores = np.zeros((len(features), weights.shape[1]))
    if not len(known):
        return scores
    order = np.argsort(known)
    for column in features.T:
        place = order[np.minimum(np.searchsorted(known, column, sorter=order), len(known) - 1)]
        scores += np.where((known[place] == column)[:, None], weights[place], 0.0)
    return scores


def _numbers(labels: Labels, numbers: dict[tuple[int, ...], int]) -> npt.NDArray[np.int64]:
    """Find the index of the pattern of each row; -1 for none."""
    size = labels.shape[1]
    table = np.full(2**size, -1, np.int64)
    bits = 2 ** np.arange(size)
    for pattern, number in numbers.items():
        table[np.dot(pattern, bits)] = number
    return np.asarray(table[labels @ bits], np.int64)
