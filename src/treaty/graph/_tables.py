"""Tables, sequences and trees: scores of the states of variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor, floats, integer, sequence_scores, state_codes
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

    def sequence_budget(
        self,
        budget: int,
        variables: Iterable[Categorical | Literal],
        edges: npt.ArrayLike | Sequence[npt.ArrayLike],
        start: npt.ArrayLike | None = None,
        stop: npt.ArrayLike | None = None,
    ) -> Factor:
        """Score a chain as `sequence` does, with at most `budget` variables in their first state.

        Parameters
        ----------
        budget
            How many variables may be in their first state (of a binary literal x: off).
        variables, edges, start, stop
            As in `sequence`.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> words = [graph.categorical([0.5, 0.1]) for _ in range(3)]  # kept or dropped
        >>> factor = graph.sequence_budget(2, words, [[0.2, 0.0], [0.0, 0.0]])
        >>> graph.solve().objective
        1.3
        """
        codes, cardinalities = state_codes(self._self, variables)
        scores = sequence_scores(cardinalities, edges, start, stop)
        most = min(integer("sequence_budget: budget", budget), len(cardinalities))
        shape = np.array([most, *cardinalities], np.int32)
        return self._add(Kind.sequence_budget, codes, scores, shape)

    def general_tree(
        self,
        variables: Iterable[Categorical | Literal],
        parents: Iterable[int | None],
        edges: Iterable[npt.ArrayLike],
        counts: Iterable[Literal] = (),
    ) -> Factor:
        """Score the states of variables and of their parents in a tree.

        Parameters
        ----------
        variables
            The nodes, as in `table`. The first one is the root.
        parents
            For each node the position of its parent in `variables`; None or -1 for the root.
        edges
            A table for each node but the root: a row per state of its parent.
        counts
            If given, n + 1 literals for n nodes: number k is on if exactly k nodes are in their
            first state.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> nodes = [graph.categorical([0.4, 0.0]) for _ in range(3)]
        >>> counts = graph.variables([0.0, 0.0, 0.0, -1.0])  # a price for three first states
        >>> factor = graph.general_tree(nodes, [None, 0, 0], [[[1, 0], [0, 0]]] * 2, counts)
        >>> solution = graph.solve()
        >>> solution.objective, [solution[count] for count in counts]
        (2.2, [False, False, False, True])
        """
        codes, cardinalities = state_codes(self._self, variables)
        above = [-1 if p is None else integer("general_tree: parent", p, -1) for p in parents]
        data = _edge_scores(cardinalities, above, list(edges))
        shape = np.array([*cardinalities, *above], np.int32)
        numbers = self._codes((counts,))
        if not numbers:
            return self._add(Kind.general_tree, codes, data, shape)
        return self._add(Kind.general_tree_counts, codes + numbers, data, shape)


def _edge_scores(
    cardinalities: list[int], parents: list[int], edges: list[npt.ArrayLike]
) -> Doubles:
    """Concatenate the tables of all nodes but the first."""
    n = len(cardinalities)
    if len(parents) != n or len(edges) != max(n - 1, 0):
        raise UsageError(
            f"general_tree: expected a parent for each of the {n} nodes and an edge table for "
            f"each but the first, got {len(parents)} parents and {len(edges)} tables"
        )
    if any(not 0 <= parent < n for parent in parents[1:]):
        raise UsageError(
            "general_tree: the parent of a node is another node; only the first has none"
        )
    tables = [
        floats(f"general_tree: edge table {i}", table, (cardinalities[parent], cardinality)).ravel()
        for i, (table, parent, cardinality) in enumerate(
            zip(edges, parents[1:], cardinalities[1:], strict=True)
        )
    ]
    return np.concatenate([np.empty(0), *tables])


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


def _sequence_budget_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score as a sequence, if not too many variables are in their first state."""
    state, _ = _states(on, shape[1:])
    within = (state == 0).sum(axis=1) <= shape[0]
    return np.where(within, _sequence_score(on, data, shape[1:]), -np.inf)


def _general_tree_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Add up the edges' scores of the states of nodes and of their parents."""
    sizes, parents = np.split(shape, 2)
    state, one_each = _states(on, sizes)
    score, begin = np.zeros(len(on)), 0
    for node in range(1, len(sizes)):
        score = score + pick(data, begin + state[:, parents[node]] * sizes[node] + state[:, node])
        begin += sizes[parents[node]] * sizes[node]
    return np.where(one_each, score, -np.inf)


def _general_tree_counts_score(on: Bits, data: Doubles, shape: Integers) -> Doubles:
    """Score as a tree, if the one count that is on is the number of first states."""
    sizes, _ = np.split(shape, 2)
    states, counts = np.split(on, [sizes.sum()], axis=1)
    state, _ = _states(states, sizes)
    right = (counts.sum(axis=1) == 1) & (counts.argmax(axis=1) == (state == 0).sum(axis=1))
    return np.where(right, _general_tree_score(states, data, shape), -np.inf)


MEANING |= {
    Kind.table: _table_score,
    Kind.sequence: _sequence_score,
    Kind.sequence_budget: _sequence_budget_score,
    Kind.general_tree: _general_tree_score,
    Kind.general_tree_counts: _general_tree_counts_score,
}
