"""A graph's flat arrays for the solvers written in Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind

__all__ = ["KINDS", "Bits", "Doubles", "GraphView", "Ints", "add_up", "equal_rows", "ranges"]

Bits = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.integer[Any]]
Doubles = npt.NDArray[np.float64]

KINDS: tuple[Kind, ...] = tuple(sorted(Kind, key=lambda kind: kind.value))


def ranges(begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Positions ``begin[i] .. end[i] - 1`` for all i in one array, and the i of each."""
    size = end - begin
    row = np.repeat(np.arange(len(size)), size)
    return np.arange(size.sum()) + np.repeat(begin - (np.cumsum(size) - size), size), row


def equal_rows(matrix: Ints) -> list[Ints]:
    """Group the rows of a matrix that are equal, in the order of their first ones."""
    if not matrix.shape[1]:
        return [np.arange(len(matrix))] if len(matrix) else []
    _, first, group = np.unique(matrix, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(group.ravel()))[:-1])
    return [groups[i] for i in np.argsort(first)]


def add_up(index: Ints, weights: npt.ArrayLike, count: int) -> Doubles:
    """Sum weights by index, 0 .. `count` - 1."""
    return np.bincount(index, weights, count).astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class GraphView:
    """What `Graph` keeps, fetched once: every access to the native arrays makes a copy.

    Factor f owns ``literals[literal_begin[f] : literal_begin[f + 1]]``, and `data` and `shape`
    alike; what they mean for each kind stands in its header in ``native/graph``.
    """

    scores: Doubles
    evidence: Ints
    categorical_first: Ints
    categorical_size: Ints
    kinds: Ints
    literals: Ints
    literal_begin: Ints
    data: Doubles
    data_begin: Ints
    shape: Ints
    shape_begin: Ints

    @classmethod
    def of(cls, graph: Graph) -> GraphView:
        """Take the snapshot."""
        return cls(**{name: getattr(graph, name) for name in cls.__dataclass_fields__})

    @property
    def variables(self) -> int:
        """How many binary variables there are."""
        return len(self.scores)

    @cached_property
    def states_from(self) -> Ints:
        """By variable: the number of states of the categorical variable that begins there, or 0."""
        size = np.zeros(self.variables, dtype=np.int64)
        size[self.categorical_first] = self.categorical_size
        return size

    @property
    def degree(self) -> Ints:
        """How many literals each factor has."""
        return np.diff(self.literal_begin)

    def of_kind(self, kind: Kind) -> Ints:
        """List the factors of one kind."""
        return np.flatnonzero(self.kinds == kind.value)

    def kind_of(self, factor: int) -> Kind:
        """Name the kind of one factor."""
        return KINDS[int(self.kinds[factor])]

    def literals_of(self, factor: int) -> Ints:
        """List the literals of one factor."""
        return self.literals[self.literal_begin[factor] : self.literal_begin[factor + 1]]

    def data_of(self, factor: int) -> Doubles:
        """List the numbers of one factor."""
        return self.data[self.data_begin[factor] : self.data_begin[factor + 1]]

    def shape_of(self, factor: int) -> Ints:
        """List the integers of one factor."""
        return self.shape[self.shape_begin[factor] : self.shape_begin[factor + 1]]

    def slots(self, factors: Ints) -> tuple[Ints, Ints]:
        """Where the literals of several factors stand, and which of the factors each belongs to."""
        return ranges(self.literal_begin[factors], self.literal_begin[factors + 1])

    def alike(self, factors: Ints) -> Iterator[tuple[Kind, tuple[int, ...], Ints]]:
        """Gather factors of the same kind, degree and shape: (kind, shape, factors)."""
        size = np.diff(self.shape_begin)[factors]
        for group in equal_rows(
            np.stack([self.kinds[factors], self.degree[factors], size], axis=1)
        ):
            some = factors[group]
            shapes = self.shape[self.shape_begin[some][:, None] + np.arange(size[group[0]])]
            for same in equal_rows(shapes):
                yield self.kind_of(some[0]), tuple(shapes[same[0]].tolist()), some[same]

    def literals_of_alike(self, factors: Ints) -> Ints:
        """List the literals of factors that are alike, a row for each."""
        first = factors[0]
        return self.literals[self.literal_begin[factors][:, None] + np.arange(self.degree[first])]

    def data_of_alike(self, factors: Ints) -> Doubles:
        """List the numbers of factors that are alike, a row for each."""
        size = self.data_begin[factors[0] + 1] - self.data_begin[factors[0]]
        return self.data[self.data_begin[factors][:, None] + np.arange(size)]
