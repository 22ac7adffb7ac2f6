"""The numbers of the model's features: one flat vector for parameters and for counts.

The order is that of the arrays of a grammar, one after the other: root ``[T]``, child
``[head T, direction 2, child T]``, decision ``[head T, direction 2, valence 2, stop or go on 2]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["LEFT", "RIGHT", "Doubles", "Ints", "Layout"]

Ints = npt.NDArray[np.integer[Any]]
Doubles = npt.NDArray[np.float64]

LEFT, RIGHT = 0, 1


@dataclass(frozen=True)
class Layout:
    """The features of a dependency model with valence over so many tags.

    Examples
    --------
    >>> layout = Layout(3)
    >>> layout.count, layout.distributions
    (45, 19)
    """

    tags: int

    @property
    def count(self) -> int:
        """How many there are, M in the paper."""
        return self.tags * (1 + 2 * self.tags + 8)

    @property
    def distributions(self) -> int:
        """How many conditional distributions they fall into, C in the paper."""
        return 1 + 6 * self.tags

    def root(self, tag: Any) -> Any:
        """Find the feature: a sentence's head has this tag."""
        return tag

    def child(self, head: Any, direction: Any, tag: Any) -> Any:
        """Find the feature: a head has a child with this tag on this side."""
        return self.tags + (2 * head + direction) * self.tags + tag

    def decision(self, head: Any, direction: Any, valence: Any, go_on: Any) -> Any:
        """Find the feature: a head with no (0) or some (1) children stops (0) or goes on (1)."""
        first = self.tags * (1 + 2 * self.tags)
        return first + 4 * (2 * head + direction) + 2 * valence + go_on

    @cached_property
    def distribution(self) -> Ints:
        """The distribution of each feature."""
        sizes = np.repeat([self.tags, 2], [1 + 2 * self.tags, 4 * self.tags])
        return np.repeat(np.arange(len(sizes)), sizes)

    def join(self, root: Doubles, child: Doubles, decision: Doubles) -> Doubles:
        """Lay a grammar's (or counts') arrays out in one vector."""
        parts = [np.asarray(part, dtype=np.float64).ravel() for part in (root, child, decision)]
        return np.concatenate(parts)

    def split(self, values: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """Take a vector apart again: root, child and decision arrays."""
        tags = self.tags
        root, child, decision = np.split(values, [tags, tags * (1 + 2 * tags)])
        return root, child.reshape(tags, 2, tags), decision.reshape(tags, 2, 2, 2)
