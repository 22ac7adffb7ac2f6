import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.relaxation.test_products import RELAXATIONS, box_around, feasible_point
from tests.induce.relaxation.tiny import optimum, random_sentences

from treaty.errors import SolverError
from treaty.induce.relaxation import _simplex
from treaty.induce.relaxation._bounding import Bounder, Box
from treaty.induce.relaxation._cuts import tangent, violated
from treaty.induce.relaxation._filters import Choice
from treaty.induce.relaxation._layout import Layout
from treaty.induce.relaxation._program import build_program


def worth(program, x):
    k = program.parameters
    return float(x[:k] @ x[k : 2 * k])


@pytest.mark.parametrize("name", RELAXATIONS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_feasible_point_of_a_box_is_cut_off_or_worth_more_than_the_bound(name, seed):
    random = np.random.default_rng(seed)
    program = build_program(3, random_sentences(random, random.integers(1, 5, 2)))
    bounder = Bounder(program, Choice.named(name), seed)
    x = feasible_point(program, random)
    box = Box(*box_around(program, x, random))
    found = bounder.bound(box)
    cuts = found.basis.cuts if found.basis else ()
    linear = bounder.linear_program(box, cuts)
    point = bounder.point(x)
    assert linear.violation(point) <= 1e-8
    assert linear.value(point) == pytest.approx(worth(program, x))
    assert found.bound >= worth(program, x)


@pytest.mark.parametrize("name", RELAXATIONS)
def test_the_root_is_above_the_optimum_and_more_rows_bound_it_better(name):
    random = np.random.default_rng(5)
    sentences = random_sentences(random, (3, 3, 2), tags=2)
    program = build_program(2, sentences)
    best = optimum(Layout(2), sentences)
    bounder = Bounder(program, Choice.named(name))
    bound = bounder.bound(bounder.root).bound
    assert bound >= best
    plain = Bounder(program, Choice())
    assert bound <= plain.bound(plain.root).bound + 1e-6


def test_a_program_stopped_at_once_still_bounds():
    random = np.random.default_rng(2)
    sentences = random_sentences(random, (4, 3))
    bounder = Bounder(build_program(3, sentences), Choice())
    found = bounder.bound(bounder.root, time_limit=0.0)
    assert optimum(Layout(3), sentences) <= found.bound
    assert bounder.bound(bounder.root, at_most=-1.0, time_limit=0.0).bound == -1.0


def test_a_solver_that_gives_up_costs_the_bound_nothing_but_quality(monkeypatch):
    def give_up(*_):
        raise SolverError("HiGHS gave up")

    monkeypatch.setattr(_simplex, "run_highs", give_up)
    bounder = Bounder(build_program(2, [[0, 1, 1]]), Choice())
    found = bounder.bound(bounder.root, at_most=-0.5)
    assert found.bound == -0.5 and found.x is None


def test_a_claim_of_emptiness_without_a_proof_is_not_believed(monkeypatch):
    monkeypatch.setattr(_simplex, "run_highs", lambda *_: _simplex.End.INFEASIBLE)
    bounder = Bounder(build_program(2, [[0, 1, 1]]), Choice())
    assert bounder.bound(bounder.root, at_most=3.0).bound > -math.inf


def test_an_empty_box_is_found_empty():
    program = build_program(2, [[0, 1, 1], [1, 0]])
    bounder = Bounder(program, Choice())
    lower, upper = program.lower.copy(), program.upper.copy()
    first = program.first_column[0]
    upper[first : first + 3] = 0.0  # no word of the first sentence may hang on the root
    assert bounder.bound(Box(lower, upper)).bound == -math.inf
    both = np.flatnonzero(program.distribution == 0)
    lower = program.lower.copy()
    lower[both] = np.log(0.9)
    assert bounder.bound(Box(lower, program.upper)).bound == -math.inf


def test_a_child_starts_where_its_parent_ended():
    random = np.random.default_rng(0)
    program = build_program(3, random_sentences(random, (3, 4, 5, 3)))
    bounder = Bounder(program, Choice())
    root = bounder.bound(bounder.root)
    upper = program.upper.copy()
    upper[4] = np.log(0.5)
    box = Box(program.lower, upper)
    warm, cold = bounder.bound(box, root.basis), bounder.bound(box)
    assert warm.iterations < cold.iterations / 2
    assert warm.bound == pytest.approx(cold.bound, abs=1e-3)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_tangents_cut_off_what_sums_to_more_and_nothing_that_does_not(seed, size):
    random = np.random.default_rng(seed)
    floor, column = 1e-8, np.arange(size)
    theta = np.log(random.dirichlet(np.full(size, 0.3)) + 1e-12)
    cut = tangent(column, random.dirichlet(np.full(size, 0.3)), floor)
    assert cut.probability @ theta <= cut.right + 1e-9
    too_much = theta + 0.05 + random.random()
    (violation,) = violated(too_much, np.zeros(size, dtype=int), floor)
    assert violation.probability @ too_much > violation.right
    assert violated(np.maximum(theta, np.log(floor)), np.zeros(size, dtype=int), floor) == []
