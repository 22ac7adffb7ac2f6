"""Branch and bound: proven optima, true gaps."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from tests.solve.problems import ising, potts, random_cover
from tests.solve.zoo.structured import AllEqual

from treaty.graph import FactorGraph
from treaty.solve import Status, _exact, solve
from treaty.solve._check import check


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "build",
    [
        lambda seed: ising(6, seed),
        lambda seed: potts(4, 3, seed),
        lambda seed: random_cover(30, 60, seed),
    ],
    ids=["ising", "potts", "cover"],
)
def test_it_proves_what_integer_programming_proves(build, seed):
    graph = build(seed)
    exact, ilp = solve(graph, "exact"), solve(graph, "ilp")
    assert exact.status is ilp.status is Status.OPTIMAL
    assert exact.objective == pytest.approx(ilp.objective, rel=1e-9)
    assert exact.gap <= 1e-8 * (1 + abs(exact.objective))
    assert check(graph, exact.values).objective == pytest.approx(exact.objective)


@pytest.mark.parametrize("pigeons", [2, 3, 4, 5])
def test_pigeons_do_not_fit_into_fewer_holes(pigeons):
    """The relaxation is feasible (from three pigeons on), so this takes a search."""
    graph = FactorGraph()
    nest = np.array(graph.variables(np.ones(pigeons * (pigeons - 1))), dtype=object)
    nest = nest.reshape(pigeons, pigeons - 1)
    for pigeon in nest:
        graph.at_least_one(pigeon)
    for hole in nest.T:
        graph.at_most_one(hole)
    solution = solve(graph, "exact")
    assert solution.status is Status.INFEASIBLE
    assert solution.bound == -np.inf
    assert solution.gap == 0.0


def test_it_searches_users_own_factors():
    """A circle of pairs that want to differ, tied together by all-equal factors."""
    graph = FactorGraph()
    x = graph.variables([0.1 * k for k in range(9)])
    for triple in (x[:3], x[3:6], x[6:]):
        graph.factor(AllEqual(-0.5), triple)
    for a, b in itertools.combinations((x[0], x[3], x[6]), 2):
        graph.reward(a, ~b, 1.0)
        graph.reward(~a, b, 1.0)
    exact, best = solve(graph, "exact"), solve(graph, "exhaustive")
    assert exact.status is Status.OPTIMAL
    assert exact.objective == pytest.approx(best.objective)


def test_many_ties_do_not_lead_astray():
    """All of the 70 optima are alike; the first found must be proved quickly."""
    graph = FactorGraph()
    x = graph.variables(np.ones(8))
    graph.exactly(4, x)
    for a, b in itertools.combinations(x, 2):
        graph.reward(a, b, 1.0)
        graph.reward(~a, ~b, -1.0)
    exact = solve(graph, "exact")
    assert (exact.status, exact.objective) == (Status.OPTIMAL, 4.0)


@pytest.mark.parametrize("nodes", [0, 1, 2, 5, 20, 100])
def test_the_gap_is_true_whenever_it_stops(nodes):
    graph, optimum = random_cover(50, 120), -20.088941421176465  # by HiGHS
    stopped = solve(graph, "exact", iterations=nodes)
    assert stopped.iterations <= nodes
    assert stopped.objective <= optimum + 1e-9
    assert stopped.bound >= optimum - 1e-9
    if np.isfinite(stopped.objective):
        assert check(graph, stopped.values).objective == pytest.approx(stopped.objective)


def test_more_nodes_never_give_less():
    graph = random_cover(50, 120)
    runs = [solve(graph, "exact", iterations=nodes) for nodes in (1, 10, 50, 200)]
    for fewer, more in itertools.pairwise(runs):
        assert more.objective >= fewer.objective
        assert more.bound <= fewer.bound


@pytest.mark.parametrize("gap", [0.5, 2.0, 5.0])
def test_it_stops_as_soon_as_the_gap_is_small_enough(gap):
    graph = random_cover(50, 120)
    proved, stopped = solve(graph, "exact"), solve(graph, "exact", gap=gap)
    assert stopped.iterations < proved.iterations
    assert stopped.gap <= gap
    assert stopped.objective <= proved.objective <= stopped.bound


def test_a_gap_of_nothing_is_reached_by_proof_alone():
    graph = ising(6)
    assert solve(graph, "exact", gap=0.0).gap <= 1e-7


def test_large_and_tight_takes_one_node():
    """A chain's relaxation is tight, however long it is."""
    rng = np.random.default_rng(0)
    graph = FactorGraph()
    tags = [graph.categorical(rng.normal(size=4)) for _ in range(200)]
    graph.sequence(tags, rng.normal(size=(4, 4)))
    solution = solve(graph, "exact")
    assert (solution.status, solution.iterations) == (Status.OPTIMAL, 1)


# HiGHS takes over


def budgeted_chain(length=120, window=12, most=3, seed=0):
    """Rewards along a chain, and budgets on windows that overlap."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    xs = graph.variables(random.normal(size=length))
    for a, b in itertools.pairwise(xs):
        graph.reward(a, b, float(random.normal()))
    for i in range(0, length - window, window // 2):
        graph.at_most(most, *xs[i : i + window])
    return graph


@pytest.mark.parametrize("plan", ["WITH_LIMITS", "OTHERS", "SLICED"])
@pytest.mark.parametrize("graph", [budgeted_chain(), potts(4, 3, 0)], ids=["chain", "potts"])
def test_every_plan_ends_with_the_same_proof(monkeypatch, plan, graph):
    expected = solve(graph, "ilp")
    early = dataclasses.replace(getattr(_exact, plan), nodes=1)
    monkeypatch.setattr(_exact, "_plan", lambda graph, sliced: early)
    solution = solve(graph, "exact")
    assert solution.status == "OPTIMAL"
    assert solution.objective == pytest.approx(expected.objective, rel=1e-6)
    assert check(graph, solution.values).objective == pytest.approx(solution.objective)


def test_joined_answers_keep_the_better_and_the_proved():
    graph = potts(3, 3, 0)
    good, bad = solve(graph, "ilp"), solve(graph, "ad3", iterations=0)
    for pair in ((good, bad), (bad, good)):
        joined = _exact._joined(graph.native, *pair, 0.0)
        assert joined.status == "OPTIMAL"
        assert joined.objective == good.objective


def test_a_limit_of_nodes_is_kept():
    solution = solve(budgeted_chain(), "exact", iterations=2)
    assert solution.iterations <= 2
