"""Graphs large or hard enough to be stopped on the way."""

from __future__ import annotations

import numpy as np

from treaty.graph import FactorGraph

__all__ = ["ising", "potts", "random_cover"]


def ising(side: int, seed: int = 0) -> FactorGraph:
    """A grid of spins with fields and couplings of both signs: its relaxation is fractional."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    spins = np.array(graph.variables(rng.normal(size=side * side)), dtype=object)
    grid = spins.reshape(side, side)
    pairs = [*zip(grid[:, :-1].flat, grid[:, 1:].flat, strict=True)]
    pairs += [*zip(grid[:-1].flat, grid[1:].flat, strict=True)]
    for (a, b), coupling in zip(pairs, rng.normal(scale=2.0, size=len(pairs)), strict=True):
        graph.reward(a, b, coupling)
        graph.reward(~a, ~b, coupling)
    return graph


def potts(side: int, states: int, seed: int = 0) -> FactorGraph:
    """A grid of categorical variables whose neighbors have tables of random scores."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    grid = [[graph.categorical(rng.normal(size=states)) for _ in range(side)] for _ in range(side)]
    for i in range(side):
        for j in range(side):
            for other in ([grid[i][j + 1]] if j + 1 < side else []) + (
                [grid[i + 1][j]] if i + 1 < side else []
            ):
                graph.table([grid[i][j], other], rng.normal(size=(states, states)))
    return graph


def random_cover(sets: int, elements: int, seed: int = 0) -> FactorGraph:
    """A set cover of random sets of like costs: hard to prove, far from its relaxation."""
    rng = np.random.default_rng(seed)
    graph = FactorGraph()
    chosen = graph.variables(-1.0 - 0.01 * rng.random(sets))
    for _ in range(elements):
        graph.at_least_one([chosen[i] for i in rng.choice(sets, size=3, replace=False)])
    return graph
