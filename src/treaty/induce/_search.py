"""The best grammar there is, with a proof of how good: branch and bound by chords."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treaty._native import induce as native
from treaty.errors import UsageError
from treaty.induce._checkpoint import Checkpoint, Claims, identity_of
from treaty.induce._constraints import EdgeConstraint, native_form
from treaty.induce._corpus import Corpus
from treaty.induce._induced import Induced, induced, relative_gap
from treaty.solve import Status

__all__ = ["Progress", "branch_and_bound", "estimate_nodes", "sentence_bound"]

SLICE = 0.1
"""Seconds between two looks at the clock, the keyboard and the disk."""
FOREVER = 2**62
SPARING = 10
"""A large state is written less often, so that at most a tenth of the time goes into it."""
SMALLEST = 1e-6
"""No smaller gap can be proved: the boxes of a search end on a grid."""


@dataclass(frozen=True)
class Progress:
    """How far a search has come."""

    seconds: float
    objective: float
    bound: float
    nodes: int
    open_nodes: int
    nodes_per_second: float
    memory: int
    """Bytes that the open nodes take."""

    @property
    def gap(self) -> float:
        """The gap relative to the objective."""
        return relative_gap(self.objective, self.bound)


def branch_and_bound(
    corpus: Corpus,
    *,
    epsilon: float = 0.01,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    restarts: int = 100,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int = 2**30,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 30.0,
    resume: str | Path | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Induced:
    """Search for the trees with the highest likelihood of all, and bound how much is left.

    Every distribution is broken into binary choices. Boxes of their ratios are bounded by the best
    trees under the chords of a convex function, and cut in two where the chord is loosest. Nothing
    is random but local search, and it has a seed: the result is the same for any number of threads,
    and for a search that was interrupted and resumed.

    Parameters
    ----------
    corpus
        The sentences; equal ones are treated as one.
    epsilon
        Stop when the gap, relative to the objective, is proved to be no more; at least 1e-6.
    smoothing
        Added to every count, in the objective and in the grammar.
    constraint
        What the trees must meet.
    restarts
        Of Viterbi EM, to begin with.
    time_limit, node_limit
        Seconds and nodes after which to stop with the best so far; those before a resume count.
    memory
        Bytes for open nodes. When they are taken, the search goes on depth first and hardly grows.
    seed
        Of local search.
    threads
        How many to use.
    checkpoint
        A folder to keep the search in, written every `checkpoint_every` seconds, or less often if
        that takes long.
    resume
        Such a folder: go on from there, and keep the search in it.
    progress
        Is called about ten times a second.

    Returns
    -------
    Induced
        ``OPTIMAL`` if the gap is proved, ``FEASIBLE`` at a limit or after Ctrl-C, ``INFEASIBLE``
        if no trees meet the constraint.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> found = branch_and_bound(corpus, epsilon=1e-6)
    >>> found.status.value, round(found.objective, 3), round(found.bound, 3)
    ('OPTIMAL', -3.819, -3.819)
    """
    _check(epsilon, smoothing, restarts, memory, checkpoint, resume)
    others, most = native_form(constraint, corpus)
    search = native.Search(
        corpus.compiled_distinct, others, most, smoothing, epsilon, seed, restarts, memory
    )
    settings = {
        "epsilon": epsilon, "smoothing": smoothing, "seed": seed, "restarts": restarts,
        "others": others.tolist(), "most": most,
    }  # fmt: skip
    keeper, claims = _keeper(corpus, settings, checkpoint, resume, search)
    run = _Run(search, claims, keeper, sentence_bound(corpus), checkpoint_every, progress)
    run.go(time_limit, node_limit, threads)
    heads = corpus.spread(claims.heads) if len(claims.heads) else claims.heads
    return induced(
        corpus, heads, smoothing, _status(search, claims, epsilon),
        bound=claims.bound if search.feasible else -math.inf,
        nodes=search.nodes, seconds=claims.seconds, method="bnb",
        trace=tuple(claims.trace), open_nodes=search.open,
    )  # fmt: skip


def estimate_nodes(
    corpus: Corpus,
    *,
    epsilon: float = 0.01,
    smoothing: float = 0.0,
    probes: int = 1000,
    restarts: int = 100,
    seed: int = 0,
) -> float:
    """Estimate how many nodes a search would take, by random ways down its tree (Knuth 1975).

    The estimate has no bias and a high variance; it is good for comparisons.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> estimate_nodes(corpus, probes=10) >= 1.0
    True
    """
    _check(epsilon, smoothing, restarts, 0, None, None)
    search = native.Search(
        corpus.compiled_distinct, np.zeros(0), 0.0, smoothing, epsilon, seed, restarts, 2**30
    )
    search.run(math.inf, 1, 1)  # the restarts: a node is closed by the best trees known
    return float(search.estimate(probes, seed))


def sentence_bound(corpus: Corpus) -> float:
    """Bound the likelihood by that of the best distribution over whole sentences, of any kind.

    Examples
    --------
    >>> round(sentence_bound(Corpus.from_tags([["N"], ["V"]])), 4)
    -1.3863
    """
    counts = corpus.counts
    return float((counts * np.log(counts / counts.sum())).sum())


class _Run:
    """A search under way: it claims what it finds, keeps its state, and stops at limits."""

    def __init__(
        self,
        search: native.Search,
        claims: Claims,
        keeper: Checkpoint | None,
        ceiling: float,
        every: float,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self.search, self.claims, self.keeper = search, claims, keeper
        self.ceiling, self.every, self.progress = ceiling, every, progress
        self.begin = time.perf_counter() - claims.seconds

    def go(self, time_limit: float | None, node_limit: int | None, threads: int) -> None:
        search, due = self.search, time.perf_counter() + self.every
        first, started = search.nodes, self.seconds
        try:
            self.tell(first, started)
            while not search.done and not self.late(time_limit, node_limit):
                left = SLICE if time_limit is None else min(SLICE, time_limit - self.seconds)
                most = FOREVER if node_limit is None else node_limit - search.nodes
                search.run(left, most, threads)
                self.tell(first, started)
                if self.keeper and (now := time.perf_counter()) >= due:
                    self.keeper.save(search)
                    spent = time.perf_counter() - now
                    due = now + spent + max(self.every, SPARING * spent)
        except KeyboardInterrupt:
            self.progress = None
            self.tell(first, started)  # what there is, is the answer
        if self.keeper:
            self.keeper.save(search)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begin

    def late(self, time_limit: float | None, node_limit: int | None) -> bool:
        too_long = time_limit is not None and self.seconds >= time_limit
        return too_long or (node_limit is not None and self.search.nodes >= node_limit)

    def tell(self, first: int, started: float) -> None:
        news = self.claims.update(self.search, self.ceiling, self.seconds)
        if self.keeper and news:
            self.keeper.claim(self.claims)
        if self.progress:
            speed = (self.search.nodes - first) / max(self.seconds - started, 1e-9)
            self.progress(
                Progress(
                    seconds=self.seconds,
                    objective=self.claims.objective,
                    bound=self.claims.bound,
                    nodes=self.search.nodes,
                    open_nodes=self.search.open,
                    nodes_per_second=speed,
                    memory=self.search.memory,
                )
            )


def _keeper(
    corpus: Corpus,
    settings: dict[str, object],
    checkpoint: str | Path | None,
    resume: str | Path | None,
    search: native.Search,
) -> tuple[Checkpoint | None, Claims]:
    folder = resume if resume is not None else checkpoint
    if folder is None:
        return None, Claims()
    keeper = Checkpoint(folder, identity_of(corpus, settings))
    if resume is not None:
        return keeper, keeper.load(search)
    keeper.make()
    keeper.claim(Claims())
    keeper.save(search)  # a search that is killed at once can be resumed, too
    return keeper, Claims()


def _status(search: native.Search, claims: Claims, epsilon: float) -> Status:
    if not search.feasible:
        return Status.INFEASIBLE
    if not len(claims.heads):
        return Status.UNKNOWN
    proved = relative_gap(claims.objective, claims.bound) <= max(epsilon, SMALLEST) * (1 + 1e-9)
    return Status.OPTIMAL if proved else Status.FEASIBLE


def _check(
    epsilon: float,
    smoothing: float,
    restarts: int,
    memory: int,
    checkpoint: str | Path | None,
    resume: str | Path | None,
) -> None:
    if epsilon < 0 or smoothing < 0 or restarts < 0 or memory < 0:
        raise UsageError("epsilon, smoothing, restarts and memory must not be negative")
    if checkpoint is not None and resume is not None:
        raise UsageError("give either a folder to start a search in or one to resume it from")
