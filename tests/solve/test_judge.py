"""No false word: enumeration in fractions judges what every method claims."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from treaty import FactorGraph, UsageError
from treaty._native import solve as native
from treaty.solve import METHODS, Solution, Status, check, k_best, max_marginals, options_of
from treaty.solve._certificate import Certificate
from treaty.solve._judge import judged

GENERAL = ("ad3", "subgradient", "lp", "ilp", "exact", "exhaustive")
PATTERNS = ("two-slave", "naive", "junction")
POOLS = {
    "signs": [-1.0, 0.0, 1.0],
    "denormal": [0.0, -1e-300, 1e-300, 5e-324, -5e-324],
    "penalties": [-1.0, 0.5, 1.0, -1e12, -1e12],
    "prohibitions": [-1.25, 0.5, 1.0, -1e30],
    "huge": [1e100, -1e100, 3e99],
    "mixed": [-1.0, 0.0, 1.0, 1e-300, 1e12, -1e30, 1e100, -1e100],
}
MORE: dict[str, list[Any]] = {
    "iterations": [0, 1, 20, 300],
    "penalty": [1e-9, 1e6, 1e12, 1e100],
    "adapt_penalty": [False],
    "projection_rounds": [1, 2],
    "polish": [False],
    "step_rule": ["rush"],
    "step": [1e-6, 1e4, 1e12, 1e100],
    "tolerance": [1e-12, 1.0],
    "gap": [1e-9, 1.0],
}


def score_in(graph: FactorGraph, values: Any) -> Fraction | None:
    """Score an assignment of variables, tables and rewards without any rounding."""
    if not check(graph, values).feasible:
        return None
    total = sum(
        (Fraction(s) for s, on in zip(graph.scores.tolist(), values, strict=True) if on), Fraction()
    )
    view = graph.native
    for f, kind in enumerate(view.kinds.tolist()):
        literals = view.literals[view.literal_begin[f] : view.literal_begin[f + 1]]
        data = view.data[view.data_begin[f] : view.data_begin[f + 1]]
        on = [bool(values[code >> 1]) != bool(code & 1) for code in literals.tolist()]
        if kind == REWARD:
            total += Fraction(float(data[0])) * all(on)
        elif kind == TABLE:
            total += Fraction(float(data.reshape([2] * (len(on) // 2))[tuple(map(int, on[1::2]))]))
    return total


probe = FactorGraph()
probe_x = probe.variables([0.0, 0.0])
probe.reward(*probe_x, 1.0)
probe.table(probe_x, [[0.0, 0.0], [0.0, 1.0]])
REWARD, TABLE = probe.native.kinds.tolist()


def drawn(pool: str, seed: int) -> FactorGraph:
    """Draw a graph of a few variables with scores of a pool."""
    rng = random.Random(f"{pool} {seed}")
    graph = FactorGraph()
    x = graph.variables([rng.choice(POOLS[pool]) for _ in range(rng.randint(2, 5))])

    def literals(least: int, most: int) -> list[Any]:
        chosen = rng.sample(list(x), min(len(x), rng.randint(least, most)))
        return [~v if rng.random() < 0.3 else v for v in chosen]

    def cell() -> float:
        return -math.inf if rng.random() < 0.15 else rng.choice(POOLS[pool])

    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(7)
        if kind == 0:
            graph.exactly_one(*literals(1, 3))
        elif kind == 1:
            graph.at_least_one(*literals(1, 3))
        elif kind == 2:
            graph.reward(*literals(1, 3), rng.choice(POOLS[pool]))
        elif kind in (3, 4):
            graph.table(literals(2, 2), [[cell(), cell()], [cell(), cell()]])
        elif kind == 5:
            inputs = literals(1, 4)
            costs = [rng.choice([0.0, 1.0, 2.0, 1e9, 1e12]) for _ in inputs]
            graph.knapsack(inputs, costs, rng.choice([0.0, 1.5, 3.0]))
        else:
            graph.arborescence([(0, 1)], literals(1, 1), nodes=2)
    return graph


def enumerated(graph: FactorGraph) -> dict[bytes, Fraction]:
    """Score every assignment that is allowed."""
    n = len(graph.scores)
    every = [np.array([(k >> i) & 1 for i in range(n)], np.int8) for k in range(2**n)]
    scores = {values.tobytes(): score_in(graph, values) for values in every}
    return {values: score for values, score in scores.items() if score is not None}


def assert_true(graph: FactorGraph, scores: dict[bytes, Fraction], found: Solution) -> None:
    """Compare every claim with the enumeration; sums are rounded by 1e-14 of their terms."""
    terms = [abs(s) for s in graph.native.data.tolist() if math.isfinite(s)]
    terms += np.abs(graph.scores).tolist()
    rounding = Fraction(1, 10**14) * sum(map(Fraction, terms), Fraction()) + Fraction(5e-323)
    if not scores:
        assert found.status in (Status.INFEASIBLE, Status.UNKNOWN)
        return
    best = max(scores.values())
    assert found.status is not Status.INFEASIBLE
    assert found.bound == math.inf or Fraction(found.bound) >= best - rounding
    if found.status is Status.UNKNOWN:
        return
    score = scores[found.values.tobytes()]
    assert abs(Fraction(found.objective) - score) <= rounding
    if found.status is Status.OPTIMAL:
        seen = native.tolerance(graph.native, found.objective, 2e-6)
        assert best - score <= max(Fraction(seen), rounding)


def random_options(rng: random.Random, method: str) -> dict[str, Any]:
    names = [name for name in options_of(method) if name in MORE and rng.random() < 0.4]
    options = {name: rng.choice(MORE[name]) for name in names}
    return options | ({"time_limit": 20.0} if "time_limit" in options_of(method) else {})


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("seed", range(25))
def test_every_claim_of_every_method_is_true(pool, seed):
    graph, rng = drawn(pool, seed), random.Random(seed)
    scores = enumerated(graph)
    for method in GENERAL:
        for options in ({}, random_options(rng, method)):
            try:
                found = graph.solve(method, **options)
            except Exception as error:
                assert error.__class__.__name__ == "SolverError", error
                assert method in ("lp", "ilp"), error
            else:
                assert_true(graph, scores, found)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("method", PATTERNS)
@pytest.mark.parametrize("seed", range(6))
def test_every_claim_about_pattern_problems_is_true(pool, method, seed):
    rng = random.Random(f"{pool} {seed}")
    graph = FactorGraph()
    x = graph.variables([rng.choice(POOLS[pool]) for _ in range(4)])
    for pair in ((0, 1), (1, 2), (2, 3), (3, 0)):
        cells = [[rng.choice(POOLS[pool]) for _ in range(2)] for _ in range(2)]
        graph.table([x[i] for i in pair], cells)
    scores = enumerated(graph)
    for options in ({}, random_options(rng, method)):
        assert_true(graph, scores, graph.solve(method, **options))


@pytest.mark.parametrize("factor", [1e-100, 1e-10, 1e10, 1e98])
@pytest.mark.parametrize("seed", range(12))
def test_a_warm_start_after_a_change_of_scale(factor, seed):
    graph = drawn("signs", seed)
    warm = graph.solve(iterations=random.Random(seed).choice([2, 30, 400]))
    for index, score in enumerate(graph.scores.tolist()):
        graph.set_score(graph[index], score * factor)
    assert_true(graph, enumerated(graph), graph.solve(warm_start=warm))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("method", ["exact", "ilp"])
def test_k_best_and_max_marginals_beside_a_penalty(seed, method):
    graph = drawn("penalties", seed)
    scores = enumerated(graph)
    ranked = sorted(scores.values(), reverse=True)
    rounding = 1e-14 * (float(np.abs(graph.scores).sum()) + 1e13)
    for rank, found in enumerate(k_best(graph, 3, method)):
        assert found.bound >= float(ranked[rank]) - rounding
    for v, marginal in enumerate(max_marginals(graph, method=method)):
        for state in (0, 1):
            inside = [s for values, s in scores.items() if values[v] == state]
            if inside:
                assert marginal.bound[state] >= float(max(inside)) - rounding


def penalized_tree(penalty: float) -> FactorGraph:
    graph = FactorGraph()
    x = graph.variables([0.0] * 4)
    tables = [
        [[penalty, penalty], [-1.1968, 0.1819]],
        [[1.6888, 1.1158], [-1.614, -0.3605]],
        [[-0.0035, 1.2894], [-1.9554, penalty]],
    ]
    nodes, counts = [x[2], x[0], x[3], x[1]], [x[3], x[2], x[1], x[2], x[3]]
    graph.general_tree(nodes, [None, 0, 0, 0], tables, counts)
    return graph


@pytest.mark.parametrize("penalty", [-1e9, -1e12, -1e15, -1e30])
@pytest.mark.parametrize("method", GENERAL)
def test_a_penalty_is_no_proof_that_there_is_no_answer(penalty, method):
    graph = penalized_tree(penalty)
    best, found = graph.solve("exhaustive"), graph.solve(method)
    assert found.status is not Status.INFEASIBLE
    assert math.isfinite(found.objective) or method in ("lp", "ilp")
    assert found.bound >= best.objective * (1 + 1e-15)


@pytest.mark.parametrize("step", [1.0, 1e2, 1e4, 1e6, 1e50, 1e100])
@pytest.mark.parametrize("rule", ["polyak", "rush", "decreasing"])
def test_long_steps_prove_nothing(rule, step):
    graph = FactorGraph()
    x = graph.variables([0.0] * 3)
    state, last = graph.categorical([0.0, 0.0, 1.0]), graph.variable(-1.0)
    tables = [
        [[1, 0], [-1, 1], [-1, 0]],
        [[-math.inf, -1], [-1, 0], [0, 0]],
        [[1, -1], [0, -1]],
    ]
    graph.general_tree([state, ~x[0], ~x[1], last], [None, 0, 0, 1], tables)
    found = graph.solve("subgradient", step_rule=rule, step=step)
    assert found.status is not Status.INFEASIBLE
    assert found.bound >= 1.0


@pytest.mark.parametrize("penalty", [1e6, 1e8, 1e10, 1e12, 1e100])
@pytest.mark.parametrize("rounds", [None, 1, 3])
def test_large_penalties_do_not_lower_the_bound(penalty, rounds):
    inf = math.inf
    graph = FactorGraph()
    first, x = graph.categorical([0.5, -3.0, -0.5593592475201095]), graph.variable(1.25)
    second, y = graph.categorical([-1.8142276415863385, 1.25]), graph.variable(-0.5)
    low = [[-inf, 1.25], [-inf, -0.0], [0.5, 0.6049975594320722]]
    high = [[-0.5, -1.0], [1.8675684855678387, -inf], [1.25, -0.6958122659902863]]
    graph.table([x, first, y], [low, high])
    graph.and_with_output([first[1], ~first[2], x, ~second[1]], ~y)
    graph.and_with_output([second[0], y, second[1]], ~first[2])
    best = graph.solve("exhaustive").objective
    for adapt in (False, True):
        found = graph.solve(
            penalty=penalty,
            adapt_penalty=adapt,
            projection_rounds=rounds,
            polish=False,
            iterations=500,
        )
        assert found.bound >= best - 1e-14


@pytest.mark.parametrize("size", [5e-324, 1e-320, 1e-300, 1e-200])
@pytest.mark.parametrize("method", ["exact", "ad3", "junction", "ilp"])
def test_tiny_scores_are_solved(size, method):
    graph = FactorGraph()
    x = graph.variables([0.0, -size, -size, 0.0])
    graph.table([x[0], x[2]], [[-math.inf, 0.0], [0.0, 0.0]])
    graph.table([x[2], x[3]], [[0.0, 0.0], [-size, 0.0]])
    graph.table([x[3], x[0]], [[size, 0.0], [0.0, 0.0]])
    found = graph.solve(method, time_limit=30.0)
    assert found.objective == graph.solve("exhaustive").objective
    assert found.status is Status.OPTIMAL


@pytest.mark.parametrize("cost", [1e3, 1e9, 1e12, 1e100])
@pytest.mark.parametrize("method", GENERAL)
def test_what_can_never_fit_hides_nothing(cost, method):
    graph = FactorGraph()
    x = graph.variables([1.0, 1.0, 1.0])
    graph.knapsack(x, [cost, 1.0, 1.0], 1.5)
    found = graph.solve(method)
    relaxed = (Status.FRACTIONAL,) if method in ("ad3", "lp", "subgradient") else ()
    assert found.status in (Status.OPTIMAL, *relaxed)
    assert found.objective == 1.0


def test_sums_of_the_largest_scores_are_solved():
    graph = FactorGraph()
    x, y = graph.variables([1e100, 1e100])
    graph.exactly_one(x, ~y)
    for method in GENERAL:
        assert graph.solve(method).objective == 2e100


class Broken:
    def maximize(self, scores):
        return [1] * (len(scores) + 1)


@pytest.mark.parametrize("scores", [[1.0, 2.0], [1.0, -1e9], [1.0, 1e-300]])
def test_a_custom_factor_that_answers_wrongly_is_a_usage_error(scores):
    graph = FactorGraph()
    graph.factor(Broken(), graph.variables(scores))
    for method in ("ad3", "exact", "lp", "ilp", "subgradient"):
        with pytest.raises(UsageError, match="expected a configuration"):
            graph.solve(method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [2**40, 2**64, 2**2000])
def test_integers_of_any_size_are_options(method, value):
    graph = FactorGraph()
    graph.table(graph.variables([1.0, -1.0]), [[0.0, 0.0], [0.0, 1.0]])
    for name in ("iterations", "progress_every", "projection_rounds", "limit", "time_limit", "gap"):
        if name in options_of(method):
            assert graph.solve(method, **{name: value}).objective == 1.0
    for name in ("step", "penalty"):
        if name in options_of(method) and value > 1e100:
            with pytest.raises(UsageError, match=name):
                graph.solve(method, **{name: value})


def claim(graph: FactorGraph, values: list[int], *certificate: Any) -> Solution:
    return judged(
        graph.native,
        Solution(Certificate(*certificate), np.array(values, np.int8), method="test"),
    )


def test_the_judge_weighs_every_claim():
    graph = FactorGraph()
    graph.at_most_one(graph.variables([1.0, 2.0]))
    assert claim(graph, [0, 1], Status.OPTIMAL, 2.0, 2.0).status is Status.OPTIMAL
    lie = claim(graph, [1, 0], Status.INFEASIBLE, 1.0, -math.inf)
    assert (lie.status, lie.objective, lie.bound >= 2.0) == ("FEASIBLE", 1.0, True)
    lie = claim(graph, [0, 1], Status.OPTIMAL, 2.0, 1.0)
    assert (lie.status, lie.bound >= 2.0) == ("FEASIBLE", True)
    lie = claim(graph, [-1, -1], Status.INFEASIBLE, -math.inf, -math.inf)
    assert (lie.status, lie.bound >= 2.0) == ("FEASIBLE", True)
    lie = claim(graph, [1, 1], Status.OPTIMAL, 3.0, 3.0)
    assert (lie.status, lie.objective, lie.values.tolist()) == ("UNKNOWN", -math.inf, [-1, -1])
    lie = claim(graph, [0, 1], Status.OPTIMAL, 5.0, 5.0)
    assert (lie.status, lie.objective) == ("FEASIBLE", 2.0)
    lie = claim(graph, [0, 1], Status.FEASIBLE, 2.0, math.nan)
    assert lie.bound >= 2.0
    lie = claim(graph, [-1, -1], Status.UNKNOWN, -math.inf, -math.inf)
    assert lie.bound >= 2.0


def test_a_bound_is_not_refuted_by_the_rounding_of_its_own_answer():
    """A solver's sums may hold terms that cancel, and the answer's score none of them."""
    graph = FactorGraph()
    graph.categorical([0.0, 1.0])
    graph.categorical([-0.0612])
    claimed = -0.0612 - 1e-16
    found = claim(graph, [1, 0, 1], Status.OPTIMAL, claimed, claimed)
    assert (found.status, found.objective, found.bound) == ("OPTIMAL", -0.0612, -0.0612)
    lie = claim(graph, [1, 0, 1], Status.OPTIMAL, -0.0613, -0.0613)
    assert (lie.status, lie.bound >= 0.9388) == ("FEASIBLE", True)


def test_optimal_is_not_said_of_what_floating_point_cannot_show():
    graph = FactorGraph()
    x = graph.variables([1.0, 2.0, 0.5, 0.25, -1.0, 3.0, -1e30])
    graph.at_least_one(x[6])
    found = graph.solve("exact")
    assert found.objective == pytest.approx(-1e30)
    plain = replace(found, values=np.array([0, 0, 0, 0, 1, 0, 1], np.int8))
    assert judged(graph.native, plain).status is Status.FEASIBLE


def test_there_is_no_answer_if_there_is_none():
    graph = FactorGraph()
    x = graph.variables([1e30, -1.0, 1e-300])
    for pair in ((0, 1), (1, 2), (2, 0)):
        graph.exactly_one(x[pair[0]], x[pair[1]])
    for method in ("exact", "ilp", "exhaustive"):
        assert graph.solve(method).status is Status.INFEASIBLE


class Listed:
    """A factor whose scores nothing but its oracle knows."""

    def __init__(self, configurations: list[list[int]], scores: list[float]) -> None:
        self.configurations, self.scores = np.array(configurations), np.array(scores)

    def maximize(self, prices: Any) -> Any:
        best = int(np.argmax(self.configurations @ prices + self.scores))
        return self.configurations[best], self.scores[best]

    def evaluate(self, configuration: Any) -> float:
        same = (self.configurations == configuration).all(axis=1)
        return float(self.scores[same][0]) if same.any() else -math.inf


@pytest.mark.parametrize("method", GENERAL)
@pytest.mark.parametrize("size", [4.1e-301, 1e-200, 1e-30, 1e-15, 1e-9, 1e-3, 1.0])
def test_hidden_scores_of_any_size_are_scores(method, size):
    """Where only a custom factor has scores, differences as small as these are no rounding."""
    graph = FactorGraph()
    for states in (1, 3, 3):
        graph.categorical([0.0] * states)
    last = graph.categorical([0.0, 0.0, 0.0])
    graph.factor(Listed([[0], [1]], [-size, 0.0]), [last[2]])
    found = graph.solve(method)
    assert found.bound >= 0.0
    assert found.status is not Status.OPTIMAL or found.objective == 0.0


@pytest.mark.parametrize("method", GENERAL)
def test_custom_factors_without_scores_are_proved(method):
    graph = FactorGraph()
    x = graph.variables([0.0, 0.0])
    graph.factor(Listed([[0, 1], [1, 0]], [0.0, 0.0]), x)
    found = graph.solve(method)
    assert (found.status, found.objective, found.bound) == ("OPTIMAL", 0.0, 0.0)


@pytest.mark.parametrize("method", GENERAL)
@pytest.mark.parametrize("small", [1e-300, 1e-20, 1e-13])
@pytest.mark.parametrize("unit", [1.0, 1e-290, 1e90])
def test_what_the_tolerance_of_a_knapsack_allows_is_allowed_beside_what_is_fixed(
    method, small, unit
):
    """Items that are on leave no room; what is left of the tolerance is that of all of it."""
    graph = FactorGraph()
    x = graph.variables([-unit, -unit, unit])
    for item in x[:2]:
        graph.at_least_one(item)
    graph.knapsack(x, [1.0, 1.0, small], 2.0)
    found = graph.solve(method)
    assert found.status is not Status.INFEASIBLE
    assert found.bound >= -unit * (1.0 + 1e-12)
    if method in ("ad3", "exact"):
        assert (found.status, found.values.tolist()) == ("OPTIMAL", [1, 1, 1])


@pytest.mark.parametrize("method", ["ad3", "subgradient", "exact", "exhaustive"])
@pytest.mark.parametrize("costs", [[1.0, 1e9], [1e9, 1.0], [1e-2, 1e9]])
def test_what_a_knapsack_forbids_by_little_is_infeasible(method, costs):
    """By less than propagation allows for rounding, and by more than the tolerance of the sum."""
    graph = FactorGraph()
    x = graph.variable(0.0)
    graph.knapsack([x, x], costs, 1e9)
    graph.at_least(2, [x, x])
    assert graph.solve(method).status is Status.INFEASIBLE
