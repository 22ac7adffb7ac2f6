"""Linear programs in the words of factor graphs, solved by HiGHS."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from treaty.errors import SolverError

__all__ = ["LinearProgram"]


class LinearProgram:
    """A linear program in the vocabulary of `FactorGraph`; its variables are numbers of columns."""

    def __init__(self) -> None:
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0)):
            self._highs.setOptionValue(option, value)
        self._columns = 0

    def variable(self, score: float = 0.0, *, upper: float = 1.0, integral: bool = False) -> int:
        """Add a number between 0 and `upper`."""
        column = self._columns
        self._columns += 1
        self._highs.addCol(-score, 0.0, upper, 0, [], [])
        if integral:
            self._highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        return column

    def fix(self, variable: int, value: bool) -> None:
        """Hold a variable to a value."""
        self._highs.changeColBounds(variable, float(value), float(value))

    def row(
        self, lower: float, columns: Sequence[int], coefficients: Sequence[float], upper: float
    ) -> None:
        """Hold a sum between two numbers."""
        self._highs.addRow(lower, upper, len(columns), list(columns), list(coefficients))

    def exactly_one(self, variables: Iterable[int]) -> None:
        """Let the variables sum to 1 (XOR)."""
        columns = list(variables)
        self.row(1.0, columns, [1.0] * len(columns), 1.0)

    def xor_with_output(self, inputs: Iterable[int], output: int) -> None:
        """Let the inputs sum to the output (XOR-WITH-OUTPUT)."""
        columns = [*inputs, output]
        self.row(0.0, columns, [1.0] * (len(columns) - 1) + [-1.0], 0.0)

    def implies(self, antecedent: int, consequent: int) -> None:
        """Let the one be at most the other."""
        self.row(-math.inf, [antecedent, consequent], [1.0, -1.0], 0.0)

    def reward(self, one: int, other: int, score: float) -> None:
        """Score a pair that is on together."""
        both = self.variable(score)
        self.implies(both, one)
        self.implies(both, other)
        self.row(-math.inf, [one, other, both], [1.0, 1.0, -1.0], 1.0)

    def solve(self) -> tuple[float, npt.NDArray[np.float64]]:
        """Find the optimum and a point that has it; ``-inf`` and zeros if nothing is feasible."""
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return -math.inf, np.zeros(self._columns)
        if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty):
            name = self._highs.modelStatusToString(status)
            raise SolverError(f"HiGHS gave up on the flow program with {name!r}")
        point = np.array(self._highs.getSolution().col_value)
        return -self._highs.getInfo().objective_function_value, point
