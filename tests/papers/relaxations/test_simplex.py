"""Nothing rests on the word of HiGHS."""

import math

import numpy as np
import pytest
from tests.induce.reference import random_sentences

from treaty.errors import SolverError
from treaty.papers.relaxations import _simplex
from treaty.papers.relaxations._bounding import Bounder
from treaty.papers.relaxations._filters import Choice
from treaty.papers.relaxations._program import build_program


def test_a_solver_that_gives_up_costs_the_bound_nothing_but_quality(monkeypatch):
    def give_up(*_):
        raise SolverError("HiGHS gave up")

    monkeypatch.setattr(_simplex, "_run", give_up)
    bounder = Bounder(build_program(2, [[0, 1, 1]]), Choice())
    found = bounder.bound(bounder.root, at_most=-0.5)
    assert found.bound == -0.5 and found.x is None


def test_a_claim_of_emptiness_without_a_proof_is_not_believed(monkeypatch):
    monkeypatch.setattr(_simplex, "_run", lambda *_: _simplex.End.INFEASIBLE)
    bounder = Bounder(build_program(2, [[0, 1, 1]]), Choice())
    assert bounder.bound(bounder.root, at_most=3.0).bound > -math.inf


def test_rows_that_do_not_bind_leave_a_basis_of_the_same_optimum():
    random = np.random.default_rng(4)
    bounder = Bounder(build_program(3, random_sentences(random, (3, 4, 3))), Choice())
    found = bounder.bound(bounder.root)
    basis = found.basis
    assert basis.cuts
    assert not np.any(basis.statuses[-len(basis.cuts) :] == _simplex.BASIC)
    program = bounder.linear_program(bounder.root)
    assert len(basis.rows) < len(program.row_lower)
    again = _simplex.Simplex(program, np.arange(len(program.row_lower)), basis)
    bound, _ = again.run(None)
    assert again.iterations == 0
    assert bound == pytest.approx(found.bound, abs=1e-6)


def test_large_programs_run_in_a_thread_of_their_own(monkeypatch):
    bounder = Bounder(build_program(2, [[0, 1, 1]]), Choice())
    small = bounder.bound(bounder.root)
    monkeypatch.setattr(_simplex, "SMALL", 0)
    large = bounder.bound(bounder.root)
    assert large.bound == small.bound
    assert bounder.bound(bounder.root, time_limit=0.0).bound >= small.bound
