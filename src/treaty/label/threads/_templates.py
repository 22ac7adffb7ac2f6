"""Features of factors: templates over the codes of the pairs that a factor joins.

``"0.same 1.same 0.distance"`` is one feature for every combination of whether the first and the
second pair have the same author, and the distance of the posts of the first pair. Factors of one
pair need no numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from treaty.errors import UsageError
from treaty.features import CodeTemplates
from treaty.label.threads._codes import CODES, LIKENESS

__all__ = ["Family"]


@dataclass(frozen=True)
class Family:
    """Factors of one shape: all pairs with their neighbors in the same directions.

    Attributes
    ----------
    name
        The name of the kind in the model.
    directions
        Directions of the neighbors: ``left``, ``right``, ``up``, ``down``. All but the last come
        before the pair itself.
    templates
        The feature templates; the empty template is a constant feature.
    patterns
        The labels of its pairs that a factor scores: 1 for linked, 0 for not. All other labels
        score 0.

    Raises
    ------
    UsageError
        When a template uses an unknown code, or a pattern has another size.
    """

    name: str
    directions: tuple[str, ...]
    templates: tuple[str, ...]
    patterns: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if any(len(pattern) != self.size for pattern in self.patterns):
            raise UsageError(f"{self.name}: expected patterns of {self.size} labels, one per pair")
        _ = self.compiled

    @property
    def size(self) -> int:
        """Number of pairs that a factor joins."""
        return len(self.directions) + 1

    @property
    def center(self) -> int:
        """Index of the pair that has the neighbors."""
        return max(0, len(self.directions) - 1)

    @cached_property
    def compiled(self) -> CodeTemplates:
        """The templates, validated and ready to be hashed."""
        return CodeTemplates(self.name, self.templates, codes=(*CODES, *LIKENESS), joined=self.size)
