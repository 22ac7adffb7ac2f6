"""Work in Python threads."""

from __future__ import annotations

import _thread
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

from treaty import _threads
from treaty._native.features import Sequences
from treaty._native.learn import usable_threads
from treaty._threads import (
    Clock,
    Stopped,
    apart,
    check_stopped,
    checked,
    spread,
    unlimited,
)
from treaty.errors import LimitError, UsageError
from treaty.features import attribute


@pytest.mark.parametrize("threads", [None, 1, 3, 10**30])
def test_results_come_in_order(threads):
    assert spread(lambda x: x * x, range(50), threads) == [x * x for x in range(50)]


def test_nothing_to_do():
    assert spread(abs, [], 3) == []


def test_items_are_worked_on_at_the_same_time():
    meeting = threading.Barrier(3)
    assert sorted(spread(lambda _: meeting.wait(60), range(3), 3)) == [0, 1, 2]


def test_there_are_only_so_many_threads():
    seen = set()
    most = usable_threads(10**6)
    spread(lambda _: seen.add(threading.get_ident()), range(10 * most), 10**6)
    assert len(seen) <= most < 10**4


@pytest.mark.parametrize("main_fails", [True, False])
def test_an_exception_stops_the_others(main_fails):
    """Whichever thread fails, the other's work ends only because of that."""
    meeting, told = threading.Barrier(2), []

    def work(item: int) -> None:
        meeting.wait(60)
        is_main = threading.current_thread() is threading.main_thread()
        if is_main == main_fails:
            raise ValueError("no")
        try:
            while True:
                check_stopped()
        except Stopped:
            told.append("stopped")
            raise

    with pytest.raises(ValueError, match="no"):
        spread(work, [0, 1], 2, on_stop=lambda: told.append("on_stop"))
    assert sorted(told) == ["on_stop", "on_stop", "stopped"]  # one by each that stops


@pytest.mark.parametrize("possible", [0, 1])
def test_a_thread_that_cannot_be_started_means_fewer(monkeypatch, possible):
    start, started = threading.Thread.start, []

    def starts(self):
        if len(started) == possible:
            raise RuntimeError("can't start new thread")
        started.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", starts)
    with pytest.warns(RuntimeWarning, match=f"only {possible + 1} of 4 threads"):
        assert spread(abs, [-1, -2, -3, -4], 4) == [1, 2, 3, 4]


# Work apart


def test_what_runs_apart_is_waited_for():
    done = []
    apart(lambda: done.append(threading.current_thread()), on_stop=lambda: done.append("stopped"))
    (thread,) = done
    assert thread is not threading.current_thread()


def test_an_exception_apart_comes_through():
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 / 0, on_stop=lambda: None)


def test_without_another_thread_it_runs_in_this_one(monkeypatch):
    def starts(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", starts)
    seen = []
    apart(lambda: seen.append(threading.current_thread()), on_stop=lambda: None)
    assert seen == [threading.current_thread()]


@pytest.fixture
def listening():
    """A process that was started in the background ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("listens", [True, False])
def test_ctrl_c_does_not_wait_for_what_does_not_stop(monkeypatch, listens):
    monkeypatch.setattr(_threads, "PATIENCE", 60 if listens else 0.01)
    stopped, release, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        _thread.interrupt_main()
        (stopped if listens else release).wait(60)
        ended.set()

    with pytest.raises(KeyboardInterrupt):
        apart(work, on_stop=stopped.set)
    assert stopped.is_set()
    assert ended.is_set() == listens
    release.set()
    assert ended.wait(60)


def test_a_failure_elsewhere_stops_what_runs_apart():
    begun, stopped = threading.Event(), threading.Event()

    def work(is_apart: bool) -> None:
        if is_apart:
            apart(lambda: (begun.set(), stopped.wait(60)), on_stop=stopped.set)
        begun.wait(60)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        spread(work, [True, False], 2)
    assert stopped.is_set()


ENDS = {
    "uncaught": ("apart(endless, print)", -signal.SIGINT),
    "with a code": ("try: apart(endless, print)\nexcept: end_with(130); sys.exit(130)", 130),
    "waited for": ("try: apart(obedient, stop.set)\nexcept KeyboardInterrupt: print('on')", 0),
    "in another": ("threading.Thread(target=apart, args=(obedient, stop.set), daemon=True).start()"
                   "\nbegun.wait()", 0),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_the_process_ends_though_work_goes_on(name, pytestconfig):
    """Endless work is left after Ctrl-C; at an ordinary end it is told to stop, and waited for."""
    body, code = ENDS[name]
    head = """
    import _thread, signal, sys, threading, time
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from treaty import _threads
    from treaty._threads import apart, end_with
    _threads.PATIENCE = 0.01
    stop, begun = threading.Event(), threading.Event()
    def endless():
        _thread.interrupt_main()
        while True:
            time.sleep(1)
    def obedient():
        begun.set()
        if threading.active_count() == 2:
            _thread.interrupt_main()
        stop.wait()
        time.sleep(0.1)
        print("ended", flush=True)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(head) + body],
        capture_output=True, text=True, timeout=60, cwd=pytestconfig.rootpath,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert ("ended" in done.stdout) == (code == 0)
    assert ("Traceback" in done.stderr) == (code < 0)


def test_a_clock_that_has_run_out_stops_work():
    with Clock(0.0) as clock, pytest.raises(LimitError, match="the time limit was reached"):
        assert clock.left == 0.0
        for _ in checked(iter(int, 1)):  # for ever
            pass
    check_stopped()


def test_native_kernels_see_the_clock():
    sequences = Sequences([attribute("form", ("form",))])
    words = [["a"] * 10**6]
    with Clock(0.0), pytest.raises(LimitError):
        while True:
            sequences.add(words)
    complete = len(sequences)
    sequences.add([["b"]])
    assert [sequences.length(s) for s in range(len(sequences))] == [*[10**6] * complete, 1]


def test_helping_threads_work_under_the_clock_of_the_caller():
    def forever(_):
        while True:
            check_stopped()

    with Clock(0.0), pytest.raises((LimitError, Stopped)):
        spread(forever, range(3), 3)


def test_what_runs_apart_is_told_of_the_limit():
    stop = threading.Event()
    with Clock(0.0), pytest.raises(LimitError):
        apart(lambda: stop.wait(60), on_stop=stop.set)
    assert stop.is_set()


def test_the_earliest_of_clocks_counts():
    with Clock(50.0) as outer:
        with Clock(1000.0) as inner, inner:
            assert inner.left <= 50.0
        assert 0.0 < Clock(None).left <= 50.0
        assert set(outer.limits) == {"time_limit"}
    assert Clock(None).limits == {}


def test_an_answer_is_written_after_the_limit():
    with Clock(0.0), unlimited():
        assert Clock(None).left is None


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_a_limit_is_not_negative(seconds):
    with pytest.raises(UsageError, match="time_limit must not be negative"):
        Clock(seconds)
