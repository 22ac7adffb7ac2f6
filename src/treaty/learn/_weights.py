"""A native weight table in training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty._native.features import Weights

__all__ = ["WeightsLearner", "mean_of_trainings"]

Scorer = Callable[[], Mapping[str, float]]


class WeightsLearner:
    """What `fit` needs, for a weight table that native code trains and averages.

    Parameters
    ----------
    weights
        The table; its average is kept from now on.
    step
        Learns from the examples with these numbers.
    warm_up
        Weights are far from good in the beginning: the average leaves out the time until so many
        examples have been seen, unless there is no other.
    """

    def __init__(
        self,
        weights: Weights | native.Weights,
        step: Callable[[npt.NDArray[np.int32]], object],
        *,
        warm_up: int = 0,
    ) -> None:
        self.weights, self._step, self._warm_up = weights, step, warm_up
        self._seen = 0
        weights.start_averaging()

    def learn(self, ids: npt.NDArray[np.int32]) -> None:
        """Learn from these examples, in this order."""
        if self._seen == self._warm_up:
            self.weights.start_averaging()
            self.weights.step = 0
        self._step(ids)
        self._seen += len(ids)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Give all that learning depends on."""
        counts = np.array([self.weights.step, self._seen], np.int64)
        return {"values": self.weights.values, "late": self.weights.late, "counts": counts}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from a state."""
        size, counts = self.weights.values.shape, state["counts"]
        if state["values"].shape != size or state["late"].shape != size:
            raise ValueError(f"expected {len(self.weights.values)} weights")
        if counts.shape != (2,) or counts.dtype != np.int64 or counts.min() < 0:
            raise ValueError("expected two counts")
        self.weights.values[:] = state["values"]
        self.weights.late[:] = state["late"]
        self.weights.step, self._seen = (int(count) for count in counts)

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Put the averaged weights in the place of the current ones, for a while."""
        current = self.weights.values.copy()
        self.weights.values[:] = self.weights.average()
        try:
            yield
        finally:
            self.weights.values[:] = current

    def scoring(self, score: Scorer) -> Scorer:
        """Make what scores the averaged weights, for `fit`."""

        def scored() -> Mapping[str, float]:
            with self.averaged():
                return score()

        return scored

    def finish(self) -> None:
        """Put the averaged weights in their place for good."""
        self.weights.values[:] = self.weights.average()


def mean_of_trainings(weights: Weights, trainings: int) -> Iterator[int]:
    """Let the body of a loop train a table from zero, several times; keep the mean in the end.

    The scores of a linear model are linear in its weights: this is as good as to add up the scores
    of all the models, and as fast as one of them.

    Examples
    --------
    >>> weights = Weights(1)
    >>> for number in mean_of_trainings(weights, 3):
    ...     weights.values[1] += number
    >>> weights.values
    array([0., 1.], dtype=float32)
    """
    total = np.zeros(len(weights.values))
    for number in range(trainings):
        weights.values[:], weights.step = 0.0, 0
        yield number
        total += weights.values
    weights.values[:] = total / trainings
