"""What preparation does to a graph, seen from outside: nothing but a faster answer.

Preparation fixes what follows from evidence, merges equal literals, drops two-state categorical
variables, writes small tables as rewards and clauses, and folds outputs into rewards.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import COMPACT, graphs

from treaty._native.graph import Graph, Kind
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._check import check
from treaty.solve._dual import solve_ad3
from treaty.solve._exhaustive import exhaustive
from treaty.solve._highs import End, run
from treaty.solve._relaxation import relax

NO = -math.inf
NATIVE = ("ad3", "subgradient", "exact")


def assert_solved(
    graph: FactorGraph, status: Status = Status.OPTIMAL, methods: Sequence[str] = NATIVE
) -> None:
    """All methods agree; AD3 and subgradient can be asked only where the relaxation is tight."""
    best = solve(graph, "exhaustive")
    assert best.status is status
    assert solve(graph).bound >= best.objective - 1e-9
    for method in methods:
        solution = solve(graph, method)
        assert solution.status is status, method
        assert solution.objective == pytest.approx(best.objective, abs=1e-9), method
        if status is Status.OPTIMAL:
            assert check(graph, solution.values).objective == pytest.approx(best.objective)


# Evidence


@given(graphs(), st.data())
@settings(max_examples=150, deadline=None)
def test_evidence_on_everything(graph, data):
    """Nothing is left to decide: one look tells."""
    for v in range(graph.variables):
        graph.fix(v, data.draw(st.sampled_from([0, 1])))
    best = exhaustive(graph)
    for solution in (solve_ad3(graph), solve_ad3(graph, iterations=1)):
        assert solution.objective == pytest.approx(best.objective, abs=1e-9)
        if best.status is Status.OPTIMAL:
            assert (solution.values == graph.evidence).all()
            assert solution.bound >= best.objective - 1e-9


@pytest.mark.parametrize("evidence", list(itertools.product([-1, 0, 1], repeat=3)))
@pytest.mark.parametrize(
    "kind",
    [
        *("exactly_one", "at_most_one", "at_least_one"),
        *("xor_with_output", "or_with_output", "and_with_output"),
    ],
)
def test_logic_under_every_evidence(kind, evidence):
    for negated in itertools.product([False, True], repeat=3):
        graph = FactorGraph()
        variables = graph.variables([0.7, -0.4, 0.2])
        a, b, c = (~x if n else x for x, n in zip(variables, negated, strict=True))
        getattr(graph, kind)(*(([a, b], c) if kind.endswith("output") else (a, b, c)))
        for x, value in zip(variables, evidence, strict=True):
            if value >= 0:
                graph.fix(x, value)
        best = solve(graph, "exhaustive")
        for method in ("ad3", "exact"):
            solution = solve(graph, method)
            assert solution.status == best.status
            assert solution.objective == pytest.approx(best.objective)


@pytest.mark.parametrize("evidence", list(itertools.product([-1, 0, 1], repeat=3)))
@pytest.mark.parametrize("k", range(5))
def test_counting_under_every_evidence(k, evidence):
    for kind in ("at_most", "exactly", "at_least", "knapsack"):
        graph = FactorGraph()
        x = graph.variables([0.7, -0.4, 0.2])
        if kind == "knapsack":
            graph.knapsack(x, [1.0, 2.0, 1.0], k)
        else:
            getattr(graph, kind)(k, x[0], ~x[1], x[2])
        for variable, value in zip(x, evidence, strict=True):
            if value >= 0:
                graph.fix(variable, value)
        best = solve(graph, "exhaustive")
        solution = solve(graph, "exact")
        assert solution.status == best.status
        assert solution.objective == pytest.approx(best.objective)


def test_evidence_travels_far():
    """One fixed domino of a chain of 2000 fixes them all."""
    graph = FactorGraph()
    dominoes = graph.variables(np.full(2000, -1.0))
    for before, after in itertools.pairwise(dominoes):
        graph.implies(before, after)
    graph.fix(dominoes[0])
    solution = solve(graph)
    assert (solution.status, solution.objective, solution.iterations) == (Status.OPTIMAL, -2000, 1)


def test_evidence_takes_states_away_from_tables():
    graph = FactorGraph()
    a, b, c = (graph.categorical([0.1, 0.2, 0.3]) for _ in range(3))
    scores = np.arange(27.0).reshape(3, 3, 3) % 7
    graph.table([a, b, c], scores)
    graph.fix(~a[2])
    graph.fix(b, 1)
    assert_solved(graph)
    graph.fix(c, 0)
    assert_solved(graph)
    graph.fix(a, 0)
    assert_solved(graph)


def test_forbidden_cells_fix_states():
    """Only one way is left through three tables of a row."""
    graph = FactorGraph()
    chain = [graph.categorical([1.0, 2.0, 3.0]) for _ in range(4)]
    step = np.where(np.eye(3, k=1) == 1, 0.0, NO)
    for a, b in itertools.pairwise(chain[:3]):
        graph.table([a, b], step)
    graph.table([chain[2], chain[3]], np.zeros((3, 3)))
    assert_solved(graph)
    assert solve(graph)[chain[0]] == 0


# Equal literals


def test_two_states_are_one_variable():
    graph = FactorGraph()
    pairs = [graph.categorical([0.3 * k, 1 - 0.2 * k]) for k in range(5)]
    for a, b in itertools.pairwise(pairs):
        graph.table([a, b], [[0.5, 0.0], [0.0, 0.4]])
    graph.at_most(2, [pair[1] for pair in pairs])
    graph.at_least_one(pairs[0][0], ~pairs[3][1])
    best = solve(graph, "exhaustive").objective
    assert solve(graph, "exact").objective == pytest.approx(best)


@pytest.mark.parametrize("length", [2, 3, 50, 3000])
def test_chains_of_equalities(length):
    """Alternating "equal" and "different" links, each in another way of saying it."""
    graph = FactorGraph()
    x = graph.variables([1.0 if k % 3 else -1.5 for k in range(length)])
    same = True
    for k, (a, b) in enumerate(itertools.pairwise(x)):
        link = k % 4
        if link == 0:
            graph.or_with_output([a], b)
        elif link == 1:
            graph.exactly_one(a, b)
        elif link == 2:
            graph.and_with_output([~a], ~b)
        else:
            graph.xor_with_output([a], ~b)
        same = same == (link in (0, 2))
    graph.fix(x[0])
    solution = solve(graph)
    assert solution.status is Status.OPTIMAL
    assert solution[x[-1]] == same
    assert check(graph, solution.values).feasible
    graph.free(x[0])
    free = solve(graph)
    assert free.status is Status.OPTIMAL
    assert free.objective >= solution.objective - 1e-9


@pytest.mark.parametrize("turn", [False, True])
def test_equalities_around_a_circle(turn):
    """With a twist there is no solution; without, all are equal."""
    graph = FactorGraph()
    x = graph.variables([1.0, -2.0, 0.5, 0.75])
    for a, b in itertools.pairwise(x):
        graph.or_with_output([a], b)
    graph.exactly_one(x[-1], x[0] if turn else ~x[0])
    assert_solved(graph, Status.INFEASIBLE if turn else Status.OPTIMAL)


def test_equal_literals_inside_other_factors():
    graph = FactorGraph()
    a, b, c, d = graph.variables([1.0, 0.5, -0.25, 2.0])
    graph.or_with_output([a], b)
    graph.exactly_one(b, ~c)  # a = b = c
    graph.knapsack([a, b, c, d], [1.0, 1.0, 1.0, 2.0], 3.0)
    graph.reward(a, b, c, -0.5)
    graph.reward(a, ~c, 9.0)
    graph.compression_tree([d, b, c], [None, 0, 1], [0.1, 0.2, 0.3])
    graph.table([a, c], [[0.1, NO], [NO, 0.2]])
    best = solve(graph, "exhaustive")
    assert solve(graph, "exact").objective == pytest.approx(best.objective)


def test_states_that_are_literals_of_one_variable():
    """A table over (x, ~x) and (~x, x) is a table over x alone."""
    graph = FactorGraph()
    x = graph.variable(0.25)
    graph.table([x, ~x], [[9.0, 1.0], [0.5, 9.0]])
    graph.sequence([x, x], [[0.5, NO], [NO, 0.0]])
    best = solve(graph, "exhaustive")
    assert best.objective == 1.5
    assert solve(graph, "exact").objective == pytest.approx(best.objective)


def test_two_incoming_arcs_are_opposites():
    """One of them is on, so x is what both are about; y cannot be anything but x."""
    graph = FactorGraph()
    x, y, z = graph.variables([0.25, 0.5, -1.0])
    graph.head_automaton([z], [0.0, 1.0, 0.5], [x, ~y], [[1.0], [2.0]])
    assert_solved(graph)
    graph.fix(z)
    graph.fix(~x)
    assert_solved(graph)


def test_a_single_incoming_arc_is_on():
    graph = FactorGraph()
    x, y = graph.variables([-9.0, -9.0])
    graph.head_automaton([], [1.0], [x])
    graph.head_automaton([], [1.0], [~y])
    assert_solved(graph)
    graph.at_least_one(~x, y)
    assert_solved(graph, Status.INFEASIBLE)


# Folded outputs and small tables


@pytest.mark.parametrize("kind", ["or_with_output", "and_with_output"])
@pytest.mark.parametrize("score", [-1.5, 0.0, 1.5])
@pytest.mark.parametrize("negated", list(itertools.product([False, True], repeat=3)))
def test_an_output_that_nothing_else_sees(kind, score, negated):
    graph = FactorGraph()
    a, b, output, c = graph.variables([-0.5, 0.25, score, 0.125])
    x, y, z = (~v if n else v for v, n in zip((a, b, output), negated, strict=True))
    getattr(graph, kind)([x, y], z)
    graph.exactly_one(a, b, c)
    assert_solved(graph, methods=["exact"])


def test_outputs_of_outputs():
    graph = FactorGraph()
    a, b, c, first, second, third = graph.variables([-0.5, -0.4, -0.3, 0.2, 0.6, -0.1])
    graph.or_with_output([a, b], first)
    graph.and_with_output([first, c], second)
    graph.or_with_output([second, ~c], third)
    assert_solved(graph, methods=["exact"])


def test_an_output_that_is_its_own_input():
    graph = FactorGraph()
    a, b, c = graph.variables([-1.0, 2.0, 0.5])
    graph.or_with_output([a, b], a)
    graph.and_with_output([c, ~c], b)
    assert solve(graph, "exact").objective == solve(graph, "exhaustive").objective == 0.5


@given(
    st.lists(st.one_of(st.integers(-2, 2).map(float), st.just(NO)), min_size=4, max_size=4),
    st.lists(st.integers(-2, 2).map(float), min_size=2, max_size=2),
)
@settings(max_examples=100, deadline=None)
def test_tables_of_two_literals(cells, scores):
    graph = FactorGraph()
    x, y = graph.variables(scores)
    graph.table([x, ~y], np.reshape(cells, (2, 2)))
    best = solve(graph, "exhaustive")
    for method in ("ad3", "exact"):
        solution = solve(graph, method)
        assert solution.status == best.status
        assert solution.objective == pytest.approx(best.objective)


# The relaxed point


def relaxed_value(graph: Graph, point: np.ndarray, slack: float) -> float:
    """The relaxation's best value with its variables held near a point; -inf if that is outside."""
    relaxation = relax(graph)
    lower, upper = relaxation.lower.copy(), relaxation.upper.copy()
    n = graph.variables
    lower[:n] = np.clip(np.maximum(lower[:n], point - slack), 0, upper[:n])
    upper[:n] = np.clip(np.minimum(upper[:n], point + slack), lower[:n], 1)
    outcome = run(dataclasses.replace(relaxation, lower=lower, upper=upper))
    return outcome.value if outcome.end is End.OPTIMAL else -math.inf


@given(graphs(kinds=COMPACT))
@settings(max_examples=100, deadline=None)
def test_the_relaxed_point_is_worth_the_bound(graph):
    """Also for variables that preparation took away."""
    solution = solve_ad3(graph, iterations=20_000, tolerance=1e-8)
    size = 1.0 + np.abs(graph.scores).sum() + np.abs(graph.data[np.isfinite(graph.data)]).sum()
    if solution.status is Status.FRACTIONAL:
        value = relaxed_value(graph, solution.relaxed, 1e-3)
        assert value >= solution.bound - 1e-2 * size


def test_kinds_are_all_here():
    """A kind that is added to the library must be added to these tests."""
    assert len(Kind) == 20
