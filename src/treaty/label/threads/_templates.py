"""Features of factors: templates that name codes of the pairs that a factor joins.

``"0.same 1.same 0.distance"`` is one feature for every combination of whether the first and the
second pair are of one author and how far the first pair's posts are from each other. Factors of one
pair need no numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from treaty.features import CodeTemplates
from treaty.label.threads._codes import CODES, LIKENESS

__all__ = ["Family"]


@dataclass(frozen=True)
class Family:
    """Factors of one shape: all pairs with their neighbors in the same directions.

    Attributes
    ----------
    name
        What the kind is called in the model.
    directions
        Where the neighbors are: ``left``, ``right``, ``up``, ``down``. All but the last come
        before the pair itself.
    templates
        The features; an empty template is one that is always there.
    patterns
        Which labels of its pairs a factor scores: 1 for linked, 0 for not. Whatever else they are,
        the factor has nothing to say.

    Raises
    ------
    UsageError
        When a template names what is not there.
    """

    name: str
    directions: tuple[str, ...]
    templates: tuple[str, ...]
    patterns: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        _ = self.compiled

    @property
    def size(self) -> int:
        """How many pairs a factor joins."""
        return len(self.directions) + 1

    @property
    def center(self) -> int:
        """Which of them has the neighbors."""
        return max(0, len(self.directions) - 1)

    @cached_property
    def compiled(self) -> CodeTemplates:
        """The templates, checked and ready to be hashed."""
        return CodeTemplates(self.name, self.templates, codes=(*CODES, *LIKENESS), joined=self.size)
