"""What is true of a small graph: every allowed assignment and its score, in exact integers.

A double is a whole number of units of 2^-1074, so that sums of scores are exact. The numbers of a
factor that count are read off its definition in numpy (`treaty.graph._meaning`): it is evaluated
with each number alone.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import Any

import numpy as np
import numpy.typing as npt

from research.fuzz._recipes import PRICE, Plain
from treaty import FactorGraph
from treaty._native.graph import Kind
from treaty.graph._meaning import MEANING

__all__ = ["UNIT", "Truth", "exact"]

UNIT = 2**1074
"""How many units are 1."""
ROUNDING = 1e-14
"""What `docs/reference/solvers.md` allows, relative to the sum of the sizes of all scores."""
DATA_ARE_NO_SCORES = ("knapsack",)

Bits = npt.NDArray[np.bool_]


def exact(number: float) -> int:
    """Return a finite number in units."""
    numerator, denominator = number.as_integer_ratio()
    return numerator * (UNIT // denominator)


class Truth:
    """All assignments that a graph allows.

    Attributes
    ----------
    scored
        The allowed assignments, as bytes of 0 and 1, and what they score in units.
    """

    def __init__(self, graph: FactorGraph, scored: dict[bytes, int] | None = None) -> None:
        self.graph = graph
        self.scored = _enumerated(graph) if scored is None else scored

    @cached_property
    def best(self) -> int | None:
        """The score of the best one in units."""
        return max(self.scored.values(), default=None)

    @cached_property
    def rounding(self) -> int:
        """How far a sum of scores may be off by rounding, in units."""
        total = math.fsum(chain(*self._groups, *self._own_groups))
        return exact(ROUNDING * total + 64 * 5e-324)

    def tolerance(self, score: int, relative: float) -> int:
        """How far an optimum may be from the best: relative to it, or to the unit of scores.

        The unit is the largest score, or 10^4 of the smallest if that is less. (What a user's own
        factors score is not known to solvers and not counted.)
        """
        sizes = self._sizes
        unit = min(max(sizes), 1e4 * min(sizes)) if sizes else 1.0
        return int(Fraction(relative) * max(abs(score), exact(unit)))

    @property
    def is_ordinary(self) -> bool:
        """Whether no score is huge or tiny."""
        sizes = chain(*self._groups, *self._own_groups)
        return all(1e-6 <= size <= 1e6 for size in sizes)

    def left(self, keep: Any) -> Truth:
        """Return the assignments that a function keeps."""
        rest = Truth(self.graph, {one: s for one, s in self.scored.items() if keep(one)})
        rest._groups = self._groups
        return rest

    @cached_property
    def _groups(self) -> list[list[float]]:
        """The absolute values of scores: of each variable, and of each factor."""
        every = [[score] for score in self.graph.scores.tolist()]
        for factor in self.graph.factors:
            if factor.kind not in DATA_ARE_NO_SCORES:
                every.append(factor.data.tolist())
        return [[abs(s) for s in scores if s and math.isfinite(s)] for scores in every]

    @property
    def _own_groups(self) -> list[list[float]]:
        """The same of a user's own factors."""
        oracles = self.graph._oracles.values()
        every = [one.scores if isinstance(one, Plain) else [PRICE] for one in oracles]
        return [[abs(score) for score in scores if score] for scores in every]

    @property
    def _sizes(self) -> list[float]:
        return [size for group in self._groups for size in group]


def _enumerated(graph: FactorGraph) -> dict[bytes, int]:
    values = _assignments(graph)
    total: npt.NDArray[np.object_] = np.zeros(len(values), object)
    for variable, score in enumerate(graph.scores.tolist()):
        if score:
            total[values[:, variable]] += exact(score)
    for factor in graph.factors:
        codes = factor.codes
        on = values[:, codes >> 1] ^ (codes & 1).astype(bool)
        patterns, which = _distinct(on)
        allowed, scores = _own(graph, factor, patterns)
        kept = allowed[which]
        values, total = values[kept], (total + scores[which])[kept]
    rows = values.astype(np.int8)
    return {row.tobytes(): score for row, score in zip(rows, total.tolist(), strict=True)}


def _assignments(graph: FactorGraph) -> Bits:
    """List what evidence and categorical variables leave."""
    n = len(graph)
    sizes = [getattr(variable, "size", 0) for variable in graph.whole_variables]
    blocks = [np.eye(size, dtype=int).tolist() if size else [[0], [1]] for size in sizes]
    rows = [list(chain(*one)) for one in product(*blocks)]
    values = np.array(rows, bool).reshape(len(rows), n)
    fixed = np.flatnonzero(graph.evidence >= 0)
    kept: Bits = values[(values[:, fixed] == graph.evidence[fixed]).all(axis=1)]
    return kept


def _distinct(on: Bits) -> tuple[Bits, npt.NDArray[np.intp]]:
    if not on.shape[1]:
        return on[:1], np.zeros(len(on), np.intp)
    number = on @ (1 << np.arange(on.shape[1], dtype=np.int64))
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    return on[first], which.ravel()


def _own(graph: FactorGraph, factor: Any, on: Bits) -> tuple[Bits, npt.NDArray[np.object_]]:
    """Return which configurations a factor allows, and its own scores in units."""
    kind, data, shape = Kind[factor.kind], factor.data, factor.shape
    own: npt.NDArray[np.object_] = np.zeros(len(on), object)
    if kind == Kind.custom:
        return _own_of(graph._oracles[factor.index], on)
    allowed = MEANING[kind](on, data[None], shape) > -np.inf
    if factor.kind not in DATA_ARE_NO_SCORES and len(data) and allowed.any():
        cells = [exact(x) if math.isfinite(x) else 0 for x in data.tolist()]
        times = _times(kind, len(data), shape.tobytes(), on.tobytes(), len(on))
        for row in np.flatnonzero(allowed).tolist():
            own[row] = sum(n * cells[cell] for cell, n in times[row])
    return allowed, own


@lru_cache(2**12)
def _times(
    kind: Kind, cells: int, shape: bytes, patterns: bytes, rows: int
) -> list[list[tuple[int, int]]]:
    """Say for each configuration which cells count, and how often."""
    on = np.frombuffer(patterns, bool).reshape(rows, -1)
    alone = np.tile(np.eye(cells), (rows, 1))
    score = MEANING[kind](np.repeat(on, cells, axis=0), alone, np.frombuffer(shape, np.int32))
    count = np.where(np.isneginf(score), 0.0, score).reshape(rows, cells).astype(int)
    return [[(cell, int(row[cell])) for cell in np.flatnonzero(row).tolist()] for row in count]


def _own_of(oracle: Any, on: Bits) -> tuple[Bits, npt.NDArray[np.object_]]:
    rows = [tuple(row) for row in on.astype(int).tolist()]
    if isinstance(oracle, Plain):
        scores = [oracle.known.get(row, -math.inf) for row in rows]
    else:
        scores = [PRICE if all(row) else -math.inf if any(row) else 0.0 for row in rows]
    allowed = np.isfinite(scores)
    own = np.array([exact(s) if math.isfinite(s) else 0 for s in scores] + [None], object)[:-1]
    return allowed, own
