"""Boxes are bounded from above, by whatever rows."""

import math

import highspy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import random_sentences
from tests.papers.relaxations.points import box_around, feasible_point, optimum

from treaty.papers.relaxations import _bounding, _simplex
from treaty.papers.relaxations._bounding import Bounder, Box
from treaty.papers.relaxations._filters import Choice
from treaty.papers.relaxations._program import build_program
from treaty.papers.relaxations._simplex import Simplex, interior_point, with_cuts

NAMES = pytest.mark.parametrize("name", ["mccormick", "rlt-obj", "rlt-max-1k", "rlt-5%"])


def random_box(seed):
    random = np.random.default_rng(seed)
    program = build_program(3, random_sentences(random, random.integers(2, 4, 3)))
    return program, Box(*box_around(program, feasible_point(program, random), random))


def worth(program, x):
    k = program.parameters
    return float(x[:k] @ x[k : 2 * k])


@NAMES
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
    linear = with_cuts(bounder.linear_program(box), cuts)
    point = np.concatenate([x, x[bounder.products.left] * x[bounder.products.right]])
    assert linear.violation(point) <= 1e-8
    assert linear.value(point) == pytest.approx(worth(program, x))
    assert found.bound >= worth(program, x)


@NAMES
def test_the_root_is_above_the_optimum_and_more_rows_bound_it_better(name):
    random = np.random.default_rng(5)
    sentences = random_sentences(random, (3, 3, 2), n_tags=2)
    program = build_program(2, sentences)
    best = optimum(2, sentences)
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
    assert optimum(3, sentences) <= found.bound
    assert bounder.bound(bounder.root, at_most=-1.0, time_limit=0.0).bound == -1.0


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


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["rlt-max-300", "rlt-30%", "rlt-obj"]))
def test_products_without_a_link_to_the_objective_tighten_nothing(seed, name):
    random = np.random.default_rng(seed)
    program = build_program(2, random_sentences(random, random.integers(2, 4, 2), n_tags=2))
    x = feasible_point(program, random)
    lower, upper = box_around(program, x, random)
    some, every = (Bounder(program, Choice.named(name), seed, idle=idle) for idle in (False, True))
    assert some.products.chosen == every.products.rows
    assert some.products.rows < every.products.rows or name == "rlt-obj"
    one, other = (bounder.bound(Box(lower, upper)).bound for bounder in (some, every))
    assert one == pytest.approx(
        other, abs=1e-4
    )  # both are from multipliers, within HiGHS' tolerance


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["mccormick", "rlt-20%"]))
def test_rows_that_are_added_when_violated_give_the_bound_of_all_rows(seed, name):
    program, box = random_box(seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_bounding, "ROUNDS", 0)  # tangents depend on the vertex that is found
        patched.setattr(_bounding, "FEW_ROWS", 10**9)
        whole = Bounder(program, Choice.named(name), seed).bound(box)
        patched.setattr(_bounding, "FEW_ROWS", 0)
        few = Bounder(program, Choice.named(name), seed)
        root = few.bound(few.root)
        found = few.bound(box, root.basis)
    assert found.bound == pytest.approx(whole.bound, abs=1e-5)
    assert len(found.basis.rows) < few.linear_program(box).begin.size - 1


@NAMES
def test_a_large_root_is_the_same_by_the_interior_point_method(name, monkeypatch):
    random = np.random.default_rng(3)
    program = build_program(3, random_sentences(random, (3, 4, 3)))
    bounder = Bounder(program, Choice.named(name))
    linear = bounder.linear_program(bounder.root)
    inner = interior_point(linear, (), None, crossover=True)
    bound, _ = Simplex(linear, np.arange(len(linear.row_lower)), None).run(None)
    assert inner.bound == pytest.approx(bound, abs=1e-5)
    some = Simplex(linear, np.arange(program.equal.rows), inner.basis)
    assert some.run(None)[0] == pytest.approx(bound, abs=1e-5)
    assert len(some.rows) < len(linear.row_lower)
    assert interior_point(linear, (), 0.0, crossover=True) is None
    monkeypatch.setattr(_bounding, "FEW_ROWS", 0)
    large = Bounder(program, Choice.named(name))
    whole, alone = (large.bound(large.root, childless=one) for one in (False, True))
    assert whole.bound <= bound + 1e-5  # tangents lower it
    assert alone.bound <= bound + 1e-5 and alone.basis is None
    assert np.all(linear.lower[: len(alone.x)] - 1e-6 <= alone.x)


def test_a_crossover_that_needs_the_simplex_is_given_up(monkeypatch):
    random = np.random.default_rng(3)
    bounder = Bounder(build_program(3, random_sentences(random, (3, 4, 3))), Choice())
    linear = bounder.linear_program(bounder.root)
    whole = interior_point(linear, (), None, crossover=True)
    opened = []

    class Imprecise:
        """HiGHS, out of iterations when there is a crossover."""

        def __init__(self, highs, options):
            self._highs, self._options = highs, options

        def __getattr__(self, name):
            return getattr(self._highs, name)

        def getModelStatus(self):  # noqa: N802
            if self._options["run_crossover"] == "on":
                return highspy.HighsModelStatus.kIterationLimit
            return self._highs.getModelStatus()

    def imprecise(program, scale, options):
        opened.append(options["run_crossover"])
        return Imprecise(usual(program, scale, options), options)

    usual = _simplex._open
    monkeypatch.setattr(_simplex, "_open", imprecise)
    found = interior_point(linear, (), None, crossover=True)
    assert opened == ["on", "off"] and found.basis is None and whole.basis is not None
    assert found.bound == pytest.approx(whole.bound, abs=1e-5)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["mccormick", "rlt-20%"]))
def test_a_simplex_that_takes_long_gives_way_to_the_interior_point_method(seed, name):
    program, box = random_box(seed)
    found = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_bounding, "ROUNDS", 0)
        patched.setattr(_bounding, "FEW_ROWS", 0)
        for patience in (0, 10**6):
            patched.setattr(_bounding, "A_WHILE", patience)
            bounder = Bounder(program, Choice.named(name), seed)
            found[patience] = bounder.bound(box, bounder.bound(bounder.root).basis)
    assert found[0].bound == pytest.approx(found[10**6].bound, abs=1e-5)
    assert (found[0].x is None) == (found[10**6].x is None)


def test_cuts_of_the_pool_are_used():
    random = np.random.default_rng(1)
    program = build_program(3, random_sentences(random, (3, 4, 5, 3)))
    bounder = Bounder(program, Choice())
    alone = bounder.bound(bounder.root)
    bounder.pool.use(alone.basis.cuts)
    found = bounder.bound(bounder.root)
    assert found.bound <= alone.bound + 1e-9
    assert {id(cut) for cut in found.basis.cuts} & {id(cut) for cut in alone.basis.cuts}
