"""How long minimum cuts take along a run of the 2-slave decoder, warm and cold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from _measure import cpu_seconds
from treaty._native import solve as native
from treaty.graph import FactorGraph

ITERATIONS = 300
REPEAT = 3

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CutTimes:
    """CPU seconds of a cut, the mean over the iterations of a run."""

    problem: str
    style: str
    nodes: int
    pairs: int
    cold: float
    warm: float


def time_cuts(problem: str, style: str, graph: FactorGraph) -> CutTimes:
    """Run the decoder with the paper's steps once, then its cuts again, warm and cold."""
    split = native.TreeCut(
        native.PatternGraph(graph.native).problem, getattr(native.CutStyle, style)
    )
    terminals = _terminals(split)

    def cuts(cold: bool) -> float:
        def replay() -> None:
            flow = _flow(split)
            for terminal in terminals:
                flow.solve(terminal, cold)

        return cpu_seconds(replay, REPEAT) / len(terminals)

    return CutTimes(
        problem, style, len(split.linear), len(split.weights), cuts(cold=True), cuts(cold=False)
    )


def _flow(split: native.TreeCut) -> native.MaxFlow:
    ends = np.array(split.pairs, np.int32).reshape(-1, 2)
    half = 0.5 * split.weights
    tail, head = np.ascontiguousarray(ends.T)
    return native.MaxFlow(len(split.linear), tail, head, half, half)


def _terminals(split: native.TreeCut) -> list[Doubles]:
    """The capacities that each cut of a run sees (Rush's steps)."""
    forest, count = split.forest, len(split.links)
    state = np.array([state for state, _ in split.links], int)
    complement = np.array([other for _, other in split.links], bool)
    ends = np.array(split.pairs, int).ravel()
    base = split.linear + np.bincount(ends, np.repeat(0.5 * split.weights, 2), len(split.linear))
    flow, multiplier, last, rises = _flow(split), split.start, np.inf, 0
    terminals = []
    for _ in range(ITERATIONS):
        price = np.where(complement, multiplier, -multiplier)
        scores = forest.state_scores + np.bincount(state, price, len(forest.state_scores))
        tree, labels = native.best_labels(forest, scores)
        terminal = base.copy()
        terminal[:count] += multiplier
        terminals.append(terminal)
        bound = tree - multiplier[complement].sum() + flow.solve(terminal)
        taken = np.zeros(len(forest.state_scores))
        taken[forest.first[:-1] + labels] = 1.0
        sides = flow.sides[:count]
        disagreement = np.where(sides < 0, 0.5, sides) - np.where(
            complement, 1.0 - taken[state], taken[state]
        )
        rises += bound > last
        last = bound
        multiplier = multiplier - disagreement / (1.0 + rises)
    return terminals
