"""From values between 0 and 1 to a summary: Almeida and Martins (2013), section 3.4."""

from __future__ import annotations

import numpy as np

from treaty import _native
from treaty.summarize._nodes import Floats, Nodes
from treaty.summarize._source import Bools
from treaty.summarize._ties import Ints

__all__ = ["closest_summary", "likeliest_sources"]


def closest_summary(
    nodes: Nodes, values: Floats, weights: Ints, words: int, sources: Ints
) -> Bools:
    """Find the summary nearest to a point, of those within the budget made of some sentences.

    The squared distance of a summary x from a point z is ``sum((x - z)**2)``, which is the less the
    greater ``sum(x * (2 * z - 1))`` is. That is maximised exactly by dynamic programming.

    Parameters
    ----------
    nodes
        The phrases of all sentences.
    values
        The point: a number from 0 to 1 for each node.
    weights
        How many coordinates of the paper's z each node stands for: its words, and the ``$``.
    words
        The budget.
    sources
        The sentences that may be used, ascending.

    Returns
    -------
    array
        Which nodes are kept.
    """
    chosen = np.zeros(len(nodes), bool)
    own = np.concatenate(
        [np.zeros(0, np.int64)]
        + [np.arange(nodes.of_source[n], nodes.of_source[n + 1]) for n in sources.tolist()]
    )
    gains = weights[own] * (2.0 * values[own] - 1.0)
    kept = _native.best_pruning(nodes.size[own], nodes.cost[own], gains, np.zeros(len(own)), words)
    chosen[own] = kept.astype(bool)
    return chosen


def likeliest_sources(nodes: Nodes, values: Floats, sentences: int | None) -> Ints:
    """Choose the sentences whose dummy symbols have the highest values, ascending."""
    posteriors = np.round(values[nodes.of_source[:-1]], 9)  # digits of rounding decide nothing
    order = np.argsort(-posteriors, kind="stable")[:sentences]
    return np.sort(order[posteriors[order] > 0.0]).astype(np.int32)
