"""What every solver returns: an answer and what it is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError

__all__ = ["Solution", "Status", "Trace"]

TRACE_COLUMNS = ("iteration", "seconds", "objective", "bound", "primal_residual", "dual_residual")


class Status(StrEnum):
    """What an answer is worth."""

    OPTIMAL = "OPTIMAL"
    """Integral, and the bound meets it: there is no better one."""
    FRACTIONAL = "FRACTIONAL"
    """The relaxation is solved; its optimum is not integral and the answer is rounded."""
    FEASIBLE = "FEASIBLE"
    """Stopped early by a limit, with the best answer seen so far."""
    INFEASIBLE = "INFEASIBLE"
    """Proved: no assignment satisfies every factor."""
    UNKNOWN = "UNKNOWN"
    """No answer was found and none was excluded; the bound holds all the same."""


@dataclass(frozen=True, eq=False)
class Trace:
    """How a solver came to its answer: one array per column, one entry per recorded iteration.

    `objective` is the best answer so far (``-inf`` before the first), `bound` the best upper bound.
    """

    iteration: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]
    objective: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]
    primal_residual: npt.NDArray[np.float64]
    dual_residual: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.iteration)

    def rows(self) -> list[tuple[float, ...]]:
        """One tuple per recorded iteration, in the order of the fields."""
        columns = [getattr(self, name).tolist() for name in TRACE_COLUMNS]
        return list(zip(*columns, strict=True))


class _HasState(Protocol):
    """A literal or a categorical variable: something that reads its state off the values."""

    def state_in(self, values: npt.NDArray[np.int8]) -> Any: ...


@dataclass(frozen=True, eq=False)
class Solution:
    """An answer with its certificate.

    Attributes
    ----------
    status
        What the answer is worth, see `Status`.
    values
        0 or 1 per binary variable; all -1 when there is no answer.
    objective
        The score of `values`, ``-inf`` when there is no answer.
    bound
        No assignment scores more than this. Always valid.
    iterations
        Iterations (AD3, subgradient, simplex) or nodes (exact) spent.
    seconds
        Wall time spent.
    method
        The solver that made it.
    relaxed
        The relaxation's solution, in [0, 1] per variable, where the solver has one.
    trace
        Progress by iteration, if it was asked for.
    """

    status: Status
    values: npt.NDArray[np.int8]
    objective: float
    bound: float
    iterations: int
    seconds: float
    method: str
    relaxed: npt.NDArray[np.float64] | None = None
    trace: Trace | None = None
    warm: Any = field(default=None, repr=False)
    """What a later solve can start from (``warm_start=solution``); opaque."""

    @property
    def gap(self) -> float:
        """How far from the best the answer can be: ``bound - objective``, never negative."""
        if self.status is Status.INFEASIBLE:
            return 0.0
        return max(0.0, self.bound - self.objective) if math.isfinite(self.objective) else math.inf

    def __getitem__(self, variable: _HasState) -> Any:
        """Whether a literal is on, or the state of a categorical variable."""
        if not math.isfinite(self.objective):
            raise SolverError(
                f"there is no answer to read: the status is {self.status}. "
                "Look at .status before reading values."
            )
        return variable.state_in(self.values)
