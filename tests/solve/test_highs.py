"""Running HiGHS: silent, scaled, and nothing believed unchecked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.random_graphs import COMPACT, build, graphs

from treaty import SolverError, UsageError
from treaty._native.graph import Kind
from treaty.solve import _highs
from treaty.solve._highs import End, Outcome, disagreement, objective_scale, run
from treaty.solve._lp import solve_lp
from treaty.solve._relaxation import relax


def test_prints_nothing(capfd):
    solve_lp(build([1.0, 2.0], (Kind.exactly_one, [0, 2])))
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
        ({"getModelStatus": lambda status: type(status).kSolveError}, "stopped with"),
    ],
)
def test_a_damaged_answer_is_refused(monkeypatch, damage, complaint):
    graph = build([1.0, 2.0], (Kind.exactly_one, [0, 2]))
    lying(monkeypatch, **damage)
    with pytest.raises(SolverError, match=complaint):
        solve_lp(graph)


def test_infeasibility_without_a_proof_is_not_believed(monkeypatch):
    graph = build([1.0, 2.0], (Kind.exactly_one, [0, 2]))
    lying(monkeypatch, getModelStatus=lambda status: type(status).kInfeasible)
    found = solve_lp(graph)
    assert (found.status, found.objective) == ("UNKNOWN", -math.inf)
    assert found.bound >= 2.0


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


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-9, 1.0, 3.0, 1e4, 1e9, 1e100])
def test_scores_are_scaled_by_a_power_of_two_to_what_suits_highs(size):
    scale = objective_scale(relax(build([size, -size / 2])))
    assert math.frexp(scale)[0] == 0.5
    if size > 1e-300:
        assert 0.5 <= size * scale <= 2e4


def test_without_scores_there_is_nothing_to_scale():
    assert objective_scale(relax(build([0.0, 0.0]))) == 1.0


def test_values_are_compared_relative_to_the_numbers_they_are_made_of():
    relaxation = relax(build([1000.0, -1.0]))
    assert disagreement(relaxation, 1000.0, 1001.0) == pytest.approx(1e-3)
    assert disagreement(relaxation, 0.0, 1.0) == pytest.approx(1e-3)
    assert disagreement(relax(build([0.0])), 0.0, 1.0) == 1.0


def test_trivial_programs_need_no_highs(monkeypatch):
    monkeypatch.setattr(_highs, "open_highs", None)
    nothing = run(relax(build([])))
    assert (nothing.end, nothing.value, nothing.bound) == (End.OPTIMAL, 0.0, 0.0)
    impossible = run(relax(build([], (Kind.arborescence, [], [], [2, 0]))))
    assert (impossible.end, impossible.point) == (End.INFEASIBLE, None)
