"""Kinds of factors: label patterns declared as data."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from treaty.errors import UsageError

__all__ = ["PatternKind"]

Pattern = tuple[int, ...]

MOST_PATTERNS = 2**20
"""Maximum number of patterns of a kind: each feature has a weight for every pattern."""


@dataclass(frozen=True)
class PatternKind:
    """A kind of factor, given by the patterns of labels it scores.

    A factor has as many vertices as its patterns have labels. Each of its features has a row of
    weights, one per pattern; its score is the sum of these weights at the pattern that matches the
    labels of its vertices, or 0 if none does. Patterns that are tied have one weight together.

    Parameters
    ----------
    name
        The name of the kind, for adding factors.
    patterns
        Tuples of label numbers, all of the same length, that factors score.
    forbidden
        Patterns that no labeling may contain.
    tied
        Whether a feature has one weight for all patterns.

    Examples
    --------
    Transitions of a chain, and pairs that prefer equal labels:

    >>> PatternKind.every("transition", labels=3, size=2).patterns[:4]
    ((0, 0), (0, 1), (0, 2), (1, 0))
    >>> PatternKind("same", patterns=((0, 0), (1, 1), (2, 2))).size
    2
    """

    name: str
    patterns: tuple[Pattern, ...]
    forbidden: tuple[Pattern, ...] = ()
    tied: bool = False

    def __post_init__(self) -> None:
        for field in ("patterns", "forbidden"):
            object.__setattr__(self, field, tuple(tuple(map(int, p)) for p in getattr(self, field)))
        sizes = {len(pattern) for pattern in self.patterns + self.forbidden}
        if len(sizes) != 1 or 0 in sizes:
            raise UsageError(
                f"kind {self.name!r}: expected patterns of one size, found "
                f"{', '.join(map(str, sorted(sizes))) or 'none'}"
            )
        if len(set(self.patterns)) < len(self.patterns):
            raise UsageError(f"kind {self.name!r}: a pattern is given twice")

    @classmethod
    def every(
        cls, name: str, labels: int, size: int, forbidden: tuple[Pattern, ...] = ()
    ) -> PatternKind:
        """Make a kind that scores every combination of labels.

        Parameters
        ----------
        name, forbidden
            As for the class.
        labels
            Number of labels.
        size
            Number of vertices of a factor.
        """
        if labels < 1 or size < 1 or size * math.log2(labels) > math.log2(MOST_PATTERNS):
            raise UsageError(
                f"kind {name!r}: {labels} labels in patterns of size {size} make more than "
                f"{MOST_PATTERNS} patterns: list only those that matter"
            )
        return cls(name, tuple(itertools.product(range(labels), repeat=size)), forbidden)

    @property
    def size(self) -> int:
        """Number of vertices of a factor of this kind."""
        return len((self.patterns or self.forbidden)[0])

    @property
    def columns(self) -> int:
        """Number of weights of a feature."""
        return min(1, len(self.patterns)) if self.tied else len(self.patterns)
