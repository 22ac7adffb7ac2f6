"""Learner for a native weight table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.features import Weights
from treaty._native.learn import AveragedDoubles, AveragedFloats
from treaty.learn._packing import MOST_WEIGHT

__all__ = [
    "WeightsLearner",
    "mean_of_trainings",
    "restore_averaged",
    "restored_count",
    "state_of",
]

MOST_STEPS = 2**53
LEAST_SCALE = 1e-9
"""Changes are divided by the scale, which is folded into the weights long before it is as small."""

Scorer = Callable[[], Mapping[str, float]]


def state_of(weights: AveragedFloats | AveragedDoubles) -> dict[str, npt.NDArray[Any]]:
    """Give all that weights in training are: the values are not copied."""
    clock = np.array([weights.scale, weights.time, weights.step], np.float64)
    return {"values": weights.values, "late": weights.late, "past": weights.past, "clock": clock}


def restore_averaged(
    weights: AveragedFloats | AveragedDoubles, state: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Go on from a state, or raise a `ValueError` if it is that of other weights."""
    values, late, past, clock = (state[name] for name in ("values", "late", "past", "clock"))
    size, kind = weights.values.shape, weights.values.dtype
    for table in (values, late, past):
        if table.dtype != kind or (table.shape != size and (table is not past or table.size)):
            raise ValueError(f"expected {size[0]} weights of the type {kind}")
    if clock.shape != (3,) or clock.dtype != np.float64 or not np.isfinite(clock).all():
        raise ValueError("expected a scale, a time and a step")
    scale, time, step = clock.tolist()
    if not (LEAST_SCALE <= scale <= 1 and 0 <= time <= step <= MOST_STEPS and step == int(step)):
        raise ValueError("expected a scale, a time and a step in their ranges")
    weights.restore(values, late, past, scale, time, int(step))
    if not all(
        np.abs(table).max(initial=0) <= MOST_WEIGHT for table in (values, weights.average())
    ):
        raise ValueError(f"weights are not within {MOST_WEIGHT:.0e}")


def restored_count(state: Mapping[str, npt.NDArray[Any]], name: str) -> int:
    """Return a number of examples or steps, or raise a `ValueError` if it is none."""
    count = state[name]
    if count.shape != (1,) or count.dtype != np.int64 or not 0 <= count[0] <= MOST_STEPS:
        raise ValueError(f"{name}: expected a count")
    return int(count[0])


class WeightsLearner:
    """Learner, for `fit`, of a weight table that native code trains and averages.

    Parameters
    ----------
    weights
        The table; its average is kept from now on.
    step
        Called to learn from the examples with these indices.
    warm_up
        Number of initial examples left out of the average, since early weights are poor; ignored if
        there are no more.
    """

    def __init__(
        self,
        weights: AveragedFloats | AveragedDoubles,
        step: Callable[[npt.NDArray[np.int32]], object],
        *,
        warm_up: int = 0,
    ) -> None:
        self.weights, self._step, self._warm_up = weights, step, warm_up
        self._seen = 0
        weights.start_averaging()

    def learn(self, ids: npt.NDArray[np.int32]) -> None:
        """Learn from the examples with these indices, in this order."""
        if self._seen == self._warm_up:
            self.weights.start_averaging()
        self._step(ids)
        self._seen += len(ids)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Give all that learning depends on."""
        return {**state_of(self.weights), "seen": np.array([self._seen], np.int64)}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue from a state."""
        restore_averaged(self.weights, state)
        self._seen = restored_count(state, "seen")

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Replace the current weights with their average, temporarily."""
        current = self.weights.values.copy()
        self.weights.values[:] = self.weights.average()
        try:
            yield
        finally:
            self.weights.values[:] = current

    def scoring(self, score: Scorer) -> Scorer:
        """Wrap a scorer, for `fit`, so that it scores the averaged weights."""

        def scored() -> Mapping[str, float]:
            with self.averaged():
                return score()

        return scored

    def finish(self) -> None:
        """Replace the weights with their average for good."""
        self.weights.values[:] = self.weights.average()


def mean_of_trainings(
    weights: Weights, trainings: int, start: npt.NDArray[np.float32] | None = None
) -> Iterator[int]:
    """Train a table several times in the body of a loop; keep the mean at the end.

    Each training starts from zero, or from `start`.

    The scores of a linear model are linear in its weights, so this equals summing the scores of all
    models, at the cost of one.

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
        weights.values[:] = 0.0 if start is None else start
        weights.start_averaging()
        yield number
        total += weights.values
    weights.values[:] = total / trainings
