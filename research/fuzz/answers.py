"""More than one answer of random graphs, and sums over all: enumeration checks each of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from functools import partial

from research.fuzz._run import Harness
from research.fuzz.graphs import enumerated, random_graph, rounding_of, tolerance_of, verify
from treaty import FactorGraph
from treaty.errors import SolverError
from treaty.graph import Categorical, Variable
from treaty.solve import k_best, log_partition, marginals, max_marginals

__all__ = ["HARNESSES", "judge_k_best", "judge_marginals", "judge_max_marginals"]

METHODS = ("exact", "exact", "ilp", "exhaustive", "ad3")
PROVING = ("exact", "exhaustive")
"""Methods that end with an answer or the proof that there is none."""
Whole = Variable | Categorical


def judge_k_best(graph: FactorGraph, dice: random.Random) -> None:
    """Each answer must be the best of those that the answers before it leave."""
    k, distance = dice.choice([1, 2, 3, 9]), dice.choice([1, 1, 1, 2, 3])
    counted = graph.whole_variables
    if dice.random() < 0.3:
        counted = dice.sample(counted, dice.randint(1, len(counted)))
    method = dice.choice(METHODS)
    left = enumerated(graph)
    found = k_best(graph, k, method, distance=distance, variables=counted)
    assert len(found) <= k
    for number, solution in enumerate(found):
        verify(graph, solution, f"{method}, answer {number + 1}, distance {distance}", left)
        answer = tuple(solution.values.tolist())
        left = {
            other: score
            for other, score in left.items()
            if sum(_state(v, other) != _state(v, answer) for v in counted) >= distance
        }
    if method in PROVING:
        assert len(found) == k or not left, f"{method}: {len(found)} answers, {len(left)} are left"


def judge_max_marginals(graph: FactorGraph, dice: random.Random) -> None:
    """The best objective of each state is found, and its bound is true."""
    scored, rounding, method = enumerated(graph), rounding_of(graph), dice.choice(METHODS)
    variables = graph.whole_variables
    for variable, found in zip(variables, max_marginals(graph, method=method), strict=True):
        for state, (objective, bound) in enumerate(zip(found.objective, found.bound, strict=True)):
            own = [score for one, score in scored.items() if _state(variable, one) == state]
            best = max(own, default=-math.inf)
            tolerance = tolerance_of(graph, best) if own else 0.0
            text = f"{method}, {variable} = {state}: {objective}, {bound}, optimum {best!r}"
            assert objective <= best + rounding, text
            assert bound >= best - tolerance - rounding, f"the bound is too low. {text}"
            if method in PROVING:
                assert best == objective or best - objective <= tolerance + rounding, text


def judge_marginals(graph: FactorGraph, dice: random.Random) -> None:
    """The sum over all assignments and the shares in it; small tables give a bound."""
    scored = enumerated(graph)
    rounding = 1e-12 + len(graph) * rounding_of(graph)
    total = _log_sum(scored.values())
    found = log_partition(graph)
    assert found.is_exact
    assert found.value == total or abs(found.value - total) <= rounding, (found, total)
    few = log_partition(graph, most_cells=dice.choice([1, 2, 4, 8, 16]))
    assert few.value >= total - rounding, (few, total)
    assert not few.is_exact or few.value <= total + rounding, (few, total)
    if not scored:
        try:
            marginals(graph)
        except SolverError:
            return
        raise AssertionError("no assignment is allowed, yet there are marginals")
    for variable, shares in zip(graph.whole_variables, marginals(graph), strict=True):
        assert ((shares >= 0) & (shares <= 1)).all(), shares
        assert abs(shares.sum() - 1) < 1e-9, shares
        for state, share in enumerate(shares.tolist()):
            own = _log_sum(s for one, s in scored.items() if _state(variable, one) == state)
            if rounding < 0.01:
                right = math.exp(own - total)
                assert abs(share - right) <= 1e-9 + 4 * rounding, (variable, state, share, right)


def _state(variable: Whole, assignment: tuple[int, ...]) -> int:
    if isinstance(variable, Categorical):
        return assignment[variable.first : variable.first + variable.size].index(1)
    return assignment[variable.variable]


def _log_sum(scores: Iterable[float]) -> float:
    every = list(scores)
    top = max(every, default=-math.inf)
    if top == -math.inf:
        return top
    return float(top + math.log(math.fsum(math.exp(score - top) for score in every)))


def _run(judge: Callable[[FactorGraph, random.Random], None], data: bytes) -> None:
    dice = random.Random(data)
    graph = random_graph(dice)
    for variable in graph.whole_variables if dice.random() < 0.3 else ():
        if dice.random() < 0.3:
            states = variable.size if isinstance(variable, Categorical) else 2
            graph.fix(variable, dice.randrange(states))
    judge(graph, dice)


HARNESSES = [
    Harness(
        name,
        lambda: [b"graph"],
        partial(_run, judge),
        allowed=(),
        mutate=lambda dice, _corpus, _words: dice.randbytes(8),
    )
    for name, judge in {
        "k-best": judge_k_best,
        "max-marginals": judge_max_marginals,
        "marginals": judge_marginals,
    }.items()
]
