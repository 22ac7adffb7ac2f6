"""The same problem in other words: graphs taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from treaty._native.graph import Graph, Kind

__all__ = ["Parts", "negated", "renamed", "scaled", "split"]

SCORED = (
    *(Kind.reward, Kind.table, Kind.sequence, Kind.compression_tree),
    *(Kind.head_automaton, Kind.tri_sibling_automaton),
    *(Kind.sequence_budget, Kind.general_tree, Kind.general_tree_counts),
)


@dataclass(frozen=True)
class Factor:
    kind: Kind
    literals: list[int]
    data: np.ndarray = field(default_factory=lambda: np.empty(0))
    shape: list[int] = field(default_factory=list)

    def scaled(self, by: float) -> Factor:
        return replace(self, data=self.data * by) if self.kind in SCORED else self


@dataclass(frozen=True)
class Parts:
    """What a native graph without users' own factors is made of."""

    scores: np.ndarray
    evidence: np.ndarray
    categoricals: list[tuple[int, int]]
    factors: list[Factor]
    constant: float = 0.0

    @classmethod
    def of(cls, graph: Graph) -> Parts:
        def pieces(name: str) -> list[np.ndarray]:
            array, begin = getattr(graph, name), getattr(graph, f"{name.rstrip('s')}_begin")
            return [array[a:b] for a, b in pairwise(begin.tolist())]

        columns = zip(
            graph.kinds.tolist(), pieces("literals"), pieces("data"), pieces("shape"), strict=True
        )
        factors = [Factor(Kind(k), lit.tolist(), d, s.tolist()) for k, lit, d, s in columns]
        sizes = zip(graph.categorical_first.tolist(), graph.categorical_size.tolist(), strict=True)
        return cls(graph.scores, graph.evidence, list(sizes), factors)

    def graph(self) -> Graph:
        graph, size_at, v = Graph(), dict(self.categoricals), 0
        while v < len(self.scores):
            size = size_at.get(v, 1)
            add = graph.add_categorical if v in size_at else graph.add_variables
            add(self.scores[v : v + size])
            v += size
        for v in np.flatnonzero(self.evidence >= 0).tolist():
            graph.fix(v, int(self.evidence[v]))
        for f in self.factors:
            graph.add(f.kind, as_ints(f.literals), f.data, as_ints(f.shape))
        return graph

    def blocks(self) -> list[list[int]]:
        """The variables, those of a categorical together."""
        size_at = dict(self.categoricals)
        states = {v for first, size in self.categoricals for v in range(first, first + size)}
        starts = [v for v in range(len(self.scores)) if v not in states or v in size_at]
        return [list(range(v, v + size_at.get(v, 1))) for v in starts]


def as_ints(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), dtype=np.int32)


def renamed(parts: Parts, shuffle: Callable[[Sequence], list]) -> Parts:
    """Variables, states and factors in another order."""
    blocks = [shuffle(block) for block in shuffle(parts.blocks())]
    order = [v for block in blocks for v in block]
    new = {old: position for position, old in enumerate(order)}
    heads = dict(parts.categoricals)
    categoricals = [(new[block[0]], heads[min(block)]) for block in blocks if min(block) in heads]
    factors = [
        replace(f, literals=[2 * new[lit >> 1] + (lit & 1) for lit in f.literals])
        for f in shuffle(parts.factors)
    ]
    return Parts(parts.scores[order], parts.evidence[order], categoricals, factors)


def negated(parts: Parts, which: Iterable[int]) -> Parts:
    """Some of the binary variables are called by their opposite."""
    flip = np.zeros(len(parts.scores), dtype=bool)
    flip[[block[0] for block in parts.blocks() if len(block) == 1]] = True
    flip[[first for first, _ in parts.categoricals]] = False
    chosen = np.zeros_like(flip)
    chosen[list(which)] = True
    flip &= chosen
    known = parts.evidence >= 0
    return Parts(
        np.where(flip, -parts.scores, parts.scores),
        np.where(flip & known, 1 - parts.evidence, parts.evidence),
        parts.categoricals,
        [
            replace(f, literals=[lit ^ int(flip[lit >> 1]) for lit in f.literals])
            for f in parts.factors
        ],
        parts.constant + float(parts.scores[flip].sum()),
    )


def split(parts: Parts, share: float) -> Parts:
    """Every score is divided: of variables with a reward of one literal, of factors with a twin."""
    unary = [
        Factor(Kind.reward, [2 * v], np.array([(1 - share) * score]))
        for v, score in enumerate(parts.scores.tolist())
    ]
    twins = [f.scaled(1 - share) for f in parts.factors]
    factors = [f.scaled(share) for f in parts.factors] + unary + twins
    return replace(parts, scores=parts.scores * share, factors=factors)


def scaled(parts: Parts, by: float) -> Parts:
    factors = [f.scaled(by) for f in parts.factors]
    return replace(parts, scores=parts.scores * by, factors=factors, constant=parts.constant * by)
