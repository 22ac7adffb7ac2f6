"""How a server is run: addresses, limits, and who may ask."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field

from treaty.errors import UsageError
from treaty.web._caps import Caps, Limits

__all__ = ["LOCAL_NAMES", "Settings", "name_of"]

HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
"""A name or an address; those of IPv6 are in brackets."""
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run.

    Attributes
    ----------
    host, port
        The address to listen at; 127.0.0.1 is reached from this machine only. Port 0 is any free
        one.
    workers
        Number of processes. They share the models in memory.
    jobs
        Number of requests of one client that are worked on at once; by default the cores.
    slots
        Number of requests of all clients that each process has worked on at once; by default 8
        times `jobs`, so that clients need not wait for each other.
    queue
        Number of further requests that wait, in turns of clients; others are refused with 503.
    per_client
        Number of requests of one client at once, by address, with those that wait; others are
        refused with 429. By default twice `jobs`, and at least 8.
    connections
        Number of connections; others are refused with 503. One client has at most a quarter (429).
    max_bytes
        Size of a request; larger ones are refused with 413. A batch may have 16 times as much.
    time_limit
        Seconds for the work on a request. It is the most that a request may ask for, too. Work that
        goes on a second and a tenth after its limit is killed (504).
    memory
        Megabytes for the work on a request, beside the models; more is refused with 413 (Linux).
    caps
        How large the parts of a request may be; larger ones are refused with 413.
    grace
        Seconds that running requests have when the server is stopped.
    token
        What clients must send as ``Authorization: Bearer …``; None for no check.
    hosts
        Names by which the server may be called, in addition to local ones and `host`. Others are
        refused, so that no page of another site can reach the server by a name of its own.
    proxies
        Addresses of proxies, which say for whom they ask (``X-Forwarded-For``).
    origins
        Sites whose pages may call the server (CORS); none by default.
    page
        Whether to serve the page.
    quiet
        Whether to leave out access logs.

    Examples
    --------
    >>> Settings(hosts=("parser.example",)).knows("parser.example:8000")
    True
    >>> Settings().knows("evil.example"), Settings().knows("[::1]:8000")
    (False, True)
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    slots: int = 0
    queue: int = 64
    per_client: int = 0
    connections: int = 1000
    max_bytes: int = 4_000_000
    time_limit: float = 20.0
    memory: int = 1000
    caps: Caps = field(default_factory=Caps)
    grace: float = 10.0
    token: str | None = None
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    page: bool = True
    quiet: bool = False

    def __post_init__(self) -> None:
        if self.per_client == 0:
            object.__setattr__(self, "per_client", max(8, 2 * self.jobs))
        if self.slots == 0:
            object.__setattr__(self, "slots", 8 * self.jobs)
        for name in (
            "workers",
            "jobs",
            "slots",
            "per_client",
            "connections",
            "max_bytes",
            "memory",
        ):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.queue < 0 or self.grace < 0 or not self.time_limit > 0:
            raise UsageError("queue and grace must be at least 0, and time_limit positive")
        if not 0 <= self.port < 2**16:
            raise UsageError(f"port must be from 0 to 65535, not {self.port}")
        if self.token is not None and (len(self.token) < 8 or not self.token.isascii()):
            raise UsageError("the token must have at least 8 characters, all of them ASCII")
        if "*" in self.origins:
            raise UsageError("origins: name the sites, such as https://example.org; * is refused")

    @property
    def limits(self) -> Limits:
        """Limits of the work on a request."""
        return Limits(self.time_limit, self.memory, self.caps)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host in LOCAL_NAMES:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def knows(self, header: str) -> bool:
        """Return whether the server may be called by this ``Host`` header."""
        name = name_of(header)
        return name in (*LOCAL_NAMES, self.host.lower(), *(host.lower() for host in self.hosts))


def name_of(header: str) -> str | None:
    """Return a host without its port, in lower case; None if it is no host.

    >>> name_of("[::1]:8000"), name_of("LOCALHOST:80"), name_of("[::1].evil.example")
    ('::1', 'localhost', None)
    """
    match = HOST.fullmatch(header)
    return None if match is None else (match[1] or match[2]).lower()
