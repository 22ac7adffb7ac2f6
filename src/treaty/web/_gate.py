"""Who is worked for, and when: turns of clients, and what of theirs is kept in memory."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter, OrderedDict, deque

__all__ = ["Gate", "Load", "Refused", "client_of"]


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


def client_of(address: str) -> str:
    """Return whom an address counts for: itself, or the network that one IPv6 user has.

    Examples
    --------
    >>> client_of("127.0.0.1"), client_of("2001:db8:1:2:3::4"), client_of("-")
    ('127.0.0.1', '2001:db8:1:2::/64', '-')
    """
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False))


class Gate:
    """Gives slots to requests, one client after the other.

    A client has at most `jobs` of them, and the last ones go to those who have fewest: a client
    gets another slot only while more are free than it has.

    Parameters
    ----------
    slots, jobs, queue, per_client
        As in `Settings`.

    Attributes
    ----------
    working, waiting
        How many requests there are now.
    """

    def __init__(self, slots: int, jobs: int, queue: int, per_client: int) -> None:
        self.slots, self.jobs, self.queue, self.per_client = slots, jobs, queue, per_client
        self.working = self.waiting = 0
        self._held: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def enter(self, client: str) -> asyncio.Future[None] | None:
        """Ask for a slot: None if it is there, or else a future of it. Cancel that to give up.

        Raises
        ------
        Refused
            When the client has too many requests already (429), or the queue is full (503).
        """
        queue = self._queues.get(client)
        if self._held[client] + len(queue or ()) >= self.per_client:
            raise Refused(
                429, f"you have {self.per_client} requests at once already: wait for one of them"
            )
        if queue is None and self._may_start(client):
            self._start(client)
            return None
        if self.waiting >= self.queue:
            raise Refused(503, "the server is busy: try again in a second")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        self.waiting += 1
        turn.add_done_callback(lambda _: self._waited(client, turn))
        return turn

    def leave(self, client: str) -> None:
        """Give a slot back: the next client has it."""
        self.working -= 1
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._admit()

    def _may_start(self, client: str) -> bool:
        return self._held[client] < min(self.jobs, self.slots - self.working)

    def _start(self, client: str) -> None:
        self._held[client] += 1
        self.working += 1

    def _admit(self) -> None:
        while next_one := next(filter(self._may_start, self._queues), None):
            turn = self._queues[next_one].popleft()
            self._queues.move_to_end(next_one)
            if not self._queues[next_one]:
                del self._queues[next_one]
            self.waiting -= 1
            if not turn.done():
                self._start(next_one)
                turn.set_result(None)

    def _waited(self, client: str, turn: asyncio.Future[None]) -> None:
        """Forget one who gave up; if that one had the slot by then, another gets it."""
        if turn.cancelled() and turn in (queue := self._queues.get(client, deque())):
            queue.remove(turn)
            self.waiting -= 1
            if not queue:
                del self._queues[client]


class Load:
    """Counts what clients have here, of one kind: connections, or bytes of requests.

    Parameters
    ----------
    most, per_client
        How much there may be in all, and of one client.

    Examples
    --------
    >>> load = Load(most=3, per_client=2)
    >>> load.add("ann", 2), load.add("ann", 1), load.add("bob", 2), load.add("bob", 1)
    (True, False, False, True)
    >>> load.total
    3
    """

    def __init__(self, most: int, per_client: int) -> None:
        self.most, self.per_client, self.total = most, per_client, 0
        self._clients: Counter[str] = Counter()

    def add(self, client: str, number: int, is_trusted: bool = False) -> bool:
        """Add a number of a client, unless it is too much; one who is trusted may have all."""
        most_of_client = self.most if is_trusted else self.per_client
        if self._clients[client] + number > most_of_client or self.total + number > self.most:
            if not self._clients[client]:
                del self._clients[client]
            return False
        self._clients[client] += number
        self.total += number
        return True

    def remove(self, client: str, number: int) -> None:
        """Take back what was added."""
        self.total -= number
        self._clients[client] -= number  # 0 of a client who has nothing is fine
        if not self._clients[client]:
            del self._clients[client]

    def has_room(self, number: int) -> bool:
        """Whether this is a matter of the client, not of all."""
        return self.total + number <= self.most
