"""What every way to induce a grammar returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts
from treaty.induce._grammar import Grammar
from treaty.solve import Certificate, Certified, Status

__all__ = ["Induced", "Moment"]


class Moment(NamedTuple):
    """Where a search stood."""

    seconds: float
    objective: float
    """Of the best answer so far."""
    bound: float
    """Above every answer there is."""


@dataclass(frozen=True, eq=False)
class Induced(Certified):
    """A grammar, the trees it was read from, and what they are worth.

    Attributes
    ----------
    certificate
        ``OPTIMAL`` when the relative gap is proved to be at most what was asked for, ``FEASIBLE``
        otherwise; ``INFEASIBLE`` or ``UNKNOWN`` when there is no answer. The objective is the
        log-likelihood of the trees under the best parameters for them; with smoothing, that of the
        counts with what was added to them. Of EM, it is the log-likelihood of the sentences. The
        bound is infinite if the method has none. Iterations are boxes that were bounded, or steps
        of a local search.
    grammar
        Relative frequencies of the trees, smoothed as asked for; None without an answer.
    heads
        The trees, flat: places in the sentence from 1, 0 for the root.
    counts
        Their features.
    method
        What found it.
    trace
        How objective and bound went over time.
    open_nodes
        Boxes that are still to be bounded.
    """

    certificate: Certificate
    grammar: Grammar | None
    heads: npt.NDArray[np.int32]
    counts: Counts | None
    method: str
    trace: Sequence[Moment] = field(default=(), repr=False)
    open_nodes: int = 0

    def accuracy(self, corpus: Corpus) -> float | None:
        """Tell the share of tokens with the right head, where the corpus knows them.

        Examples
        --------
        >>> from treaty.induce import viterbi_em
        >>> corpus = Corpus.from_tags([["N", "V"]], [[2, 0]])
        >>> viterbi_em(corpus, seed=1).accuracy(corpus) in (0.0, 1.0)
        True
        """
        if corpus.heads is None or not len(self.heads):
            return None
        return float((self.heads == corpus.heads).mean())


def induced(
    corpus: Corpus,
    heads: npt.NDArray[np.int32],
    smoothing: float,
    status: Status,
    *,
    bound: float = math.inf,
    iterations: int,
    seconds: float,
    method: str,
    trace: Sequence[Moment] = (),
    open_nodes: int = 0,
) -> Induced:
    """Make the result of trees: count them anew, score them and read the grammar off."""
    counts = corpus.count(heads) if len(heads) else None
    grammar = None if counts is None else Grammar.estimate(counts, corpus.tags, smoothing)
    objective = -math.inf if counts is None else counts.log_likelihood(smoothing)
    bound = max(bound, objective)  # they may differ by rounding where they meet
    certificate = Certificate(status, objective, bound, iterations, seconds)
    return Induced(certificate, grammar, heads, counts, method, trace, open_nodes)
