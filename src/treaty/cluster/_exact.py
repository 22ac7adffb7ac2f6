"""Branch and bound on the bounds of AD3, over the processes of a cluster."""

from __future__ import annotations

import hashlib
import heapq
import math
import pickle
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import solve as native
from treaty.cluster._connect import Connection
from treaty.cluster._exact_checkpoint import Box, State, read_state, write_state
from treaty.cluster._maps import connection_of
from treaty.cluster._shares import Board, Shares
from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.progress import OnProgress, Progress
from treaty.solve import Certificate, Solution, Status
from treaty.solve._dual import as_solution
from treaty.solve._judge import judged

__all__ = ["solve"]

SLICE = 2.0
"""Seconds that a worker searches a share."""
SHORT = 0.5
"""While others have nothing to do."""
MOST = 16
"""Boxes of a share."""
FIRST = 6
"""Nodes per thread that are searched before boxes are shared."""
AHEAD = 2
TICK = 0.1
EVERY = 10.0
"""Seconds between two checkpoints."""
PROOF = 1e-6


@dataclass(frozen=True)
class Found:
    """What came of a share."""

    boxes: list[Box]
    pruned: float
    nodes: int
    objective: float
    values: npt.NDArray[np.float64]
    infeasible: bool
    seconds: float


_GRAPHS: dict[str, FactorGraph] = {}


def search_boxes(
    graph: FactorGraph,
    boxes: Iterable[Box],
    known: npt.NDArray[np.float64],
    nodes: int,
    seconds: float,
    gap: float,
) -> tuple[Found, Any]:
    """Search boxes; returns what is left of them, and the outcome of the native search."""
    given = list(boxes)
    used = time.thread_time()
    begin = np.cumsum([0, *(len(box.decisions) for box in given)]).astype(np.int64)
    flat = np.array([d for box in given for d in box.decisions], np.int32)
    outcome, inner, decisions, ends, bounds, pruned = native.search_share(
        graph.native, np.array([box.inner for box in given]), flat, begin, known,
        nodes=nodes, seconds=seconds, gap=gap,
    )  # fmt: skip
    left = [
        Box(-bound, own, tuple(decisions[first:last].tolist()))
        for bound, own, first, last in zip(
            bounds.tolist(), inner.tolist(), ends[:-1].tolist(), ends[1:].tolist(), strict=True
        )
    ]
    found = Found(
        left, pruned, outcome.iterations, outcome.objective, np.asarray(outcome.values),
        outcome.status == native.Status.INFEASIBLE, time.thread_time() - used,
    )  # fmt: skip
    return found, outcome


def _searched(
    key: str, graph: bytes, boxes: list[Box], known: npt.NDArray[np.float64], nodes: int,
    seconds: float, gap: float, board: str,
) -> Found:  # fmt: skip
    """Search a share on a worker, which keeps the graph for the next time."""
    from distributed import worker_client

    if key not in _GRAPHS:
        _GRAPHS.clear()
        _GRAPHS[key] = pickle.loads(graph)  # of the client, by Dask's own protocol
    with worker_client(separate_thread=False) as client:
        told = Board(client, board).ask()
    if told is not None and len(told[1]):
        known = np.frombuffer(told[1], np.float64)
    return search_boxes(_GRAPHS[key], boxes, known, nodes, seconds, gap)[0]


