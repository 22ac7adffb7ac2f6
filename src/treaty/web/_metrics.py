"""Counts of requests for Prometheus, over all worker processes."""

from __future__ import annotations

import mmap
import struct
import time
from collections.abc import Iterator, Mapping, Sequence

from treaty import __version__

__all__ = ["BUCKETS", "STATUSES", "Metrics"]

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper limits of the classes of durations, in seconds."""
STATUSES = (200, 400, 401, 403, 404, 405, 408, 413, 415, 422, 429, 431, 499, 500, 503, 504)
"""The HTTP statuses that are counted; 499 is a client that has gone."""
OTHER = "other"
GAUGES = {
    "working": ("requests_working", "Requests that are working now."),
    "waiting": ("requests_waiting", "Requests that are waiting now."),
    "overdue": ("requests_overdue", "Requests that are past their time, and not ended yet."),
    "processes": ("processes", "Processes that work on requests, or are ready to."),
    "connections": ("connections", "Open connections."),
    "bytes": ("request_bytes", "Bytes of requests that are here now."),
}
ENDS = ("time", "gone", "crash", "spent")
"""Why processes are ended: late, nobody waits, they failed, or they keep too much memory."""
DOUBLE = struct.Struct("d")


class Metrics:
    """Counters in memory that worker processes share; each writes to its own row.

    Parameters
    ----------
    routes
        What is counted apart; everything else is ``other``.
    workers
        Number of rows.

    Examples
    --------
    >>> metrics = Metrics(["parse"])
    >>> metrics.count("parse", 200, 0.004, 120)
    >>> [line for line in metrics.text().splitlines() if line.startswith("treaty_requests_total")]
    ['treaty_requests_total{route="parse",status="200"} 1']
    """

    def __init__(self, routes: Sequence[str], workers: int = 1) -> None:
        self.routes = (*routes, OTHER)
        self.row, self.workers, self._started = 0, workers, time.time()
        self._per_route = len(STATUSES) + len(BUCKETS) + 3  # sum, count, bytes
        self._width = len(self.routes) * self._per_route + len(GAUGES) + len(ENDS)
        self._memory = mmap.mmap(-1, DOUBLE.size * self._width * workers)  # kept over a fork

    def count(self, route: str, status: int, seconds: float, size: int) -> None:
        """Count a request."""
        begin = self._begin(route)
        if status in STATUSES:
            self._add(begin + STATUSES.index(status), 1)
        durations = begin + len(STATUSES)
        for place, limit in enumerate(BUCKETS):
            if seconds <= limit:
                self._add(durations + place, 1)
        for place, value in enumerate((seconds, 1, size), durations + len(BUCKETS)):
            self._add(place, value)

    def gauge(self, **values: int) -> None:
        """Say how many requests and so on there are now."""
        for name, value in values.items():
            self._set(self.row * self._width + self._place(name), value)

    def ends(self, ended: Mapping[str, int]) -> None:
        """Say how many processes were ended so far, by reason."""
        for name in ENDS:
            self._set(self.row * self._width + self._place(name), ended.get(name, 0))

    def _place(self, name: str) -> int:
        return self._width - len(GAUGES) - len(ENDS) + (*GAUGES, *ENDS).index(name)

    def text(self) -> str:
        """Write all counts in the text format of Prometheus."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield "# HELP treaty_info The version of Treaty."
        yield "# TYPE treaty_info gauge"
        yield f'treaty_info{{version="{__version__}"}} 1'
        yield "# HELP treaty_start_time_seconds When the server was started."
        yield "# TYPE treaty_start_time_seconds gauge"
        yield f"treaty_start_time_seconds {self._started:.3f}"
        for key, (name, meaning) in GAUGES.items():
            yield f"# HELP treaty_{name} {meaning}"
            yield f"# TYPE treaty_{name} gauge"
            yield f"treaty_{name} {self._sum(self._place(key)):g}"
        yield "# HELP treaty_ended_total Processes that were ended, by reason."
        yield "# TYPE treaty_ended_total counter"
        for name in ENDS:
            yield f'treaty_ended_total{{reason="{name}"}} {self._sum(self._place(name)):.0f}'
        yield "# HELP treaty_requests_total Requests by route and HTTP status."
        yield "# TYPE treaty_requests_total counter"
        for route in self.routes:
            for place, status in enumerate(STATUSES, self._begin(route)):
                if total := self._sum(place):
                    yield f'treaty_requests_total{{route="{route}",status="{status}"}} {total:.0f}'
        yield "# HELP treaty_request_seconds Time from the request to the end of the answer."
        yield "# TYPE treaty_request_seconds histogram"
        for route in self.routes:
            yield from self._durations(route)
        yield "# HELP treaty_response_bytes_total Sizes of answers."
        yield "# TYPE treaty_response_bytes_total counter"
        for route in self.routes:
            if total := self._sum(self._begin(route) + self._per_route - 1):
                yield f'treaty_response_bytes_total{{route="{route}"}} {total:.0f}'

    def _durations(self, route: str) -> Iterator[str]:
        first = self._begin(route) + len(STATUSES)
        count = self._sum(first + len(BUCKETS) + 1)
        if not count:
            return
        name = "treaty_request_seconds"
        for place, limit in enumerate(BUCKETS, first):
            yield f'{name}_bucket{{route="{route}",le="{limit:g}"}} {self._sum(place):.0f}'
        yield f'{name}_bucket{{route="{route}",le="+Inf"}} {count:.0f}'
        yield f'{name}_sum{{route="{route}"}} {self._sum(first + len(BUCKETS)):.6f}'
        yield f'{name}_count{{route="{route}"}} {count:.0f}'

    def _begin(self, route: str) -> int:
        """Return the place of a route's counts in a row."""
        known = route if route in self.routes else OTHER
        return self.routes.index(known) * self._per_route

    def _add(self, place: int, value: float) -> None:
        at = self.row * self._width + place
        self._set(at, self._get(at) + value)

    def _sum(self, place: int) -> float:
        return sum(self._get(row * self._width + place) for row in range(self.workers))

    def _get(self, at: int) -> float:
        value: float = DOUBLE.unpack_from(self._memory, at * DOUBLE.size)[0]
        return value

    def _set(self, at: int, value: float) -> None:
        DOUBLE.pack_into(self._memory, at * DOUBLE.size, value)
