"""Sums over all assignments: the log-partition and marginals, by bucket elimination.

The probability of an assignment is proportional to exp(objective).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treaty.errors import SolverError
from treaty.graph._uai_write import tables_of
from treaty.solve._view import Doubles

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["LogPartition", "log_partition", "marginals"]

MOST_CELLS = 2**20


@dataclass(frozen=True)
class LogPartition:
    """The logarithm of the sum of exp(objective) over all assignments.

    Attributes
    ----------
    value
        The sum's logarithm, or an upper bound on it.
    is_exact
        Whether it is the value itself.
    """

    value: float
    is_exact: bool


def log_partition(graph: FactorGraph, *, most_cells: int = MOST_CELLS) -> LogPartition:
    """Sum exp(objective) over all assignments, or bound the sum from above.

    Exact if the tables of bucket elimination are small enough. Otherwise buckets are split into
    weighted mini-buckets (Liu & Ihler 2011): an upper bound by Hölder's inequality.

    Parameters
    ----------
    graph
        The graph; its factors must have a form as a table of all their states.
    most_cells
        Largest table of the elimination.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> result = log_partition(graph)
    >>> round(math.exp(result.value), 6), result.is_exact
    (4.0, True)
    """
    elimination = _Elimination(graph, most_cells)
    return LogPartition(elimination.value, elimination.is_exact)


def marginals(graph: FactorGraph, *, most_cells: int = MOST_CELLS) -> list[Doubles]:
    """Probabilities of the states of all variables, exactly.

    Parameters
    ----------
    graph, most_cells
        As for `log_partition`. `SolverError` is raised if the tables would be larger, or if no
        assignment is allowed.

    Returns
    -------
    list of arrays
        For each of `graph.whole_variables`; of a binary one for off and on.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> marginals(graph)[0]
    array([0.75, 0.25])
    """
    elimination = _Elimination(graph, most_cells)
    if not elimination.is_exact:
        raise SolverError(
            f"marginals need tables of more than {most_cells} cells here; raise most_cells, or "
            "bound the log-partition with log_partition"
        )
    if elimination.value == -math.inf:
        raise SolverError("there are no marginals: no assignment is allowed")
    return elimination.marginals()


@dataclass(eq=False)
class _Table:
    scope: tuple[int, ...]
    scores: Doubles
    """Log-potentials, an axis per variable of the scope."""
    bucket: int = -1
    """The bucket that sent it; -1 for a factor."""


@dataclass(eq=False)
class _Bucket:
    variable: int
    scope: tuple[int, ...]
    """The variable last."""
    table: Doubles
    message: Doubles
    parent: int = -1


class _Elimination:
    """The buckets of an elimination, in order."""

    def __init__(self, graph: FactorGraph, most_cells: int) -> None:
        self.sizes, tables = tables_of(graph)
        self.most_cells = most_cells
        self.value, self.is_exact = 0.0, True
        self.buckets: list[_Bucket] = []
        waiting = [
            _Table(scope, scores.reshape([self.sizes[v] for v in scope]))
            for scope, scores in tables
        ]
        for variable in self._order([table.scope for table in waiting]):
            mine = [table for table in waiting if variable in table.scope]
            waiting = [table for table in waiting if variable not in table.scope]
            waiting += self._eliminate(variable, mine)
        self.value += sum(float(table.scores) for table in waiting)

    def _order(self, scopes: list[tuple[int, ...]]) -> list[int]:
        """Variables with the smallest table first."""
        neighbors: dict[int, set[int]] = {v: set() for v in range(len(self.sizes))}
        for scope in scopes:
            for v in scope:
                neighbors[v].update(scope)
        for v, others in neighbors.items():
            others.discard(v)
        size = {v: self._cells(v, others) for v, others in neighbors.items()}
        order = []
        while neighbors:
            v = min(size, key=lambda u: (size[u], u))
            order.append(v)
            others = neighbors.pop(v)
            del size[v]
            for u in others:
                neighbors[u] |= others
                neighbors[u] -= {u, v}
                size[u] = self._cells(u, neighbors[u])
        return order

    def _cells(self, variable: int, others: set[int]) -> float:
        return math.log(self.sizes[variable]) + sum(math.log(self.sizes[u]) for u in others)

    def _eliminate(self, variable: int, tables: list[_Table]) -> list[_Table]:
        """Sum a variable out, in as many mini-buckets as needed."""
        groups: list[tuple[set[int], list[_Table]]] = []
        for table in sorted(tables, key=lambda t: -t.scores.size):
            for scope, members in groups:
                joined = scope | set(table.scope)
                if math.prod(self.sizes[v] for v in joined) <= self.most_cells:
                    scope |= joined
                    members.append(table)
                    break
            else:
                groups.append((set(table.scope), [table]))
        self.is_exact = self.is_exact and len(groups) == 1
        if any(math.prod(self.sizes[v] for v in scope) > self.most_cells for scope, _ in groups):
            self.is_exact = False  # a factor alone is larger
        return [self._message(variable, scope, m, len(groups)) for scope, m in groups]

    def _message(self, variable: int, scope: set[int], members: list[_Table], parts: int) -> _Table:
        axes = (*sorted(scope - {variable}), variable)
        table = np.zeros([self.sizes[v] for v in axes])
        for member in members:
            table = table + _aligned(member, axes)
            if member.bucket >= 0:
                self.buckets[member.bucket].parent = len(self.buckets)
        # Hölder: the sum of a product is at most the product of norms whose weights sum to one.
        message = log_sum(table * parts, -1) / parts
        self.buckets.append(_Bucket(variable, axes, table, message))
        return _Table(axes[:-1], message, len(self.buckets) - 1)

    def marginals(self) -> list[Doubles]:
        """Pass beliefs down from the last bucket to the first."""
        beliefs: list[Doubles] = [np.empty(0)] * len(self.buckets)
        result: list[Doubles] = [np.empty(0)] * len(self.sizes)
        for b in range(len(self.buckets) - 1, -1, -1):
            bucket = self.buckets[b]
            outside = np.zeros(bucket.message.shape)
            if bucket.parent >= 0:
                parent = self.buckets[bucket.parent]
                away = tuple(i for i, v in enumerate(parent.scope) if v not in bucket.scope[:-1])
                inner = tuple(v for v in parent.scope if v in bucket.scope[:-1])
                seen = _Table(inner, log_sum(beliefs[bucket.parent], away))
                seen_here = _aligned(seen, bucket.scope[:-1])
                with np.errstate(invalid="ignore"):
                    outside = np.where(np.isneginf(seen_here), -np.inf, seen_here - bucket.message)
            elif bucket.message.ndim == 0:
                outside = -bucket.message
            beliefs[b] = bucket.table + outside[..., None]
            others = tuple(range(beliefs[b].ndim - 1))
            own = np.exp(log_sum(beliefs[b], others))
            result[bucket.variable] = own / own.sum()
        return result


def _aligned(table: _Table, axes: tuple[int, ...]) -> Doubles:
    """Put a table's axes into the order of a larger scope, for broadcasting."""
    order = sorted(range(len(table.scope)), key=lambda i: axes.index(table.scope[i]))
    shape = [1] * len(axes)
    for i in order:
        shape[axes.index(table.scope[i])] = table.scores.shape[i]
    return table.scores.transpose(order).reshape(shape)


def log_sum(scores: Doubles, axis: int | tuple[int, ...]) -> Doubles:
    """Add up exponentials along axes, in logarithms."""
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total: Doubles = np.log(np.exp(scores - top).sum(axis=axis))
    return np.asarray(total + np.squeeze(top, axis=axis), np.float64)
