"""The native solvers' options, limits and events, and what becomes of their outcomes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.solve.problems import ising, random_cover

from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._dual import UNLIMITED, native_limits, require


def triangle() -> FactorGraph:
    """Three variables that all want to differ: the relaxation is fractional."""
    graph = FactorGraph()
    x = graph.variables([0.1, 0.2, 0.3])
    for a, b in ((0, 1), (1, 2), (2, 0)):
        graph.reward(x[a], ~x[b], 1.0)
        graph.reward(~x[a], x[b], 1.0)
    return graph


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("ad3", {"tolerance": 0.0}, "tolerance must be positive, not 0.0"),
        ("ad3", {"penalty": -1.0}, "penalty must be positive"),
        ("ad3", {"penalty": 0.0}, "penalty must be positive"),
        ("ad3", {"projection_rounds": 0}, "projection_rounds must be 1 or more"),
        ("subgradient", {"step": 0.0}, "step must be positive"),
        ("subgradient", {"step_rule": "x"}, "one of decreasing, polyak, rush, not 'x'"),
        ("ad3", {"iterations": -1}, "the limit on iterations must be 0 or more"),
        ("exact", {"time_limit": -0.1}, "time_limit must be 0 or more seconds"),
        ("exact", {"gap": math.nan}, "gap must be 0 or more"),
        ("subgradient", {"progress_every": 0}, "progress_every must be 1 or more"),
    ],
)
def test_options_that_make_no_sense_are_told(method, options, message):
    with pytest.raises(UsageError, match=message):
        solve(triangle(), method, **options)


def test_a_warm_start_must_be_a_solution_of_ad3():
    graph = triangle()
    with pytest.raises(UsageError, match="made by 'ad3', this one was made by 'exact'"):
        solve(graph, warm_start=solve(graph, "exact"))
    again = solve(graph, warm_start=solve(graph))
    assert again.bound == pytest.approx(solve(graph).bound, abs=1e-6)


def test_limits_have_their_native_names():
    limits = native_limits("ad3", 10**30, None, 0.5, True, None, 7, None)
    assert limits == {
        "iterations": 1 << 62, "seconds": math.inf, "gap": 0.5, "trace": True, "report": None,
        "report_every": 7, "cancel": None,
    }  # fmt: skip
    assert native_limits("ad3", 0, 0.0, 0.0, False, None, 1, None)["seconds"] == 0.0
    require(True, "x", "good", 1)


def test_events_know_their_total_where_there_is_a_limit():
    told = []
    graph = random_cover(30, 60)
    solve(graph, "subgradient", iterations=40, progress=told.append, progress_every=10)
    assert [(e.stage, e.done, e.total) for e in told] == [
        ("subgradient", done, 40) for done in (10, 20, 30, 40)
    ]
    assert set(told[0].scores) == {"objective", "bound", "primal_residual", "dual_residual"}
    told.clear()
    solve(ising(5), "exact", progress=told.append, progress_every=1)
    assert told and all(event.total is None for event in told)
    assert UNLIMITED > 10**9


def test_an_outcome_becomes_a_solution():
    found = solve(triangle(), iterations=500, trace=True)
    assert found.method == "ad3" and found.values.dtype == np.int8
    assert set(found.values.tolist()) <= {0, 1}
    assert found.relaxed.shape == (3,)
    assert found.trace.iteration[-1] == found.iterations
    assert found.trace.iteration.dtype == np.int64
    assert found.trace.bound[-1] == pytest.approx(found.bound)
    assert solve(triangle()).trace is None


def test_without_an_answer_all_values_are_minus_one():
    graph = triangle()
    graph.exactly(9, graph)
    found = solve(graph)
    assert found.status is Status.INFEASIBLE
    assert found.values.tolist() == [-1, -1, -1]
