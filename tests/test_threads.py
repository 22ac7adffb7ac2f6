"""Work spread over Python threads."""

from __future__ import annotations

import threading

import pytest

from treaty._threads import MOST, Stopped, check_stopped, spread


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
    spread(lambda _: seen.add(threading.get_ident()), range(10 * MOST), 10**6)
    assert len(seen) <= MOST


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
