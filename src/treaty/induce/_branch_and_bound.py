"""Branch and bound for the best grammar, with any relaxation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from treaty._threads import Clock, apart
from treaty.errors import LimitError, UsageError, check_threads
from treaty.induce._checkpoint import Checkpoint, Claims
from treaty.induce._chords import ChordSearch
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._induced import Induced, induced, unsearched
from treaty.induce._search import Search, Settings
from treaty.progress import OnProgress, Progress
from treaty.solve import Certificate, Status

__all__ = ["branch_and_bound", "search_with", "start_search"]

CHORDS = Settings().relaxation
SLICE = 0.1
"""Seconds between checks of limits, interrupts and checkpoints."""
FOREVER = 2**62
SPARING = 10
"""A large state is written less often, to spend at most this share of the time on it."""
ROUNDING = 1e-9


def branch_and_bound(
    corpus: Corpus,
    *,
    relaxation: str = CHORDS,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    restarts: int = 100,
    relative_gap: float = 0.01,
    time_limit: float | None = None,
    iterations: int | None = None,
    memory: int = 2**30,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 30.0,
    resume: str | Path | None = None,
    progress: OnProgress | None = None,
) -> Induced:
    """Search for the trees with the highest likelihood, with a bound.

    The space of grammars is divided into boxes. A box is bounded by a relaxation and divided again,
    unless it cannot contain anything better than the incumbent. At any time the search has an
    answer and an upper bound on every answer. Only local search and the choice of products are
    random, with a fixed seed: an interrupted and resumed search gives the same result as an
    uninterrupted run.

    Parameters
    ----------
    corpus
        The sentences.
    relaxation
        How boxes are bounded. ``"chords"``: every distribution is factored into binary choices, and
        boxes of their ratios are bounded by the best trees under the chords of a convex function.
        The others are the linear programs of Gormley & Eisner (2013), which are far slower:
        ``"mccormick"``: concave envelopes alone (Max.0k in the paper). ``"rlt-obj"``: products of
        constraints that involve the objective (Obj.Filter). ``"rlt-max-1k"``, ``"rlt-max-10k"`` and
        so on: this number of random products. ``"rlt-30%"``: this share of all products. With
        ``+counts`` at the end, counts are bounded by the probabilities of a box, too, which the
        paper does not do.
    smoothing
        Added to every count, in the objective and in the grammar.
    constraint
        A constraint on the trees.
    restarts
        Number of restarts of Viterbi EM at the start.
    relative_gap
        Stop when the gap, relative to the objective, is proved to be at most this; at least 1e-6.
    time_limit, iterations
        Limits in seconds and nodes, at which to stop with the incumbent; those before a resume
        count. If the time does not suffice to set up the search, every word has the word before it
        as its head; with a checkpoint, `LimitError` is raised.
    memory
        Limit in bytes for open nodes. When it is reached, the search continues depth first and
        hardly grows.
    seed
        Seed of all random choices.
    threads
        Number of threads. The result does not depend on it; with linear programs, this holds only
        for 1 and 2.
    checkpoint
        A folder for the state of the search, written every `checkpoint_every` seconds, or less
        often if that takes long. The best trees that were reported are on disk.
    resume
        Such a folder: resume the search in it, and continue to write to it. The nodes since the
        last state are repeated, which proves the last bound again.
    progress
        Called about ten times a second, with `objective`, `bound`, `relative_gap`, `open_nodes` and
        `memory` (in bytes) as scores; `done` is the number of nodes. While a resumed search repeats
        nodes, there are no scores. The search stops if it returns False.

    Returns
    -------
    Induced
        ``OPTIMAL`` if the gap is proved, ``FEASIBLE`` at a limit or after Ctrl-C, ``INFEASIBLE``
        if no trees satisfy the constraint, ``UNKNOWN`` if none were found.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> found = branch_and_bound(corpus, relative_gap=1e-6)
    >>> found.status.value, round(found.objective, 3), round(found.bound, 3)
    ('OPTIMAL', -3.819, -3.819)
    >>> few = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"]])
    >>> found = branch_and_bound(few, relaxation="mccormick")
    >>> found.status.value, round(found.objective, 3)
    ('OPTIMAL', -1.91)
    """
    return search_with(
        start_search, corpus, relaxation=relaxation, smoothing=smoothing, constraint=constraint,
        restarts=restarts, relative_gap=relative_gap, time_limit=time_limit, iterations=iterations,
        memory=memory, seed=seed, threads=threads, checkpoint=checkpoint,
        checkpoint_every=checkpoint_every, resume=resume, progress=progress,
    )  # fmt: skip


def search_with(
    start: Callable[[Corpus, Settings], Search],
    corpus: Corpus,
    *,
    relaxation: str = CHORDS,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    restarts: int = 100,
    relative_gap: float = 0.01,
    time_limit: float | None = None,
    iterations: int | None = None,
    memory: int = 2**30,
    seed: int = 0,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 30.0,
    resume: str | Path | None = None,
    progress: OnProgress | None = None,
) -> Induced:
    """Search as in `branch_and_bound`, with a search that `start` makes."""
    started = time.perf_counter()
    if checkpoint is not None and resume is not None:
        raise UsageError("give either checkpoint, to start a search, or resume, not both")
    check_threads(threads)
    settings = Settings(relaxation, relative_gap, smoothing, constraint, restarts, memory, seed)
    claims, keeper = Claims(), None
    try:
        with Clock(time_limit):
            search = start(corpus, settings)
    except LimitError:
        if checkpoint is not None or resume is not None:
            raise
        seconds, free = time.perf_counter() - started, constraint is None
        return unsearched(corpus, smoothing, relaxation, seconds, is_free=free)
    if (folder := checkpoint if resume is None else resume) is not None:
        keeper = Checkpoint(folder, corpus, settings)
        if resume is None:
            keeper.make(search)
        else:
            claims = keeper.load(search)
    run = _Run(search, claims, keeper, progress, relaxation, started - claims.seconds)
    run.go(time_limit, iterations, threads, checkpoint_every)
    return induced(
        corpus, claims.heads, smoothing, _status(search, claims, settings), bound=claims.bound,
        iterations=search.nodes, seconds=claims.seconds, open_nodes=search.open_nodes,
        method=f"branch-and-bound{'' if relaxation == CHORDS else f', {relaxation}'}",
        trace=tuple(claims.trace),
    )  # fmt: skip


def start_search(corpus: Corpus, settings: Settings) -> Search:
    """Set up a search, to be continued step by step; `branch_and_bound` does all of this.

    Linear programming is imported only if needed.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> search = start_search(corpus, Settings(relative_gap=1e-6))
    >>> while not search.done:
    ...     search.advance(seconds=0.1, left=60.0, nodes=1000, threads=1)
    >>> round(search.objective, 3), round(search.bound, 3)
    (-3.819, -3.819)
    """
    if settings.relaxation == CHORDS:
        return ChordSearch(corpus, settings)
    from treaty.papers.relaxations._search import RelaxationSearch

    made: list[Search] = []  # products of constraints may take seconds: Ctrl-C does not wait
    apart(lambda: made.append(RelaxationSearch(corpus, settings)), on_stop=lambda: None)
    return made[0]


class _Run:
    """A running search: it records results, saves its state, and stops at limits."""

    def __init__(
        self,
        search: Search,
        claims: Claims,
        keeper: Checkpoint | None,
        progress: OnProgress | None,
        stage: str,
        started: float,
    ) -> None:
        self._search, self._claims, self._keeper = search, claims, keeper
        self._progress, self._stage, self._started = progress, stage, started

    def go(
        self, time_limit: float | None, iterations: int | None, threads: int, every: float
    ) -> None:
        search, due = self._search, time.perf_counter() + every
        try:
            wanted = self._tell(iterations)
            while wanted and not search.done:
                left = math.inf if time_limit is None else time_limit - self._seconds
                nodes = FOREVER if iterations is None else iterations - search.nodes
                if left <= 0 or nodes <= 0:
                    break
                with suppress(LimitError), Clock(None if left == math.inf else left):
                    search.advance(SLICE, left, nodes, threads)
                wanted = self._tell(iterations)
                if self._keeper and (now := time.perf_counter()) >= due:
                    self._keeper.save(search)
                    spent = time.perf_counter() - now
                    due = now + spent + max(every, SPARING * spent)
        except KeyboardInterrupt:
            self._progress = None
            self._tell(iterations)  # the incumbent is the answer
        if self._keeper:
            self._keeper.claim(self._claims)
            self._keeper.save(search)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._started

    def _tell(self, iterations: int | None) -> bool:
        """Record new results and report them; return False to stop."""
        search, claims = self._search, self._claims
        news = claims.update(search, self._seconds)
        if self._keeper and news:
            self._keeper.claim(claims)
        if self._progress is None:
            return True
        if search.nodes < claims.nodes:  # the bound that was reported is not yet proved again
            event = Progress(f"resuming {self._stage}", search.nodes, claims.nodes)
            return self._progress(event) is not False
        worth = Certificate(Status.FEASIBLE, claims.objective, claims.bound)
        scores = {
            "objective": worth.objective, "bound": worth.bound, "relative_gap": worth.relative_gap,
            "open_nodes": search.open_nodes, "memory": search.memory,
        }  # fmt: skip
        event = Progress(self._stage, search.nodes, iterations, scores, seconds=claims.seconds)
        return self._progress(event) is not False


def _status(search: Search, claims: Claims, settings: Settings) -> Status:
    if not search.feasible:
        return Status.INFEASIBLE
    if not len(claims.heads):
        return Status.UNKNOWN
    allowed = settings.enough(claims.objective) - claims.objective
    is_proved = claims.bound - claims.objective <= allowed * (1 + ROUNDING)
    return Status.OPTIMAL if is_proved else Status.FEASIBLE
