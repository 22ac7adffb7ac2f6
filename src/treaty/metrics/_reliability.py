"""Reliability of confidences: whether 80 % of answers with a confidence of 80 % are right."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treaty.errors import UsageError

__all__ = ["Reliability", "ReliabilityBin", "reliability"]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The answers whose confidences are in one range.

    Parameters
    ----------
    low, high
        The range; `low` is in it, `high` is not unless it is 1.
    count
        Number of answers.
    confidence, accuracy
        Their mean confidence, and the share that is right.
    """

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The result of `reliability`.

    Parameters
    ----------
    bins
        The ranges that have answers.
    error
        The expected calibration error: the mean difference between confidence and accuracy of a
        bin, weighted by its answers.
    brier
        The mean squared difference between confidence and truth; less is better.
    ranking
        The probability that a right answer has a higher confidence than a wrong one (the area under
        the ROC curve); NaN if all answers are right, or all wrong.
    """

    bins: tuple[ReliabilityBin, ...]
    error: float
    brier: float
    ranking: float

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, for JSON."""
        names = ReliabilityBin.__slots__
        return {
            "error": self.error,
            "brier": self.brier,
            "ranking": None if math.isnan(self.ranking) else self.ranking,
            "bins": [{name: getattr(one, name) for name in names} for one in self.bins],
        }


def reliability(
    confidences: Iterable[float], right: Iterable[bool], *, bins: int = 10
) -> Reliability:
    """Compare confidences with how often answers are right.

    Parameters
    ----------
    confidences
        The probability of each answer, from 0 to 1.
    right
        Whether it is right.
    bins
        Number of ranges of equal width.

    Examples
    --------
    >>> found = reliability([0.75, 0.75, 0.75, 0.75, 0.15], [True, True, True, False, False])
    >>> [(b.count, b.confidence, b.accuracy) for b in found.bins], round(found.error, 3)
    ([(1, 0.15, 0.0), (4, 0.75, 0.75)], 0.03)
    """
    p, truth = np.array([*confidences], np.float64), np.array([*right], np.float64)
    if bins < 1:
        raise UsageError(f"bins must be at least 1, not {bins}")
    if len(p) != len(truth) or not len(p) or not ((p >= 0) & (p <= 1)).all():
        raise UsageError("expected a probability for each answer, and at least one answer")
    number = np.minimum((p * bins).astype(int), bins - 1)
    found = []
    for k in np.unique(number).tolist():
        own = number == k
        mean, share = float(p[own].mean()), float(truth[own].mean())
        found.append(ReliabilityBin(k / bins, (k + 1) / bins, int(own.sum()), mean, share))
    error = sum(b.count * abs(b.confidence - b.accuracy) for b in found) / len(p)
    return Reliability(tuple(found), error, float(((p - truth) ** 2).mean()), _ranking(p, truth))


def _ranking(p: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> float:
    """Compute the statistic of Mann and Whitney; equal confidences count half."""
    good = truth.sum()
    if good in (0, len(p)):
        return math.nan
    _, place, counts = np.unique(p, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return float((ranks[truth == 1].sum() - good * (good + 1) / 2) / (good * (len(p) - good)))
