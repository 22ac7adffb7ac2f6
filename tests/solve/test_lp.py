from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import COMPACT, add, build, graphs

from treaty import SolverError, UsageError
from treaty._native.graph import Graph, Kind
from treaty.solve import _highs
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive
from treaty.solve._highs import End, Outcome, run
from treaty.solve._lp import solve_lp
from treaty.solve._relaxation import relax

TRIANGLE = [
    (Kind.reward, [0, 3], [1.0]),
    (Kind.reward, [2, 5], [1.0]),
    (Kind.reward, [4, 1], [1.0]),
    (Kind.reward, [1, 2], [1.0]),
    (Kind.reward, [3, 4], [1.0]),
    (Kind.reward, [5, 0], [1.0]),
]  # three variables that all want to differ


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_bounds_the_optimum_and_certifies(graph):
    best, found = exhaustive(graph), solve_lp(graph)
    assert found.bound >= best.objective - 1e-9
    if found.status == "INFEASIBLE":
        assert best.status == "INFEASIBLE"
    if found.status == "OPTIMAL":
        assert found.objective == pytest.approx(best.objective, abs=1e-9)
    if math.isfinite(found.objective):
        assert found.objective == check(graph, found.values).objective
    if found.relaxed is not None:
        assert found.relaxed.min(initial=0) >= 0
        assert found.relaxed.max(initial=0) <= 1


@settings(max_examples=40, deadline=None)
@given(graphs(COMPACT), st.sampled_from(["primal", "ipm"]))
def test_solvers_agree(graph, solver):
    assert solve_lp(graph, solver=solver).bound == pytest.approx(solve_lp(graph).bound, abs=1e-6)


def random_tree(seed, states=3, variables=8):
    """A tree of categorical variables with a table on every edge."""
    random = np.random.default_rng(seed)
    graph = Graph()
    first = [graph.add_categorical(random.normal(size=states)) for _ in range(variables)]
    for child in range(1, variables):
        ends = first[random.integers(child)], first[child]
        literals = [2 * (end + state) for end in ends for state in range(states)]
        scores = random.normal(size=states * states)
        scores[random.integers(states * states)] = -np.inf
        add(graph, Kind.table, literals, scores, [states, states])
    return graph


@pytest.mark.parametrize("seed", range(5))
def test_trees_are_tight(seed):
    graph = random_tree(seed)
    found = solve_lp(graph)
    assert found.status == "OPTIMAL"
    assert found.gap <= 1e-9
    assert found.objective == pytest.approx(exhaustive(graph).objective)


def test_a_frustrated_triangle_is_fractional():
    found = solve_lp(build([0.0] * 3, *TRIANGLE))
    assert found.status == "FRACTIONAL"
    assert found.bound == pytest.approx(3.0)
    assert found.relaxed == pytest.approx([0.5] * 3)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_scores_of_any_size(scale):
    scores = scale * np.array([1.0, -2.0, 3.0])
    graph = build(scores, (Kind.exactly, [0, 2, 4], [], [2]), (Kind.reward, [0, 4], [-1.5 * scale]))
    assert solve_lp(graph).objective == pytest.approx(2.5 * scale)


def test_small_scores_beside_huge_ones():
    graph = build([1e9, 1.0, -0.25], (Kind.at_most, [0, 2, 4], [], [3]))
    assert solve_lp(graph).values.tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    "factors",
    [
        [(Kind.exactly_one, [0, 2]), (Kind.exactly, [0, 2, 4], [], [3])],
        [(Kind.exactly, [0, 2], [], [3])],
        [(Kind.knapsack, [0, 2], [1.0, 1.0, -1.0])],
        [(Kind.table, [0, 2], [-np.inf, -np.inf], [2])],
        [(Kind.or_with_output, [0]), (Kind.at_least_one, [0])],
        [(Kind.arborescence, [], [], [2, 0])],
        [(Kind.arborescence, [0, 2], [], [3, 0, 1, 2, 2, 1])],
    ],
)
@pytest.mark.parametrize("solver", ["dual", "ipm"])
def test_infeasible(factors, solver):
    found = solve_lp(build([1.0, 1.0, 1.0], *factors), solver=solver)
    assert (found.status, found.bound, found.gap) == ("INFEASIBLE", -math.inf, 0.0)


def test_graphs_without_variables():
    assert solve_lp(Graph()).status == "OPTIMAL"
    assert solve_lp(build([], (Kind.arborescence, [], [], [2, 0]))).status == "INFEASIBLE"


def test_a_time_limit_leaves_a_valid_bound():
    graph = random_tree(0)
    found = solve_lp(graph, time_limit=0.0)
    assert found.status == "UNKNOWN"
    assert solve_lp(graph).bound <= found.bound < math.inf


def test_prints_nothing(capfd):
    solve_lp(build([0.0] * 3, *TRIANGLE))
    assert capfd.readouterr() == ("", "")


def test_unknown_solver():
    with pytest.raises(UsageError, match="dual, primal, ipm"):
        solve_lp(build([1.0]), solver="magic")


class Liar:
    """HiGHS, but for one thing it says."""

    def __init__(self, highs, **lies):
        self._highs, self._lies = highs, lies

    def __getattr__(self, name):
        return self._lies.get(name, getattr(self._highs, name))


def lying(monkeypatch, **damage):
    """Make HiGHS' answer wrong: a damage maps what it says to something else."""
    honest = _highs.open_highs

    def open_liar(*args, **kwargs):
        highs = honest(*args, **kwargs)
        return Liar(
            highs,
            **{
                name: lambda name=name, change=change: change(getattr(highs, name)())
                for name, change in damage.items()
            },
        )

    monkeypatch.setattr(_highs, "open_highs", open_liar)


def with_values(change):
    def damaged(solution):
        values = change(np.array(solution.col_value))
        return type("Solution", (), {"col_value": values, "row_dual": solution.row_dual})()

    return damaged


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ({"getSolution": with_values(lambda x: x + 0.1)}, "violates a row"),
        ({"getSolution": with_values(lambda x: x * np.nan)}, "violates a row"),
        ({"getSolution": with_values(lambda x: x[::-1])}, "reports the value"),
        (
            {"getModelStatus": lambda status: type(status).kInfeasible},
            "infeasible but cannot prove it",
        ),
        ({"getModelStatus": lambda status: type(status).kSolveError}, "stopped with"),
    ],
)
def test_a_damaged_answer_is_refused(monkeypatch, damage, complaint):
    graph = build([1.0, 2.0], (Kind.exactly_one, [0, 2]))
    lying(monkeypatch, **damage)
    with pytest.raises(SolverError, match=complaint):
        solve_lp(graph)


def test_an_answer_that_is_not_the_best_is_refused(monkeypatch):
    graph = build([1.0, 2.0], (Kind.exactly_one, [0, 2]))
    monkeypatch.setattr(_highs, "_dual_bound", lambda *_: 2.5)
    with pytest.raises(SolverError, match="prove only"):
        solve_lp(graph)


@settings(max_examples=60, deadline=None)
@given(graphs(COMPACT), st.integers(0, 2**32 - 1))
def test_any_multipliers_give_a_bound(graph, seed):
    relaxation = relax(graph)
    multipliers = np.random.default_rng(seed).normal(size=len(relaxation.row_lower))
    outcome = run(relaxation)
    assert isinstance(outcome, Outcome)
    if outcome.end is End.OPTIMAL:
        assert relaxation.bound(multipliers) >= outcome.value - 1e-6
        assert relaxation.bound(multipliers, cost=np.zeros(len(relaxation.cost))) >= -1e-6
