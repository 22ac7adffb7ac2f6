"""Rewards, budgets and knapsacks: factors that count literals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor, floats, integer
from treaty.graph._logic import Literals
from treaty.graph._meaning import MEANING, Bits, Doubles, Integers, allowed_if, dot
from treaty.graph._variables import Literal

__all__ = ["ROUNDING", "CountingFactors"]

ROUNDING = 1e-12
"""Tolerance for rounding errors in a sum of costs, relative to the capacity."""


class CountingFactors(Base):
    """Scores for literals that are on together, and limits on how many may be on."""

    def reward(self, *literals: Literals | float, score: float | None = None) -> Factor:
        """Add a score, positive or negative, that counts if all literals are on (PAIR for two).

        The score is the last argument, or a keyword.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> sun, hat = graph.variables([1.2, -0.1], names=["sun", "hat"])
        >>> graph.reward(sun, hat, 0.4)
        <Factor 0: reward(sun, hat)>
        """
        given: list[Any] = list(literals)
        if score is None:
            if not given or isinstance(given[-1], Literal):
                raise UsageError("reward: the last argument is the score: reward(x, y, 0.4)")
            score = given.pop()
        data = floats("reward: score", score, ()).ravel()
        return self._add(Kind.reward, self._codes(given), data)

    def at_most(self, k: int, *literals: Literals) -> Factor:
        """Allow at most k of the literals to be on (BUDGET).

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> graph.at_most(2, graph.variables([0.5, 0.4, 0.3]))
        <Factor 0: at_most(x0, x1, x2)>
        """
        return self._limit(Kind.at_most, integer("at_most: k", k), self._codes(literals))

    def exactly(self, k: int, *literals: Literals) -> Factor:
        """Require exactly k of the literals to be on; infeasible if k exceeds their number."""
        return self._limit(Kind.exactly, integer("exactly: k", k), self._codes(literals))

    def at_least(self, k: int, *literals: Literals) -> Factor:
        """Require at least k of the literals to be on.

        It is stored as "at most n - k are off". If k exceeds the number n of literals, the graph is
        infeasible, and the factor is stored as ``exactly(k)``.
        """
        k, codes = integer("at_least: k", k), self._codes(literals)
        if k > len(codes):
            return self._limit(Kind.exactly, k, codes)
        return self._limit(Kind.at_most, len(codes) - k, [code ^ 1 for code in codes])

    def _limit(self, kind: Kind, k: int, codes: list[int]) -> Factor:
        return self._add(kind, codes, shape=np.array([k], np.int32))

    def knapsack(
        self, literals: Iterable[Literal], costs: npt.ArrayLike, capacity: float
    ) -> Factor:
        """Limit the total cost of the literals that are on to the capacity.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> sentences = graph.variables([0.9, 0.5, 0.4])
        >>> graph.knapsack(sentences, costs=[20, 12, 9], capacity=30).data
        array([20., 12.,  9., 30.])
        """
        codes = self._codes((literals,))
        data = np.append(
            floats("knapsack: costs", costs, (len(codes),)),
            floats("knapsack: capacity", capacity, ()),
        )
        return self._add(Kind.knapsack, codes, data)


def _knapsack_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    capacity = data[:, -1]
    spent = dot(on, data[:, :-1])
    return allowed_if((capacity >= 0.0) & (spent * (1.0 - ROUNDING) <= capacity))


MEANING |= {
    Kind.reward: lambda on, data, shape: np.where(on.all(axis=1), data[:, 0], 0.0),
    Kind.at_most: lambda on, data, shape: allowed_if(on.sum(axis=1) <= shape[0]),
    Kind.exactly: lambda on, data, shape: allowed_if(on.sum(axis=1) == shape[0]),
    Kind.knapsack: _knapsack_score,
}
