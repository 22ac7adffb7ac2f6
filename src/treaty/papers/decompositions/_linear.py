"""Linear programs with the interface of factor graphs, solved by HiGHS."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError
from treaty.solve._highs import run_apart

__all__ = ["LinearProgram"]


class LinearProgram:
    """A linear program with the interface of `FactorGraph`; its variables are column indices."""

    def __init__(self) -> None:
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
            self._highs.setOptionValue(option, value)
        self._columns = 0

    def variable(self, score: float = 0.0, *, upper: float = 1.0, integral: bool = False) -> int:
        """Add a variable between 0 and `upper`."""
        column = self._columns
        self._columns += 1
        self._highs.addCol(-score, 0.0, upper, 0, [], [])
        if integral:
            self._highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        return column

    def fix(self, variable: int, value: bool) -> None:
        """Fix a variable to a value."""
        self._highs.changeColBounds(variable, float(value), float(value))

    def row(
        self, lower: float, columns: Sequence[int], coefficients: Sequence[float], upper: float
    ) -> None:
        """Add a constraint: a linear expression between two bounds."""
        self._highs.addRow(lower, upper, len(columns), list(columns), list(coefficients))

    def exactly_one(self, variables: Iterable[int]) -> None:
        """Require the variables to sum to 1 (XOR)."""
        columns = list(variables)
        self.row(1.0, columns, [1.0] * len(columns), 1.0)

    def xor_with_output(self, inputs: Iterable[int], output: int) -> None:
        """Require the inputs to sum to the output (XOR-WITH-OUTPUT)."""
        columns = [*inputs, output]
        self.row(0.0, columns, [1.0] * (len(columns) - 1) + [-1.0], 0.0)

    def implies(self, antecedent: int, consequent: int) -> None:
        """Require the antecedent to be at most the consequent."""
        self.row(-math.inf, [antecedent, consequent], [1.0, -1.0], 0.0)

    def reward(self, one: int, other: int, score: float) -> None:
        """Add a score for a pair being on together."""
        both = self.variable(score)
        self.implies(both, one)
        self.implies(both, other)
        self.row(-math.inf, [one, other, both], [1.0, 1.0, -1.0], 1.0)

    def solve(self) -> tuple[float, npt.NDArray[np.float64]]:
        """Return the optimum and an optimal point; ``-inf`` and zeros if infeasible."""
        run_apart(self._highs)
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return -math.inf, np.zeros(self._columns)
        if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty):
            name = self._highs.modelStatusToString(status)
            raise SolverError(f"HiGHS stopped on the flow program with {name!r}")
        point = np.array(self._highs.getSolution().col_value)
        return -self._highs.getInfo().objective_function_value, point
