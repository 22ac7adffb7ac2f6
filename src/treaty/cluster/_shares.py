"""One frontier over many processes: shares of open nodes go out as tasks, and what is left returns.

The owner of a search keeps every share that it has handed out until its result is there. So a share
whose worker dies is handed out again, and the bound of the whole search counts what is in flight:
it is as strict as that of one process.
"""

from __future__ import annotations

import queue
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from treaty.cluster._connect import ClusterError, Connection

__all__ = ["Flight", "Shares"]

MOST_TRIES = 5
"""How often a share is handed out; each time Dask tries several workers."""
Share = TypeVar("Share")


@dataclass
class Flight(Generic[Share]):
    """A share that was handed out."""

    share: Share
    future: Any
    tries: int = 1


class Shares(Generic[Share]):
    """Shares of a search that are searched elsewhere.

    Parameters
    ----------
    connection
        The cluster.
    submit
        Called with a client and a share; returns the future of its result.
    """

    def __init__(self, connection: Connection, submit: Callable[[Any, Share], Any]) -> None:
        self.connection, self._submit = connection, submit
        self.lost = self.tasks = 0
        self._flights: dict[int, Flight[Share]] = {}
        self._landed: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def __len__(self) -> int:
        return len(self._flights)

    @property
    def flying(self) -> list[Share]:
        """The shares that are out."""
        return [flight.share for flight in self._flights.values()]

    def send(self, share: Share, tries: int = 1) -> None:
        """Hand out a share."""
        self.tasks += 1
        number = self.tasks
        future = self._submit(self.connection.client, share)
        self._flights[number] = Flight(share, future, tries)
        future.add_done_callback(lambda done: self._landed.put((number, done)))

    def receive(self, seconds: float) -> list[tuple[Share, Any]]:
        """Wait for results for some seconds at most; what was lost is handed out again.

        Raises
        ------
        ClusterError
            When a share is lost again and again.
        """
        if self.connection.client.status not in ("running", "connecting"):
            self._start_again()
        results: list[tuple[Share, Any]] = []
        end = time.monotonic() + seconds
        while self._flights:
            try:
                wait = 0.0 if results else max(0.0, end - time.monotonic())
                number, future = (
                    self._landed.get(timeout=wait) if wait else self._landed.get_nowait()
                )
            except queue.Empty:
                break
            flight = self._flights.get(number)
            if flight is None or flight.future is not future:
                continue
            del self._flights[number]
            result = self._result(flight)
            if result is not None:
                results.append((flight.share, result))
        return results

    def _result(self, flight: Flight[Share]) -> Any:
        future = flight.future
        error: BaseException | None = None
        if future.status == "finished":
            try:
                return future.result()
            except Exception as failure:  # its worker has gone with the result
                error = failure
        elif future.status == "error":
            error = future.exception()
            if type(error).__name__ != "KilledWorker":
                raise error or ClusterError("a share of the search was lost")
        self.lost += 1
        if flight.tries >= MOST_TRIES:
            raise ClusterError(
                f"workers died {MOST_TRIES} times of the same share of the search ({error}); "
                "resume it from its checkpoint, with more memory for workers"
            )
        self.send(flight.share, flight.tries + 1)
        return None

    def _start_again(self) -> None:
        """Connect to a scheduler that has come back, and hand out what it has forgotten."""
        self.connection.reconnect()
        lost = list(self._flights.values())
        self._flights.clear()
        self.lost += len(lost)
        for flight in lost:
            self.send(flight.share, flight.tries)

    def stop(self) -> None:
        """Call back what is out; the shares stay in `flying`."""
        futures = [flight.future for flight in self._flights.values()]
        if futures and self.connection.client.status == "running":
            self.connection.client.cancel(futures, force=True)


class Board:
    """Where the best answer of all processes is told: a variable of Dask."""

    def __init__(self, client: Any, name: str | None = None) -> None:
        from distributed import Variable

        self.name = name or f"treaty-incumbent-{secrets.token_hex(8)}"
        self._variable = Variable(self.name, client=client)

    def tell(self, answer: tuple[float, bytes]) -> None:
        """Tell of an answer."""
        self._variable.set(answer)

    def ask(self) -> tuple[float, bytes] | None:
        """Return the best answer that was told, or None."""
        try:
            objective, data = self._variable.get(timeout=1)
            return float(objective), bytes(data)
        except (TimeoutError, OSError, TypeError, ValueError):
            return None