class _Search:
    """The frontier of a search on a cluster."""

    def __init__(self, connection: Connection, graph: FactorGraph, gap: float) -> None:
        self.graph, self.gap, self.connection = graph, gap, connection
        self.data = pickle.dumps(graph, protocol=5)
        self.key = hashlib.sha256(self.data).hexdigest()
        self.open: list[Box] = []
        self.objective, self.values = -math.inf, np.zeros(0)
        self.pruned, self.nodes, self.cpu = -math.inf, 0, 0.0
        self.shares: Shares[list[Box]] = Shares(connection, self._submit)
        self.board = Board(connection.client)
        self.board.tell((-math.inf, b""))
        self.length, self.left = SLICE, 2**62

    @property
    def bound(self) -> float:
        """No assignment scores more: open boxes, boxes in flight, closed ones, and the answer."""
        flying = [-box.rank for share in self.shares.flying for box in share]
        best = [-self.open[0].rank] if self.open else []
        return max([self.objective, self.pruned, *best, *flying])

    @property
    def done(self) -> bool:
        """Whether nothing is open, or the gap is small enough."""
        if not self.open and not len(self.shares):
            return True
        return math.isfinite(self.objective) and self.bound - self.objective <= self.gap

    @property
    def state(self) -> State:
        """What there is to go on with; boxes in flight are open."""
        flying = [box for share in self.shares.flying for box in share]
        return State([*self.open, *flying], self.objective, self.values, self.pruned, self.nodes)

    def go_on(self, state: State) -> None:
        """Take over what another search knows, in the place of the first nodes."""
        self.open, self.pruned, self.nodes = [], state.pruned, state.nodes
        self.objective, self.values = -math.inf, np.zeros(0)
        self.take(Found(state.boxes, state.pruned, 0, state.objective, state.values, False, 0.0))

    def start(self, threads: int, seconds: float, nodes: int) -> Any:
        """Search the first nodes here; returns the outcome."""
        some = min(nodes, FIRST * threads)
        root = Box(-math.inf, math.inf, ())
        found, outcome = search_boxes(self.graph, [root], np.zeros(0), some, seconds, self.gap)
        self.take(found)
        return outcome

    def advance(self, threads: int, nodes: int) -> None:
        """Hand out boxes, and take back what is left of them."""
        self.left = nodes
        starved = len(self.open) < AHEAD * threads
        self.length = SHORT if starved else SLICE
        most = max(1, min(MOST, len(self.open) // (AHEAD * threads)))
        while len(self.shares) < AHEAD * threads and self.open:
            self.shares.send([heapq.heappop(self.open) for _ in range(min(most, len(self.open)))])
        for _, found in self.shares.receive(TICK):
            self.take(found)

    def take(self, found: Found) -> None:
        """Take over what came of a share."""
        self.nodes += found.nodes
        self.cpu += found.seconds
        self.pruned = max(self.pruned, found.pruned)
        if found.objective > self.objective:
            self.objective, self.values = found.objective, found.values
            self.board.tell((self.objective, self.values.astype(np.float64).tobytes()))
        for box in found.boxes:
            heapq.heappush(self.open, box)

    def _submit(self, client: Any, share: list[Box]) -> Any:
        known = self.values.astype(np.float64)
        return client.submit(
            _searched, self.key, self.data, share, known, self.left, self.length, self.gap,
            self.board.name, pure=False, retries=0,
        )  # fmt: skip


def solve(
    client: Any,
    graph: FactorGraph,
    *,
    time_limit: float | None = None,
    iterations: int | None = None,
    gap: float = 0.0,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
) -> Solution:
    """Find the proved optimum of a graph on a cluster: branch and bound on AD3's bounds.

    Workers search shares of one frontier, and are told of better answers. Boxes in flight count for
    the bound, and lost ones are searched again: the certificate is as strict as that of one
    process. Graphs with oracles in Python cannot be sent.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    graph
        The graph.
    time_limit, iterations
        Limits in seconds and nodes, at which to stop with the best answer.
    gap
        Stop when bound and answer differ by no more.
    checkpoint, resume
        A file for the state of the search, written every ten seconds and at the end; and whether
        to go on from there, on as many machines as there are then. `iterations` counts the nodes
        before, too.
    progress
        Called several times a second, with ``objective``, ``bound`` and ``open_nodes`` as scores;
        the search stops if it returns False.

    Returns
    -------
    Solution
        As that of the method ``exact``; the path to it may differ.
    """
    if gap < 0 or (time_limit is not None and time_limit < 0):
        raise UsageError("gap and time_limit must not be negative")
    if checkpoint is None and resume:
        raise UsageError("resume goes on from a checkpoint: give its file")
    if checkpoint is not None and not resume and Path(checkpoint).exists():
        raise UsageError(f"{checkpoint} is there already: go on with it (resume), or delete it")
    connection = connection_of(client)
    connection.wait()
    began = time.monotonic()
    search = _Search(connection, graph, gap)
    nodes = 2**62 if iterations is None else iterations
    outcome = search.start(max(1, connection.threads()), _left(began, time_limit), nodes)
    first = as_solution(graph.native, outcome, "exact", False)
    if resume:
        assert checkpoint is not None
        search.go_on(read_state(checkpoint, search.key, graph))
    saved = time.monotonic()
    try:
        while not search.done and _left(began, time_limit) > 0 and search.nodes < nodes:
            search.advance(max(1, connection.threads()), nodes - search.nodes)
            scores = {"objective": search.objective, "bound": search.bound,
                      "open_nodes": float(len(search.open))}  # fmt: skip
            event = Progress("exact", search.nodes, iterations, scores)
            if progress is not None and progress(event) is False:
                break
            if checkpoint is not None and time.monotonic() - saved > EVERY:
                write_state(checkpoint, search.key, search.state)
                saved = time.monotonic()
        if checkpoint is not None:
            write_state(checkpoint, search.key, search.state)
        return _solution(graph, first, search, time.monotonic() - began)
    finally:
        search.shares.stop()


def _left(began: float, time_limit: float | None) -> float:
    return math.inf if time_limit is None else time_limit - (time.monotonic() - began)


def _solution(graph: FactorGraph, first: Solution, search: _Search, seconds: float) -> Solution:
    """Judge the answer, as one process does."""
    objective, bound = search.objective, search.bound
    if not math.isfinite(objective):
        closed = not search.open and not len(search.shares)
        status = Status.INFEASIBLE if closed else Status.UNKNOWN
        bound = -math.inf if closed else bound
    else:
        proof = native.tolerance(graph.native, objective, PROOF)
        status = Status.OPTIMAL if bound - objective <= proof else Status.FEASIBLE
    certificate = Certificate(status, objective, bound, search.nodes, seconds)
    values = np.rint(search.values).astype(np.int8) if len(search.values) else first.values
    solution = replace(first, certificate=certificate, values=values, method="exact")
    return judged(graph.native, solution)
