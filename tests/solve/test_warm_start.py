"""Warm starts: from the same graph, and from one that has changed since."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.problems import ising, potts, random_cover
from tests.solve.random_graphs import EVERY, add_random, graphs, scores

from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._dual import solve_ad3
from treaty.solve._exhaustive import exhaustive
from treaty.solve._lp import solve_lp

LARGE = {
    "ising": lambda: ising(10),
    "potts": lambda: potts(6, 3),
    "cover": lambda: random_cover(50, 120),
}
LONG = {"iterations": 20_000}
CONVERGED = (Status.OPTIMAL, Status.FRACTIONAL)


@pytest.mark.parametrize("name", LARGE)
def test_from_its_own_solution_it_converges_at_once(name):
    graph = LARGE[name]()
    cold = solve(graph, **LONG)
    warm = solve(graph, warm_start=cold, **LONG)
    assert cold.status is Status.FRACTIONAL
    assert cold.iterations > 100
    assert warm.iterations <= cold.iterations / 5
    assert warm.status is cold.status
    assert warm.bound == pytest.approx(cold.bound, rel=1e-5)


def test_an_interrupted_run_goes_on():
    graph = ising(10)
    lp = solve(graph, "lp")
    solution, total = None, 0
    for _ in range(100):
        solution = solve(graph, iterations=50, warm_start=solution)
        total += solution.iterations
        assert solution.bound >= lp.bound - 1e-6
        if solution.status in CONVERGED:
            break
    assert solution.bound == pytest.approx(lp.bound, rel=1e-4)
    assert total < 20_000


def test_a_solution_can_be_started_from_many_times():
    graph = potts(5, 3)
    cold = solve(graph, iterations=50)
    first, second = (solve(graph, warm_start=cold, iterations=200) for _ in range(2))
    assert first.bound == second.bound
    assert first.values.tobytes() == second.values.tobytes()
    assert solve(graph, iterations=50).bound == cold.bound


@pytest.mark.parametrize("method", ["subgradient", "exact", "lp", "ilp"])
def test_only_solutions_of_ad3_will_do(method):
    graph = ising(3)
    with pytest.raises(UsageError, match="warm_start"):
        solve(graph, warm_start=solve(graph, method))


def test_a_solution_without_an_answer_will_do():
    graph = FactorGraph()
    x, y = graph.variables([1.0, 2.0])
    graph.at_most_one(x, y)
    graph.fix(x)
    graph.fix(y)
    impossible = solve(graph)
    assert impossible.status is Status.INFEASIBLE
    graph.free(x)
    graph.free(y)
    for before in (impossible, solve(graph, iterations=0)):
        assert solve(graph, warm_start=before).objective == 2.0


# After a change


def assert_valid(graph, warm) -> None:
    """The bound holds, and where the run converged it is the relaxation's value or better."""
    best, lp = exhaustive(graph), solve_lp(graph)
    size = 1.0 + np.abs(graph.scores).sum() + np.abs(graph.data[np.isfinite(graph.data)]).sum()
    assert warm.bound >= best.objective - 1e-9 * size
    assert warm.objective <= best.objective + 1e-9 * size
    if warm.status is Status.INFEASIBLE:
        assert best.status is Status.INFEASIBLE
    if warm.status is Status.OPTIMAL:
        assert warm.objective == pytest.approx(best.objective, abs=1e-9 * size)
    if warm.status in CONVERGED and lp.status is not Status.INFEASIBLE:
        assert warm.bound <= lp.bound + 1e-5 * size


@given(graphs(), st.lists(scores, min_size=10, max_size=10))
@settings(max_examples=100, deadline=None)
def test_after_a_change_of_scores(graph, changed):
    before = solve_ad3(graph, **LONG)
    for v in range(graph.variables):
        graph.set_score(v, changed[v % 10])
    assert_valid(graph, solve_ad3(graph, warm_start=before, **LONG))


@given(graphs(), st.sampled_from(EVERY), st.data())
@settings(max_examples=100, deadline=None)
def test_after_adding_a_factor(graph, kind, data):
    before = solve_ad3(graph, **LONG)
    add_random(data.draw, graph, kind)
    assert_valid(graph, solve_ad3(graph, warm_start=before, **LONG))


@given(graphs(evidence=False), st.data())
@settings(max_examples=100, deadline=None)
def test_after_new_evidence(graph, data):
    before = solve_ad3(graph, **LONG)
    graph.fix(data.draw(st.integers(0, graph.variables - 1)), data.draw(st.sampled_from([0, 1])))
    assert_valid(graph, solve_ad3(graph, warm_start=before, **LONG))


@given(graphs(), graphs())
@settings(max_examples=100, deadline=None)
def test_from_another_graph_altogether(graph, other):
    assert_valid(graph, solve_ad3(graph, warm_start=solve_ad3(other, **LONG), **LONG))


def triangle(table) -> FactorGraph:
    graph = FactorGraph()
    a, b, c = (graph.categorical([0.0, 0.1 * k, 0.2 * k]) for k in range(3))
    for pair in ((a, b), (b, c), (a, c)):
        graph.table(pair, table)
    return graph


@pytest.mark.parametrize("seed", range(20))
def test_after_a_change_of_the_factors_own_scores(seed):
    """As in training: the same graph over and over, with new scores in its tables."""
    rng = np.random.default_rng(seed)
    tables = rng.normal(size=(2, 3, 3))
    if seed % 2:
        tables[1][rng.random((3, 3)) < 0.2] = -np.inf
    before, graph = solve(triangle(tables[0])), triangle(tables[1])
    warm = solve(graph, warm_start=before, **LONG)
    assert_valid(graph.native, warm)
    assert warm.bound == pytest.approx(solve(graph, **LONG).bound, abs=1e-4)


def test_after_a_change_of_shape():
    """Two by three is not three by two, though both have five literals."""

    def table(sizes):
        graph = FactorGraph()
        a, b = (graph.categorical(np.arange(size)) for size in sizes)
        graph.table([a, b], -np.arange(6).reshape(sizes))
        graph.table([a, b], np.arange(6)[::-1].reshape(sizes))
        return graph

    graph = table((3, 2))
    assert_valid(graph.native, solve(graph, warm_start=solve(table((2, 3))), **LONG))


def test_a_variable_in_no_factor_follows_its_new_score():
    graph = FactorGraph()
    x = graph.variables([1.0, 0.3])
    graph.at_most_one(x)
    loose = graph.variable(1.0)
    before = solve(graph)
    graph.set_score(loose, -1.0)
    after = solve(graph, warm_start=before)
    assert (after.status, after.objective, after[loose]) == (Status.OPTIMAL, 1.0, False)


def test_few_changes_take_few_iterations():
    """Branch and bound, and learning, live on this."""
    graph = potts(5, 3)
    before = solve(graph, **LONG)
    for v in range(5):
        graph.set_score(graph[v], float(graph.scores[v]) + 0.05)
    warm, cold = solve(graph, warm_start=before, **LONG), solve(graph, **LONG)
    assert warm.iterations <= cold.iterations
    assert warm.bound == pytest.approx(cold.bound, rel=1e-5)
