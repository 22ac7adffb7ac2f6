"""What was measured, and what can be derived from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from _solvers import AD3, LP, PEERS

GOOD = 1e-4  # how near a bound must come to the relaxation's value, relative
SURE = 1e-6  # by how much two certificates may disagree, relative


@dataclass(frozen=True)
class Row:
    """One solver on one problem; without seconds it failed, and the status says how."""

    solver: str
    status: str
    seconds: float | None = None
    build: float | None = None
    objective: float = -math.inf
    bound: float = math.inf
    gap: float = math.inf
    iterations: int | None = None
    megabytes: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Result:
    """All solvers on one problem."""

    problem: str
    is_pattern: bool
    variables: int
    factors: int
    rows: list[Row]
    seconds_to: dict[str, float | None]
    """CPU seconds until AD3's bound is as near to the relaxation's value as the keys say."""

    def row(self, solver: str) -> Row | None:
        """The solver's run, if it answered."""
        return next((r for r in self.rows if r.solver == solver and r.seconds is not None), None)

    def seconds(self, solver: str) -> float | None:
        """The solver's CPU seconds, if it answered."""
        row = self.row(solver)
        return None if row is None else row.seconds

    @property
    def lp_value(self) -> float | None:
        """The relaxation's value, if HiGHS found it."""
        row = self.row(LP)
        return row.bound if row is not None and row.status == "OPTIMAL" else None

    def difference(self, solver: str = AD3) -> float | None:
        """By how much a solver's bound exceeds the relaxation's value, relative."""
        row, value = self.row(solver), self.lp_value
        if row is None or value is None:
            return None
        return (row.bound - value) / max(1.0, abs(value))

    def reaches_lp(self, solver: str = AD3) -> bool:
        """Whether a solver's bound is the relaxation's value."""
        difference = self.difference(solver)
        return difference is not None and abs(difference) <= GOOD

    def speed_up(self, solver: str = AD3) -> float | None:
        """How many times as fast as HiGHS a solver of the relaxation is."""
        ours, theirs = self.seconds(solver), self.seconds(LP)
        if ours is None or theirs is None or self.lp_value is None:
            return None
        return theirs / ours

    def contradictions(self) -> list[str]:
        """Answers that are worth more than another solver's bound: one of the two is wrong."""
        certified = [r for r in self.rows if r.seconds is not None and r.solver not in PEERS]
        return [
            f"{self.problem}: {a.solver} has {a.objective!r}, "
            f"but {b.solver} excludes more than {b.bound!r}"
            for a in certified
            for b in certified
            if a.objective > b.bound + SURE * max(1.0, abs(b.bound))
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything, with null for what is not a finite number."""
        return {
            "problem": self.problem,
            "variables": self.variables,
            "factors": self.factors,
            "lp_value": self.lp_value,
            "difference": self.difference(),
            "speed_up": self.speed_up(),
            "seconds_to": self.seconds_to,
            "runs": [
                {key: _finite(value) for key, value in vars(row).items()} for row in self.rows
            ],
        }


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
