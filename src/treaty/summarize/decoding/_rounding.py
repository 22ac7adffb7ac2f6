"""Rounding of relaxed summaries: Almeida and Martins (2013), section 3.4, and improvements."""

from __future__ import annotations

import numpy as np

from treaty._native import summarize as native
from treaty.summarize.cuts._nodes import Floats, Nodes
from treaty.summarize.cuts._ties import Ints
from treaty.summarize.sentences._source import Bools

__all__ = ["best_summary", "closest_summary", "unit_of"]

MOST_CELLS = 20_000_000
"""Maximum number of cells of the dynamic program."""


def closest_summary(
    nodes: Nodes, values: Floats, weights: Ints, words: int, sentences: int | None
) -> Bools:
    """Find the summary of likely sentences within the limits that is closest to a point.

    Likely sentences are those whose dummy symbols have the highest values, up to the limit. The
    squared distance of a summary x from a point z is ``sum((x - z)**2)``, so minimizing it is
    maximizing ``sum(x * (2 * z - 1))``. This is done exactly by dynamic programming. A dummy symbol
    is kept only together with words.

    Parameters
    ----------
    nodes
        The phrases of all sentences.
    values
        The point: a number from 0 to 1 for each node.
    weights
        Number of coordinates of the paper's z that each node stands for: its words, and the ``$``.
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
    selected = np.concatenate(
        [np.zeros(0, int), *(np.r_[bounds[n] : bounds[n + 1]] for n in likely)]
    )
    gains = weights[selected] * (2.0 * values[selected] - 1.0)
    trees = (
        nodes.size[selected],
        nodes.cost[selected],
        gains,
        np.zeros(len(selected)),
        nodes.is_hollow[selected],
    )
    chosen[selected] = _pruned(*trees, words, len(likely))
    return chosen


def _likeliest(posteriors: Floats, sentences: int | None) -> Ints:
    rounded = np.round(posteriors, 9)  # rounding errors must not decide
    order = np.argsort(-rounded, kind="stable")[:sentences]
    return np.sort(order[rounded[order] > 0.0]).astype(np.int32)


def best_summary(nodes: Nodes, gains: Floats, words: int, sentences: int | None) -> Bools:
    """Find the best summary for independent scores of phrases, by dynamic programming."""
    trees = nodes.size, nodes.cost, gains, nodes.cut_score, nodes.is_hollow
    every = len(nodes.of_source) - 1
    # A limit on sentences multiplies the work and is rarely binding: first try without it.
    kept = _pruned(*trees, words, every)
    if sentences is None or kept[nodes.is_dollar].sum() <= sentences:
        return kept
    return _pruned(*trees, words, sentences, layers=sentences + 1)


def _pruned(
    size: Ints,
    cost: Ints,
    gains: Floats,
    cut_scores: Floats,
    hollow: Bools,
    words: int,
    sentences: int,
    layers: int = 1,
) -> Bools:
    """Call the dynamic program, whose table has a cell for each node, word and sentence.

    If the table would be too large, words are counted in units of two, three and so on, rounded up:
    the result is still within the limits, but may not be optimal.
    """
    unit = unit_of(cost, words, layers)
    kept = native.best_pruning(
        size,
        -(-cost // unit),
        gains,
        cut_scores,
        hollow.astype(np.uint8),
        words // unit,
        sentences,
    )
    return kept.astype(bool)


def unit_of(cost: Ints, words: int, layers: int = 1) -> int:
    """Return the unit in which the dynamic program counts words: with 1, it is exact."""
    cells = len(cost) * (1 + min(words, int(cost.sum()))) * layers
    return max(1, -(-cells // MOST_CELLS))
