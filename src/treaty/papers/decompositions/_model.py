"""The model that all decompositions share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

__all__ = ["SiblingModel", "Side"]

Floats = npt.NDArray[np.float64]


class Side(NamedTuple):
    """The modifiers of a head on one side, left or right."""

    head: int
    modifiers: list[int]
    """Candidate modifiers, from the nearest to the farthest."""
    siblings: Floats
    """Scores of consecutive modifiers: START is 0, the candidates follow, and END is last."""
    grandparents: list[int]
    """Candidate heads of the head."""
    grandparent_scores: Floats
    """A row for each grandparent, a column for each modifier."""


class SiblingModel:
    """Scores of a sentence's arcs, consecutive siblings and grandparents.

    Parameters
    ----------
    arcs
        A row for each head and a column for each modifier; node 0 is the root, words are numbered
        from 1. ``-inf`` forbids an arc.
    siblings
        Shape (words + 1, words + 1, words + 2): ``siblings[h, a, b]`` counts if a and b are
        modifiers of h on the same side with none between them, a nearer to h than b. As a, START is
        h itself; as b, END is 0 on the left and words + 1 on the right. ``-inf`` forbids. By
        default 0.
    grandparents
        Shape (words + 1, words + 1, words + 1): ``grandparents[g, h, m]`` counts if g is the head
        of h and h that of m. By default 0.
    single_root
        Whether exactly one word is attached to the root.

    Examples
    --------
    >>> import numpy as np
    >>> from treaty.papers.decompositions import SiblingModel
    >>> siblings = np.zeros((3, 3, 4))
    >>> siblings[1, 1, 2] = 0.5  # word 2 is the first modifier on the right of word 1
    >>> siblings[0, 0, 3] = -9.0  # the root has no modifier
    >>> model = SiblingModel([[0, 1, 0], [0, 0, 2], [0, 0, 0]], siblings)
    >>> model.score([-1, 0, 1])
    3.5
    """

    def __init__(
        self,
        arcs: npt.ArrayLike,
        siblings: npt.ArrayLike | None = None,
        grandparents: npt.ArrayLike | None = None,
        *,
        single_root: bool = False,
    ) -> None:
        self.arcs = np.array(arcs, np.float64)
        n = self.words = len(self.arcs) - 1
        zeros = np.zeros((n + 1, n + 1, n + 2))
        self.siblings = zeros if siblings is None else np.array(siblings, np.float64)
        self.grandparents = (
            zeros[..., :-1] if grandparents is None else np.array(grandparents, np.float64)
        )
        self.single_root = single_root
        self._check()
        self.candidates = [
            (h, m)
            for h in range(n + 1)
            for m in range(1, n + 1)
            if h != m and self.arcs[h, m] > -math.inf
        ]
        """All candidate arcs, as (head, modifier)."""
        for word in set(range(1, n + 1)) - {m for _, m in self.candidates}:
            raise UsageError(f"arcs: word {word} has no candidate head")
        if n and not any(h == 0 for h, _ in self.candidates):
            raise UsageError("arcs: the root has no candidate modifier")

    def _check(self) -> None:
        n = self.words
        shapes = (n + 1, n + 1), (n + 1, n + 1, n + 2), (n + 1, n + 1, n + 1)
        for name, shape in zip(("arcs", "siblings", "grandparents"), shapes, strict=True):
            scores = getattr(self, name)
            if scores.shape != shape or n < 0:
                raise UsageError(f"{name}: expected shape {shape}, got {scores.shape}")
            is_allowed = np.isneginf(scores) & (name != "grandparents")
            if not (np.isfinite(scores) | is_allowed).all():
                raise UsageError(f"{name}: expected finite numbers, or -inf to forbid a part")

    def sides(self) -> list[Side]:
        """List both sides of every word, and the right side of the root."""
        n = self.words
        right = [self._side(h, range(h + 1, n + 1), n + 1) for h in range(n + 1)]
        return right + [self._side(h, range(h - 1, 0, -1), 0) for h in range(1, n + 1)]

    def _side(self, head: int, places: range, end: int) -> Side:
        candidates = set(self.candidates)
        modifiers = [m for m in places if (head, m) in candidates]
        above = [g for g in range(self.words + 1) if (g, head) in candidates]
        return Side(
            head,
            modifiers,
            self.siblings[head][np.ix_([head, *modifiers], [*modifiers, end])],
            above,
            self.grandparents[:, head][np.ix_(above, modifiers)],
        )

    def score(self, heads: Sequence[int]) -> float:
        """Score a tree, given by the head of every node (that of the root is ignored)."""
        n, total = self.words, 0.0
        for m in range(1, n + 1):
            h = heads[m]
            total += self.arcs[h, m] + (self.grandparents[heads[h], h, m] if h else 0.0)
        for h in range(n + 1):
            modifiers = [m for m in range(1, n + 1) if heads[m] == h]
            for end, side in (
                (n + 1, [m for m in modifiers if m > h]),
                (0, [m for m in reversed(modifiers) if m < h]),
            ):
                chain = [h, *side, end]
                if h or end:  # the root has no left side
                    total += sum(self.siblings[h, a, b] for a, b in pairwise(chain))
        return float(total)
