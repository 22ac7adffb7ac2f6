"""The result of grammar induction."""

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
    """The state of a search at a point in time."""

    seconds: float
    objective: float
    """Objective of the incumbent."""
    bound: float
    """Upper bound on every answer."""


@dataclass(frozen=True, eq=False)
class Induced(Certified):
    """A grammar, the trees it was estimated from, and the certificate.

    Attributes
    ----------
    certificate
        ``OPTIMAL`` if the relative gap is proved to be at most the requested one, ``FEASIBLE``
        otherwise; ``INFEASIBLE`` or ``UNKNOWN`` if there is no answer. The objective is the
        log-likelihood of the trees under their maximum-likelihood parameters, computed from
        smoothed counts if there is smoothing. For EM, it is the log-likelihood of the sentences.
        The bound is infinite if the method has none. Iterations are the boxes that were bounded, or
        steps of local search.
    grammar
        Relative frequencies of the trees, with the requested smoothing; None without an answer.
    heads
        The trees, concatenated: positions in the sentence from 1, 0 for the root.
    counts
        Their features.
    method
        The method that found it.
    trace
        Objective and bound over time.
    open_nodes
        Number of boxes that are still open.
    """

    certificate: Certificate
    grammar: Grammar | None
    heads: npt.NDArray[np.int32]
    counts: Counts | None
    method: str
    trace: Sequence[Moment] = field(default=(), repr=False)
    open_nodes: int = 0

    def accuracy(self, corpus: Corpus) -> float | None:
        """Return the share of tokens with the right head; None if the corpus has no gold heads.

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
    """Make a result from trees: count features, score them, and estimate the grammar."""
    counts = corpus.count(heads) if len(heads) else None
    grammar = None if counts is None else Grammar.estimate(counts, corpus.tags, smoothing)
    objective = -math.inf if counts is None else counts.log_likelihood(smoothing)
    bound = max(bound, objective)  # they may differ by rounding errors
    certificate = Certificate(status, objective, bound, iterations, seconds)
    return Induced(certificate, grammar, heads, counts, method, trace, open_nodes)


def unsearched(
    corpus: Corpus, smoothing: float, method: str, seconds: float, *, is_free: bool
) -> Induced:
    """Make a result where the time did not suffice for any tree but the simplest.

    Parameters
    ----------
    corpus, smoothing, method, seconds
        As in `induced`.
    is_free
        Whether the trees need not satisfy a constraint. Every word then has the word before it as
        its head; otherwise there is no answer.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["V"]])
    >>> found = unsearched(corpus, 0.0, "em", 1.0, is_free=True)
    >>> found.heads.tolist(), found.status.value
    ([0, 1, 0], 'FEASIBLE')
    """
    first = np.repeat(corpus.begin[:-1], np.diff(corpus.begin))
    chain = (np.arange(len(corpus.tokens)) - first).astype(np.int32)
    heads = chain if is_free else np.zeros(0, np.int32)
    status = Status.FEASIBLE if is_free else Status.UNKNOWN
    return induced(
        corpus, heads, smoothing, status, bound=0.0, iterations=0, seconds=seconds, method=method
    )
