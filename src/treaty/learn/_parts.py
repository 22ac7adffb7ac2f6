"""The candidate parts of an input, from which a `GraphModel` chooses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

__all__ = ["Parts"]


@dataclass(frozen=True, slots=True)
class Kind:
    """Parts of one kind: variables ``begin`` to ``end``, with their attributes."""

    begin: int
    end: int
    codes: Mapping[str, Any]
    numbers: Mapping[str, Any]
    vectors: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of parts that are scored jointly: a row of variables per group, all of one kind."""

    of: Kind
    members: npt.NDArray[np.int64]


class Parts:
    """The candidate parts of an input, by kind, with the attributes that templates use.

    Attributes
    ----------
    keys
        The keys of the parts, in the order in which they were added. The variables of the graph
        have the same order.
    kinds, groups
        The arguments of `add` and `join`, by kind.

    Examples
    --------
    Two words of a sentence may each be linked to one of two others:

    >>> parts = Parts()
    >>> links = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> _ = parts.add("link", links, {"distance": [abs(i - j) for i, j in links]})
    >>> _ = parts.join("diagonal", [((0, 0), (1, 1))])
    >>> len(parts), parts.groups["diagonal"].members
    (4, array([[0, 3]]))
    """

    def __init__(self) -> None:
        self.keys: list[Hashable] = []
        self.kinds: dict[str, Kind] = {}
        self.groups: dict[str, Groups] = {}
        self._number: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def add(
        self,
        kind: str,
        keys: Iterable[Hashable],
        codes: Mapping[str, Any] | None = None,
        numbers: Mapping[str, Any] | None = None,
        vectors: npt.ArrayLike | None = None,
    ) -> Self:
        """Add the parts of a kind.

        Parameters
        ----------
        kind
            The kind, which selects the templates; see `GraphModel.templates`.
        keys
            The keys of the parts: any hashable objects, without duplicates.
        codes, numbers
            Attributes of the parts, by name: codes are an integer or a string per part, numbers a
            number per part; see `treaty.features.CodeTemplates`.
        vectors
            A row of numbers for each part, such as embeddings, for the scorer `Dense`: its first
            columns are these, the others are projections of the templates' features.
        """
        self._check_new(kind)
        begin = len(self.keys)
        for key in keys:
            if key in self._number:
                raise UsageError(f"{kind}: there is already a part {key!r}; keys must be unique")
            self._number[key] = len(self.keys)
            self.keys.append(key)
        size = len(self.keys) - begin
        for name, values in {**(codes or {}), **(numbers or {})}.items():
            if len(values) != size:
                raise UsageError(
                    f"{kind}: expected {size} values of {name!r}, one per part, got {len(values)}"
                )
        self.kinds[kind] = Kind(
            begin, len(self.keys), codes or {}, numbers or {}, _checked_vectors(kind, vectors, size)
        )
        return self

    def join(self, kind: str, groups: Iterable[Sequence[Hashable]]) -> Self:
        """Add groups of parts whose joint choice has its own features, and thus a score.

        Parameters
        ----------
        kind
            The kind, which selects the templates; these use codes of the members, as in
            ``"0.same 1.same"``.
        groups
            The keys of the members of each group; all groups have the same size, and all members
            are of one kind.
        """
        self._check_new(kind)
        rows = [[self.number(key) for key in group] for group in groups]
        if len({len(row) for row in rows}) > 1 or any(len(row) < 2 for row in rows):
            raise UsageError(f"{kind}: expected groups of at least two parts, all of the same size")
        members = np.array(rows, np.int64) if rows else np.zeros((0, 2), np.int64)
        low, high = members.min(initial=len(self)), members.max(initial=-1)
        of = [k for k in self.kinds.values() if k.begin <= low and high < k.end]
        if rows and not of:
            raise UsageError(f"{kind}: the members of groups must be parts of one kind")
        self.groups[kind] = Groups(of[0] if of else Kind(0, 0, {}, {}), members)
        return self

    def number(self, key: Hashable) -> int:
        """Return the index of a part's variable."""
        if key not in self._number:
            raise UsageError(f"there is no part {key!r}")
        return self._number[key]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._number

    def _check_new(self, kind: str) -> None:
        if kind in self.kinds or kind in self.groups:
            raise UsageError(
                f"the kind {kind!r} was already added; add all parts of a kind at once"
            )


def _checked_vectors(
    kind: str, vectors: npt.ArrayLike | None, parts: int
) -> npt.NDArray[np.float64] | None:
    if vectors is None:
        return None
    rows = np.asarray(vectors, np.float64)
    if rows.ndim != 2 or len(rows) != parts or not np.isfinite(rows).all():
        raise UsageError(
            f"{kind}: expected a row of finite numbers for each of {parts} parts as vectors, "
            f"found an array of the shape {rows.shape}"
        )
    return rows
