"""The best grammar there is, with a proof of how good: branch and bound, by any relaxation."""

from __future__ import annotations

import math
import time
from pathlib import Path

from treaty.errors import UsageError
from treaty.induce._checkpoint import Checkpoint, Claims
from treaty.induce._chords import ChordSearch
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._induced import Induced, induced
from treaty.induce._search import Search, Settings
from treaty.progress import OnProgress, Progress
from treaty.solve import Certificate, Status

__all__ = ["branch_and_bound", "start_search"]

CHORDS = Settings().relaxation
SLICE = 0.1
"""Seconds between two looks at the clock, the keyboard and the disk."""
FOREVER = 2**62
SPARING = 10
"""A large state is written less often, so that at most a tenth of the time goes into it."""
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
    """Search for the trees with the highest likelihood of all, and bound how much is left.

    All grammars are divided into boxes. A box is bounded by a relaxation and divided again, unless
    it cannot hold anything better than the best trees so far. At any moment the search has an
    answer and a bound that no answer can exceed. Nothing is random but local search and the choice
    of products, and they have a seed: a search that was interrupted and resumed ends like one that
    was not.

    Parameters
    ----------
    corpus
        The sentences.
    relaxation
        How boxes are bounded. ``"chords"``: every distribution is broken into binary choices, and
        boxes of their ratios are bounded by the best trees under the chords of a convex function.
        The others are the linear programs of Gormley & Eisner (2013), which are far slower:
        ``"mccormick"``: concave envelopes alone (the paper's Max.0k). ``"rlt-obj"``: products of
        constraints that touch the objective (Obj.Filter). ``"rlt-max-1k"``, ``"rlt-max-10k"`` and
        so on: so many random products. ``"rlt-30%"``: such a share of all.
    smoothing
        Added to every count, in the objective and in the grammar.
    constraint
        What the trees must meet.
    restarts
        Of Viterbi EM, to begin with.
    relative_gap
        Stop when the gap, relative to the objective, is proved to be no more; at least 1e-6.
    time_limit, iterations
        Seconds and nodes after which to stop with the best so far; those before a resume count.
    memory
        Bytes for open nodes. When they are taken, the search goes on depth first and hardly grows.
    seed
        Of all random choices.
    threads
        How many to use. The result does not depend on it; with linear programs, not while it is 1
        or 2.
    checkpoint
        A folder to keep the search in, written every `checkpoint_every` seconds, or less often if
        that takes long. What has been reported is on disk.
    resume
        Such a folder: go on from there, and keep the search in it.
    progress
        Is called about ten times a second, with `objective`, `bound`, `relative_gap`, `open_nodes`
        and `memory` (in bytes) for scores; `done` are nodes. The search stops if it returns False.

    Returns
    -------
    Induced
        ``OPTIMAL`` if the gap is proved, ``FEASIBLE`` at a limit or after Ctrl-C, ``INFEASIBLE``
        if no trees meet the constraint, ``UNKNOWN`` if none were found.

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
    started = time.perf_counter()
    if checkpoint is not None and resume is not None:
        raise UsageError("give either a folder to start a search in or one to resume it from")
    if threads < 1:
        raise UsageError(f"threads must be at least 1, got {threads}")
    settings = Settings(relaxation, relative_gap, smoothing, constraint, restarts, memory, seed)
    search, claims, keeper = start_search(corpus, settings), Claims(), None
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
    """Set up the search that is asked for; linear programs are loaded when they are needed."""
    if settings.relaxation == CHORDS:
        return ChordSearch(corpus, settings)
    from treaty.induce.relaxation._search import RelaxationSearch

    return RelaxationSearch(corpus, settings)


class _Run:
    """A search under way: it claims what it finds, keeps its state, and stops at limits."""

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
                search.advance(SLICE, left, nodes, threads)
                wanted = self._tell(iterations)
                if self._keeper and (now := time.perf_counter()) >= due:
                    self._keeper.save(search)
                    spent = time.perf_counter() - now
                    due = now + spent + max(every, SPARING * spent)
        except KeyboardInterrupt:
            self._progress = None
            self._tell(iterations)  # what there is, is the answer
        if self._keeper:
            self._keeper.save(search)

    @property
    def _seconds(self) -> float:
        return time.perf_counter() - self._started

    def _tell(self, iterations: int | None) -> bool:
        """Claim what is new, and report; False if that was enough."""
        search, claims = self._search, self._claims
        news = claims.update(search, self._seconds)
        if self._keeper and news:
            self._keeper.claim(claims)
        if self._progress is None:
            return True
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
