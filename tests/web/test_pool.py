import asyncio
import json
import os
import signal
import socket

import pytest

from treaty.web import _pool
from treaty.web._caps import Limits
from treaty.web._nursery import Nursery
from treaty.web._pool import Ended, Pool
from treaty.web._worker import SECONDS, frame


class Stage(Nursery):
    """Workers that the test plays."""

    def __init__(self):
        super().__init__()
        self.theirs = []

    def worker(self):
        mine, other = socket.socketpair()
        self.theirs.append(other)
        return mine

    def up(self, number, process=0):
        self.theirs[number].sendall(
            frame(b"R", json.dumps({"process": process, "is_ready": True}).encode())
        )


def play(act, limits=None, slots=2):
    async def run():
        stage = Stage()
        pool = Pool(stage, limits or Limits(), slots)
        await pool.open()
        await asyncio.sleep(0.01)
        try:
            return await asyncio.wait_for(act(stage, pool), 60)
        finally:
            await pool.close()
            for one in stage.theirs:
                one.close()

    return asyncio.run(run())


async def until(condition):
    while not condition():
        await asyncio.sleep(0.005)


def test_workers_are_there_before_they_are_needed():
    async def act(stage, pool):
        assert len(stage.theirs) == 2
        assert not pool.is_ready
        stage.up(0)
        stage.up(1)
        await until(lambda: pool.processes == 0 and pool.is_ready and len(pool._idle) == 2)
        first = await pool.take()
        second = await pool.take()
        await until(lambda: len(stage.theirs) == 4)  # the next ones are on their way
        pool.give_back(first)
        assert await pool.take() is first
        assert second is not first

    play(act)


def test_one_waits_for_a_worker_and_answers_come_in_parts():
    async def act(stage, pool):
        waiting = asyncio.create_task(pool.take())
        await asyncio.sleep(0)
        stage.up(0)
        worker = await waiting
        worker.begin({"name": "tag"}, b"{}", 5.0)
        message = frame(b"L", SECONDS.pack(2.0)) + frame(b"H", b"{}") + frame(b"E", b"spent")
        for place in range(0, len(message), 3):  # as it may arrive
            stage.theirs[0].sendall(message[place : place + 3])
            await asyncio.sleep(0)
        assert await worker.receive() == (b"H", b"{}")
        assert 0 < worker.deadline - worker.began < 5.0 + Limits.grace(2.0)
        assert await worker.receive() == (b"E", b"spent")
        pool.give_back(worker)
        await until(lambda: pool.ended["spent"] == 1)

    play(act)


def test_a_late_worker_is_ended_and_its_slot_is_free_when_it_has():
    async def act(stage, pool):
        stage.up(0)
        worker, over = await pool.take(), []
        worker.begin({}, b"", -10.0)
        with pytest.raises(Ended) as ended:
            await worker.receive()
        assert ended.value.reason == "time"
        pool.discard(worker, "time", lambda: over.append(True))
        await until(lambda: over)
        assert pool.ended["time"] == 1
        assert pool.overdue == 0

    play(act)


def test_a_worker_that_ends_by_itself_has_crashed():
    async def act(stage, pool):
        stage.up(0)
        worker = await pool.take()
        stage.theirs[0].close()
        with pytest.raises(Ended) as ended:
            await worker.receive()
        assert ended.value.reason == "crash"
        stage.theirs[0] = socket.socket()

    play(act)


def test_who_waits_too_long_is_told_and_leaves_no_trace():
    async def act(stage, pool):
        with pytest.raises(Ended) as ended:
            await pool.take()
        assert ended.value.reason == "busy"
        assert not pool._waiters

    play(act, Limits(time_limit=0.01))


def test_requests_without_a_worker_are_overdue():
    async def act(stage, pool):
        waiting = asyncio.create_task(pool.take())
        await until(lambda: pool.overdue == 1)
        with pytest.raises(Ended):
            await waiting

    play(act, Limits(time_limit=0.01))


def test_workers_that_do_not_come_up_are_not_started_in_a_loop(monkeypatch):
    async def act(stage, pool):
        for one in stage.theirs:
            one.close()
        await asyncio.sleep(0.3)
        assert len(stage.theirs) == 2

    play(act)


def test_long_work_gives_way(monkeypatch):
    monkeypatch.setattr(_pool, "LONG", 0.0)

    async def act(stage, pool):
        child = os.fork()
        if child == 0:
            signal.pause()
            os._exit(0)
        stage.up(0, child)
        worker = await pool.take()
        worker.begin({}, b"", 50.0)
        await until(lambda: worker.is_nice)
        nice = os.getpriority(os.PRIO_PROCESS, child)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        worker.process = 0
        return nice

    assert play(act) >= _pool.NICE


def test_a_slow_client_stops_the_worker_not_the_memory_of_the_server():
    async def act(stage, pool):
        stage.up(0)
        worker = await pool.take()
        worker.begin({}, b"", 50.0)
        stage.theirs[0].setblocking(False)
        sent, part = 0, frame(b"B", b"x" * 2**16)
        await asyncio.sleep(0.05)
        stage.theirs[0].recv(2**16)
        for _ in range(400):
            try:
                sent += stage.theirs[0].send(part)
            except BlockingIOError:
                break
            await asyncio.sleep(0.002)
        assert worker._size < 2 * _pool.MOST_KEPT
        assert sent < 400 * len(part)

    play(act)
