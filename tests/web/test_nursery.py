import json
import os
import signal
import time

from treaty.web import _nursery
from treaty.web._nursery import Nursery
from treaty.web._worker import HEAD

PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from treaty.web import _nursery, _shelf, _worker
_shelf.Shelf.warm_up = lambda shelf: setattr(shelf, "is_ready", True)  # models take seconds
_worker.rehearse = lambda shelf: None
_nursery.run(int(sys.argv[1]))
"""


def told_by(channel):
    """Read what a worker says when it is up; None if it ends before."""
    channel.settimeout(60)
    head = channel.recv(HEAD.size)
    return json.loads(channel.recv(HEAD.unpack(head)[1])) if head else None


def has_ended(process, seconds=30):
    last = time.monotonic() + seconds
    while time.monotonic() < last:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_workers_are_forked_and_end_with_the_nursery(monkeypatch):
    monkeypatch.setattr(_nursery, "PROGRAM", PROGRAM)
    nursery = Nursery()
    channels = [nursery.worker() for _ in range(3)]
    told = [told_by(channel) for channel in channels]
    processes = [one["process"] for one in told]
    assert len(set(processes)) == 3
    assert all(one["is_ready"] for one in told)
    os.kill(processes[0], signal.SIGKILL)
    assert has_ended(processes[0])  # and is no zombie
    os.kill(processes[1], signal.SIGSTOP)  # this one does not see that its channel is closed
    nursery.close()
    assert has_ended(processes[1])
    assert has_ended(processes[2])
    for channel in channels:
        channel.close()


def test_a_nursery_that_dies_is_replaced_and_signals_of_the_terminal_are_left_to_the_server(
    monkeypatch,
):
    monkeypatch.setattr(_nursery, "PROGRAM", PROGRAM)
    nursery = Nursery()
    with nursery.worker() as first:
        process = told_by(first)["process"]
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(process, number)
            os.kill(nursery._process.pid, number)
        with nursery.worker() as second:
            assert told_by(second)
        os.kill(nursery._process.pid, signal.SIGKILL)
        nursery._process.wait(30)
        with nursery.worker() as third:
            assert told_by(third)
    nursery.close()


def test_nobody_is_left_when_the_server_is_killed(monkeypatch):
    monkeypatch.setattr(_nursery, "PROGRAM", PROGRAM)
    nursery = Nursery()
    with nursery.worker() as channel:
        process = told_by(channel)["process"]
        nursery._control.close()  # as the system does
        nursery._process.wait(30)
        assert has_ended(process)
    nursery.close()
