"""Features of factors: templates that name codes of the pairs that a factor joins.

``"0.same 1.same 0.distance"`` is one feature for every combination of whether the first and the
second pair are of one author and how far the first pair's posts are from each other. Factors of one
pair need no numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty._native.features import text_hash
from treaty.errors import UsageError
from treaty.features import combined, mixed
from treaty.label.threads._codes import CODES, LIKENESS

__all__ = ["Family", "check_templates", "hashed"]

Codes = Mapping[str, npt.NDArray[np.uint64]]
ATOM = re.compile(r"(?:(\d)\.)?([a-z][a-z.-]*)")


@dataclass(frozen=True, slots=True)
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
    """

    name: str
    directions: tuple[str, ...]
    templates: tuple[str, ...]
    patterns: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many pairs a factor joins."""
        return len(self.directions) + 1

    @property
    def center(self) -> int:
        """Which of them has the neighbors."""
        return max(0, len(self.directions) - 1)


def hashed(family: Family, codes: Codes, pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Hash the features of factors.

    Parameters
    ----------
    family
        Whose templates.
    codes
        Of all pairs, well mixed (`mixed`).
    pairs
        The pairs that each factor joins, a row a factor.

    Returns
    -------
    array
        A row a factor, a column a template.
    """
    features = np.empty((len(pairs), len(family.templates)), np.uint64)
    gathered: dict[tuple[int, str], npt.NDArray[np.uint64]] = {}
    for column, template in enumerate(family.templates):
        value = np.full(len(pairs), text_hash(f"{family.name}: {template}"), np.uint64)
        for atom in template.split():
            key = atom_of(family, atom)
            if key not in gathered:
                gathered[key] = codes[key[1]][pairs[:, key[0]]]
            value = combined(value, gathered[key])
        features[:, column] = mixed(value)
    return features


def check_templates(family: Family) -> None:
    """Refuse templates that name what is not there."""
    for template in family.templates:
        for atom in template.split():
            atom_of(family, atom)


def atom_of(family: Family, atom: str) -> tuple[int, str]:
    """Read an atom: which of the pairs, and which of its codes."""
    found = ATOM.fullmatch(atom)
    place, name = (int(found[1] or 0), found[2]) if found else (0, "")
    if place >= family.size or name not in (*CODES, *LIKENESS):
        raise UsageError(
            f"{family.name}: {atom!r} is not a code of its {family.size} pairs; "
            f"there are: {' '.join((*CODES, *LIKENESS))}"
        )
    return place, name
