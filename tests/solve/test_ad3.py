"""AD3 by itself: settings, convergence, what it reports."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.solve.problems import ising, potts, random_cover
from tests.solve.zoo import ZOO

from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._check import check

BUILD = {
    "ising": lambda: ising(8),
    "potts": lambda: potts(6, 3),
    "cover": lambda: random_cover(40, 80),
}


@pytest.mark.parametrize("name", BUILD)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"adapt_penalty": False},
        {"penalty": 0.05},
        {"penalty": 5.0},
        {"penalty": 100.0},
        {"tolerance": 1e-8},
    ],
    ids=str,
)
def test_every_setting_leads_to_the_value_of_the_relaxation(name, settings):
    graph = BUILD[name]()
    lp = solve(graph, "lp")
    ad3 = solve(graph, iterations=100_000, **settings)
    assert ad3.status in (Status.FRACTIONAL, Status.OPTIMAL)
    assert ad3.bound >= lp.bound - 1e-7 * abs(lp.bound)
    assert ad3.bound == pytest.approx(lp.bound, rel=1e-4)


@pytest.mark.parametrize("name", BUILD)
def test_a_smaller_tolerance_gives_a_better_bound(name):
    graph = BUILD[name]()
    lp = solve(graph, "lp")
    errors = [
        solve(graph, iterations=100_000, tolerance=tolerance).bound - lp.bound
        for tolerance in (1e-2, 1e-4, 1e-6, 1e-8)
    ]
    assert errors[0] >= errors[1] >= errors[2] >= errors[3] - 1e-9
    assert errors[2] <= 1e-5 * abs(lp.bound)
    assert errors[3] <= 1e-7 * abs(lp.bound)


@pytest.mark.parametrize("name", BUILD)
def test_the_relaxed_point_is_near_the_relaxation(name):
    """All that closed rows ask of it, it does; its value is the bound's."""
    graph = BUILD[name]()
    solution = solve(graph, iterations=100_000)
    x = solution.relaxed
    assert ((x >= 0) & (x <= 1)).all()
    for categorical in graph.categoricals:
        total = x[categorical.first : categorical.first + categorical.size].sum()
        assert total == pytest.approx(1.0, abs=1e-3)
    for factor in graph.factors:
        if factor.kind == "at_least_one":
            assert sum(x[literal.variable] for literal in factor.literals) >= 1 - 1e-3


@pytest.mark.parametrize("name", BUILD)
def test_the_answer_is_feasible_and_not_poor(name):
    graph = BUILD[name]()
    optimum = solve(graph, "exact", time_limit=60)
    solution = solve(graph)
    assert check(graph, solution.values).objective == pytest.approx(solution.objective)
    assert solution.objective >= optimum.objective - 0.15 * abs(optimum.objective)


def test_residuals_fall():
    trace = solve(ising(8), iterations=100_000, trace=True).trace
    for residual in (trace.primal_residual, trace.dual_residual):
        assert residual[-1] < 0.01 * residual[0]
        assert (residual >= 0).all()
    assert (np.diff(trace.bound) <= 0).all()


def test_a_longer_run_passes_through_the_same_points():
    """Bounds are looked at every ten iterations, and never get worse."""
    graph = potts(6, 3)
    bounds = [solve(graph, iterations=n).bound for n in range(10, 150, 10)]
    assert (np.diff(bounds) <= 0).all()
    trace = solve(graph, iterations=140, trace=True).trace
    assert trace.bound.tolist() == bounds


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance": 0.0},
        {"tolerance": -1.0},
        {"tolerance": float("nan")},
        {"penalty": 0.0},
        {"penalty": -1.0},
        {"penalty": float("nan")},
    ],
    ids=str,
)
def test_settings_are_checked(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        solve(ising(3), **options)


def test_an_optimal_answer_stops_the_run():
    """As soon as the rounded answer meets the bound, however far the residuals are from zero."""
    easy = [case for case in ZOO if case.tight and np.isfinite(case.optimum)]
    for case in easy:
        assert solve(case.build(), iterations=2000).iterations < 500, case.name


def test_a_factor_of_five_hundred_literals():
    rng = np.random.default_rng(1)
    graph = FactorGraph()
    x = graph.variables(rng.normal(size=500))
    graph.exactly(100, x)
    graph.knapsack(x, rng.random(500), 40.0)
    graph.or_with_output(x[:-1], x[-1])
    graph.at_most_one(x[::50])
    lp, ad3 = solve(graph, "lp"), solve(graph, iterations=20_000)
    assert ad3.bound == pytest.approx(lp.bound, rel=1e-4)
    assert check(graph, ad3.values).feasible


def test_a_hundred_crossing_sequences():
    """Rows and columns of a grid, each a chain: structured factors that share every variable."""
    rng = np.random.default_rng(2)
    graph = FactorGraph()
    grid = [[graph.categorical(rng.normal(size=3)) for _ in range(7)] for _ in range(7)]
    for line in itertools.chain(grid, zip(*grid, strict=True)):
        graph.sequence(line, 0.3 * rng.normal(size=(3, 3)))
    lp, ad3 = solve(graph, "lp"), solve(graph, iterations=20_000)
    assert ad3.bound == pytest.approx(lp.bound, rel=1e-4)


@pytest.mark.parametrize("penalty", [1e-3, 1e-5, 1e-7])
def test_copies_that_disagree_are_no_solution(penalty):
    """While prices are small, disagreement costs little: the gap alone would say "solved"."""
    rng = np.random.default_rng(0)
    graph = FactorGraph()
    states = [graph.categorical(np.zeros(3)) for _ in range(3)]
    for pair in (states[:2], states[1:], states[::2]):
        graph.table(pair, rng.normal(size=(3, 3)))
    ad3, lp = solve(graph, penalty=penalty, iterations=100_000), solve(graph, "lp")
    assert ad3.status is Status.FRACTIONAL
    assert ad3.bound == pytest.approx(lp.bound, rel=1e-5)


class Favorite:
    """One literal is worth a lot, or costs it."""

    def __init__(self, own_score: float) -> None:
        self.own_score = own_score

    def maximize(self, scores):
        on = scores[0] + self.own_score > 0
        return [float(on), float(scores[1] > 0)], self.own_score * on


def test_own_scores_that_dwarf_all_others():
    """What it hides is as large as what it shows is small: it takes long, but it is no lie."""
    graph = FactorGraph()
    x = graph.variables([0.0, 1.0])
    graph.factor(Favorite(1e6), x)
    graph.factor(Favorite(-0.75e6), x)
    graph.at_most_one(x)
    ad3 = solve(graph, iterations=100_000)
    assert (ad3.status, ad3.objective) == (Status.OPTIMAL, 0.25e6)
