"""Kinds of factors: label patterns declared as data."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from treaty.errors import UsageError

__all__ = ["PatternKind"]

Pattern = tuple[int, ...]

MOST_PATTERNS = 2**20
"""Every feature of a kind has a weight for each of its patterns."""


@dataclass(frozen=True)
class PatternKind:
    """A family of factors: which labels of their vertices they score together.

    A factor of the kind ties as many vertices as its patterns have labels. Each of its features has
    a row of weights, one for each pattern; the factor's score is the sum of the rows at the pattern
    that its vertices have, and nothing if they have none of them.

    Parameters
    ----------
    name
        What factors are added by.
    patterns
        Tuples of label numbers, all of one size: what the factors may score.
    forbidden
        Patterns that never come out, whatever their scores.

    Examples
    --------
    A chain's transitions, and pairs that like to be the same:

    >>> PatternKind.every("transition", labels=3, size=2).patterns[:4]
    ((0, 0), (0, 1), (0, 2), (1, 0))
    >>> PatternKind("same", patterns=((0, 0), (1, 1), (2, 2))).size
    2
    """

    name: str
    patterns: tuple[Pattern, ...]
    forbidden: tuple[Pattern, ...] = ()

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
            raise UsageError(f"kind {self.name!r}: the same pattern is given twice")

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
            How many labels there are.
        size
            How many vertices a factor has.
        """
        if labels < 1 or size < 1 or size * math.log2(labels) > math.log2(MOST_PATTERNS):
            raise UsageError(
                f"kind {name!r}: {labels} labels in patterns of size {size}; "
                f"at most {MOST_PATTERNS} patterns are possible, list those that matter instead"
            )
        return cls(name, tuple(itertools.product(range(labels), repeat=size)), forbidden)

    @property
    def size(self) -> int:
        """How many vertices a factor of the kind has."""
        return len((self.patterns or self.forbidden)[0])
