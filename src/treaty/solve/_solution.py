"""What every solver returns: an answer and what it is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError
from treaty.solve._certificate import Certificate, Certified

__all__ = ["Solution", "Trace"]

TRACE_COLUMNS = ("iteration", "seconds", "objective", "bound", "primal_residual", "dual_residual")


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
class Solution(Certified):
    """An answer with its certificate.

    Attributes
    ----------
    certificate
        What the answer is worth; `status`, `objective`, `bound` and the rest are read off it.
    values
        0 or 1 per binary variable; all -1 when there is no answer.
    method
        The solver that made it.
    relaxed
        The relaxation's solution, in [0, 1] per variable, where the solver has one.
    trace
        Progress by iteration, if it was asked for.
    """

    certificate: Certificate
    values: npt.NDArray[np.int8]
    method: str
    relaxed: npt.NDArray[np.float64] | None = None
    trace: Trace | None = None
    warm: Any = field(default=None, repr=False)
    """What a later solve can start from (``warm_start=solution``); opaque."""

    def __getitem__(self, variable: _HasState) -> Any:
        """Whether a literal is on, or the state of a categorical variable."""
        if not math.isfinite(self.objective):
            raise SolverError(
                f"there is no answer to read: the status is {self.status}. "
                "Look at .status before reading values."
            )
        return variable.state_in(self.values)

    def to_dict(self) -> dict[str, Any]:
        """Give method, values and certificate, for JSON.

        Examples
        --------
        >>> from treaty import FactorGraph
        >>> graph = FactorGraph()
        >>> _ = graph.variables([1.0, -1.0])
        >>> graph.solve().to_dict()["values"]
        [1, 0]
        """
        return {
            "method": self.method,
            "values": self.values.tolist() if math.isfinite(self.objective) else None,
            "certificate": self.certificate.to_dict(),
        }
