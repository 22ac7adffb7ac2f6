import math
import time

import highspy
import numpy as np
import pytest
from tests.solve.test_time_limits import logic

from treaty.solve import _highs_process, solve
from treaty.solve._highs import End, run
from treaty.solve._highs_process import HighsProcess
from treaty.solve._relaxation import relax


@pytest.fixture
def every_program_is_large(monkeypatch):
    monkeypatch.setattr(_highs_process, "LARGE", 0)


@pytest.mark.parametrize("integral", [False, True])
def test_the_result_is_that_of_this_process(monkeypatch, integral):
    relaxation = relax(logic(400).native)
    here = run(relaxation, integral=integral)
    monkeypatch.setattr(_highs_process, "LARGE", 0)
    apart = run(relaxation, integral=integral)
    assert (here.end, here.value, here.bound) == (apart.end, apart.value, apart.bound)
    assert np.array_equal(here.point, apart.point)


@pytest.mark.parametrize("method", ["lp", "ilp", "exact"])
def test_solvers_agree(every_program_is_large, method):
    graph = logic(300)
    best = graph.solve("exact").objective
    solution = graph.solve(method)
    assert solution.objective <= best + 1e-9
    assert solution.bound >= best - 1e-9


def test_infeasible_programs_are_proved_so(every_program_is_large):
    graph = logic(40)
    graph.exactly_one(graph[0], graph[1])
    graph.exactly_one(graph[1], graph[2])
    graph.exactly_one(graph[0], graph[2])
    graph.implies(graph[0], graph[1])
    graph.implies(graph[1], graph[2])
    graph.implies(graph[2], graph[0])
    assert solve(graph, "lp").status == "INFEASIBLE"


def test_a_child_that_is_killed_leaves_a_bound(every_program_is_large, monkeypatch):
    monkeypatch.setattr(_highs_process, "GRACE", -1e9)  # killed at its start
    relaxation = relax(logic(400).native)
    for integral in (False, True):
        outcome = run(relaxation, integral=integral, time_limit=1.0)
        assert outcome.end is End.STOPPED
        assert outcome.point is None
        assert outcome.bound >= run(relaxation, integral=integral, time_limit=60.0).value
        assert outcome.bound < math.inf


def test_the_time_is_kept_while_a_child_is_busy(every_program_is_large):
    relaxation = relax(logic(60_000).native, flow=True)
    started = time.monotonic()
    run(relaxation, integral=True, time_limit=0.5)
    assert time.monotonic() - started < 6.0


def test_a_cancellation_before_the_start_counts():
    lp = {"integrality": np.zeros(0, np.int8)}
    highs = HighsProcess(lp, wants_ray=True)
    highs.cancelSolve()
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kTimeLimit
    assert not len(highs.getSolution().col_value)
    assert highs.getDualRay() == (None, False, None)
