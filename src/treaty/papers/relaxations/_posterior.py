"""Viterbi EM under posterior constraints: a relaxed parser, projection, rejection (section 7).

There are two ways to parse a corpus so that enough of its arcs are of given kinds. The paper solves
all sentences as one linear program with a slightly tighter constraint, rounds the parses, and
rejects them if they violate the true one. The other puts a price on such arcs and finds the lowest
price at which the best trees have enough of them: much faster, and never rejected if feasible.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np

from treaty._native import parse as native
from treaty._threads import checked
from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._features import Features, Floats, Heads
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced, Moment, induced
from treaty.induce._viterbi import Parses, viterbi
from treaty.papers.relaxations._program import Program, build_program
from treaty.papers.relaxations._sentence import sentence_rows
from treaty.solve import Status
from treaty.solve._highs import (
    SOLVERS,
    End,
    Outcome,
    objective_scale,
    obvious_outcome,
    open_highs,
    run_loaded,
)
from treaty.solve._relaxation import Relaxation

__all__ = ["RelaxedParser", "best_trees", "priced_viterbi", "relaxed_viterbi_em"]

TIGHTER = 0.05  # added to the share in the relaxed parser: 80% if 75% are required
HIGHEST_PRICE = 1e6  # larger than any relevant difference of log-probabilities
HALVINGS = 30
_, PRIMAL = SOLVERS["primal"]
TIE_BREAK = 1e-3  # largest random perturbation of the weights of a uniform grammar


def priced_viterbi(corpus: Corpus, weights: Features, constraint: EdgeConstraint) -> Parses | None:
    """Find the best trees at the lowest price that satisfies the constraint; None if none does."""
    kinds = constraint.kinds(corpus.tags).flat

    def at(price: float) -> Parses | None:
        flat = weights.flat + price * kinds
        parses = viterbi(corpus, Features.from_flat(flat))
        return parses if constraint.allows(parses.counts, corpus) else None

    best = at(0.0)
    if best is not None:
        return best
    low, high = 0.0, 1.0
    while (best := at(high)) is None:
        low, high = high, 10.0 * high
        if high > HIGHEST_PRICE:
            return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        found = at(middle)
        if found is None:
            low = middle
        else:
            best, high = found, middle
    return replace(best, score=weights.score(best.counts))


class RelaxedParser:
    """The E-step of the paper under a posterior constraint.

    The programs of all steps differ only in their objective, so that each is solved by the primal
    simplex from the optimum of the one before.

    Parameters
    ----------
    corpus
        The sentences.
    constraint
        The constraint on the parses; the linear program has a slightly tighter one.

    Examples
    --------
    >>> from treaty.induce import EdgeConstraint, Grammar
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"]])
    >>> parser = RelaxedParser(corpus, EdgeConstraint([("ROOT", "V"), ("V", "N")]))
    >>> parser.parse(Grammar.uniform(corpus.tags)).heads.tolist()
    [2, 0, 2, 0, 2]
    """

    def __init__(self, corpus: Corpus, constraint: EdgeConstraint) -> None:
        self._corpus, self._constraint = corpus, constraint
        self._program = build_program(
            len(corpus.tags),
            corpus.distinct,
            corpus.counts,
            kinds=constraint.kinds(corpus.tags).flat,
            least=constraint.least(corpus),
        )
        self._highs: Any = None
        self._first: Any = None

    def rewind(self) -> None:
        """Go on from the optimum for a uniform grammar, whatever was parsed before.

        Of several optima the simplex finds one that depends on where it starts.
        """
        if self._first is None:
            self.parse(Grammar.uniform(self._corpus.tags))
            self._first = self._highs and self._highs.getBasis()
        if self._highs is not None:
            self._highs.setBasis(self._first)

    def parse(self, weights: Features) -> Parses | None:
        """Solve the relaxation and round it; return None if the result violates the constraint."""
        least = min(self._constraint.share + TIGHTER, 1.0) * len(self._corpus.tokens)
        outcome = self._solve(self._relaxation(weights, least))
        if outcome.end is not End.OPTIMAL or outcome.point is None:
            return None
        heads = self._corpus.spread(best_trees(self._program, outcome.point))
        counts = self._corpus.count(heads)
        if not self._constraint.allows(counts, self._corpus):
            return None
        return Parses(heads, counts, weights.score(counts))

    def _solve(self, relaxation: Relaxation) -> Outcome:
        found = obvious_outcome(relaxation)
        if found is not None:
            return found
        if self._highs is None:
            self._highs = open_highs(relaxation)
        else:
            every = np.arange(len(relaxation.cost), dtype=np.int32)
            cost = -objective_scale(relaxation) * relaxation.cost
            self._highs.changeColsCost(len(every), every, cost)
            self._highs.changeColsBounds(len(every), every, relaxation.lower, relaxation.upper)
            self._highs.setOptionValue("simplex_strategy", PRIMAL)
        return run_loaded(self._highs, relaxation)

    def _relaxation(self, weights: Features, least: float) -> Relaxation:
        """Maximize the weights of the counts; the program's parameters are fixed at the floor."""
        program = self._program
        k = program.parameters
        own = weights.flat[program.live]
        if np.any(own == np.inf) or np.any(np.isnan(own)):
            raise UsageError("weights must be numbers or -inf")
        cost, upper = np.zeros(program.columns), program.upper.copy()
        cost[k : 2 * k] = np.where(np.isneginf(own), 0.0, own)
        upper[:k] = program.lower[:k]
        upper[k : 2 * k][np.isneginf(own)] = 0.0
        equal, at_most = program.equal_right, program.at_most_right.copy()
        at_most[-1] = -least  # the constraint is the program's last row
        rows = program.rows
        return Relaxation(
            variables=program.columns,
            cost=cost,
            offset=0.0,
            lower=program.lower,
            upper=upper,
            row_lower=np.concatenate([equal, np.full(len(at_most), -np.inf)]),
            row_upper=np.concatenate([equal, at_most]),
            begin=rows.begin,
            column=rows.column,
            coefficient=rows.value,
            priced={},
            seconds=0.0,
        )


