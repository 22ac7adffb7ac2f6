"""The integer program: the best assignment, and nothing believed that the checker does not find."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.random_graphs import EVERY, build, graphs

from treaty._native.graph import Graph, Kind
from treaty.solve import _highs, _ilp
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive
from treaty.solve._ilp import solve_ilp
from treaty.solve._lp import solve_lp


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_finds_the_optimum(graph):
    best, found = exhaustive(graph), solve_ilp(graph)
    assert found.status == best.status
    assert found.objective == pytest.approx(best.objective, abs=1e-9)
    assert found.gap <= 1e-6
    assert found.bound >= best.objective - 1e-12
    assert solve_lp(graph).bound >= found.objective - 1e-6
    if found.status == "OPTIMAL":
        assert check(graph, found.values).objective == found.objective


def test_an_integer_optimum_below_the_relaxation():
    knapsack = (Kind.knapsack, [0, 2, 4], [2.0, 2.0, 2.0, 3.0])
    graph = build([3.0, 2.0, 1.0], knapsack)
    assert solve_lp(graph).bound == pytest.approx(4.0)
    assert solve_ilp(graph).objective == 3.0
    assert 3.0 <= solve_ilp(graph).bound <= 3.000001


def test_stopped_with_the_rounding_of_the_relaxation(monkeypatch):
    graph = build([3.0, 2.0, 1.0], (Kind.knapsack, [0, 2, 4], [2.0, 2.0, 2.0, 3.0]))
    honest = _highs.run

    def run(relaxation, *, integral=False, time_limit=None):
        return honest(relaxation, integral=integral, time_limit=0.0 if integral else None)

    monkeypatch.setattr(_ilp, "run", run)
    found = solve_ilp(graph)
    assert found.status in ("FEASIBLE", "OPTIMAL")
    assert found.objective == 3.0
    assert found.bound == pytest.approx(4.0) or found.status == "OPTIMAL"


def test_graphs_without_variables():
    assert solve_ilp(Graph()).status == "OPTIMAL"
    assert solve_ilp(build([], (Kind.arborescence, [], [], [2, 0]))).status == "INFEASIBLE"


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_scores_of_any_size(scale):
    graph = build(scale * np.array([3.0, 2.0, -1.0]), (Kind.knapsack, [0, 2, 5], [2, 2, 2, 5]))
    assert solve_ilp(graph).objective == pytest.approx(4.0 * scale)


def test_what_highs_says_goes_through_the_checker(monkeypatch):
    graph = build([1.0, 2.0], (Kind.exactly_one, [0, 2]))
    honest = _highs.run

    def run(relaxation, **options):
        outcome = honest(relaxation, **options)
        outcome.point[:] = 1.0 - outcome.point
        return outcome

    monkeypatch.setattr(_ilp, "run", run)
    found = solve_ilp(graph)
    assert (found.status, found.objective) == ("FEASIBLE", 1.0)
    assert 2.0 <= found.bound <= 2.000001


def test_every_kind_is_tried():
    assert len(EVERY) == 20
