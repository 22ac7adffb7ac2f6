"""Branch and bound for the best grammar, over the processes of a cluster."""

from __future__ import annotations

import hashlib
import math
import pickle
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.cluster._connect import Connection
from treaty.cluster._maps import connection_of
from treaty.cluster._shares import Board, Shares
from treaty.errors import UsageError
from treaty.induce import Corpus, Induced
from treaty.induce._branch_and_bound import CHORDS, search_with
from treaty.induce._chords import ChordSearch
from treaty.induce._features import Heads
from treaty.induce._search import Descent, Settings

__all__ = ["branch_and_bound"]

SLICE, SHORT = 2.0, 0.4
"""Seconds that a worker searches a share: usually, and while others have nothing to do."""
PATIENCE = 8
"""A share may take so many times longer by the clock, on a busy machine."""
POLL = 0.5
"""Seconds after which a worker asks for better trees."""
AHEAD = 2
MOST, LEAST = 4096, 8
"""Nodes of a share."""
FIRST = 64
"""Open nodes per thread of the cluster, from which on they are shared."""


class Nodes(NamedTuple):
    """Open nodes as arrays: bounds, prices, and the boxes one after the other."""

    bounds: npt.NDArray[np.float64]
    prices: npt.NDArray[np.float64]
    boxes: npt.NDArray[np.uint16]

    @property
    def bound(self) -> float:
        """The highest bound."""
        return float(self.bounds.max()) if len(self.bounds) else -math.inf


class ShareResult(NamedTuple):
    """Result of the search of a share."""

    nodes: Nodes
    closed: float
    done: int
    objective: float
    heads: Heads
    seconds: float


_SEARCHES: dict[str, ChordSearch] = {}


def _searched(
    key: str, problem: bytes, share: Nodes, heads: Heads, number: int, seconds: float, count: int,
    board: str | None,
) -> ShareResult:  # fmt: skip
    """Search a share on a worker for some seconds, or this many nodes."""
    if key not in _SEARCHES:
        _SEARCHES.clear()
        corpus, settings = pickle.loads(problem)  # of the client, by Dask's own protocol
        _SEARCHES[key] = ChordSearch(corpus, settings)
    search = _SEARCHES[key]
    return search_share(search, share, heads, number, seconds, count, board)


def search_share(
    search: ChordSearch, share: Nodes, heads: Heads, number: int, seconds: float, count: int,
    board: str | None = None,
) -> ShareResult:  # fmt: skip
    """Search a share; return the nodes that are left, and the best trees."""
    native = search.native
    began, used = time.monotonic(), time.thread_time()
    if len(heads):
        native.adopt(heads)
    native.start_share(number)
    native.take_over(*share, -math.inf, 0)
    polled = used
    while not native.done and native.nodes < count:
        # Time of this thread counts: on a busy machine shares do not become tiny.
        now = time.thread_time()
        left = min(seconds - (now - used), PATIENCE * seconds - (time.monotonic() - began))
        if left <= 0:
            break
        native.run(min(left, POLL), count - native.nodes, 1)
        if board is not None and now - polled >= POLL:
            polled = now
            _ask(native, board)
    left_over = Nodes(*native.hand_over(2**62))
    spent = time.thread_time() - used
    return ShareResult(
        left_over, native.closed, native.nodes, native.objective, np.asarray(native.heads), spent
    )


def _ask(native: Any, board: str) -> None:
    """Take over better trees of another process."""
    from distributed import worker_client

    with worker_client(separate_thread=False) as client:
        message = Board(client, board).ask()
    if message is not None and message[0] > native.objective:
        native.adopt(np.frombuffer(message[1], np.int32))


