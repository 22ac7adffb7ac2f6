"""The best trees of a corpus under a grammar, or under any weights of its features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treaty._native import induce as native
from treaty.errors import UsageError, check_threads
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts, Features, Heads

__all__ = ["Parses", "expected_counts", "viterbi"]


@dataclass(frozen=True, eq=False)
class Parses:
    """Trees for all sentences of a corpus.

    Parameters
    ----------
    heads
        Heads of all tokens, concatenated: positions in the sentence from 1, 0 for the root.
    counts
        How often each feature occurs in the trees.
    score
        The sum of the trees' weights.
    """

    heads: Heads
    counts: Counts
    score: float


def viterbi(
    corpus: Corpus, weights: Features, *, seed: int | None = None, threads: int = 1
) -> Parses:
    """Find the best projective tree of every sentence (Eisner & Satta 1999), in cubic time.

    Parameters
    ----------
    corpus
        The sentences.
    weights
        A `Grammar`, or any weights of its features.
    seed
        Seed for breaking ties between trees at random; without it the first is taken.
    threads
        Number of threads; the trees do not depend on it.

    Examples
    --------
    >>> from treaty.induce import Grammar
    >>> corpus = Corpus.from_tags([["N", "V"], ["V"]])
    >>> parses = viterbi(corpus, Grammar.estimate(corpus.count([2, 0, 0]), corpus.tags))
    >>> parses.heads.tolist(), round(parses.score, 4)
    ([2, 0, 0], -1.3863)
    """
    check_fit(corpus, weights)
    check_threads(threads)
    tie_break = 0 if seed is None else seed * 2 + 1
    heads, counts, score = native.parse(corpus.compiled, weights.flat, tie_break, threads)
    parsed_counts = Counts.from_flat(counts)
    if tie_break and np.isfinite(score):  # without the random tie-breaking weights
        score = weights.score(parsed_counts)
    return Parses(heads, parsed_counts, score)


def expected_counts(corpus: Corpus, weights: Features, *, threads: int = 1) -> tuple[Counts, float]:
    """Compute expected counts over all projective trees, and the log of the sum of their weights.

    Examples
    --------
    >>> from treaty.induce import Grammar
    >>> corpus = Corpus.from_tags([["N", "V"]])
    >>> counts, log_sum = expected_counts(corpus, Grammar.uniform(corpus.tags))
    >>> counts.root, round(log_sum, 4)
    (array([0.5, 0.5]), -4.1589)
    """
    check_fit(corpus, weights)
    check_threads(threads)
    counts, log_sum = native.expect(corpus.compiled, weights.flat, threads)
    return Counts.from_flat(counts), log_sum


def check_fit(corpus: Corpus, weights: Features) -> None:
    """Raise `UsageError` for weights over other tags."""
    if len(weights) != len(corpus.tags):
        raise UsageError(
            f"the corpus has {len(corpus.tags)} tags, but the weights are for {len(weights)}"
        )
