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
from collections import deque
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


class _Worker:
    """A worker: when the parts at hand are there, and which of its lives this is."""

    def __init__(self) -> None:
        self.ready: deque[float] = deque()
        self.life = 0
        self.works = False


class _Run:
    """The events of a run."""

    def __init__(self, costs: Costs, workers: int, parts: int, scale: float, seed: int) -> None:
        self.costs, self.scale = costs, scale
        self.chosen = random.Random(seed)
        self.workers = [_Worker() for _ in range(workers)]
        self.waiting, self.done, self.lost = parts, 0, 0
        self.free_at = self.busy = self.work = 0.0
        self.events: list[tuple[float, int, str, int, int]] = []

    def push(self, at: float, kind: str, worker: int) -> None:
        life = self.workers[worker].life
        heapq.heappush(self.events, (at, len(self.events), kind, worker, life))

    def duration(self) -> float:
        seconds = self.scale * self.chosen.choice(self.costs.part_seconds)
        for share, low, high in STRAGGLERS:
            if self.chosen.random() < share:
                return seconds * self.chosen.uniform(low, high)
        return seconds

    def give(self, at: float, number: int) -> None:
        """Let the client hand out parts, one at a time, and the worker begin."""
        worker = self.workers[number]
        while self.waiting and len(worker.ready) + worker.works < AHEAD:
            self.waiting -= 1
            self.free_at = max(self.free_at, at) + self.costs.client_seconds
            self.busy += self.costs.client_seconds
            worker.ready.append(self.free_at)
        if worker.ready and not worker.works:
            seconds = self.duration()
            self.work += seconds
            worker.works = True
            self.push(max(at, worker.ready.popleft()) + seconds, "done", number)

    def die(self, at: float, number: int) -> None:
        worker = self.workers[number]
        held = len(worker.ready) + worker.works
        self.lost += held
        self.waiting += held
        worker.ready.clear()
        worker.works, worker.life = False, worker.life + 1
        self.push(at + self.costs.start_seconds, "up", number)
        for other, idle in enumerate(self.workers):
            if self.waiting and other != number and not idle.works:
                self.give(at, other)


def simulate(
    costs: Costs, workers: int, *, parts: int, scale: float = 1.0, seed: int = 1,
    failures: float = FAILURES,
) -> dict[str, Any]:  # fmt: skip
    """Simulate a run of many parts, each `scale` times as long as measured."""
    run = _Run(costs, workers, parts, scale, seed)
    for number in range(workers):
        run.push(costs.start_seconds * run.chosen.uniform(0.8, 1.2), "up", number)
    now = 0.0
    while run.done < parts:
        now, _, kind, number, life = heapq.heappop(run.events)
        if life != run.workers[number].life:
            continue
        if kind == "up":
            if failures > 0:
                run.push(now + run.chosen.expovariate(failures / 3600), "dead", number)
        elif kind == "dead":
            run.die(now, number)
            continue
        else:
            run.done += 1
            run.workers[number].works = False
        run.give(now, number)
    return {
        "workers": workers, "seed": seed, "scale": scale, "parts": parts, "lost": run.lost,
        "hours": round(now / 3600, 4), "speed-up": round(run.work / now, 1),
        "efficiency": round(run.work / now / workers, 3), "client busy": round(run.busy / now, 3),
    }  # fmt: skip
