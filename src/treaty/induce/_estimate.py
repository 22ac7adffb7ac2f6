"""How large a search tree would be, from random descents (Knuth 1975; Lobjois & Lemaître 1998)."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from treaty.errors import UsageError
from treaty.induce._branch_and_bound import start_search
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._search import Settings

__all__ = ["TreeEstimate", "estimate_tree"]


@dataclass(frozen=True)
class TreeEstimate:
    """Estimates of the tree that branch and bound would have to search.

    They have no bias and a high variance, and are good for comparisons: each estimate's standard
    deviation over the samples is given beside it.
    """

    samples: int
    nodes: float
    nodes_deviation: float
    seconds: float
    seconds_deviation: float
    seconds_per_node: float
    """Over the nodes that were bounded."""
    bounded: int
    """How many nodes were bounded; descents may share the upper part of the tree."""


def estimate_tree(
    corpus: Corpus,
    *,
    relaxation: str = "chords",
    relative_gap: float = 0.01,
    smoothing: float = 0.0,
    constraint: EdgeConstraint | None = None,
    restarts: int = 100,
    samples: int = 1000,
    time_limit: float | None = None,
    seed: int = 0,
) -> TreeEstimate:
    """Estimate how many nodes a search would take, by random ways down its tree.

    Parameters
    ----------
    corpus, relaxation, relative_gap, smoothing, constraint, restarts
        Those of the search, see `branch_and_bound`. Its answer is taken as fixed after the
        restarts, as is then the tree.
    samples
        How many descents to make.
    time_limit
        Seconds after which no descent is begun.
    seed
        Of the search and of the descents.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["N", "V", "N"], ["V", "N"]])
    >>> estimate = estimate_tree(corpus, samples=10)
    >>> estimate.samples, estimate.nodes >= 1.0
    (10, True)
    """
    if samples < 1:
        raise UsageError(f"samples must be at least 1, got {samples}")
    until = math.inf if time_limit is None else time.perf_counter() + time_limit
    settings = Settings(
        relaxation, relative_gap, smoothing, constraint, restarts=restarts, seed=seed
    )
    descents = []
    for descent in start_search(corpus, settings).descents(seed):
        descents.append(descent)
        if len(descents) == samples or time.perf_counter() >= until:
            break
    nodes, seconds, bounded, spent = np.array(descents, np.float64).T
    return TreeEstimate(
        len(descents),
        float(nodes.mean()),
        float(nodes.std()),
        float(seconds.mean()),
        float(seconds.std()),
        float(spent.sum() / bounded.sum()),
        int(bounded.sum()),
    )
