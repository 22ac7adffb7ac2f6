"""Local search: Viterbi EM with restarts, and classical EM by inside-outside."""

from __future__ import annotations

import math
import time
from typing import Literal

import numpy as np

from treaty._native import induce as native
from treaty._threads import Clock, check_stopped
from treaty.errors import LimitError, UsageError
from treaty.induce._constraints import EdgeConstraint, native_form
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced, Moment, induced, unsearched
from treaty.induce._viterbi import check_fit, expected_counts, viterbi
from treaty.progress import OnProgress, Progress
from treaty.solve import Certificate, Status

__all__ = ["Start", "em", "harmonic_grammar", "viterbi_em"]

Start = Literal["uniform", "harmonic", "random"]
STARTS = ("uniform", "harmonic", "random")
TIES, RANDOM, DISTURBED = range(3)
WAYS = {"uniform": TIES, "random": RANDOM}
"""Kinds of starts, by their native number."""
AT_A_TIME = 16
"""Number of restarts between checks of the time."""


def viterbi_em(
    corpus: Corpus,
    *,
    start: Start | Grammar = "uniform",
    restarts: int | None = 10,
    smoothing: float = 0.0,
    steps: int = 100,
    constraint: EdgeConstraint | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: OnProgress | None = None,
) -> Induced:
    """Maximize from many starts: the best trees for the grammar, the best grammar for the trees.

    Parameters
    ----------
    corpus
        The sentences. Identical ones get identical trees.
    start
        ``"uniform"``: all choices equally likely, with random tie-breaking between trees
        (Spitkovsky et al. 2010). ``"random"``: random distributions. ``"harmonic"``: nearby words
        are more likely heads (Klein & Manning 2004). Or a grammar. The latter two are perturbed
        from the second restart on.
    restarts
        Number of starts; None for as many as the time allows.
    smoothing
        Added to every count when the grammar is estimated, and in the objective.
    steps
        Maximum number of steps per start.
    constraint
        A constraint on the trees. It is satisfied by a price on such arcs: the trees are optimal
        for that price.
    time_limit
        Limit in seconds. A start that is not done by then is left out; if it is the first, every
        word has the word before it as its head.
    seed
        Seed of all random choices.
    threads
        Number of threads; the result does not depend on it.
    progress
        Called with `treaty.Progress` events every few restarts.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> round(viterbi_em(corpus, seed=1).objective, 3)
    -3.819
    """
    initial = _initial(corpus, start)
    if smoothing < 0 or steps < 1 or (restarts is not None and restarts < 1):
        raise UsageError("smoothing must not be negative, steps and restarts at least 1")
    if restarts is None and time_limit is None:
        raise UsageError("give a number of restarts, or a time limit")
    started, done, taken = time.perf_counter(), 0, 0
    best, best_heads = -math.inf, np.zeros(0, np.int32)
    trace: list[Moment] = []
    others, most = native_form(constraint, corpus)
    starts = WAYS.get(start, DISTURBED) if isinstance(start, str) else DISTURBED
    clock = Clock(time_limit)
    at_once = AT_A_TIME if time_limit is None else max(1, min(AT_A_TIME, threads))
    while done != restarts:
        some = at_once if restarts is None else min(at_once, restarts - done)
        try:
            with clock:
                objectives, heads, made = native.restarts(
                    corpus.compiled_distinct, initial.flat, starts, smoothing, others, most,
                    steps, done, some, seed, threads,
                )  # fmt: skip
        except LimitError:
            break
        done, taken = done + some, taken + int(made.sum())
        seconds = time.perf_counter() - started
        if objectives.max() > best:
            best, best_heads = float(objectives.max()), corpus.spread(heads)
            trace.append(Moment(seconds, best, math.inf))
        if progress is not None:
            scores = {"objective": best}
            progress(Progress("viterbi-em", done, restarts, scores, seconds=seconds))
        if clock.left == 0.0:
            break
    if not done:
        seconds = time.perf_counter() - started
        return unsearched(corpus, smoothing, "viterbi-em", seconds, is_free=constraint is None)
    return induced(
        corpus, best_heads, smoothing, Status.FEASIBLE if trace else Status.UNKNOWN,
        iterations=taken, seconds=time.perf_counter() - started, method="viterbi-em", trace=trace,
    )  # fmt: skip


