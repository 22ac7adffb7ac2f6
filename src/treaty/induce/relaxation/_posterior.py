"""Posterior constraints in the E-step: a relaxed parser, projection, rejection (section 7).

Two ways to parse a corpus so that enough of its arcs are of given kinds. The paper's solves all
sentences as one linear program with a slightly tighter constraint, rounds the parses, and rejects
them if they break the true one. The other puts a price on such arcs and looks for the lowest price
at which the best trees have enough of them: much faster, and never rejected while it can be met.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts, Features
from treaty.induce._viterbi import Parses, viterbi
from treaty.induce.relaxation._layout import Doubles
from treaty.induce.relaxation._program import Program, build_program
from treaty.induce.relaxation._sentence import sentence_rows
from treaty.solve._highs import End, run
from treaty.solve._relaxation import Relaxation

__all__ = ["RelaxedParser", "best_trees", "meets", "priced_viterbi"]

TIGHTER = 0.05  # added to the share that the relaxed parser is asked for: 80% where 75% are needed
HIGHEST_PRICE = 1e6  # more than any difference of log-probabilities that can matter
HALVINGS = 30


def meets(constraint: EdgeConstraint | None, corpus: Corpus, counts: Counts) -> bool:
    """Whether counts have enough arcs of the kinds asked for."""
    if constraint is None:
        return True
    return bool(counts.flat @ constraint.kinds(corpus.tags).flat >= constraint.least(corpus) - 1e-9)


def priced_viterbi(corpus: Corpus, weights: Features, constraint: EdgeConstraint) -> Parses | None:
    """Find the best trees at the lowest price that meets the constraint; None if none does."""
    kinds = constraint.kinds(corpus.tags).flat

    def at(price: float) -> Parses | None:
        flat = weights.flat + price * kinds
        parses = viterbi(corpus, Features.from_flat(flat))
        return parses if meets(constraint, corpus, parses.counts) else None

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
    made = best.counts.flat > 0
    return replace(best, score=float(best.counts.flat[made] @ weights.flat[made]))


class RelaxedParser:
    """The paper's E-step under a posterior constraint.

    Parameters
    ----------
    corpus
        The sentences.
    constraint
        What the parses must meet; the linear program is asked for a little more.

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

    def parse(self, weights: Features) -> Parses | None:
        """Solve the relaxation and round it; None if what comes out breaks the constraint."""
        least = min(self._constraint.share + TIGHTER, 1.0) * len(self._corpus.tokens)
        outcome = run(self._relaxation(weights, least))
        if outcome.end is not End.OPTIMAL or outcome.point is None:
            return None
        heads = self._corpus.spread(best_trees(self._program, outcome.point))
        counts = self._corpus.count(heads)
        if not meets(self._constraint, self._corpus, counts):
            return None
        made = counts.flat > 0
        return Parses(heads, counts, float(counts.flat[made] @ weights.flat[made]))

    def _relaxation(self, weights: Features, least: float) -> Relaxation:
        """Maximize the weights of the counts; the program's parameters are held at the floor."""
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


def best_trees(program: Program, x: Doubles) -> npt.NDArray[np.int32]:
    """Find the trees of a program's sentences with the highest sums of relaxed arcs (section 5)."""
    trees = []
    for number, sentence in enumerate(program.sentences):
        rows = sentence_rows(len(sentence))
        scores = np.full((len(sentence) + 1, len(sentence) + 1), -np.inf)
        scores[rows.head, rows.child] = x[program.arc_columns(number)]
        heads, _ = native.projective_tree(scores, True)
        trees.append(heads[1:])
    return np.concatenate(trees).astype(np.int32)
