"""Solutions: what every solver returns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError
from treaty.solve._certificate import Certificate, Certified

__all__ = ["Solution", "Trace"]

TRACE_COLUMNS = ("iteration", "seconds", "objective", "bound", "primal_residual", "dual_residual")


@dataclass(frozen=True, eq=False)
class Trace:
    """The progress of a solver: one array per column, one entry per recorded iteration.

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
        """Return one tuple per recorded iteration, in the order of the fields."""
        columns = [getattr(self, name).tolist() for name in TRACE_COLUMNS]
        return list(zip(*columns, strict=True))


class _HasState(Protocol):
    """A literal or a categorical variable, which can look up its state in the values."""

    def state_in(self, values: npt.NDArray[np.int8]) -> Any: ...


@dataclass(frozen=True, eq=False)
class Solution(Certified):
    """An answer with its certificate.

    Attributes
    ----------
    certificate
        The certificate; `status`, `objective`, `bound` and the other properties are its fields.
    values
        0 or 1 per binary variable; all -1 if there is no answer.
    method
        The method that found it.
    relaxed
        The relaxation's solution, in [0, 1] per variable, where the solver has one.
    trace
        Progress by iteration, if requested.
    """

    certificate: Certificate
    values: npt.NDArray[np.int8]
    method: str
    relaxed: npt.NDArray[np.float64] | None = None
    trace: Trace | None = None
    warm: Any = field(default=None, repr=False)
    """Opaque data that a later solve can start from (``warm_start=solution``)."""

    def __getitem__(self, variable: _HasState) -> Any:
        """Return whether a literal is on, or the state of a categorical variable."""
        if not math.isfinite(self.objective):
            raise SolverError(
                f"there is no answer to read: the status is {self.status}. "
                "Check .status before reading values."
            )
        return variable.state_in(self.values)

    def shifted(self, constant: float) -> Solution:
        """Add a constant to objective and bound."""
        if constant == 0.0:
            return self
        return replace(
            self,
            certificate=replace(
                self.certificate,
                objective=self.objective + constant,
                bound=self.bound + constant,
            ),
            trace=self.trace
            and replace(
                self.trace,
                objective=self.trace.objective + constant,
                bound=self.trace.bound + constant,
            ),
        )

    def divided(self, scale: float) -> Solution:
        """Divide objective and bound by a power of two."""
        certificate = replace(
            self.certificate, objective=self.objective / scale, bound=self.bound / scale
        )
        trace = self.trace and replace(
            self.trace, objective=self.trace.objective / scale, bound=self.trace.bound / scale
        )
        return replace(self, certificate=certificate, trace=trace)

    def to_dict(self) -> dict[str, Any]:
        """Return method, values and certificate, for JSON.

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
