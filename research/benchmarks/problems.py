"""The problems of the inference benchmark: files of the data folder, and generated ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from itertools import chain, product
from pathlib import Path

import numpy as np

from treaty.graph import FactorGraph, read_graph

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDERS = {"graphs": (".fg", ".uai"), "patterns": (".mrf", ".mrf.xz")}


@dataclass(frozen=True)
class Problem:
    """A named problem that is built when its turn comes."""

    name: str
    build: Callable[[], FactorGraph]

    @property
    def is_pattern(self) -> bool:
        """Whether it is a pattern problem of the kinds the C++ library was timed on."""
        return self.name.endswith(FOLDERS["patterns"]) and not self.name.startswith("pos_")


def problems(pattern: str = "*") -> list[Problem]:
    """Everything whose name matches the pattern, files first."""
    return [p for p in chain(_files(), _generated()) if fnmatch(p.name, pattern)]


def _files() -> Iterator[Problem]:
    for folder, suffixes in FOLDERS.items():
        for path in sorted((DATA / folder).glob("*")):
            if path.name.endswith(suffixes):
                yield Problem(path.name, partial(read_graph, path))


def _generated() -> Iterator[Problem]:
    yield Problem("potts_50x50x5", partial(potts, attractive=False))
    yield Problem("potts_50x50x5_attractive", partial(potts, attractive=True))
    yield Problem("ising_30x30", ising)
    yield Problem("summary_2000", summary)
    yield Problem("parse_30", partial(parse, pairs=1000, deviation=0.5))
    yield Problem("parse_30_hard", partial(parse, pairs=1500, deviation=1.0))


def _grid_edges(side: int) -> list[tuple[int, int]]:
    """Neighbors to the right and below, by row-major index."""
    cells = np.arange(side * side).reshape(side, side)
    right = zip(cells[:, :-1].flat, cells[:, 1:].flat, strict=True)
    below = zip(cells[:-1].flat, cells[1:].flat, strict=True)
    return [(int(a), int(b)) for a, b in chain(right, below)]


def potts(attractive: bool, side: int = 50, labels: int = 5, seed: int = 1) -> FactorGraph:
    """A grid of labels; neighbors are rewarded (or, when mixed, penalized) for being alike."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    cells = [graph.categorical(random.normal(size=labels)) for _ in range(side * side)]
    for a, b in _grid_edges(side):
        weight = random.normal()
        alike = np.eye(labels) * (abs(weight) if attractive else weight)
        graph.table([cells[a], cells[b]], alike)
    return graph


def ising(side: int = 30, seed: int = 2) -> FactorGraph:
    """A grid of spins with couplings of either sign, as rewards on pairs."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    spins = graph.variables(random.normal(size=side * side))
    for a, b in _grid_edges(side):
        graph.reward(spins[a], spins[b], random.normal())
    return graph


def summary(
    concepts: int = 2000, sentences: int = 300, words: int = 100, seed: int = 3
) -> FactorGraph:
    """Sentences in a budget of words that cover as valuable concepts as they can."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    chosen = graph.variables(np.zeros(sentences))
    for value in random.gamma(2.0, size=concepts):
        holders = random.choice(
            sentences, size=min(random.geometric(0.4), sentences), replace=False
        )
        graph.or_with_output([chosen[s] for s in holders], graph.variable(value))
    graph.knapsack(chosen, random.integers(5, 35, size=sentences), words)
    return graph


def parse(pairs: int, deviation: float, nodes: int = 30, seed: int = 4) -> FactorGraph:
    """A dense dependency tree with scores for some grandparents and as many siblings."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    arcs = [(h, m) for h, m in product(range(nodes), range(1, nodes)) if h != m]
    scores = random.normal(size=len(arcs))
    literal = dict(zip(arcs, graph.variables(scores), strict=True))
    graph.arborescence(arcs, literal.values(), nodes)
    grandparents = [((g, h), (h, m)) for (g, h) in arcs for m in range(1, nodes) if m not in (g, h)]
    siblings = [((h, m), (h, s)) for (h, m) in arcs for s in range(m + 1, nodes) if s != h]
    for candidates in (grandparents, siblings):
        for i in random.choice(len(candidates), size=pairs, replace=False):
            first, second = candidates[i]
            graph.reward(literal[first], literal[second], random.normal(scale=deviation))
    return graph
