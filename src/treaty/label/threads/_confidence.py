"""Confidence of a link: its probability if all other labels are right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treaty.label._crf import PatternCrf
from treaty.label.threads._batch import Batch

__all__ = ["calibrate", "confidence", "margins"]

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int32]

NEWTON_STEPS = 50
RIDGE = 1e-3


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
                found = _numbers(turned, numbers)
                part = np.where(found >= 0, scores[np.arange(len(pairs)), found], 0.0)
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


def confidence(margin: Floats, scale: Sequence[float]) -> Floats:
    """Convert margins to probabilities.

    Examples
    --------
    >>> confidence(np.array([0.0, 1e9]), (1.0, 0.0)).tolist()
    [0.5, 1.0]
    """
    slope, offset = scale
    return 1 / (1 + np.exp(-np.clip(slope * margin + offset, -500, 500)))


def calibrate(margin: Floats, gold: Labels) -> tuple[float, float]:
    """Fit slope and offset to gold labels (Platt 1999), by Newton's method.

    Needed because the learners rank labelings but do not calibrate their scores.

    Examples
    --------
    >>> slope, offset = calibrate(np.array([-2.0, -1, 1, 2, -1, 1]), np.array([0, 0, 1, 1, 1, 0]))
    >>> slope > 0, abs(offset) < 1e-6
    (True, True)
    """
    inputs = np.stack([margin / max(float(margin.std()), 1e-9), np.ones(len(margin))], axis=1)
    weights = np.zeros(2)
    for _ in range(NEWTON_STEPS):
        likely = confidence(inputs @ weights, (1.0, 0.0))
        gradient = inputs.T @ (gold - likely) - RIDGE * weights
        curvature = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0] / max(float(margin.std()), 1e-9)), float(weights[1])