def em(
    corpus: Corpus,
    *,
    start: Start | Grammar = "harmonic",
    smoothing: float = 0.0,
    steps: int = 100,
    tolerance: float = 1e-6,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Induced:
    """Maximize the likelihood of the sentences, summed over all trees, by inside-outside.

    Parameters
    ----------
    corpus
        The sentences.
    start
        As in `viterbi_em`. A uniform start is slightly perturbed, since it is a saddle point.
    smoothing
        Added to the expected counts.
    steps, tolerance
        Maximum number of steps, and the relative increase of the log-likelihood below which to
        stop.
    time_limit
        Limit in seconds; `LimitError` is raised if it is reached in the first step.
    seed
        Seed of the start.
    threads
        Number of threads; the result does not depend on it.

    Returns
    -------
    Induced
        With the log-likelihood of the sentences as `objective`, and the best trees.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> found = em(corpus, steps=20)
    >>> found.trace[0].objective < found.objective
    True
    """
    started, clock = time.perf_counter(), Clock(time_limit)
    with clock:
        grammar = _initial(corpus, start)
    if start in ("uniform", "random"):
        drawn = np.exp(Grammar.random(corpus.tags, seed).flat)
        share = 1.0 if start == "random" else 0.01
        mixed = share * drawn + (1 - share) * np.exp(grammar.flat)
        grammar = Grammar.estimate(Counts.from_flat(mixed), corpus.tags)
    trace: list[Moment] = []
    spent = 0.0
    for left in reversed(range(steps)):
        before = time.perf_counter()
        try:
            with clock:
                counts, likelihood = expected_counts(corpus, grammar, threads=threads)
        except LimitError:
            if not trace:
                raise
            break
        spent = time.perf_counter() - before
        rise = likelihood - trace[-1].objective if trace else math.inf
        trace.append(Moment(time.perf_counter() - started, likelihood, math.inf))
        late = clock.left is not None and clock.left < 2.0 * spent  # a step, and the trees
        if rise <= tolerance * abs(likelihood) or late or not left:
            break
        grammar = Grammar.estimate(counts, corpus.tags, smoothing)
    with clock:
        parses = viterbi(corpus, grammar, threads=threads)
    seconds = time.perf_counter() - started
    worth = Certificate(Status.FEASIBLE, trace[-1].objective, math.inf, len(trace), seconds)
    return Induced(worth, grammar, parses.heads, parses.counts, "em", trace)


def harmonic_grammar(corpus: Corpus) -> Grammar:
    """Estimate a grammar from arcs whose probability decreases with distance.

    The harmonic initializer of Klein & Manning (2004): every word is equally likely to be the root,
    and has each head with a probability inversely proportional to the distance.

    Examples
    --------
    >>> harmonic_grammar(Corpus.from_tags([["N", "V"]])).tags
    ('N', 'V')
    """
    n = len(corpus.tags)
    root, child, decision = np.zeros(n), np.zeros((n, 2, n)), np.zeros((n, 2, 2, 2))
    for sentence in corpus:
        check_stopped()
        places = np.arange(len(sentence))
        distance = np.abs(places[:, None] - places)
        nearness = np.where(distance > 0, 1.0 / np.maximum(distance, 1), 0.0)
        sums = np.maximum(nearness.sum(axis=0), 1e-300)
        arcs = nearness / sums * (1.0 - 1.0 / len(sentence))  # [head, child]
        has = np.eye(n)[sentence]  # [token, tag]
        root += has.mean(axis=0)
        for direction, side in enumerate((np.tril(arcs, -1), np.triu(arcs, 1))):
            child[:, direction] += has.T @ side @ has
            some = 1.0 - np.prod(1.0 - side, axis=1)  # as if children were independent
            more = side.sum(axis=1) - some
            shares = np.stack([1.0 - some, some, some, more], axis=1)
            decision[:, direction] += (has.T @ shares).reshape(n, 2, 2)
    return Grammar.estimate(Counts(root, child, decision), corpus.tags, 1e-3)


def _initial(corpus: Corpus, start: Start | Grammar) -> Grammar:
    if isinstance(start, Grammar):
        check_fit(corpus, start)
        return start
    if start not in STARTS:
        raise UsageError(
            f"unknown start {start!r}; expected one of {', '.join(STARTS)}, or a grammar"
        )
    return harmonic_grammar(corpus) if start == "harmonic" else Grammar.uniform(corpus.tags)
