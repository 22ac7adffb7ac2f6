"""The candidate parts of an input: what a `GraphModel` chooses from."""

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
    """Parts of one kind: variables ``begin`` to ``end``, and what is known of each."""

    begin: int
    end: int
    codes: Mapping[str, Any]
    numbers: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Groups:
    """Parts whose joint choice is scored: a row of variables a group, all of one kind."""

    of: Kind
    members: npt.NDArray[np.int64]


class Parts:
    """The candidate parts of an input, by kind, with what templates may ask of them.

    Attributes
    ----------
    keys
        What the parts are called, in the order in which they were added. The variables of the
        graph have the same order.
    kinds, groups
        What `add` and `join` were told, by kind.

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
    ) -> Self:
        """Add the parts of a kind.

        Parameters
        ----------
        kind
            What templates they have; see `GraphModel.templates`.
        keys
            What the parts are called: anything that a dictionary can have as a key, no two alike.
        codes, numbers
            What is known of the parts, by name: for each name an integer or a string for every
            part, or a number; see `treaty.features.CodeTemplates`.
        """
        self._check_new(kind)
        begin = len(self.keys)
        for key in keys:
            if key in self._number:
                raise UsageError(f"{kind}: there is already a part {key!r}; keys are unique")
            self._number[key] = len(self.keys)
            self.keys.append(key)
        size = len(self.keys) - begin
        for name, values in {**(codes or {}), **(numbers or {})}.items():
            if len(values) != size:
                raise UsageError(f"{kind}: {len(values)} values of {name!r} for {size} parts")
        self.kinds[kind] = Kind(begin, len(self.keys), codes or {}, numbers or {})
        return self

    def join(self, kind: str, groups: Iterable[Sequence[Hashable]]) -> Self:
        """Add groups of parts whose joint choice has features, and so a score, of its own.

        Parameters
        ----------
        kind
            What templates they have; these name codes of the members, as in ``"0.same 1.same"``.
        groups
            The keys of the members of each; all groups have the same size, and all members are of
            one kind.
        """
        self._check_new(kind)
        rows = [[self.number(key) for key in group] for group in groups]
        if len({len(row) for row in rows}) > 1 or any(len(row) < 2 for row in rows):
            raise UsageError(f"{kind}: expected groups of two parts or more, all of the same size")
        members = np.array(rows, np.int64) if rows else np.zeros((0, 2), np.int64)
        low, high = members.min(initial=len(self)), members.max(initial=-1)
        of = [k for k in self.kinds.values() if k.begin <= low and high < k.end]
        if rows and not of:
            raise UsageError(f"{kind}: the members of groups must be parts of one kind")
        self.groups[kind] = Groups(of[0] if of else Kind(0, 0, {}, {}), members)
        return self

    def number(self, key: Hashable) -> int:
        """Tell which variable a part is."""
        if key not in self._number:
            raise UsageError(f"there is no part {key!r}")
        return self._number[key]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._number

    def _check_new(self, kind: str) -> None:
        if kind in self.kinds or kind in self.groups:
            raise UsageError(f"the kind {kind!r} was added before; add all parts of a kind at once")
