"""What must hold between the solvers, and between a graph and the same graph in other words."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import EVERY, add, add_random, graphs
from tests.solve.rewriting import Parts, negated, renamed, scaled, split

from treaty import UsageError
from treaty._native.graph import Graph, Kind
from treaty.graph import FactorGraph, read_graph
from treaty.solve import Solution, Status, solve
from treaty.solve._dual import solve_ad3, solve_subgradient
from treaty.solve._exact import solve_exact
from treaty.solve._exhaustive import exhaustive
from treaty.solve._ilp import solve_ilp
from treaty.solve._lp import solve_lp

KNOWN = [kind for kind in EVERY if kind is not Kind.custom]
CONSTRAINTS = [kind for kind in KNOWN if kind not in (Kind.reward, Kind.compression_tree)]
CONVERGED = (Status.OPTIMAL, Status.FRACTIONAL)
often = settings(max_examples=100, deadline=None)


def size(graph: Graph) -> float:
    numbers = np.concatenate([graph.scores, graph.data])
    return 1.0 + float(np.abs(numbers[np.isfinite(numbers)]).sum())


def same(one: float, other: float, graph: Graph, tolerance: float = 1e-9) -> bool:
    return one == other or abs(one - other) <= tolerance * size(graph)


def same_result(one: Solution, other: Solution) -> bool:
    fields = ("status", "objective", "bound", "iterations", "method")
    return all(getattr(one, name) == getattr(other, name) for name in fields) and all(
        a.tobytes() == b.tobytes()
        for a, b in ((one.values, other.values), (one.relaxed, other.relaxed))
        if a is not None and b is not None
    )


# Between the solvers


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_solvers_agree_with_exhaustive_search(graph):
    best = exhaustive(graph)
    exact, ilp = solve_exact(graph), solve_ilp(graph)
    assert exact.status == ilp.status == best.status
    assert same(exact.objective, best.objective, graph)
    assert same(ilp.objective, best.objective, graph, 1e-6)


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_bounds_hold_and_answers_are_no_better_than_the_best(graph):
    best = exhaustive(graph)
    slack = 1e-9 * size(graph)
    for solution in (solve_ad3(graph), solve_subgradient(graph, iterations=100)):
        assert solution.bound >= best.objective - slack
        assert solution.objective <= best.objective + slack
        assert solution.status is not Status.INFEASIBLE or best.status is Status.INFEASIBLE
        if solution.status is Status.OPTIMAL:
            assert same(solution.objective, best.objective, graph)


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_ad3_solves_the_linear_relaxation(graph):
    """Duplicated literals and evidence are merged beforehand: AD3 may do better than the LP."""
    ad3, lp = solve_ad3(graph, iterations=20_000), solve_lp(graph)
    if lp.status is Status.INFEASIBLE:
        assert ad3.status not in CONVERGED
    elif ad3.status in CONVERGED:
        assert ad3.bound <= lp.bound + 1e-5 * size(graph)
    if ad3.status is Status.INFEASIBLE and lp.status is not Status.INFEASIBLE:
        assert exhaustive(graph).status is Status.INFEASIBLE


@given(graphs(kinds=KNOWN, evidence=False))
@often
def test_ad3_is_at_least_as_tight_as_the_lp_on_distinct_literals(graph):
    """They are the same relaxation; what AD3 folds together beforehand may make it tighter."""
    parts = Parts.of(graph)
    clean = [f for f in parts.factors if len({lit >> 1 for lit in f.literals}) == len(f.literals)]
    graph = Parts(parts.scores, parts.evidence, parts.categoricals, clean).graph()
    ad3, lp, best = solve_ad3(graph, iterations=20_000), solve_lp(graph), exhaustive(graph)
    if ad3.status in CONVERGED and best.status is Status.OPTIMAL:
        assert best.objective - 1e-5 * size(graph) <= ad3.bound <= lp.bound + 1e-5 * size(graph)


@given(graphs(kinds=KNOWN), st.sampled_from(CONSTRAINTS), st.data())
@often
def test_adding_a_constraint_never_raises_the_value(graph, kind, data):
    exact, lp = solve_exact(graph), solve_lp(graph)
    constraint = Graph()
    constraint.add_variables(np.zeros(graph.variables))
    add_random(data.draw, constraint, kind)
    for f in Parts.of(constraint).factors:
        forbidding = np.where(np.isneginf(f.data), f.data, 0.0)
        add(graph, f.kind, f.literals, f.data if f.kind is Kind.knapsack else forbidding, f.shape)
    slack = 1e-7 * size(graph)
    assert solve_exact(graph).objective <= exact.objective + slack
    assert solve_lp(graph).bound <= lp.bound + slack


# The same problem in other words


def assert_alike(one: Parts, other: Parts) -> None:
    """Both have the same optimum and the same relaxation, up to their constants."""
    first, second = one.graph(), other.graph()
    constant = other.constant - one.constant

    def compare(a: float, b: float, tolerance: float) -> None:
        assert same(a + constant, b, first, tolerance), (a + constant, b)

    exact = solve_exact(first), solve_exact(second)
    assert exact[0].status == exact[1].status
    compare(exact[1].objective, exact[0].objective, 1e-9)
    lp = solve_lp(first), solve_lp(second)
    compare(lp[1].bound, lp[0].bound, 1e-6)
    # Preparation may see through one wording and not the other, and then has a tighter bound.
    ad3 = [solve_ad3(graph, iterations=20_000) for graph in (first, second)]
    if ad3[0].status == ad3[1].status and ad3[0].status in CONVERGED:
        compare(ad3[1].bound, ad3[0].bound, 1e-5)


@given(graphs(kinds=KNOWN), st.randoms(use_true_random=False))
@often
def test_renaming_changes_nothing(graph, rng):
    parts = Parts.of(graph)
    assert_alike(parts, renamed(parts, lambda items: rng.sample(list(items), len(items))))


@given(graphs(kinds=KNOWN), st.lists(st.booleans(), min_size=10, max_size=10))
@often
def test_calling_variables_by_their_opposite_changes_nothing(graph, flips):
    parts = Parts.of(graph)
    which = [v for v in range(graph.variables) if flips[v % 10]]
    assert_alike(parts, negated(parts, which))


@given(graphs(kinds=KNOWN), st.sampled_from([0.5, 0.25, 0.9]))
@often
def test_splitting_scores_changes_nothing(graph, share):
    assert_alike(Parts.of(graph), split(Parts.of(graph), share))


@given(graphs(kinds=KNOWN), st.sampled_from([2.0**-40, 1e-6, 0.1, 3.0, 1e5, 2.0**30]))
@often
def test_scaling_scores_scales_the_result(graph, by):
    larger = scaled(Parts.of(graph), by).graph()
    for solver in (solve_exact, solve_ad3):
        one, other = solver(graph), solver(larger)
        assert one.status == other.status
        assert same(one.objective, other.objective / by, graph)
        assert same(one.bound, other.bound / by, graph, 1e-5)


@given(graphs(kinds=KNOWN), st.sampled_from([-300, -30, 1, 10, 300]))
@often
def test_scaling_by_a_power_of_two_changes_not_a_bit(graph, exponent):
    by = 2.0**exponent
    larger = scaled(Parts.of(graph), by).graph()
    for solver in (solve_exact, solve_ad3, solve_subgradient):
        one, other = solver(graph), solver(larger)
        found = (other.status, other.objective, other.bound, other.iterations)
        assert found == (one.status, one.objective * by, one.bound * by, one.iterations)
        assert one.values.tobytes() == other.values.tobytes()


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-300, 1e-100, 1e99])
@pytest.mark.parametrize("solver", [solve_ad3, solve_subgradient, solve_exact])
def test_scores_at_the_ends_of_what_numbers_can_be(solver, size):
    graph = FactorGraph()
    x = graph.variables(size * np.array([1.0, 2.0, 2.0, -3.0]))
    graph.at_most_one(x[0], x[1])
    graph.at_most_one(x[1], x[2])
    graph.implies(x[0], ~x[3])
    solution = solver(graph.native)
    assert (solution.status, solution.objective) == (Status.OPTIMAL, 3 * size)


# Determinism and files


@given(graphs())
@settings(max_examples=50, deadline=None)
def test_the_same_call_gives_the_same_bytes(graph):
    for solver in (solve_ad3, solve_subgradient, solve_exact):
        options = {"iterations": 100} if solver is solve_subgradient else {}
        assert same_result(solver(graph, **options), solver(graph, **options))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("suffix", ["fg", "uai"])
def test_a_saved_and_reloaded_graph_solves_alike(seed, suffix, random_graph, tmp_path):
    graph: FactorGraph = random_graph(random.Random(seed))
    path = tmp_path / f"graph.{suffix}"
    try:
        graph.save(path)
    except UsageError:
        pytest.skip("the format does not hold this graph")
    again = read_graph(path)
    for method in ("exact", "ilp"):
        before, after = solve(graph, method), solve(again, method)
        assert before.status == after.status
        assert math.isclose(before.objective, after.objective, abs_tol=1e-6) or (
            before.objective == after.objective
        )
    if suffix == "fg":
        before, after = solve(graph, iterations=20_000), solve(again, iterations=20_000)
        assert before.status == after.status
        assert before.bound == pytest.approx(after.bound, abs=1e-5)
