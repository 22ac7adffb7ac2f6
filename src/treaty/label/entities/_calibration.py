"""Calibration of confidences: so that of names with confidence 0.8 about 80 % are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from treaty.corpus import ColumnSentence, spans_of_labels
from treaty.label.entities._labeled import LabeledMessage

__all__ = ["calibrated", "fit_calibration", "fitted_line", "judged_entities"]

CLOSEST = 1e-12
"""Probabilities nearer to 0 or 1 are taken for this."""
STEPS = 100
LEAST_SLOPE = 1e-3
PRIOR = 1e-2
"""Weight of the belief that the model's probabilities are right: slope 1, offset 0."""
Floats = npt.NDArray[np.float64]


def calibrated(probability: float, slope: float, offset: float) -> float:
    """Return the confidence for a probability of the model: a line between their log-odds.

    Examples
    --------
    >>> calibrated(0.9, 1.0, 0.0), round(calibrated(0.9, 0.5, 0.0), 6)
    (0.9, 0.75)
    """
    if slope == 1.0 and offset == 0.0:
        return probability
    (odds,) = _log_odds([probability])
    return float(1.0 / (1.0 + np.exp(-(slope * odds + offset))))


def judged_entities(
    gold: Iterable[ColumnSentence], found: Iterable[LabeledMessage], types: Iterable[str]
) -> Iterator[tuple[float, bool]]:
    """Return the confidence of each entity of these types, and whether it is right."""
    counted = frozenset(types)
    for one, labeled in zip(gold, found, strict=True):
        right = set(spans_of_labels(one.labels))
        for e in labeled.entities:
            if e.type in counted and e.confidence is not None:
                yield e.confidence, (e.first, e.last + 1, e.type) in right


def fitted_line(
    judged: Iterable[tuple[float, bool]], slope: float, offset: float
) -> tuple[float, float]:
    """Return slope and offset of a line fitted to confidences that another line has made."""
    pairs = list(judged)
    raw = [calibrated(p, 1.0 / slope, -offset / slope) if slope else p for p, _ in pairs]
    fitted = fit_calibration(raw, [right for _, right in pairs])
    return round(fitted[0], 6), round(fitted[1], 6)


def fit_calibration(probabilities: Sequence[float], right: Sequence[bool]) -> tuple[float, float]:
    """Fit slope and offset to names that are right or wrong (Platt 1999), by Newton's method.

    Examples
    --------
    >>> fit_calibration([], [])
    (1.0, 0.0)
    >>> slope, offset = fit_calibration([0.9] * 40 + [0.6] * 40, [True] * 30 + [False] * 50)
    >>> slope > 1 and offset < 0
    True
    """
    columns = np.stack([_log_odds(probabilities), np.ones(len(probabilities))], axis=1)
    truth, prior = np.asarray(right, np.float64), np.array([1.0, 0.0])
    chosen = prior.copy()
    for _ in range(STEPS):
        sure = 1.0 / (1.0 + np.exp(-columns @ chosen))
        slope = columns.T @ (truth - sure) - PRIOR * (chosen - prior)
        curve = (columns * (sure * (1.0 - sure))[:, None]).T @ columns + PRIOR * np.eye(2)
        step = np.linalg.solve(curve, slope)
        chosen += step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1.0))
        if np.abs(step).max() < 1e-10:
            break
    return max(float(chosen[0]), LEAST_SLOPE), float(chosen[1])


def _log_odds(probabilities: Sequence[float]) -> Floats:
    p = np.clip(np.asarray(probabilities, np.float64), CLOSEST, 1.0 - CLOSEST)
    return np.log(p) - np.log1p(-p)
