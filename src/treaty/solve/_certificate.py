"""What an answer is worth: declared once, held by every result of every application."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from treaty.errors import UsageError

__all__ = ["Certificate", "Certified", "Status"]


class Status(StrEnum):
    """What an answer is worth."""

    OPTIMAL = "OPTIMAL"
    """The bound meets the answer: there is no better one."""
    FRACTIONAL = "FRACTIONAL"
    """The relaxation is solved; its optimum is not integral and the answer is rounded."""
    FEASIBLE = "FEASIBLE"
    """Stopped early by a limit, with the best answer seen so far."""
    INFEASIBLE = "INFEASIBLE"
    """Proved: no assignment satisfies every factor."""
    UNKNOWN = "UNKNOWN"
    """No answer was found and none was excluded; the bound is valid all the same."""


WORST_FIRST = (
    Status.INFEASIBLE,
    Status.UNKNOWN,
    Status.FEASIBLE,
    Status.FRACTIONAL,
    Status.OPTIMAL,
)
DIGITS = 6
"""Decimals of scores in JSON."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """How far from the best an answer can be.

    A certificate is about the model's scores. It says nothing about whether the model is right.

    Parameters
    ----------
    status
        What the answer is worth, see `Status`.
    objective
        The score of the answer, ``-inf`` when there is none.
    bound
        An upper bound on the score of every answer. Always valid.
    iterations
        Iterations of a dual method or the simplex, or nodes of a search.
    seconds
        Wall time spent.

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
        """Certify the answer of an exact algorithm, such as Viterbi's.

        Examples
        --------
        >>> Certificate.exact(1.5).status.value, Certificate.exact(-math.inf).status.value
        ('OPTIMAL', 'INFEASIBLE')
        """
        if not objective < math.inf:
            raise UsageError(
                f"the score of an answer is finite, or -inf if there is none: {objective}"
            )
        status = Status.INFEASIBLE if objective == -math.inf else Status.OPTIMAL
        return cls(status, objective, objective, seconds=seconds)

    @classmethod
    def of_parts(cls, parts: Iterable[Certificate]) -> Certificate:
        """Certify an answer made of independent parts: scores add up, the worst status counts.

        Where one part has no answer, there is none in all: objective and bound are ``-inf``.

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
        """How far from the best the answer can be: ``bound - objective``, never negative."""
        if self.status is Status.INFEASIBLE:
            return 0.0
        gap = self.bound - self.objective
        return max(gap, 0.0) if math.isfinite(self.objective) and not math.isnan(gap) else math.inf

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective's size."""
        gap = self.gap
        return gap / max(abs(self.objective), 1e-12) if 0.0 < gap < math.inf else gap

    def to_dict(self) -> dict[str, Any]:
        """Give what JSON output says of a certificate; null stands for what is not finite.

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
    """A result that holds a `Certificate` and reads its fields off it."""

    __slots__ = ()
    certificate: Certificate

    @property
    def status(self) -> Status:
        """What the answer is worth, see `Status`."""
        return self.certificate.status

    @property
    def objective(self) -> float:
        """The score of the answer, ``-inf`` when there is none."""
        return self.certificate.objective

    @property
    def bound(self) -> float:
        """An upper bound on the score of every answer."""
        return self.certificate.bound

    @property
    def gap(self) -> float:
        """How far from the best the answer can be: ``bound - objective``, never negative."""
        return self.certificate.gap

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective's size."""
        return self.certificate.relative_gap

    @property
    def iterations(self) -> int:
        """Iterations or nodes spent."""
        return self.certificate.iterations

    @property
    def seconds(self) -> float:
        """Wall time spent."""
        return self.certificate.seconds
