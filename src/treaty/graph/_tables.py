"""Tables and sequences: scores of the states of variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.graph._base import Base
from treaty.graph._factors import Factor, floats, sequence_scores, state_codes
from treaty.graph._meaning import MEANING, Bits, Doubles, Integers, pick
from treaty.graph._variables import Categorical, Literal

__all__ = ["TableFactors"]


class TableFactors(Base):
    """Factors over variables that are in one of several states."""

    def table(self, variables: Iterable[Categorical | Literal], scores: npt.ArrayLike) -> Factor:
        """Score every joint state of some variables; ``-inf`` forbids one.

        Parameters
        ----------
        variables
            Categorical variables; a binary literal x counts as one with the states (~x, x).
        scores
            One axis per variable.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> weather, hat = graph.categorical([0.1, 0.5, 0.2]), graph.variable(-0.1)
        >>> graph.table([weather, hat], [[0, 1], [0, 0], [0, -1]]).scores.shape
        (3, 2)
        """
        codes, cardinalities = state_codes(self._self, variables)
        cells = floats("table: scores", scores, tuple(cardinalities)).ravel()
        return self._add(Kind.table, codes, cells, np.array(cardinalities, np.int32))

    def sequence(
        self,
        variables: Iterable[Categorical | Literal],
        edges: npt.ArrayLike | Sequence[npt.ArrayLike],
        start: npt.ArrayLike | None = None,
        stop: npt.ArrayLike | None = None,
    ) -> Factor:
        """Score neighboring states along a chain of variables (a Markov chain).

        Parameters
        ----------
        variables
            The chain, as in `table`.
        edges
            A table of scores for each neighboring pair, or a single one for all.
        start, stop
            Scores for the first and for the last variable's states.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> tags = [graph.categorical([0.3, 0.1]) for _ in range(4)]
        >>> graph.sequence(tags, [[0.5, -0.5], [-0.5, 0.5]]).shape
        array([2, 2, 2, 2], dtype=int32)
        """
        codes, cardinalities = state_codes(self._self, variables)
        scores = sequence_scores(cardinalities, edges, start, stop)
        return self._add(Kind.sequence, codes, scores, np.array(cardinalities, np.int32))


def _states(on: Bits, shape: Integers) -> tuple[npt.NDArray[np.intp], Bits]:
    """Find the state of each variable (one column each), and whether exactly one is on."""
    blocks = np.split(on, np.cumsum(shape)[:-1], axis=1)
    one_each = np.all([block.sum(axis=1) == 1 for block in blocks], axis=0)
    return np.stack([block.argmax(axis=1) for block in blocks], axis=1), one_each


def _table_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score the chosen cell."""
    state, one_each = _states(on, shape)
    cell = np.ravel_multi_index(tuple(state.T), tuple(shape))
    return np.where(one_each, pick(data, cell), -np.inf)


def _sequence_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Add up start, edge and stop scores along the chain of states."""
    state, one_each = _states(on, shape)
    stop = data.shape[1] - shape[-1]
    score = pick(data, state[:, 0]) + pick(data, stop + state[:, -1])
    begin = shape[0]
    for i, (left, right) in enumerate(itertools.pairwise(shape)):
        score = score + pick(data, begin + state[:, i] * right + state[:, i + 1])
        begin += left * right
    return np.where(one_each, score, -np.inf)


MEANING |= {Kind.table: _table_score, Kind.sequence: _sequence_score}
