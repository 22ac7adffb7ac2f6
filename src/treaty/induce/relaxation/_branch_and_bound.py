"""The paper's method behind one call."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._em import viterbi_em
from treaty.induce._induced import Induced, Moment, induced
from treaty.induce._search import Progress
from treaty.induce.relaxation._bounding import Bounder
from treaty.induce.relaxation._checkpoint import NAME, load_search, save_search
from treaty.induce.relaxation._filters import Choice
from treaty.induce.relaxation._incumbent import Answer, Projector
from treaty.induce.relaxation._program import Program, build_program
from treaty.induce.relaxation._search import Limits, Search, Stage
from treaty.solve import Status

__all__ = ["branch_and_bound", "prepare"]

SAVE_EVERY = 5.0  # seconds


def prepare(
    corpus: Corpus,
    relaxation: str = "mccormick",
    *,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    limits: Limits | None = None,
    restarts: int = 10,
    projection: str = "normalize",
    before_projection: float = 0.0,
    steps: int = 5,
    threads: int = 1,
    seed: int = 0,
) -> Search:
    """Set a search up, with the best of some restarts of Viterbi EM as its incumbent.

    The parameters are those of `branch_and_bound`, which does the rest: bounds the root
    (`Search.start`) and divides (`Search.run`).

    Examples
    --------
    >>> search = prepare(Corpus.from_tags([["N", "V"], ["V"]]))
    >>> search.start()
    >>> search.bound >= search.objective
    True
    """
    program = program_of(corpus, smoothing, constraint)
    project = Projector(
        corpus, program, constraint, method=projection, before=before_projection, steps=steps
    )
    return Search(
        Bounder(program, Choice.named(relaxation), seed),
        project,
        limits=limits or Limits(),
        threads=threads,
        incumbent=first_answer(corpus, smoothing, constraint, restarts, seed, threads),
    )


def program_of(corpus: Corpus, smoothing: float, constraint: EdgeConstraint | None) -> Program:
    """Write the mathematical program of a corpus; copies are one unless there is a constraint."""
    tags = corpus.tags
    if constraint is None:
        return build_program(len(tags), corpus.distinct, corpus.counts, smoothing=smoothing)
    kinds, least = constraint.kinds(tags).flat, constraint.least(corpus)
    return build_program(len(tags), corpus, kinds=kinds, least=least, smoothing=smoothing)


def first_answer(
    corpus: Corpus,
    smoothing: float,
    constraint: EdgeConstraint | None,
    restarts: int,
    seed: int,
    threads: int,
) -> Answer | None:
    """Run Viterbi EM; None without restarts, or if nothing met the constraint."""
    if restarts == 0:
        return None
    found = viterbi_em(
        corpus,
        smoothing=smoothing,
        constraint=constraint,
        restarts=restarts,
        seed=seed,
        threads=threads,
    )
    return None if found.counts is None else Answer(found.objective, found.heads)


def branch_and_bound(
    corpus: Corpus,
    *,
    relaxation: str = "mccormick",
    epsilon: float = 0.01,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    memory: int | None = None,
    restarts: int = 10,
    projection: str = "normalize",
    before_projection: float = 0.0,
    steps: int = 5,
    threads: int = 1,
    seed: int = 0,
    checkpoint: str | Path | None = None,
    resume: str | Path | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Induced:
    """Find the best grammar by the branch and bound of Gormley & Eisner (2013).

    At any moment the search has an answer and a bound that no answer can exceed. `bound` and `gap`
    of the result say how good the answer is proved to be.

    Parameters
    ----------
    corpus
        The sentences.
    relaxation
        ``"mccormick"``: concave envelopes alone (the paper's Max.0k). ``"rlt-obj"``: products of
        constraints that touch the objective (Obj.Filter). ``"rlt-max-1k"``, ``"rlt-max-10k"`` and
        so on: so many random products. ``"rlt-30%"``: such a share of all.
    epsilon
        The relative gap at which the search is done.
    smoothing
        Added to every count, in the objective and in the grammar.
    constraint
        A posterior constraint that the trees must meet.
    time_limit, node_limit
        Seconds, and nodes bounded, after which to stop with the best so far.
    memory
        Bytes of the open list. Beyond it the search goes depth first.
    restarts
        Of Viterbi EM, for the first answer.
    projection, before_projection, steps
        How relaxed parameters become distributions: ``"normalize"`` or ``"simplex"``, what is added
        to each before, and the steps of Viterbi EM after.
    threads
        Nodes bounded at the same time. The answer does not depend on it while it is 1 or 2.
    seed
        Of restarts and of random products.
    checkpoint
        A folder where the search is kept. What has been reported is on disk.
    resume
        A folder with such a search to go on with.
    progress
        Is called after each step, or each time the search has been saved.

    Returns
    -------
    Induced
        The grammar and the trees, with objective, bound, status and trace.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"]])
    >>> found = branch_and_bound(corpus)
    >>> str(found.status), round(found.objective, 3), found.gap <= 0.01
    ('OPTIMAL', -1.91, True)
    """
    if epsilon < 0 or smoothing < 0 or restarts < 0 or threads < 1:
        raise UsageError("epsilon, smoothing and restarts must not be negative, threads at least 1")
    if checkpoint is not None and resume is not None:
        raise UsageError("give either a folder to start a search in or one to resume it from")
    if checkpoint is not None and (Path(checkpoint) / NAME).exists():
        raise UsageError(f"{checkpoint}: there is a search already; resume it or choose another")
    limits = Limits(
        epsilon,
        math.inf if time_limit is None else time_limit,
        math.inf if node_limit is None else node_limit,
        math.inf if memory is None else memory,
    )
    problem = _problem(corpus, relaxation, smoothing, constraint, seed)
    search = prepare(
        corpus,
        relaxation,
        smoothing=smoothing,
        constraint=constraint,
        limits=limits,
        restarts=0 if resume else restarts,
        projection=projection,
        before_projection=before_projection,
        steps=steps,
        threads=threads,
        seed=seed,
    )
    if resume is None:
        search.start()
    else:
        load_search(search, Path(resume), problem)
    where = checkpoint or resume
    keeper = _Keeper(progress, None if where is None else Path(where), problem)
    keeper.save(search)
    search.run(keeper)
    keeper.save(search)
    return _induced(corpus, search, smoothing, f"bnb-{relaxation}")


class _Keeper:
    """Keeps a search on disk, if that is wanted, and reports its progress once it is there."""

    def __init__(
        self,
        progress: Callable[[Progress], object] | None,
        folder: Path | None,
        problem: dict[str, Any],
    ) -> None:
        self._progress, self._folder, self._problem = progress, folder, problem
        self._saved = -math.inf
        self._first: Stage | None = None

    def __call__(self, search: Search) -> None:
        if self._folder is not None and time.perf_counter() - self._saved < SAVE_EVERY:
            return
        self.save(search)
        if self._progress is not None:
            self._progress(self._report(search))

    def save(self, search: Search) -> None:
        if self._folder is not None:
            save_search(search, self._folder, self._problem)
            self._saved = time.perf_counter()

    def _report(self, search: Search) -> Progress:
        stage = search.stage()
        first = self._first = self._first or stage
        speed = (stage.nodes - first.nodes) / max(stage.seconds - first.seconds, 1e-9)
        return Progress(
            stage.seconds,
            stage.objective,
            stage.bound,
            stage.nodes,
            stage.open_nodes,
            speed,
            search.memory,
        )


def _problem(
    corpus: Corpus, relaxation: str, smoothing: float, constraint: EdgeConstraint | None, seed: int
) -> dict[str, Any]:
    """Tell what a search on disk must agree with."""
    rules = None if constraint is None else [*map(list, constraint.edges), constraint.share]
    return {
        "tags": list(corpus.tags),
        "corpus": hashlib.sha256(corpus.tokens.tobytes() + corpus.begin.tobytes()).hexdigest(),
        "relaxation": relaxation,
        "smoothing": smoothing,
        "constraint": rules,
        "seed": seed,
    }


def _induced(corpus: Corpus, search: Search, smoothing: float, method: str) -> Induced:
    answer, last = search.incumbent, search.stage()
    if answer is None:
        is_empty = search.is_done and search.bound == -math.inf
        status = Status.INFEASIBLE if is_empty else Status.UNKNOWN
    else:
        status = Status.OPTIMAL if search.bound <= search.enough else Status.FEASIBLE
    return induced(
        corpus,
        np.zeros(0, np.int32) if answer is None else answer.heads,
        smoothing,
        status,
        bound=search.bound,
        nodes=search.nodes,
        seconds=search.seconds,
        method=method,
        trace=[Moment(m.seconds, m.objective, m.bound) for m in [*search.trace, last]],
        open_nodes=last.open_nodes,
    )
