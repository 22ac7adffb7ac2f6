"""The runner finds what it is there to find, and the same each time."""

import os
import random
import signal
import time

import pytest

from research.fuzz import _run
from research.fuzz._mutate import LONGEST, mutated
from research.fuzz._run import Harness, fuzz, judged
from treaty.errors import UsageError


def corpus():
    return [b"tea\t12\n", b"rain 3\n"]


def fails_on(byte, what):
    def run(data):
        if data[:1] == byte:
            raise what
        if not data.isascii():
            raise UsageError("not ASCII")

    return run


def test_mutations_depend_on_the_dice_alone():
    made = [[mutated(random.Random(n), corpus(), [b"nan"]) for n in range(50)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 40
    assert all(len(data) <= LONGEST for data in made[0])


def test_exceptions_are_counted_and_kept():
    report = fuzz(Harness("x", corpus, fails_on(b"r", KeyError("r"))), inputs=300)
    assert report.inputs == 300
    ((what, count),) = report.found.items()
    assert what.startswith("KeyError at test_run.py:")
    assert count > 10
    assert report.cases[what][:1] == b"r"
    assert "KeyError" in report.texts[what]


def test_two_runs_are_the_same():
    harness = Harness("x", corpus, fails_on(b"t", ValueError()))
    one, other = (fuzz(harness, inputs=200, seed=3, processes=2) for _ in range(2))
    assert (one.found, one.cases) == (other.found, other.cases)
    assert one.found


def test_errors_of_ours_are_no_findings(tmp_path):
    report = fuzz(Harness("x", corpus, fails_on(b"none", None)), inputs=100)
    assert (report.inputs, report.found) == (100, {})
    report.save(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_crash_ends_neither_the_run_nor_the_count(tmp_path):
    def run(data):
        if data[:1] == b"r":
            os.kill(os.getpid(), signal.SIGKILL)

    report = fuzz(Harness("x", corpus, run), inputs=12)
    assert report.inputs == 12
    assert report.found["crash with exit code -9"] > 0
    report.save(tmp_path)
    (case,) = (path for path in (tmp_path / "x").iterdir() if not path.suffix)
    assert case.read_bytes()[:1] == b"r"


@pytest.mark.parametrize(("pause", "watchdog"), [(0.0, 0.2), (60.0, 0.05)])
def test_a_hang_is_ended(pause, watchdog):
    """Be it that it computes or that it waits; a busy machine makes neither."""

    def run(data):
        while data[:1] == b"r":
            time.sleep(pause)

    report = fuzz(Harness("x", corpus, run), inputs=4, watchdog=watchdog)
    assert report.inputs == 4
    assert sum(n for what, n in report.found.items() if what.startswith("hang at test_run.py")) > 0


def test_a_process_that_gets_no_time_is_no_hang(monkeypatch):
    """At the lowest priority an input may take minutes, and neither computes nor sleeps."""
    monkeypatch.setattr(_run, "_state_of", lambda process: (0.0, False))
    report = fuzz(Harness("x", corpus, lambda data: time.sleep(0.5)), inputs=2, watchdog=0.01)
    assert (report.inputs, report.found) == (2, {})


def test_ctrl_c_ends_a_run_with_what_was_done(monkeypatch):
    waited = []

    def wait(connections, timeout):
        waited.append(timeout)
        time.sleep(0.1)
        if len(waited) > 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(_run, "wait", wait)
    report = fuzz(Harness("x", corpus, lambda data: time.sleep(1e-3)), inputs=10**9)
    assert report.interrupted
    assert 0 < report.inputs < 10**9


def test_outcomes_differ_by_the_line_that_raised():
    harness = Harness("x", corpus, fails_on(b"r", KeyError()))
    fine, refused, failed = (judged(harness, data) for data in (b"a", b"\xff", b"r"))
    assert (fine[1], refused[1]) == (None, None)
    assert failed[1] is not None
    assert len({fine[0], refused[0], failed[0]}) == 3
