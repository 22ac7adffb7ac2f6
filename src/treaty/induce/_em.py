"""Local search: Viterbi EM with restarts, and classical EM by inside-outside."""

from __future__ import annotations

import math
import time
from typing import Literal

import numpy as np

from treaty._native import induce as native
from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint, native_form
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced, Moment, induced
from treaty.induce._viterbi import check_fit, expected_counts, viterbi
from treaty.progress import OnProgress, Progress
from treaty.solve import Certificate, Status

__all__ = ["Start", "em", "harmonic_grammar", "viterbi_em"]

Start = Literal["uniform", "harmonic", "random"]
STARTS = ("uniform", "harmonic", "random")
TIES, RANDOM, DISTURBED = range(3)
WAYS = {"uniform": TIES, "random": RANDOM}
"""How restarts differ, as the compiled core numbers it."""
AT_A_TIME = 16
"""Restarts between two looks at the clock."""


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
    """Climb from many starts: the best trees for the grammar, the best grammar for the trees.

    Parameters
    ----------
    corpus
        The sentences. Equal ones get equal trees.
    start
        ``"uniform"``: all choices equally likely, ties between trees broken at random (Spitkovsky
        et al. 2010). ``"random"``: random distributions. ``"harmonic"``: near words are likelier
        heads (Klein & Manning 2004). Or a grammar. The latter are disturbed from the second restart
        on.
    restarts
        How many starts; None for as many as the time allows.
    smoothing
        Added to every count when the grammar is estimated, and in the objective.
    steps
        How many at most from one start.
    constraint
        What the trees must meet. Every set of trees is the best for its price of such arcs.
    time_limit
        In seconds, looked at after every few starts.
    seed
        Of all random choices.
    threads
        How many to use; the result is the same for any number.
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
        raise UsageError("give a number of restarts or a time limit")
    clock, done, taken = time.perf_counter(), 0, 0
    best, best_heads = -math.inf, np.zeros(0, np.int32)
    trace: list[Moment] = []
    others, most = native_form(constraint, corpus)
    starts = WAYS.get(start, DISTURBED) if isinstance(start, str) else DISTURBED
    while done != restarts:
        some = AT_A_TIME if restarts is None else min(AT_A_TIME, restarts - done)
        objectives, heads, made = native.restarts(
            corpus.compiled_distinct, initial.flat, starts, smoothing, others, most,
            steps, done, some, seed, threads,
        )  # fmt: skip
        done, taken = done + some, taken + int(made.sum())
        seconds = time.perf_counter() - clock
        if objectives.max() > best:
            best, best_heads = float(objectives.max()), corpus.spread(heads)
            trace.append(Moment(seconds, best, math.inf))
        if progress is not None:
            scores = {"objective": best}
            progress(Progress("viterbi-em", done, restarts, scores, seconds=seconds))
        if time_limit is not None and seconds > time_limit:
            break
    return induced(
        corpus, best_heads, smoothing, Status.FEASIBLE if trace else Status.UNKNOWN,
        iterations=taken, seconds=time.perf_counter() - clock, method="viterbi-em", trace=trace,
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
    """Climb the likelihood of the sentences, summed over all trees, by inside-outside.

    Parameters
    ----------
    corpus
        The sentences.
    start
        As in `viterbi_em`. A uniform start is disturbed a little: it is a saddle point.
    smoothing
        Added to the expected counts.
    steps, tolerance
        How many steps at most, and the relative rise of the log-likelihood below which to stop.
    time_limit
        In seconds.
    seed
        Of the random choices of a start.
    threads
        How many to use; the result is the same for any number.

    Returns
    -------
    Induced
        With the log-likelihood of the sentences for `objective`, and the best trees.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> found = em(corpus, steps=20)
    >>> found.trace[0].objective < found.objective
    True
    """
    clock = time.perf_counter()
    grammar = _initial(corpus, start)
    if start in ("uniform", "random"):
        drawn = np.exp(Grammar.random(corpus.tags, seed).flat)
        share = 1.0 if start == "random" else 0.01
        mixed = share * drawn + (1 - share) * np.exp(grammar.flat)
        grammar = Grammar.estimate(Counts.from_flat(mixed), corpus.tags)
    trace: list[Moment] = []
    for left in reversed(range(steps)):
        counts, likelihood = expected_counts(corpus, grammar, threads=threads)
        seconds = time.perf_counter() - clock
        rise = likelihood - trace[-1].objective if trace else math.inf
        trace.append(Moment(seconds, likelihood, math.inf))
        late = time_limit is not None and seconds > time_limit
        if rise <= tolerance * abs(likelihood) or late or not left:
            break
        grammar = Grammar.estimate(counts, corpus.tags, smoothing)
    parses = viterbi(corpus, grammar, threads=threads)
    seconds = time.perf_counter() - clock
    worth = Certificate(Status.FEASIBLE, trace[-1].objective, math.inf, len(trace), seconds)
    return Induced(worth, grammar, parses.heads, parses.counts, "em", trace)


def harmonic_grammar(corpus: Corpus) -> Grammar:
    """Estimate a grammar from arcs that are likelier the nearer the words are.

    The harmonic initializer of Klein & Manning (2004): every word is as likely to be the root, and
    takes its head with a probability inversely proportional to its distance.

    Examples
    --------
    >>> harmonic_grammar(Corpus.from_tags([["N", "V"]])).tags
    ('N', 'V')
    """
    n = len(corpus.tags)
    root, child, decision = np.zeros(n), np.zeros((n, 2, n)), np.zeros((n, 2, 2, 2))
    for sentence in corpus:
        places = np.arange(len(sentence))
        distance = np.abs(places[:, None] - places)
        nearness = np.where(distance > 0, 1.0 / np.maximum(distance, 1), 0.0)
        sums = np.maximum(nearness.sum(axis=0), 1e-300)
        arcs = nearness / sums * (1.0 - 1.0 / len(sentence))  # [head, child]
        has = np.eye(n)[sentence]  # [token, tag]
        root += has.mean(axis=0)
        for direction, side in enumerate((np.tril(arcs, -1), np.triu(arcs, 1))):
            child[:, direction] += has.T @ side @ has
            some = 1.0 - np.prod(1.0 - side, axis=1)  # as if children came independently
            more = side.sum(axis=1) - some
            shares = np.stack([1.0 - some, some, some, more], axis=1)
            decision[:, direction] += (has.T @ shares).reshape(n, 2, 2)
    return Grammar.estimate(Counts(root, child, decision), corpus.tags, 1e-3)


def _initial(corpus: Corpus, start: Start | Grammar) -> Grammar:
    if isinstance(start, Grammar):
        check_fit(corpus, start)
        return start
    if start not in STARTS:
        raise UsageError(f"no start {start!r}; expected one of {', '.join(STARTS)} or a grammar")
    return harmonic_grammar(corpus) if start == "harmonic" else Grammar.uniform(corpus.tags)
