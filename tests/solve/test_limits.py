"""Limits, callbacks, interrupts: every solver stops cleanly with the best it has."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from tests.solve.problems import ising, random_cover
from tests.solve.zoo import ZOO, Case, scale_of

from treaty import SolverError, TreatyError, UsageError
from treaty._native import solve as native
from treaty.graph import FactorGraph
from treaty.solve import Status, solve
from treaty.solve._check import check

DUAL = ["ad3", "subgradient", "exact"]
LIMIT = {"ad3": "iterations", "subgradient": "iterations", "exact": "iterations"}
STOPPED = (Status.FEASIBLE, Status.UNKNOWN)


@pytest.fixture(scope="module")
def hard() -> FactorGraph:
    return random_cover(50, 120)


@pytest.fixture(scope="module")
def optimum(hard: FactorGraph) -> float:
    best = solve(hard, "ilp")
    assert best.status is Status.OPTIMAL
    return best.objective


# Limits


@pytest.mark.parametrize("method", DUAL)
@pytest.mark.parametrize("limit", [0, 1, 2, 15])
@pytest.mark.parametrize("case", ZOO, ids=lambda case: case.name)
def test_the_bound_holds_after_few_iterations(case: Case, method: str, limit: int):
    graph = case.build()
    solution = solve(graph, method, **{LIMIT[method]: limit})
    slack = 1e-9 * scale_of(graph)
    assert solution.iterations <= limit
    assert solution.bound >= case.optimum - slack
    assert solution.objective <= case.optimum + slack
    if np.isfinite(solution.objective):
        assert check(graph, solution.values).objective == pytest.approx(solution.objective)


@pytest.mark.parametrize("method", DUAL)
def test_no_iterations_at_all(hard, optimum, method):
    solution = solve(hard, method, **{LIMIT[method]: 0})
    assert (solution.iterations, solution.status) == (0, Status.UNKNOWN)
    assert solution.bound >= optimum
    assert (solution.values == -1).all()
    with pytest.raises(SolverError, match="no answer"):
        solution[hard[0]]


@pytest.mark.parametrize("method", [*DUAL, "lp", "ilp"])
@pytest.mark.parametrize("limit", [0, 1e-9, 0.01])
def test_no_time_at_all(hard, optimum, method, limit):
    solution = solve(hard, method, time_limit=limit)
    assert solution.status in (*STOPPED, Status.FRACTIONAL, Status.OPTIMAL)
    assert solution.bound >= optimum - 1e-6
    assert solution.objective <= optimum + 1e-6


@pytest.mark.parametrize("method", DUAL)
def test_a_gap_that_is_reached_stops_early(hard, optimum, method):
    full = solve(hard, method)
    solution = solve(hard, method, gap=6.0)
    assert solution.iterations < full.iterations
    assert solution.gap <= 6.0
    assert solution.status is Status.FEASIBLE
    assert solution.objective - 1e-9 <= optimum <= solution.bound + 1e-9


@pytest.mark.parametrize("method", DUAL)
@pytest.mark.parametrize(
    "options",
    [
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"gap": -0.5},
        {"gap": float("nan")},
        {"progress_every": 0},
        {"iterations": -1},
        {"no_such_option": 1},
    ],
    ids=str,
)
def test_nonsense_is_refused(hard, method, options):
    with pytest.raises(UsageError):
        solve(hard, method, **options)


# Callbacks and traces


@pytest.mark.parametrize("method", DUAL)
def test_a_callback_sees_the_bound_fall_and_the_answer_rise(hard, optimum, method):
    seen = []
    solution = solve(hard, method, progress=seen.append, progress_every=10, time_limit=5)
    assert len(seen) > 3
    for before, after in itertools.pairwise(seen):
        assert after.done > before.done
        assert after.seconds >= before.seconds
        assert after.scores["bound"] <= before.scores["bound"]
        assert after.scores["objective"] >= before.scores["objective"]
    for event in seen:
        assert event.stage == method
        assert event.scores["bound"] + 1e-9 >= optimum >= event.scores["objective"] - 1e-9
    assert seen[-1].scores["bound"] >= solution.bound
    assert seen[-1].scores["objective"] <= solution.objective


@pytest.mark.parametrize("method", DUAL)
def test_a_callback_that_returns_false_stops_the_run(hard, optimum, method):
    seen = []

    def stop(progress):
        seen.append(progress.done)
        return len(seen) < 3

    solution = solve(hard, method, progress=stop, progress_every=10)
    assert len(seen) == 3
    assert solution.iterations == seen[-1]
    assert solution.status in STOPPED
    assert solution.objective - 1e-9 <= optimum <= solution.bound


@pytest.mark.parametrize("method", DUAL)
def test_an_exception_in_a_callback_comes_through(hard, method):
    class EnoughError(Exception):
        pass

    def complain(progress):
        raise EnoughError(progress.done)

    with pytest.raises(EnoughError) as caught:
        solve(hard, method, progress=complain, progress_every=10)
    assert caught.traceback[-1].name == "complain"
    limit = {LIMIT[method]: 3}
    assert solve(hard, method, **limit).iterations == 3  # the graph has taken no harm


@pytest.mark.parametrize("method", DUAL)
def test_a_trace_tells_the_same_story(hard, method):
    solution = solve(hard, method, trace=True)
    trace = solution.trace
    assert len(trace) == len(trace.rows()) > 2
    assert (np.diff(trace.iteration) > 0).all()
    assert (np.diff(trace.seconds) >= 0).all()
    assert (np.diff(trace.bound) <= 0).all()
    assert (np.diff(trace.objective[np.isfinite(trace.objective)]) >= 0).all()
    assert trace.bound[-1] >= solution.bound
    assert solve(hard, method, **{LIMIT[method]: 1}).trace is None


# Users' own factors


class Moody:
    """All on or all off, until it has had enough."""

    def __init__(self, patience: int, answer):
        self.patience, self.answer = patience, answer

    def maximize(self, scores):
        self.patience -= 1
        if self.patience < 0:
            return self.answer()
        return np.full(len(scores), float(scores.sum() > 0))


def moody_graph(patience, answer):
    graph = FactorGraph()
    x = graph.variables([1.0, -2.0, 1.5])
    graph.factor(Moody(patience, answer), x)
    graph.at_most_one(x[0], x[2])
    return graph


def sulk():
    raise ZeroDivisionError("enough")


@pytest.mark.parametrize("method", [*DUAL, "lp", "ilp", "exhaustive"])
@pytest.mark.parametrize("patience", [0, 1, 2])
def test_an_exception_in_an_oracle_comes_through(method, patience):
    with pytest.raises(ZeroDivisionError, match="enough") as caught:
        solve(moody_graph(patience, sulk), method)
    assert caught.traceback[-1].name == "sulk"


@pytest.mark.parametrize("method", [*DUAL, "lp", "ilp", "exhaustive"])
@pytest.mark.parametrize(
    "answer",
    [lambda: [1.0], lambda: [0.5, 0.5, 0.5], lambda: "all", lambda: ([1, 1, 1], float("nan"))],
    ids=["too short", "fractional", "words", "no score"],
)
def test_a_nonsensical_answer_of_an_oracle_is_explained(method, answer):
    with pytest.raises(TreatyError, match=r"Moody\.maximize"):
        solve(moody_graph(1, answer), method)


# Interrupts and the interpreter lock, in processes of their own


def script(body: str) -> list[str]:
    head = """
    import signal, sys, threading
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    from treaty._native import solve as native
    from treaty.solve import solve, solve_many
    from tests.solve.problems import ising, potts
    def ready(progress):
        print("ready", flush=True)  # perhaps by two threads at once
    """
    return [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(body)]


# Graphs are made before Ctrl-C: an import of numpy.random that is interrupted loses the signal.
ENDLESS = {
    "exact": "solve(ising(40), 'exact', progress=ready, progress_every=10**9)",
    "ad3": "solve(ising(60), 'ad3', iterations=10**9, tolerance=1e-300, "
    "progress=ready, progress_every=10)",
    "subgradient": "solve(ising(60), 'subgradient', iterations=10**9, progress=ready)",
    "solve_many": "solve_many([ising(40)] * 3, 'exact', threads=2, progress=ready, "
    "progress_every=10**9)",
    "lp": "g = potts(40, 8); print('ready', flush=True); solve(g, 'lp')",
    "ilp": "g = ising(40); print('ready', flush=True); solve(g, 'ilp')",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c_ends_a_long_run(name, pytestconfig):
    with subprocess.Popen(
        script(ENDLESS[name]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=pytestconfig.rootpath,
    ) as process:
        try:
            assert process.stdout.readline().startswith("ready")
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
        finally:
            process.kill()
    assert errors.strip().endswith("KeyboardInterrupt")
    assert process.returncode != 0


def test_the_interpreter_lock_is_free_while_a_solver_runs(pytestconfig):
    """The run ends only if another thread gets to cancel it; its callback is called but once."""
    body = """
    running, cancel = threading.Event(), native.Cancel()
    def canceler():
        running.wait()
        cancel.set()
    thread = threading.Thread(target=canceler)
    thread.start()
    solution = solve(
        ising(40), "exact", cancel=cancel, progress=lambda _: running.set(), progress_every=10**9
    )
    thread.join()
    print(solution.status, solution.bound > solution.objective)
    """
    done = subprocess.run(
        script(body), capture_output=True, text=True, cwd=pytestconfig.rootpath, timeout=60
    )
    assert done.stderr == ""
    assert done.stdout in ("FEASIBLE True\n", "UNKNOWN True\n")


def test_canceling_beforehand_stops_at_once():
    cancel = native.Cancel()
    cancel.set()
    solution = solve(ising(10), "exact", cancel=cancel)
    assert solution.status in STOPPED
    assert solution.iterations <= 1
