"""Limits on concurrent work: a few requests are worked on, some wait, the others are refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["Gate", "Refused"]

Result = TypeVar("Result")


class Refused(Exception):  # noqa: N818 - it is an answer
    """A request that is not worked on.

    Parameters
    ----------
    status
        The HTTP status.
    message
        Why, and what to do.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Gate:
    """Lets a number of requests work at once, in threads.

    Parameters
    ----------
    jobs, queue, per_client
        As in `Settings`.

    Attributes
    ----------
    working, waiting
        How many requests there are now.
    """

    def __init__(self, jobs: int, queue: int, per_client: int) -> None:
        self.jobs, self.queue, self.per_client = jobs, queue, per_client
        self.working = self.waiting = 0
        self._clients: Counter[str] = Counter()
        self._free = asyncio.Semaphore(jobs)
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="treaty")

    async def enter(self, client: str) -> None:
        """Wait for a turn.

        Raises
        ------
        Refused
            When the client has too many requests already (429), or the queue is full (503).
        """
        if self._clients[client] >= self.per_client:
            raise Refused(
                429, f"you have {self.per_client} requests at once already: wait for one of them"
            )
        if self._free.locked() and self.waiting >= self.queue:
            raise Refused(503, "the server is busy: try again in a second")
        self._clients[client] += 1
        self.waiting += 1
        try:
            await self._free.acquire()
        except BaseException:
            self._forget(client)
            raise
        finally:
            self.waiting -= 1
        self.working += 1

    def leave(self, client: str) -> None:
        """Let the next request work."""
        self.working -= 1
        self._free.release()
        self._forget(client)

    def run(self, work: Callable[[], Result]) -> asyncio.Future[Result]:
        """Call a function in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """End the threads that are idle."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _forget(self, client: str) -> None:
        self._clients[client] -= 1
        if not self._clients[client]:
            del self._clients[client]
