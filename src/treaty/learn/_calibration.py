"""Calibration: from what a model knows about its answer to the probability that it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.learn._model_file import ModelFile
from treaty.learn._ranges import Real

__all__ = ["Calibration", "logit"]

Doubles = npt.NDArray[np.float64]
LEAST = 1e-9
"""Probabilities are kept away from 0 and 1 by this."""
MOST_WEIGHT = 1000.0
PRIOR = 1e-3
"""Of the weights, so that they stay finite if all answers are right."""
STEPS, DIGITS = 50, 6


def logit(probability: npt.ArrayLike) -> Doubles:
    """Return the logarithm of the odds of probabilities.

    Examples
    --------
    >>> logit([0.5, 1.0]).round(1).tolist()
    [0.0, 20.7]
    """
    p = np.clip(np.asarray(probability, np.float64), LEAST, 1.0 - LEAST)
    return np.log(p) - np.log1p(-p)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic model of whether an answer is right (Platt 1999), fitted on dev data.

    Parameters
    ----------
    shift
        What is added to the log-odds.
    weights
        The weight of each kind of evidence, such as the log-odds under the model. With one kind,
        its inverse is known as the temperature.

    Examples
    --------
    >>> Calibration(0.0, (1.0,))(logit([[0.25], [0.75]])).round(2).tolist()
    [0.25, 0.75]
    """

    shift: float
    weights: tuple[float, ...]

    @classmethod
    def none(cls, evidence: int) -> Calibration:
        """Return the calibration that takes the first kind of evidence for the log-odds."""
        return cls(0.0, (1.0, *[0.0] * (evidence - 1)))

    @classmethod
    def fit(cls, evidence: npt.ArrayLike, right: npt.ArrayLike) -> Calibration:
        """Find the weights under which the answers are most likely right or wrong as they are.

        Parameters
        ----------
        evidence
            A row for each answer, with its kinds of evidence.
        right
            Whether each answer is right.

        Examples
        --------
        >>> Calibration.fit([[1.0]] * 4, [True, True, True, False])([[1.0]]).round(2).tolist()
        [0.75]
        """
        rows, wanted = np.asarray(evidence, np.float64), np.asarray(right, np.float64)
        if rows.ndim != 2 or wanted.shape != rows.shape[:1] or not len(rows):
            raise UsageError("expected a row of evidence for each answer, and at least one answer")
        with_shift = np.column_stack([np.ones(len(rows)), rows])
        fitted = np.zeros(with_shift.shape[1])
        for _ in range(STEPS):  # Newton's method on a concave function
            p = _sigmoid(with_shift @ fitted)
            slope = with_shift.T @ (wanted - p) - PRIOR * fitted
            bend = (with_shift * (p * (1.0 - p))[:, None]).T @ with_shift
            step = np.linalg.solve(bend + PRIOR * np.eye(len(fitted)), slope)
            fitted += np.clip(step, -1.0, 1.0)
            if np.abs(step).max() < 0.1**DIGITS / 10:
                break
        # Rounded, so that the last digits of the machine do not matter.
        shift, *weights = np.clip(fitted, -MOST_WEIGHT, MOST_WEIGHT).round(DIGITS).tolist()
        return cls(shift, tuple(weights))

    def __call__(self, evidence: npt.ArrayLike) -> Doubles:
        """Return the probabilities that answers with this evidence are right."""
        rows = np.asarray(evidence, np.float64).reshape(-1, len(self.weights))
        return _sigmoid(self.shift + rows @ np.array(self.weights))

    def undone(self, probability: npt.ArrayLike) -> Doubles:
        """Return the evidence that gave probabilities, where there is but one kind of it.

        Examples
        --------
        >>> halved = Calibration(0.5, (2.0,))
        >>> halved.undone(halved([[0.0], [1.0]])).round(6).tolist()
        [[0.0], [1.0]]
        """
        (weight,) = self.weights
        return ((logit(probability) - self.shift) / (weight or 1.0)).reshape(-1, 1)

    def to_list(self) -> list[float]:
        """Return all numbers, for the header of a model file."""
        return [self.shift, *self.weights]

    @classmethod
    def from_file(cls, file: ModelFile, key: str, evidence: int) -> Calibration:
        """Read and validate it; without an entry of the header, nothing is changed."""
        entry = file.header.get("calibration", {})
        numbers = file.checked(entry, dict, "calibration").get(key)
        if numbers is None:
            return cls.none(evidence)
        listed: Sequence[object] = file.checked(numbers, list, f"calibration of {key}")
        if len(listed) != evidence + 1:
            raise file.fault(f"calibration of {key}: expected {evidence + 1} numbers")
        kind = Real(-MOST_WEIGHT, MOST_WEIGHT)
        shift, *weights = (file.checked(n, kind, f"calibration of {key}") for n in listed)
        return cls(float(shift), tuple(map(float, weights)))


def _sigmoid(odds: Doubles) -> Doubles:
    return 0.5 * (1.0 + np.tanh(0.5 * odds))
