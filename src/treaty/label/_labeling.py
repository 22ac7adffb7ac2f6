"""What decoding gives: labels and what they are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.solve import Solution, Status

__all__ = ["Labeling"]


@dataclass(frozen=True, eq=False)
class Labeling:
    """The labels of an instance, with their certificate.

    Attributes
    ----------
    labels
        One label number per vertex.
    score
        What the model gives them; ``-inf`` if no labeling was found, which is so only where the
        forbidden patterns leave none or hide it well.
    bound
        No labeling scores more than this.
    status
        What the answer is worth, see `treaty.solve.Status`.
    solution
        What the solver said, where there was one: iterations, seconds, trace.
    """

    labels: npt.NDArray[np.int32]
    score: float
    bound: float
    status: Status
    solution: Solution | None = None

    @property
    def gap(self) -> float:
        """How far from the best the labels can be, never negative."""
        if self.status is Status.INFEASIBLE:
            return 0.0
        return max(0.0, self.bound - self.score) if math.isfinite(self.score) else math.inf
