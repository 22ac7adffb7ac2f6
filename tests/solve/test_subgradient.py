"""The subgradient method: valid bounds under every rule, and slow but sure progress."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.problems import ising, potts, random_cover
from tests.solve.random_graphs import graphs

from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._check import check
from treaty.solve._dual import solve_subgradient
from treaty.solve._exhaustive import exhaustive

RULES = ["rush", "decreasing", "polyak"]


@given(graphs(), st.sampled_from(RULES), st.sampled_from([0.1, 1.0, 1.9]))
@settings(max_examples=150, deadline=None)
def test_bounds_hold_under_every_rule(graph, rule, step):
    best = exhaustive(graph)
    solution = solve_subgradient(graph, iterations=60, step_rule=rule, step=step)
    assert solution.bound >= best.objective - 1e-7
    assert solution.objective <= best.objective + 1e-7
    if solution.status is Status.OPTIMAL:
        assert solution.objective == pytest.approx(best.objective, abs=1e-7)
    if np.isfinite(solution.objective):
        assert check(graph, solution.values).objective == pytest.approx(
            solution.objective, abs=1e-9
        )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "build",
    [lambda: ising(6), lambda: potts(4, 3, seed=2), lambda: random_cover(30, 40)],
    ids=["ising", "potts", "cover"],
)
def test_it_comes_near_the_relaxation(build, rule):
    graph = build()
    lp = solve(graph, "lp")
    solution = solve(graph, "subgradient", step_rule=rule, iterations=5000)
    assert solution.bound >= lp.bound - 1e-7 * abs(lp.bound)
    assert solution.bound == pytest.approx(lp.bound, rel=0.03)


@pytest.mark.parametrize("rule", RULES)
def test_agreement_is_a_proof(rule):
    graph = FactorGraph()
    a, b, c = graph.variables([2.0, -1.0, 0.5])
    graph.at_most_one(a, b)
    graph.implies(a, c)
    solution = solve(graph, "subgradient", step_rule=rule)
    assert (solution.status, solution.objective) == (Status.OPTIMAL, 2.5)
    assert solution.iterations < 100


def test_its_average_answer_stays_between_zero_and_one():
    solution = solve(ising(6), "subgradient", iterations=300)
    assert ((solution.relaxed >= 0) & (solution.relaxed <= 1)).all()


@pytest.mark.parametrize(
    "options",
    [{"step_rule": "newton"}, {"step": 0.0}, {"step": -1.0}, {"step": float("nan")}],
    ids=str,
)
def test_settings_are_checked(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        solve(ising(3), "subgradient", **options)