def best_trees(program: Program, x: Floats) -> Heads:
    """Find the trees of a program's sentences that maximize the sum of relaxed arcs (section 5)."""
    trees = []
    for number, sentence in enumerate(checked(program.sentences)):
        rows = sentence_rows(len(sentence))
        scores = np.full((len(sentence) + 1, len(sentence) + 1), -np.inf)
        scores[rows.head, rows.child] = x[program.arc_columns(number)]
        heads, _ = native.projective_tree(scores, True)
        trees.append(heads[1:])
    return np.concatenate(trees).astype(np.int32)


def relaxed_viterbi_em(
    corpus: Corpus,
    constraint: EdgeConstraint,
    *,
    restarts: int = 1,
    steps: int = 20,
    smoothing: float = 1.0,
    time_limit: float | None = None,
    seed: int = 0,
    parser: RelaxedParser | None = None,
) -> Induced:
    """Run Viterbi EM under a posterior constraint as in the paper: relax, project, reject.

    `treaty.induce.viterbi_em` satisfies the constraint by a price on arcs instead, which is
    some hundred times as fast; this is for comparison.

    Parameters
    ----------
    corpus, constraint
        The sentences, and the constraint on their trees.
    restarts
        Number of starts, each from trees of uniform weights with random tie-breaking. These first
        trees are found by a price: relaxed ones would be so fractional that hardly any corpus has
        enough of the arcs after rounding.
    steps
        Maximum number of steps per start.
    smoothing
        Added to every count in the M-step; the paper adds one.
    time_limit
        Limit in seconds, after which no step is started.
    seed
        Seed of the starts.
    parser
        A parser for this corpus and constraint, to save the time of making one.

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
    parser = parser or RelaxedParser(corpus, constraint)
    random = np.random.default_rng(seed)
    best, best_value = None, -math.inf
    trace: list[Moment] = []
    taken = 0
    for _ in range(restarts):
        parser.rewind()
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
        iterations=taken,
        seconds=time.perf_counter() - clock,
        method="relaxed-viterbi-em",
        trace=trace,
    )
