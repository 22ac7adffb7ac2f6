"""Random graphs with ordinary, huge and tiny scores: enumeration checks every certificate."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import numpy as np

from research.fuzz._run import Harness
from treaty import FactorGraph
from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._meaning import MEANING
from treaty.solve import Solution, Status, check

__all__ = [
    "HARNESSES",
    "Scored",
    "enumerated",
    "random_graph",
    "rounding_of",
    "tolerance_of",
    "verify",
]

Scored = dict[tuple[int, ...], float]
"""Allowed assignments, and what they score."""

METHODS = ("ad3", "exact", "lp", "ilp", "subgradient", "two-slave", "junction", "exhaustive")
EXPONENTS = ((0,), (0, 0, 0, 12), (0, 0, 9), (-9, 0), (0, 6, 12), (0, 99), (-30, 0), (0, 3, 6, 9))
"""Powers of ten by which scores are multiplied, one set to a graph."""
ROUNDING = 64 * float(np.finfo(float).eps)


def random_graph(dice: random.Random) -> FactorGraph:
    """Make a graph of at most nine binary variables, of the kinds people write by hand."""
    graph, exponents = FactorGraph(), dice.choice(EXPONENTS)

    def score() -> float:
        size = dice.choice([0.0, 1.0, 0.5, 1.25, 3.0, dice.random()])
        return dice.choice([-1.0, 1.0]) * size * 10.0 ** dice.choice(exponents)

    def cell() -> float:
        return -math.inf if dice.random() < 0.1 else score()

    literals: list[Any] = list(graph.variables([score() for _ in range(dice.randint(1, 5))]))
    categories = [
        graph.categorical([score() for _ in range(dice.randint(2, 3))])
        for _ in range(dice.choice([0, 0, 1, 2]))
    ]
    for category in categories:
        literals += list(category)

    def some(most: int) -> list[Any]:
        chosen = dice.sample(literals, min(dice.randint(1, most), len(literals)))
        return [~literal if dice.random() < 0.2 else literal for literal in chosen]

    def add_factor() -> None:
        logic = (graph.at_least_one, graph.at_most_one, graph.exactly_one)
        kind = dice.randrange(8)
        if kind < 3:
            logic[kind](*some(4))
        elif kind < 6:
            graph.reward(*some(3), score=score())
        elif kind == 6:
            chosen = some(4)
            graph.knapsack(chosen, [dice.choice([0.5, 1.0, 2.0]) for _ in chosen], 2.5)
        elif len(categories) == 2:
            rows, columns = (len(category) for category in categories)
            graph.table(categories, [[cell() for _ in range(columns)] for _ in range(rows)])

    for _ in range(dice.randint(0, 5)):
        add_factor()
    return graph


def verify(graph: FactorGraph, solution: Solution, method: str, scored: Scored) -> None:
    """Compare a solution with the assignments that it is the best of.

    Raises AssertionError if it claims too much.
    """
    best = max(scored.values(), default=-math.inf)
    rounding = rounding_of(graph)
    tolerance = tolerance_of(graph, best) if scored else 0.0
    text = f"{method}: {solution.certificate}, optimum {best!r}"
    if solution.status is Status.INFEASIBLE:
        assert not scored, text
        return
    assert solution.bound >= best - tolerance - rounding, f"the bound is too low. {text}"
    if not math.isfinite(solution.objective):
        assert solution.status is Status.UNKNOWN, text
        return
    found = check(graph, solution.values)
    assert found.feasible, f"{text}: {found.messages}"
    values = tuple(solution.values.tolist())
    assert values in scored, f"{values} is not among what is left. {text}"
    exact = scored[values]
    assert abs(exact - solution.objective) <= rounding, f"its score is {exact!r}. {text}"
    if solution.status is Status.OPTIMAL:
        assert best - exact <= tolerance, f"not optimal. {text}"
        assert solution.gap <= tolerance, f"the gap is too large. {text}"


def rounding_of(graph: FactorGraph) -> float:
    """Return how far a sum of scores may be off."""
    return ROUNDING * max(_sizes(graph))


def tolerance_of(graph: FactorGraph, best: float) -> float:
    """Return how far the objective of an optimum may be from the best one."""
    sizes = _sizes(graph)
    return 2e-6 * max(abs(best), min(max(sizes), 1e4 * min(sizes)))


def _sizes(graph: FactorGraph) -> list[float]:
    factors = (factor.data.tolist() for factor in graph.factors if factor.kind != "knapsack")
    scores = [*graph.scores.tolist(), *(score for scores in factors for score in scores)]
    return [abs(score) for score in scores if score and math.isfinite(score)] or [1.0]


def enumerated(graph: FactorGraph) -> Scored:
    """Score every allowed assignment; sums are rounded once."""
    values = np.array(list(product([False, True], repeat=len(graph))))
    terms = [values * graph.scores]
    fixed = np.flatnonzero(graph.evidence >= 0)
    allowed = (values[:, fixed] == graph.evidence[fixed]).all(axis=1)
    for category in graph.categoricals:
        allowed &= values[:, [state.variable for state in category]].sum(axis=1) == 1
    for factor in graph.factors:
        on = values[:, factor.codes >> 1] ^ (factor.codes & 1).astype(bool)
        own = MEANING[getattr(Kind, factor.kind)](on, factor.data[None], factor.shape)
        allowed &= own > -np.inf
        terms.append(own[:, None])
    rows = np.hstack(terms)[allowed]
    keys = values[allowed].astype(int).tolist()
    return {tuple(key): math.fsum(row) for key, row in zip(keys, rows.tolist(), strict=True)}


def _run(data: bytes) -> None:
    dice = random.Random(data)
    graph = random_graph(dice)
    scored = enumerated(graph)
    for method in METHODS:
        try:
            solution = graph.solve(method)
        except UsageError:
            assert method in ("two-slave", "junction"), method  # other graphs than theirs
            continue
        verify(graph, solution, method, scored)


HARNESSES = [
    Harness(
        "graphs",
        lambda: [b"graph"],
        _run,
        allowed=(),
        mutate=lambda dice, _corpus, _words: dice.randbytes(8),
    )
]
