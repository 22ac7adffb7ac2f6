"""Certificates: status, objective, bound and gap of an answer, the same for all applications."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from treaty.errors import UsageError

__all__ = ["Certificate", "Certified", "Status"]


class Status(StrEnum):
    """What is proved about an answer."""

    OPTIMAL = "OPTIMAL"
    """The bound equals the objective: the answer is optimal."""
    FRACTIONAL = "FRACTIONAL"
    """The relaxation is solved; its optimum is fractional and the answer is rounded."""
    FEASIBLE = "FEASIBLE"
    """Stopped early by a limit, with the best answer so far."""
    INFEASIBLE = "INFEASIBLE"
    """Proved infeasible: no assignment satisfies every factor."""
    UNKNOWN = "UNKNOWN"
    """No answer was found, and infeasibility is not proved; the bound is still valid."""


WORST_FIRST = (
    Status.INFEASIBLE,
    Status.UNKNOWN,
    Status.FEASIBLE,
    Status.FRACTIONAL,
    Status.OPTIMAL,
)
DIGITS = 6
"""Number of decimals of scores in JSON."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Status, objective and bound of an answer.

    A certificate is about the score under the model, not about whether the model is right.

    Parameters
    ----------
    status
        What is proved about the answer, see `Status`.
    objective
        The score of the answer, ``-inf`` if there is none.
    bound
        An upper bound on the score of every answer. Always valid.
    iterations
        Iterations of a dual method or the simplex method, or nodes of a search.
    seconds
        Wall-clock time.

    Examples
    --------
    >>> certificate = Certificate(Status.FRACTIONAL, objective=8.0, bound=10.0, iterations=60)
    >>> certificate.gap, certificate.relative_gap
    (2.0, 0.25)
    >>> print(certificate)
    FRACTIONAL · objective 8 · bound 10 · gap 2
    """

    status: Status
    objective: float
    bound: float
    iterations: int = 0
    seconds: float = 0.0

    @classmethod
    def exact(cls, objective: float, seconds: float = 0.0) -> Certificate:
        """Certify the answer of an exact algorithm, such as Viterbi decoding.

        Examples
        --------
        >>> Certificate.exact(1.5).status.value, Certificate.exact(-math.inf).status.value
        ('OPTIMAL', 'INFEASIBLE')
        """
        if not objective < math.inf:
            raise UsageError(
                f"expected a finite objective, or -inf if there is no answer, got {objective}"
            )
        status = Status.INFEASIBLE if objective == -math.inf else Status.OPTIMAL
        return cls(status, objective, objective, seconds=seconds)

    @classmethod
    def of_parts(cls, parts: Iterable[Certificate]) -> Certificate:
        """Certify an answer made of independent parts: sum the scores, take the worst status.

        If a part has no answer, neither has the whole: objective and bound are ``-inf``.

        Examples
        --------
        >>> half = Certificate(Status.FEASIBLE, 1.0, 2.0)
        >>> Certificate.of_parts([Certificate.exact(1.5), half])
        Certificate(status=<Status.FEASIBLE: 'FEASIBLE'>, objective=2.5, bound=3.5, iterations=0,
                    seconds=0.0)
        """
        every = list(parts)
        status = min((p.status for p in every), key=WORST_FIRST.index, default=Status.OPTIMAL)
        none = status is Status.INFEASIBLE
        return cls(
            status,
            -math.inf if none else sum((part.objective for part in every), 0.0),
            -math.inf if none else sum((part.bound for part in every), 0.0),
            sum(part.iterations for part in every),
            sum((part.seconds for part in every), 0.0),
        )

    @property
    def gap(self) -> float:
        """``bound - objective``, never negative: an upper limit on the loss against the optimum."""
        if self.status is Status.INFEASIBLE:
            return 0.0
        gap = self.bound - self.objective
        return max(gap, 0.0) if math.isfinite(self.objective) and not math.isnan(gap) else math.inf

    @property
    def relative_gap(self) -> float:
        """The gap divided by the absolute value of the objective."""
        gap = self.gap
        return gap / max(abs(self.objective), 1e-12) if 0.0 < gap < math.inf else gap

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON; values that are not finite become null.

        Examples
        --------
        >>> Certificate.exact(1.5).to_dict()
        {'status': 'OPTIMAL', 'objective': 1.5, 'bound': 1.5, 'gap': 0.0, 'relative_gap': 0.0,
         'iterations': 0, 'seconds': 0.0}
        """
        scores = ("objective", "bound", "gap", "relative_gap")
        return {
            "status": self.status.value,
            **{name: _finite(getattr(self, name)) for name in scores},
            "iterations": self.iterations,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        scores = (f"{name} {getattr(self, name):.6g}" for name in ("objective", "bound", "gap"))
        return " · ".join([self.status.value, *scores])


def _finite(number: float) -> float | None:
    return round(number, DIGITS) if math.isfinite(number) else None


class Certified:
    """A result that holds a `Certificate` and exposes its fields."""

    __slots__ = ()
    certificate: Certificate

    @property
    def status(self) -> Status:
        """What is proved about the answer, see `Status`."""
        return self.certificate.status

    @property
    def objective(self) -> float:
        """The score of the answer, ``-inf`` if there is none."""
        return self.certificate.objective

    @property
    def bound(self) -> float:
        """An upper bound on the score of every answer."""
        return self.certificate.bound

    @property
    def gap(self) -> float:
        """``bound - objective``, never negative: an upper limit on the loss against the optimum."""
        return self.certificate.gap

    @property
    def relative_gap(self) -> float:
        """The gap divided by the absolute value of the objective."""
        return self.certificate.relative_gap

    @property
    def iterations(self) -> int:
        """Number of iterations or nodes."""
        return self.certificate.iterations

    @property
    def seconds(self) -> float:
        """Wall-clock time."""
        return self.certificate.seconds
