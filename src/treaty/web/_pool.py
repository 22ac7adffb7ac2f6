"""The workers of a server: who is free, and who is to be ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from treaty.web._caps import Limits
from treaty.web._nursery import Nursery
from treaty.web._worker import HEAD, SECONDS, frame

__all__ = ["Ended", "Pool", "Worker"]

MOST_KEPT = 2**20
"""Bytes of an answer that are kept here when the client is slower than the worker."""
SLOWEST = 2**18
"""Bytes per second: the work on a request lasts no longer than its answer takes at this rate."""
BEAT = 0.1
"""Seconds between two looks at the workers."""
SPARE = 2
"""How many workers are ready when all others work."""
LONG = 0.25
"""Seconds after which work has less of the processor, so that short requests pass by it."""
NICE = 15


class Ended(Exception):  # noqa: N818 - it has a reason
    """A worker has ended, or its answer is not awaited any more.

    Parameters
    ----------
    reason
        ``time``, ``gone`` (the client has), ``crash``, or ``busy`` (there is no worker).
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Worker(asyncio.Protocol):
    """A worker, as the server sees it.

    Attributes
    ----------
    process
        Its number; 0 until it is up.
    deadline
        When its work must have ended, by the clock of the event loop.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_change: Callable[[Worker], None]
    ) -> None:
        self.process, self.has_models, self.is_spent, self.is_nice = 0, False, False, False
        self.began = self.deadline = 0.0
        self._loop, self._on_change = loop, on_change
        self._transport: asyncio.Transport | None = None
        self._data, self._frames, self._size = bytearray(), deque[tuple[bytes, bytes]](), 0
        self._waiter: asyncio.Future[None] | None = None
        self.reason = ""
        self.is_gone = False
        self._on_gone: Callable[[], None] = lambda: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the way to the process."""
        self._transport = cast("asyncio.Transport", transport)  # that of uvloop is one by its form

    def data_received(self, data: bytes) -> None:
        """Take messages apart."""
        self._data += data
        start = 0
        while len(self._data) - start >= HEAD.size:
            kind, size = HEAD.unpack_from(self._data, start)
            if len(self._data) - start - HEAD.size < size:
                break
            start += HEAD.size
            self._take(kind, bytes(self._data[start : start + size]))
            start += size
        del self._data[:start]
        if self._size > MOST_KEPT and self._transport is not None:
            self._transport.pause_reading()

    def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == b"L":
            (seconds,) = SECONDS.unpack(payload)
            self.deadline = self._loop.time() + seconds + Limits.grace(seconds)
        elif kind == b"R":
            report = json.loads(payload)
            self.process, self.has_models = report["process"], report["is_ready"]
            self._on_change(self)
        else:
            self._frames.append((kind, payload))
            self._size += len(payload)
            self._wake()

    def connection_lost(self, _: Exception | None) -> None:
        """Note that the process has ended."""
        self.is_gone = True
        self.reason = self.reason or "crash"
        self._wake()
        self._on_gone()
        self._on_change(self)

    def when_gone(self, callback: Callable[[], None]) -> None:
        """Call a function when the process has ended."""
        self._on_gone = callback

    def set_up(self, limits: bytes) -> None:
        """Say what requests may take."""
        self.send(frame(b"S", limits))

    def begin(self, job: dict[str, Any], body: bytes, seconds: float) -> None:
        """Give it work."""
        self.began = self._loop.time()
        self.deadline = self.began + seconds + Limits.grace(seconds)
        self.send(frame(b"J", json.dumps(job).encode()))
        self.send(frame(b"D", body))

    def send(self, data: bytes) -> None:
        """Send a message."""
        if self._transport is not None and not self.is_gone:
            self._transport.write(data)

    async def receive(self) -> tuple[bytes, bytes]:
        """Wait for the next part of an answer.

        Raises
        ------
        Ended
            When there is none.
        """
        while not self._frames:
            if self.reason:
                raise Ended(self.reason)
            self._waiter = self._loop.create_future()
            await self._waiter
        kind, payload = self._frames.popleft()
        self._size -= len(payload)
        if self._size <= MOST_KEPT and self._transport is not None and not self.is_gone:
            self._transport.resume_reading()
        self.deadline += len(payload) / SLOWEST
        self.is_spent |= kind == b"E" and bool(payload)
        return kind, payload

    def end(self, reason: str) -> None:
        """Kill the process; who waits for its answer is told at once."""
        self.reason = self.reason or reason
        if self.process and not self.is_gone:
            self.kill()
        else:
            self.hang_up()
        self._wake()

    def hang_up(self) -> None:
        """Close the way to the process."""
        if self._transport is not None:
            self._transport.abort()

    def kill(self) -> None:
        """Send the signal that cannot be refused."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)

    def give_way(self, number: int = NICE) -> None:
        """Leave the processor to others first; or, with 0, do so no more, if the system allows."""
        try:
            os.setpriority(os.PRIO_PROCESS, self.process, number)
        except OSError:
            self.is_spent = True
        self.is_nice = number > 0

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Pool:
    """Workers that are ready before they are needed; one that is ended is replaced.

    Parameters
    ----------
    nursery
        Where they come from.
    limits
        What a request may take.
    slots
        How many requests are worked on at once; half as many workers are kept with nothing to do.

    Attributes
    ----------
    ended
        How many workers were ended, by reason.
    """

    def __init__(self, nursery: Nursery, limits: Limits, slots: int) -> None:
        self.nursery, self.limits, self.slots = nursery, limits, slots
        self.ended: Counter[str] = Counter()
        self.is_ready = False
        self._limits = json.dumps(limits.to_dict()).encode()
        self._all, self._idle = set[Worker](), deque[Worker]()
        self._busy: dict[Worker, None] = {}
        self._waiters = deque[asyncio.Future[Worker]]()
        self._wanted = 0.0
        self._beat: asyncio.Task[None] | None = None
        self._tasks = set[asyncio.Task[None]]()
        self._coming, self._pause = 0, 0.0

    async def open(self) -> None:
        """Start the first workers, in the background."""
        self._beat = asyncio.create_task(self._watch())
        self._refill()

    async def close(self) -> None:
        """End all workers."""
        for task in (self._beat, *self._tasks):
            if task is not None:
                task.cancel()
        self._beat, self.is_ready = None, False
        for worker in self._all:
            worker.end("closed")
            worker.hang_up()
        while self._all:
            await asyncio.sleep(0)

    @property
    def processes(self) -> int:
        """How many workers there are."""
        return sum(1 for worker in self._all if worker.process)

    @property
    def overdue(self) -> int:
        """How many requests are past their time, and yet hold a worker, or wait for one."""
        now = asyncio.get_running_loop().time()
        late = sum(1 for worker in self._busy if worker.deadline + 1.0 < now)
        patience = self.limits.time_limit
        return late + (len(self._waiters) if self._waiters and now > self._wanted + patience else 0)

    async def take(self) -> Worker:
        """Return a free worker.

        Raises
        ------
        Ended
            When there is none for a long time.
        """
        while self._idle:
            worker = self._idle.pop()  # the last one: its memory is still warm
            if not worker.reason:
                self._busy[worker] = None
                self._refill()
                return worker
        loop = asyncio.get_running_loop()
        if not self._waiters:
            self._wanted = loop.time()
        waiter: asyncio.Future[Worker] = loop.create_future()
        self._waiters.append(waiter)
        self._refill()
        patience = self.limits.time_limit + Limits.grace(self.limits.time_limit)
        try:
            async with asyncio.timeout(patience):
                return await waiter
        except BaseException as error:
            if waiter.done() and not waiter.cancelled():  # both at once
                self.give_back(waiter.result())
            if isinstance(error, TimeoutError):
                raise Ended("busy") from None
            raise
        finally:
            with suppress(ValueError):
                self._waiters.remove(waiter)

    def give_back(self, worker: Worker) -> None:
        """Take back a worker that has answered."""
        self._busy.pop(worker, None)
        if worker.is_nice:
            worker.give_way(0)
        if worker.is_spent or worker.reason or 2 * len(self._idle) > self.slots:
            worker.end("spent")
        else:
            self._offer(worker)
        self._refill()

    def discard(self, worker: Worker, reason: str, then: Callable[[], None]) -> None:
        """End a worker; its slot is free when it has."""

        def over() -> None:
            self._busy.pop(worker, None)
            then()

        worker.when_gone(over)
        worker.end(reason)
        if worker.is_gone:
            over()

    def _offer(self, worker: Worker) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._busy[worker] = None
                waiter.set_result(worker)
                return
        self._idle.append(worker)

    def _changed(self, worker: Worker) -> None:
        """Note that a worker is up, or has ended."""
        if worker.is_gone:
            self._all.discard(worker)
            if worker in self._idle:
                self._idle.remove(worker)
            if not worker.process:
                self._coming -= 1
                self._pause = 1.0  # it never came up: do not try in a loop
            self.ended[worker.reason] += 1
            if self._beat is not None:
                self._refill()
            return
        self._coming -= 1
        self._pause = 0.0
        self.is_ready |= worker.has_models
        worker.set_up(self._limits)
        self._offer(worker)

    def _refill(self) -> None:
        """Start workers: those that are needed now, and some more."""
        if self._beat is None:
            return
        missing = len(self._waiters) + SPARE - len(self._idle) - self._coming
        for _ in range(max(0, missing)):
            self._coming += 1
            task = asyncio.create_task(self._start(self._pause))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _start(self, pause: float) -> None:
        await asyncio.sleep(pause)
        loop = asyncio.get_running_loop()
        try:
            channel = self.nursery.worker()
        except OSError:
            self._coming -= 1
            self._pause = 1.0
            await asyncio.sleep(self._pause)
            self._refill()
            return
        channel.setblocking(False)
        _, worker = await loop.create_unix_connection(
            lambda: Worker(loop, self._changed), sock=channel
        )
        self._all.add(worker)

    async def _watch(self) -> None:
        """End workers that are past their time; slow down those that work for long."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(BEAT)
            now = loop.time()
            for worker in list(self._busy):
                if now > worker.deadline:
                    worker.end("time")
                elif now > worker.began + LONG and not worker.is_nice:
                    worker.give_way()
