"""Sentences compressed one by one, as they score best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treaty.solve import Certificate, Status
from treaty.summarize._nodes import Floats, Nodes
from treaty.summarize._problem import Problem
from treaty.summarize._rounding import best_summary, unit_of
from treaty.summarize._source import Bools, Source

__all__ = ["best_compressions"]


def best_compressions(
    problem: Problem, cut_scores: Floats, words: int | None = None, rate: float | None = None
) -> Iterator[tuple[Source, Bools, Certificate]]:
    """Cut down each sentence of a problem, by dynamic programming over its tree (eq. 8).

    Parameters
    ----------
    problem
        Parsed sentences.
    cut_scores
        For each token what it is worth to cut it off while its head stays.
    words, rate
        How many words each may keep, and what share of its words; its root is kept in any case.

    Yields
    ------
    source, keep, certificate
        Each sentence, which of its tokens are kept, and what that is worth.
    """
    nodes = Nodes.of(problem, cut_scores)
    for n, source in enumerate(problem.sources):
        limits = [source.words]
        limits += [] if words is None else [words]
        limits += [] if rate is None else [round(rate * source.words)]
        chosen, certificate = _best(nodes, n, min(limits))
        own = nodes.of_token[problem.begin[n] : problem.begin[n + 1]]
        yield source, chosen[own - nodes.of_source[n]], certificate


def _best(nodes: Nodes, source: int, words: int) -> tuple[Bools, Certificate]:
    own = slice(nodes.of_source[source], nodes.of_source[source + 1])
    tree = Nodes(
        nodes.of_token,
        np.array([0, own.stop - own.start], np.int32),
        nodes.parent[own],
        nodes.size[own],
        nodes.cost[own],
        nodes.cut_score[own],
    )
    gains = np.zeros(len(tree))
    gains[0] = 1.0 + np.abs(tree.cut_score).sum()  # more than all else together
    limit = max(words, int(tree.cost[0]))
    chosen = best_summary(tree, gains, limit, 1)
    above = tree.parent
    cut = ~chosen & ((above < 0) | chosen[np.maximum(above - own.start, 0)])
    score = float(tree.cut_score[cut].sum())
    if unit_of(tree.cost, limit) == 1:
        return chosen, Certificate.exact(score)
    most = float(np.maximum(tree.cut_score, 0.0).sum())  # as if all were cut that gains
    return chosen, Certificate(Status.FEASIBLE, score, max(score, most))
