"""Phrases as nodes: tokens that no cut can separate are one node of a compression tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.summarize.cuts._ties import Ints
from treaty.summarize.sentences._source import Bools

if TYPE_CHECKING:
    from treaty.summarize.decoding._problem import Problem

__all__ = ["Floats", "Nodes", "checked_scores"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Nodes:
    """The compression trees of a problem's sentences, contracted.

    A token that must not be cut from its head has the value of its head in every solution: both are
    one node. What remains are the dummy symbols ``$``, each with the root and what is tied to it,
    and a node per token that may be cut. Nodes are in preorder: those of a sentence are
    consecutive, parents before children and subtrees contiguous, so node b is a or below a if and
    only if ``a <= b < a + size[a]``.

    Attributes
    ----------
    of_token
        The node of each token.
    of_source
        The node of each sentence's ``$``, and the total number of nodes at the end.
    parent
        The parent node, -1 for ``$``.
    size
        Number of nodes of each subtree.
    cost
        Number of words in each node itself.
    cut_score
        Score of cutting a node while its parent stays; 0 for ``$``.
    """

    of_token: Ints
    of_source: Ints
    parent: Ints
    size: Ints
    cost: Ints
    cut_score: Floats

    @classmethod
    def of(cls, problem: Problem, cut_scores: Floats | None) -> Nodes:
        """Contract the trees of a problem; without scores of cuts, nothing can be cut."""
        free = _free(problem, cut_scores)
        above = _nearest_free(problem, free)
        order, of_source = _preorder(problem, free, above)
        node = np.full(len(above) + 1, -1, np.int32)  # the last is for tokens below $
        node[order[order >= 0]] = np.flatnonzero(order >= 0)
        dollar = of_source[:-1][problem.source_of]
        of_token = np.where(above < 0, dollar, node[above]).astype(np.int32)
        is_cut = np.flatnonzero(order >= 0)
        tokens = order[is_cut]
        heads = problem.heads[tokens]
        parent = np.full(len(order), -1, np.int32)
        parent[is_cut] = np.where(heads < 0, dollar[tokens], of_token[heads])
        cut_score = np.zeros(len(order))
        if cut_scores is not None:
            cut_score[is_cut] = cut_scores[tokens]
        cost = np.bincount(of_token, problem.counts, minlength=len(order)).astype(np.int32)
        return cls(of_token, of_source, parent, _sizes(parent), cost, cut_score)

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.parent)

    @cached_property
    def is_dollar(self) -> Bools:
        """Whether each node is a dummy symbol."""
        return self.parent < 0

    @cached_property
    def is_hollow(self) -> Bools:
        """Whether each node is a dummy symbol without tokens: it needs a child to be kept."""
        empty: Bools = np.bincount(self.of_token, minlength=len(self)) == 0
        return self.is_dollar & empty


def checked_scores(what: str, scores: npt.ArrayLike, size: int) -> Floats:
    """Check that there is a number for each."""
    array = np.ascontiguousarray(scores, np.float64)
    if array.shape != (size,):
        raise UsageError(f"expected {size} {what}, got an array of shape {array.shape}")
    if np.isnan(array).any() or (array == np.inf).any():
        raise UsageError(f"{what} must be numbers; one is NaN or infinite")
    return array


def _free(problem: Problem, cut_scores: Floats | None) -> Bools:
    """Return which tokens can be cut: words that no rule protects, with a finite score."""
    if cut_scores is None:
        return np.zeros(len(problem.source_of), bool)
    return problem.cuttable & np.isfinite(cut_scores)


def _nearest_free(problem: Problem, free: Bools) -> Ints:
    """Find the nearest ancestor-or-self of each token that can be cut; -1 if that is ``$``."""
    tokens = np.arange(len(free), dtype=np.int32)
    if not free.any():
        return np.full(len(free), -1, np.int32)
    above = np.where(free, tokens, problem.heads)
    while True:
        further = np.where(above < 0, -1, above[above])  # a free token is its own result
        if np.array_equal(further, above):
            return above.astype(np.int32)
        above = further


def _preorder(problem: Problem, free: Bools, above: Ints) -> tuple[Ints, Ints]:
    """List the nodes of all sentences: -1 for ``$``, otherwise the token that can be cut."""
    children: dict[int, list[int]] = {}
    for token in np.flatnonzero(free).tolist():
        head = int(problem.heads[token])
        top = (
            -1 - int(problem.source_of[token]) if head < 0 or above[head] < 0 else int(above[head])
        )
        children.setdefault(top, []).append(token)
    order, of_source = list[int](), list[int]()
    for source in range(len(problem.sources)):
        of_source.append(len(order))
        order.append(-1)
        stack = children.get(-1 - source, [])[::-1]
        while stack:
            order.append(token := stack.pop())
            stack += children.get(token, [])[::-1]
    return np.array(order, np.int32), np.array([*of_source, len(order)], np.int32)


def _sizes(parent: Ints) -> Ints:
    sizes = [1] * len(parent)
    above = parent.tolist()
    for node in range(len(sizes) - 1, -1, -1):
        if above[node] >= 0:
            sizes[above[node]] += sizes[node]
    return np.array(sizes, np.int32)
