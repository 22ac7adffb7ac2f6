"""A discrete-event simulation of a run on many workers, fed by measured costs.

One client gives parts to workers as `treaty.cluster` does: two per thread at hand, the next when
one comes back. It serves one event at a time, so its time per part bounds the number of workers.
Workers differ:

- stragglers: 10% of the parts take 1.5 to 2.5 times as long, 1% ten times. Of the outliers that
  Ananthanarayanan et al. (OSDI 2010) measured, most are of the former kind, and some are above 10;
- failures: each worker dies at random, at a rate per hour; its parts are lost and done again, and
  it is back after the time to start. Schroeder & Gibson (DSN 2006) count 20 to 1,000 failures a
  year for systems of up to some thousand nodes, so below one per node and year; the rate of 0.05
  per hour stands for preemptible machines on a bad day, far above that.

A part that takes long is not done a second time elsewhere, neither by Dask nor here: stragglers at
the end of a run count.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass
from typing import Any

AHEAD = 2
STRAGGLERS = ((0.10, 1.5, 2.5), (0.01, 10.0, 10.0))
FAILURES = 0.05
"""Per worker and hour."""


@dataclass(frozen=True)
class Costs:
    """What was measured.

    Attributes
    ----------
    part_seconds
        CPU seconds of parts, to draw from.
    client_seconds
        Of client and scheduler, for each part.
    start_seconds
        From the death of a worker to its first part: start and models.
    """

    part_seconds: tuple[float, ...]
    client_seconds: float
    start_seconds: float


def simulate(
    costs: Costs, workers: int, *, parts: int, scale: float = 1.0, seed: int = 1,
    failures: float = FAILURES,
) -> dict[str, Any]:  # fmt: skip
    """Simulate a run of many parts, each `scale` times as long as measured.

    The number of parts shrinks by the same factor: the work is the same.
    """
    chosen = random.Random(seed)
    todo = max(1, int(parts / scale))
    events: list[tuple[float, int, str, int, int]] = []
    number = done = lost = 0
    waiting = todo
    free_at = 0.0  # when the client can serve the next event
    lives = [0] * workers  # what a worker was given before it died is void
    queues = [0] * workers
    busy = work = 0.0

    def push(at: float, kind: str, worker: int) -> None:
        nonlocal number
        number += 1
        heapq.heappush(events, (at, number, kind, worker, lives[worker]))

    def duration() -> float:
        seconds = scale * chosen.choice(costs.part_seconds)
        for share, low, high in STRAGGLERS:
            if chosen.random() < share:
                return seconds * chosen.uniform(low, high)
        return seconds

    def serve(at: float) -> float:
        """Let the client handle one part; returns when it is ready."""
        nonlocal free_at, busy
        free_at = max(free_at, at) + costs.client_seconds
        busy += costs.client_seconds
        return free_at

    def give(at: float, worker: int) -> None:
        nonlocal waiting, work
        while waiting and queues[worker] < AHEAD:
            waiting -= 1
            queues[worker] += 1
            if queues[worker] == 1:
                seconds = duration()
                work += seconds
                push(serve(at) + seconds, "done", worker)
            else:
                serve(at)

    for worker in range(workers):
        push(costs.start_seconds * chosen.uniform(0.8, 1.2), "up", worker)
    now = 0.0
    while done < todo:
        now, _, kind, worker, life = heapq.heappop(events)
        if kind == "up":
            give(now, worker)
            if failures > 0:
                push(now + chosen.expovariate(failures / 3600), "dead", worker)
        elif life != lives[worker]:
            continue
        elif kind == "dead":
            lives[worker] += 1
            lost += queues[worker]
            waiting += queues[worker]
            queues[worker] = 0
            push(now + costs.start_seconds, "up", worker)
            for other in range(workers):
                if queues[other] == 0 and waiting and other != worker:
                    give(now, other)
        else:
            done += 1
            queues[worker] -= 1
            if queues[worker]:  # the part at hand begins at once
                seconds = duration()
                work += seconds
                push(now + seconds, "done", worker)
            give(now, worker)
    return {
        "workers": workers, "seed": seed, "scale": scale, "parts": todo, "lost": lost,
        "hours": round(now / 3600, 4), "speed-up": round(work / now, 1),
        "efficiency": round(work / now / workers, 3), "client busy": round(busy / now, 3),
    }  # fmt: skip
