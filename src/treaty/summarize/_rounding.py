"""From values between 0 and 1 to a summary: Almeida and Martins (2013), section 3.4, and better."""

from __future__ import annotations

import numpy as np

from treaty._native import summarize as native
from treaty.summarize._nodes import Floats, Nodes
from treaty.summarize._source import Bools
from treaty.summarize._ties import Ints

__all__ = ["best_summary", "closest_summary", "unit_of"]

MOST_CELLS = 20_000_000
"""Of the dynamic program's table."""


def closest_summary(
    nodes: Nodes, values: Floats, weights: Ints, words: int, sentences: int | None
) -> Bools:
    """Find the summary nearest to a point, of those within the limits made of likely sentences.

    These are the sentences whose dummy symbols have the highest values, as many as there may be.
    The squared distance of a summary x from a point z is ``sum((x - z)**2)``, which is the less the
    greater ``sum(x * (2 * z - 1))`` is. That is maximized exactly by dynamic programming.

    Parameters
    ----------
    nodes
        The phrases of all sentences.
    values
        The point: a number from 0 to 1 for each node.
    weights
        How many coordinates of the paper's z each node stands for: its words, and the ``$``.
    words, sentences
        The limits.

    Returns
    -------
    array
        Which nodes are kept.
    """
    chosen = np.zeros(len(nodes), bool)
    bounds = nodes.of_source
    likely = _likeliest(values[bounds[:-1]], sentences).tolist()
    own = np.concatenate([np.zeros(0, int), *(np.r_[bounds[n] : bounds[n + 1]] for n in likely)])
    gains = weights[own] * (2.0 * values[own] - 1.0)
    chosen[own] = _pruned(
        nodes.size[own], nodes.cost[own], gains, np.zeros(len(own)), words, len(likely)
    )
    return chosen


def _likeliest(posteriors: Floats, sentences: int | None) -> Ints:
    rounded = np.round(posteriors, 9)  # digits of rounding errors decide nothing
    order = np.argsort(-rounded, kind="stable")[:sentences]
    return np.sort(order[rounded[order] > 0.0]).astype(np.int32)


def best_summary(nodes: Nodes, gains: Floats, words: int, sentences: int | None) -> Bools:
    """Find the best summary where every phrase has a worth of its own, by dynamic programming."""
    trees = nodes.size, nodes.cost, gains, nodes.cut_score
    every = len(nodes.of_source) - 1
    # A limit on sentences multiplies the work, and seldom binds: first it is left out.
    kept = _pruned(*trees, words, every)
    if sentences is None or kept[nodes.is_dollar].sum() <= sentences:
        return kept
    return _pruned(*trees, words, sentences, layers=sentences + 1)


def _pruned(
    size: Ints,
    cost: Ints,
    gains: Floats,
    cut_scores: Floats,
    words: int,
    sentences: int,
    layers: int = 1,
) -> Bools:
    """Call the dynamic program, whose table has a cell for each node, word and sentence.

    Where that would be too many, words are counted by twos, threes and so on, rounded up: what is
    found is still within the limits, but there may be something better.
    """
    unit = unit_of(cost, words, layers)
    kept = native.best_pruning(size, -(-cost // unit), gains, cut_scores, words // unit, sentences)
    return kept.astype(bool)


def unit_of(cost: Ints, words: int, layers: int = 1) -> int:
    """Tell by how many words at a time the dynamic program counts: by one, it is exact."""
    cells = len(cost) * (1 + min(words, int(cost.sum()))) * layers
    return max(1, -(-cells // MOST_CELLS))