class ClusterSearch:
    """The open boxes of a search, shared with the workers of a cluster; see `Search`."""

    def __init__(self, connection: Connection, corpus: Corpus, settings: Settings) -> None:
        if settings.relaxation != CHORDS:
            raise UsageError(
                f"a search on a cluster requires the relaxation {CHORDS!r}, "
                f"not {settings.relaxation!r}"
            )
        self._local = ChordSearch(corpus, settings)
        apart = Settings(**{**vars(settings), "restarts": 0})
        bare = Corpus(corpus.tags, corpus.tokens, corpus.begin)  # native parts are made anew
        self._problem = pickle.dumps((bare, apart), protocol=5)
        self._key = hashlib.sha256(self._problem).hexdigest()
        self._shares: Shares[Nodes] = Shares(connection, self._submit)
        self._board: Board | None = None
        self._length, self._budget, self._count = SLICE, 2**62, 0
        self._rate = 100.0  # nodes a second of a worker
        self.cpu = 0.0

    @property
    def objective(self) -> float:
        """See `Search`."""
        return self._local.objective

    @property
    def heads(self) -> Heads:
        """See `Search`."""
        return self._local.heads

    @property
    def bound(self) -> float:
        """See `Search`; nodes that are in flight count."""
        return min(max([self._local.bound, *(share.bound for share in self._shares.flying)]),
                   self._local.ceiling)  # fmt: skip

    @property
    def nodes(self) -> int:
        """See `Search`."""
        return self._local.nodes

    @property
    def open_nodes(self) -> int:
        """See `Search`."""
        return self._local.open_nodes + sum(len(share.bounds) for share in self._shares.flying)

    @property
    def memory(self) -> int:
        """See `Search`."""
        return self._local.memory + sum(share.boxes.nbytes for share in self._shares.flying)

    @property
    def done(self) -> bool:
        """See `Search`."""
        return self._local.done and not len(self._shares)

    @property
    def feasible(self) -> bool:
        """See `Search`."""
        return self._local.feasible

    @property
    def lost(self) -> int:
        """Shares that were lost, and handed out again."""
        return self._shares.lost

    def advance(self, seconds: float, left: float, nodes: int, threads: int) -> None:
        """Hand out nodes, and take back what is left of them."""
        end = time.monotonic() + min(seconds, left)
        room = max(1, self._shares.connection.threads())
        if not len(self._shares) and self._local.open_nodes < FIRST * room:
            self._local.advance(min(seconds, left), left, min(nodes, FIRST * room), threads)
            return
        self._budget = nodes
        self._hand_out(room)
        for _, result in self._shares.receive(max(0.0, end - time.monotonic())):
            self._take(result)

    def _hand_out(self, room: int) -> None:
        native = self._local.native
        starved = self._local.open_nodes < LEAST * room
        self._length = SHORT if starved else SLICE
        most = int(min(MOST, max(LEAST, self._rate * self._length)))
        while len(self._shares) < AHEAD * room and self._local.open_nodes:
            if starved:
                most = max(1, self._local.open_nodes // room)
            self._shares.send(Nodes(*native.hand_over(most)))

    def _submit(self, client: Any, share: Nodes) -> Any:
        if self._board is None:
            self._board = Board(client)
            self._tell()  # workers wait for what was never told
        self._count += 1
        heads = np.asarray(self._local.native.heads)
        return client.submit(
            _searched, self._key, self._problem, share, heads, self._count, self._length,
            self._budget, self._board.name, pure=False, retries=0,
        )  # fmt: skip

    def _take(self, result: ShareResult) -> None:
        native = self._local.native
        native.take_over(*result.nodes, result.closed, result.done)
        self.cpu += result.seconds
        if result.seconds > 0.05 and result.done:
            self._rate = 0.5 * self._rate + 0.5 * result.done / result.seconds
        if result.objective > native.objective and len(result.heads):
            native.adopt(result.heads)
            self._tell()

    def _tell(self) -> None:
        """Send the best trees to all workers."""
        if self._board is not None:
            heads = np.asarray(self._local.native.heads, np.int32).tobytes()
            self._board.tell((self._local.objective, heads))

    def descents(self, seed: int) -> Iterator[Descent]:
        """See `Search`."""
        return self._local.descents(seed)

    def save(self, file: int, identity: int) -> None:
        """See `Search`; nodes that are in flight are saved as open ones."""
        flying = self._shares.flying
        every = [np.concatenate(arrays) for arrays in zip(*flying, strict=True)] if flying else (
            np.zeros(0), np.zeros(0), np.zeros(0, np.uint16)
        )  # fmt: skip
        self._local.native.save_with(file, identity, *every)

    def load(self, file: int, identity: int) -> None:
        """See `Search`."""
        self._local.load(file, identity)

    def stop(self) -> None:
        """Call back what workers do."""
        self._shares.stop()


def branch_and_bound(client: Any, corpus: Corpus, **options: Any) -> Induced:
    """Search for the trees with the highest likelihood on a cluster, with a bound.

    Workers search shares of one frontier; better trees are told to all. The certificate is as
    strict as that of one process: nodes in flight count, lost ones are searched again. Checkpoints
    are those of `treaty.induce.branch_and_bound`: one process or many can take them up.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    corpus, **options
        As in `treaty.induce.branch_and_bound`, with the relaxation ``"chords"``.

    Returns
    -------
    Induced
        The trees, as good as those of one process; the path to them may differ.
    """
    connection = connection_of(client)
    connection.wait()
    searches: list[ClusterSearch] = []

    def start(corpus: Corpus, settings: Settings) -> ClusterSearch:
        searches.append(ClusterSearch(connection, corpus, settings))
        return searches[0]

    try:
        return search_with(partial(start), corpus, **options)
    finally:
        for search in searches:
            search.stop()
