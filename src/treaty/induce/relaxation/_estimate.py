"""How large a search tree would be, from random descents (Knuth 1975; Lobjois & Lemaître 1998)."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from treaty.induce.relaxation._bounding import Bounded
from treaty.induce.relaxation._search import Search
from treaty.induce.relaxation._tree import Node, Path

__all__ = ["TreeEstimate", "estimate_tree"]


@dataclass(frozen=True)
class TreeEstimate:
    """Estimates of the tree that branch and bound would have to search.

    The variance is high: each estimate's standard deviation over the samples is given beside it.
    """

    samples: int
    nodes: float
    nodes_deviation: float
    seconds: float
    seconds_deviation: float
    seconds_per_node: float
    """Over the nodes that were bounded."""
    bounded: int
    """How many nodes were bounded; descents share the upper part of the tree."""


def estimate_tree(
    search: Search, samples: int, *, time_limit: float = math.inf, seed: int = 0
) -> TreeEstimate:
    """Descend at random to leaves; a node at depth d stands for the 2^d of its level.

    Parameters
    ----------
    search
        A search that has not begun. Its incumbent is taken as fixed, as is then the tree.
    samples
        How many descents to make.
    time_limit
        Seconds after which no descent is begun.
    seed
        Of the descents.

    Examples
    --------
    >>> from treaty.induce import Corpus
    >>> from treaty.induce.relaxation import prepare
    >>> estimate = estimate_tree(prepare(Corpus.from_tags([["N", "V"], ["V"]])), samples=10)
    >>> estimate.samples, estimate.nodes >= 1.0
    (10, True)
    """
    random = np.random.default_rng(seed)
    started = time.perf_counter()
    tree = _Tree(search)
    nodes: list[float] = []
    seconds: list[float] = []
    while len(nodes) < samples and (not nodes or time.perf_counter() - started < time_limit):
        weight, sum_nodes, sum_seconds = 1.0, 0.0, 0.0
        path: bytes | None = b""
        while path is not None:
            sum_nodes += weight
            sum_seconds += weight * tree.seconds(path)
            weight *= 2.0
            path = tree.child(path, int(random.integers(2)))
        nodes.append(sum_nodes)
        seconds.append(sum_seconds)
    taken = tree.all_seconds()
    return TreeEstimate(
        len(nodes),
        float(np.mean(nodes)),
        float(np.std(nodes)),
        float(np.mean(seconds)),
        float(np.std(seconds)),
        float(np.mean(taken)),
        len(taken),
    )


class _Tree:
    """The part of the tree that descents have seen; a node's name are the turns that lead to it."""

    def __init__(self, search: Search) -> None:
        self._search = search
        root = search.bounder.bound(search.bounder.root, enough=search.enough)
        self._seen = {b"": (root.seconds, self._node(Path.empty(), root))}

    def seconds(self, name: bytes) -> float:
        return self._seen[name][0]

    def all_seconds(self) -> list[float]:
        return [seconds for seconds, _ in self._seen.values()]

    def child(self, name: bytes, turn: int) -> bytes | None:
        """Name a child, bounding it if nobody has been there; None if the node is a leaf."""
        node = self._seen[name][1]
        if node is None:
            return None
        below = name + bytes([turn])
        if below not in self._seen:
            path = node.children()[turn]
            found = self._search.bound_child(node, path)
            self._seen[below] = (found.seconds, self._node(path, found))
        return below

    def _node(self, path: Path, found: Bounded) -> Node | None:
        return self._search.make_node(path, found) if found.bound > self._search.enough else None
