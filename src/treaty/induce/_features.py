"""Features of the dependency model with valence, as one flat array or three tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

__all__ = [
    "CONTINUE",
    "FIRST",
    "LATER",
    "LEFT",
    "RIGHT",
    "STOP",
    "Counts",
    "Features",
    "Floats",
    "Heads",
    "Ints",
    "Layout",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]
Heads = npt.NDArray[np.int32]
"""The heads of all tokens, concatenated: positions in the sentence from 1, 0 for the root."""

LEFT, RIGHT = 0, 1
FIRST, LATER = 0, 1
"""Valence: no child on this side so far, or at least one."""
STOP, CONTINUE = 0, 1


@dataclass(frozen=True)
class Layout:
    """The index of each feature in a flat array: roots, then children, then decisions.

    Examples
    --------
    >>> layout = Layout(3)
    >>> layout.size, layout.distributions
    (45, 19)
    """

    tags: int

    @classmethod
    def of_size(cls, size: int) -> Layout:
        """Return the layout of a flat array of this size."""
        layout = next(layout for n in range(1, size + 2) if (layout := cls(n)).size >= size)
        if layout.size != size:
            raise UsageError(f"{size} is not the number of features of any number of tags")
        return layout

    @property
    def size(self) -> int:
        """The number of features."""
        return self.tags * (1 + 2 * self.tags + 8)

    @property
    def distributions(self) -> int:
        """The number of conditional distributions."""
        return 1 + 6 * self.tags

    def root(self, tag: Any) -> Any:
        """Return the index of the feature: the head of the sentence has this tag."""
        return tag

    def child(self, head: Any, direction: Any, tag: Any) -> Any:
        """Return the index of the feature: a head has a child with this tag on this side."""
        return self.tags + (2 * head + direction) * self.tags + tag

    def decision(self, head: Any, direction: Any, valence: Any, go_on: Any) -> Any:
        """Return the index: a head without (0) or with (1) children stops (0) or continues (1)."""
        first = self.tags * (1 + 2 * self.tags)
        return first + 4 * (2 * head + direction) + 2 * valence + go_on

    @cached_property
    def distribution(self) -> Ints:
        """The distribution of each feature."""
        sizes = np.repeat([self.tags, 2], [1 + 2 * self.tags, 4 * self.tags])
        return np.repeat(np.arange(len(sizes)), sizes)


@dataclass(frozen=True, eq=False)
class Features:
    """A value for each feature of the model.

    Parameters
    ----------
    root
        ``[tag]``: the head of the sentence has this tag.
    child
        ``[head, direction, tag]``: a child of this tag to the left (0) or right (1) of the head.
    decision
        ``[head, direction, valence, stop or continue]``: whether there is another child on this
        side, after none (0) or at least one (1).
    """

    root: Floats
    child: Floats
    decision: Floats

    def __post_init__(self) -> None:
        """Validate the shapes, and make the arrays read-only."""
        n = len(self.root)
        shapes = {"root": (n,), "child": (n, 2, n), "decision": (n, 2, 2, 2)}
        for name, shape in shapes.items():
            array = np.ascontiguousarray(getattr(self, name), np.float64)
            if array.shape != shape:
                raise UsageError(f"{name}: expected an array of shape {shape}, got {array.shape}")
            if array.flags.writeable:
                array = array.copy()
                array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_flat(cls, flat: npt.ArrayLike, **more: Any) -> Self:
        """Split a flat array, see `Layout`.

        Examples
        --------
        >>> Features.from_flat(np.arange(11.0)).child.tolist()
        [[[1.0], [2.0]]]
        """
        array = np.asarray(flat, np.float64)
        n = Layout.of_size(len(array)).tags
        root, child, decision = np.split(array, [n, n + 2 * n * n])
        shaped = (root, child.reshape(n, 2, n), decision.reshape(n, 2, 2, 2))
        return cls(*shaped, **more)

    @property
    def flat(self) -> Floats:
        """All values in a flat array, as for `from_flat`."""
        return np.concatenate([self.root, self.child.ravel(), self.decision.ravel()])

    def __len__(self) -> int:
        return len(self.root)

    def score(self, counts: Features) -> float:
        """Sum the values of all counted features; for a grammar these are log-probabilities.

        Examples
        --------
        >>> from treaty.induce import Corpus, Grammar
        >>> corpus = Corpus.from_tags([["N"], ["V"]])
        >>> round(Grammar.uniform(["N", "V"]).score(corpus.count([0, 0])), 4)  # six coins
        -4.1589
        """
        occurring = counts.flat > 0
        return float(counts.flat[occurring] @ self.flat[occurring])


class Counts(Features):
    """Counts of all features in the trees of a corpus.

    Examples
    --------
    >>> from treaty.induce import Corpus
    >>> corpus = Corpus.from_tags([["N", "V"], ["V"]])
    >>> corpus.count([2, 0, 0]).root
    array([0., 2.])
    """

    def log_likelihood(self, smoothing: float = 0.0) -> float:
        """Score the counts under their maximum-likelihood parameters: relative frequencies.

        With smoothing, this much is added to every count, in the estimate and in the score.

        Examples
        --------
        >>> from treaty.induce import Corpus
        >>> corpus = Corpus.from_tags([["N"], ["V"]])  # two roots, everything else is certain
        >>> round(corpus.count([0, 0]).log_likelihood(), 4)
        -1.3863
        """
        total = 0.0
        for table in (self.root, self.child, self.decision):
            counts = table + smoothing
            sums = counts.sum(axis=-1)
            total += float(_x_log_x(counts).sum() - _x_log_x(sums).sum())
        return total


def _x_log_x(x: Floats) -> Floats:
    return x * np.log(np.where(x > 0, x, 1.0))
