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
from treaty.solve import Status

__all__ = ["Induced", "Moment"]


class Moment(NamedTuple):
    """Where a search stood."""

    seconds: float
    objective: float
    """Of the best answer so far."""
    bound: float
    """Above every answer there is."""


@dataclass(frozen=True, eq=False)
class Induced:
    """A grammar, the trees it was read from, and what they are worth.

    Attributes
    ----------
    status
        ``OPTIMAL`` when the gap is proved to be at most what was asked for, ``FEASIBLE`` else;
        ``INFEASIBLE`` or ``UNKNOWN`` when there is no answer.
    grammar
        Relative frequencies of the trees, smoothed as asked for; None without an answer.
    heads
        The trees, flat: places in the sentence from 1, 0 for the root.
    counts
        Their features.
    objective
        The log-likelihood of the trees under the best parameters for them; with smoothing, that of
        the counts with what was added to them. Of EM, the log-likelihood of the sentences.
    bound
        No trees have a higher objective; infinite if the method has no bound.
    nodes
        Boxes that were bounded, or steps of a local search.
    seconds
        Wall time spent.
    method
        What found it.
    trace
        How objective and bound went over time.
    """

    status: Status
    grammar: Grammar | None
    heads: npt.NDArray[np.int32]
    counts: Counts | None
    objective: float
    bound: float
    nodes: int
    seconds: float
    method: str
    trace: Sequence[Moment] = field(default=(), repr=False)
    open_nodes: int = 0

    @property
    def gap(self) -> float:
        """The gap relative to the objective: (bound - objective) / abs(objective)."""
        return relative_gap(self.objective, self.bound)

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
    nodes: int,
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
    return Induced(
        status, grammar, heads, counts, objective, bound, nodes, seconds, method, trace, open_nodes
    )


def relative_gap(objective: float, bound: float) -> float:
    """Tell how far apart objective and bound are, as a share of the objective."""
    if not math.isfinite(objective) or not math.isfinite(bound):
        return math.inf
    return max(0.0, bound - objective) / max(abs(objective), 1e-12) if bound > objective else 0.0
