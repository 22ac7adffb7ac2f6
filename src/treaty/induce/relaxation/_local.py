"""Viterbi EM whose E-step is the paper's relaxed parser (section 7)."""

from __future__ import annotations

import math
import time

import numpy as np

from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._features import Features
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced, Moment, induced
from treaty.induce.relaxation._posterior import RelaxedParser, priced_viterbi
from treaty.solve import Status

__all__ = ["relaxed_viterbi_em"]

TIE_BREAK = 1e-3  # what is added at most to the weights of a uniform grammar


def relaxed_viterbi_em(
    corpus: Corpus,
    constraint: EdgeConstraint,
    *,
    restarts: int = 1,
    steps: int = 20,
    smoothing: float = 1.0,
    time_limit: float | None = None,
    seed: int = 0,
) -> Induced:
    """Climb under a posterior constraint as the paper does: relax, project, reject.

    `treaty.induce.viterbi_em` meets the constraint by a price on arcs instead, which is a thousand
    times as fast; this is for comparison.

    Parameters
    ----------
    corpus, constraint
        The sentences, and what their trees must meet.
    restarts
        How many starts, each from trees of uniform weights with ties broken at random. These first
        trees are found at a price: the relaxed ones would be so fractional that hardly any corpus
        keeps enough of its arcs when they are rounded.
    steps
        How many at most from one start.
    smoothing
        Added to every count in the M-step; the paper adds one.
    time_limit
        Seconds after which no further step is begun.
    seed
        Of the starts.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"]])
    >>> found = relaxed_viterbi_em(corpus, EdgeConstraint([("ROOT", "V"), ("V", "N")]))
    >>> found.heads.tolist()
    [2, 0, 2, 0, 2]
    """
    if restarts < 1 or steps < 1:
        raise UsageError("restarts and steps must be at least 1")
    clock = time.perf_counter()
    parser = RelaxedParser(corpus, constraint)
    random = np.random.default_rng(seed)
    best, best_value = None, -math.inf
    trace: list[Moment] = []
    taken = 0
    for _ in range(restarts):
        uniform = Grammar.uniform(corpus.tags).flat
        weights = Features.from_flat(uniform - TIE_BREAK * random.random(len(uniform)))
        parses, last = priced_viterbi(corpus, weights, constraint), -math.inf
        for _ in range(steps):
            value = -math.inf if parses is None else parses.counts.log_likelihood()
            is_late = time_limit is not None and time.perf_counter() - clock > time_limit
            if parses is None or value <= last or is_late:
                break
            last = value
            if value > best_value:
                best, best_value = parses, value
                trace.append(Moment(time.perf_counter() - clock, value, math.inf))
            taken += 1
            parses = parser.parse(Grammar.estimate(parses.counts, corpus.tags, smoothing))
    return induced(
        corpus,
        np.zeros(0, np.int32) if best is None else best.heads,
        0.0,
        Status.UNKNOWN if best is None else Status.FEASIBLE,
        nodes=taken,
        seconds=time.perf_counter() - clock,
        method="relaxed-viterbi-em",
        trace=trace,
    )
