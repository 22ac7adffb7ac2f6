"""Every method keeps its time limit on graphs of every size, and ends when it is told to."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from tests.solve.zoo import ZOO

from treaty import FactorGraph, UsageError
from treaty._native import solve as native
from treaty.solve import METHODS, Status, k_best, max_marginals, solve
from treaty.solve._check import check

LIMITED = [method for method in METHODS if method != "exhaustive"]
LIMITS = [0, 1e-3, 0.01, 0.1, 1.0]
WATCHDOG = 8.0
"""Seconds over the limit: far more than a busy machine needs, far less than the work would take."""
DUAL = ("ad3", "subgradient", "two-slave", "naive")


def near(random, count: int, size: int, variables: int):
    """Draw variables that are near one another, a row for each factor."""
    first = random.integers(0, variables, (count, 1))
    return (first + np.arange(size) * random.integers(1, 9, (count, 1))) % variables


def logic(factors: int) -> FactorGraph:
    """Build constraints and rewards; all off is an answer."""
    random, graph = np.random.default_rng(0), FactorGraph()
    n = factors // 4
    graph.variables(random.normal(size=n))
    graph.add_many("at_most_one", near(random, 2 * factors // 5, 3, n))
    graph.add_many("implies", near(random, factors // 5, 2, n))
    rewards = near(random, 2 * factors // 5, 2, n)
    graph.add_many("reward", rewards, score=random.normal(size=len(rewards)))
    return graph


def penalties(factors: int) -> FactorGraph:
    """Build a graph with hard penalties, which is solved by levels."""
    graph, random = logic(factors // 2), np.random.default_rng(1)
    graph.add_many("reward", near(random, factors // 2, 2, len(graph)), score=-1e12)
    return graph


def grid(pairs: int) -> FactorGraph:
    """Build a pattern problem: tables of three states on a grid."""
    random, graph = np.random.default_rng(2), FactorGraph()
    side = math.isqrt(pairs // 2)
    cells = [graph.categorical(random.normal(size=3)).first for _ in range(side * side)]
    c = np.array(cells).reshape(side, side)
    ends = np.concatenate(
        [
            np.stack([c[:, :-1].ravel(), c[:, 1:].ravel()], 1),
            np.stack([c[:-1].ravel(), c[1:].ravel()], 1),
        ]
    )
    graph.add_many("table", ends, scores=random.normal(size=(len(ends), 3, 3)))
    return graph


def chain(length: int) -> FactorGraph:
    """Build one long sequence: a single factor."""
    random, graph = np.random.default_rng(3), FactorGraph()
    tags = [graph.categorical(random.normal(size=3)) for _ in range(length)]
    graph.sequence(tags, random.normal(size=(3, 3)))
    return graph


GRAPHS = {
    "small logic": lambda: logic(200),
    "small grid": lambda: grid(60),
    "large logic": lambda: logic(200_000),
    "large penalties": lambda: penalties(100_000),
    "large grid": lambda: grid(60_000),
    "long chain": lambda: chain(30_000),
}


@pytest.fixture(scope="module", params=sorted(GRAPHS))
def problem(request) -> tuple[FactorGraph, float]:
    """Return a graph and the score of an answer."""
    graph = GRAPHS[request.param]()
    values = np.zeros(len(graph), int)
    values[graph.native.categorical_first] = 1
    return graph, check(graph, values).objective


def endless(method: str) -> dict[str, int]:
    return {"iterations": 1 << 40} if method in DUAL else {}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("method", LIMITED)
def test_time_is_kept_and_what_is_known_is_true(problem, method, limit):
    graph, known = problem
    started = time.monotonic()
    try:
        solution = solve(graph, method, time_limit=limit, **endless(method))
    except UsageError as error:  # before any work
        assert "pattern problem" in str(error)
        return
    finally:
        assert time.monotonic() - started < limit + WATCHDOG
    assert solution.status is not Status.INFEASIBLE
    assert solution.bound < math.inf
    if math.isfinite(solution.objective):
        found = check(graph, solution.values)
        assert found.objective == pytest.approx(solution.objective, rel=1e-9, abs=1e-9)
        assert solution.bound >= solution.objective
    else:
        assert solution.status is Status.UNKNOWN
        assert np.all(solution.values == -1)
    assert solution.bound >= known


@pytest.mark.parametrize("method", LIMITED)
@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_no_time_at_all_gives_no_false_word(case, method):
    graph = case.build()
    try:
        solution = solve(graph, method, time_limit=0)
    except UsageError:
        return
    if math.isfinite(case.optimum):
        assert solution.status is not Status.INFEASIBLE
        slack = 1e-9 * max(1.0, abs(case.optimum))
        assert solution.objective - slack <= case.optimum <= solution.bound + slack
    else:
        assert solution.status in (Status.INFEASIBLE, Status.UNKNOWN)


# Stopping


@pytest.mark.parametrize(
    "method", ["ad3", "subgradient", "exact", "junction", "naive", "two-slave"]
)
def test_a_cancel_that_is_set_ends_the_work_at_once(problem, method):
    graph, known = problem
    cancel = native.Cancel()
    cancel.set()
    before = native.looks_at_the_clock()
    try:
        solution = solve(graph, method, cancel=cancel, **endless(method))
    except UsageError:
        return
    assert solution.status in (Status.FEASIBLE, Status.UNKNOWN, Status.OPTIMAL, Status.FRACTIONAL)
    assert solution.bound >= known
    # Each stage that begins is left at its first look; none goes on.
    assert native.looks_at_the_clock() - before < 40


@pytest.mark.parametrize(
    "method", ["ad3", "subgradient", "exact", "junction", "naive", "two-slave"]
)
def test_a_cancel_from_a_callback_ends_the_work(method):
    graph, cancel, calls = grid(800), native.Cancel(), []

    def progress(event):
        calls.append(event.done)
        cancel.set()

    solution = solve(
        graph, method, progress=progress, progress_every=1, cancel=cancel, **endless(method)
    )
    assert len(calls) <= 3
    assert solution.bound >= solution.objective


def test_long_work_looks_at_the_clock_all_the_time():
    graph = logic(100_000)
    before = native.looks_at_the_clock()
    solve(graph, "ad3", iterations=20)
    # Each iteration looks at 250,000 literals, several times; 2^16 steps lie between two looks.
    assert native.looks_at_the_clock() - before > 200


def test_without_a_limit_results_do_not_change():
    graph = grid(300)
    for method in ("ad3", "exact", "junction", "two-slave"):
        free, far = solve(graph, method), solve(graph, method, time_limit=1e6)
        assert np.array_equal(free.values, far.values)
        assert (free.status, free.bound) == (far.status, far.bound)


def test_k_best_and_max_marginals_end_with_their_limits():
    graph = logic(2_000)
    started = time.monotonic()
    found = k_best(graph, 2, time_limit=0.05)
    assert all(answer.bound >= answer.objective for answer in found)
    [marginal] = max_marginals(graph, [graph[0]], time_limit=0.05)
    assert np.all(marginal.bound >= marginal.objective)
    assert time.monotonic() - started < WATCHDOG


def test_a_custom_factor_that_is_slow_is_no_way_around_the_limit():
    class Slow:
        def maximize(self, scores):
            time.sleep(0.02)
            return [float(score > 0) for score in scores]

    graph = FactorGraph()
    for _ in range(200):
        graph.factor(Slow(), graph.variables([1.0, -1.0]))
    for method in ("ad3", "exact", "lp", "ilp"):
        started = time.monotonic()
        solution = solve(graph, method, time_limit=0.3)
        assert time.monotonic() - started < 3.0
        assert solution.bound >= 200.0


INTERRUPTED = """
import signal, sys, threading, time
from tests.solve.test_time_limits import logic, grid, endless
from treaty.solve import solve
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background shells ignore it
graph = {graph}
print("ready", flush=True)
try:
    solve(graph, {method!r}, **endless({method!r}))
    print("solved")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    ("method", "graph"),
    [
        ("ad3", "logic(1_000_000)"),
        ("exact", "logic(1_000_000)"),
        ("lp", "logic(300_000)"),
        ("ilp", "logic(300_000)"),
        ("two-slave", "grid(300_000)"),
        ("junction", "grid(300_000)"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="no signals of this kind")
def test_ctrl_c_is_answered(method, graph):
    code = textwrap.dedent(INTERRUPTED.format(method=method, graph=graph))
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - sent < WATCHDOG
        assert process.wait(timeout=WATCHDOG) == 0
