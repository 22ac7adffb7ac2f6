"""What work on a request has at hand, and what it tells besides its results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from treaty.errors import InputError
from treaty.web._caps import Caps
from treaty.web._shelf import Shelf
from treaty.web._stop import Stop

__all__ = ["Context"]

Item = TypeVar("Item")
MOST_TOLD = 10
"""Number of faults that are told one by one."""
HEAVY = 256
COUNTING = 0.2
"""Seconds for counting what is left out."""


@dataclass
class Context:
    """What work on a request has at hand, and what it tells besides its results.

    Attributes
    ----------
    shelf, stop
        The models; when to end.
    caps
        How large the parts of the request may be.
    notes
        What the client should know, such as that a limit was reached.
    faults
        Number of faulty parts of the input, which were skipped.
    left_out
        Number of inputs that were not worked on before the time limit.
    is_counted
        Whether that is all of them; there may be more if counting them takes long.
    """

    shelf: Shelf
    stop: Stop
    caps: Caps = field(default_factory=Caps)
    notes: list[str] = field(default_factory=list)
    faults: int = 0
    left_out: int = 0
    is_counted: bool = True

    def fault(self, error: InputError) -> None:
        """Skip a faulty part of the input."""
        self.faults += 1
        if self.faults <= MOST_TOLD:
            self.notes.append(f"skipped: {error.message}")

    def groups(
        self, items: Iterable[Item], size: int, weight: Callable[[Item], int] = lambda _: 0
    ) -> Iterator[list[Item]]:
        """Collect items; at the time limit, those that are left are counted, not worked on.

        The first group is worked on in any case.

        Parameters
        ----------
        items, size
            The items, and how many of them are worked on between two looks at the clock.
        weight
            How much work an item is; a group ends when its weight reaches `HEAVY`.
        """
        rest, is_first = iter(items), True
        while group := list(_some(rest, size, weight)):
            if self.stop.is_late and not is_first:
                self._leave_out(group, rest)
                return
            yield group
            is_first = False

    def _leave_out(self, group: list[Item], rest: Iterator[Item]) -> None:
        """Count what is left; that takes time, too, and ends soon."""
        self.left_out = len(group)
        until = time.monotonic() + COUNTING
        for _ in rest:
            self.left_out += 1
            if time.monotonic() > until:
                self.is_counted = False
                return

    def told(self) -> dict[str, Any]:
        """Return what is added to the results: only what there is to tell."""
        if self.left_out:
            few = "" if self.is_counted else "at least "
            self.notes.append(
                f"stopped at the time limit of {self.stop.seconds:g} seconds: "
                f"{few}{self.left_out:,} inputs are left out"
            )
        found = {"notes": self.notes, "faults": self.faults, "left_out": self.left_out}
        return {name: value for name, value in found.items() if value}


def _some(rest: Iterator[Item], size: int, weight: Callable[[Item], int]) -> Iterator[Item]:
    heaviness = 0
    for _, item in zip(range(size), rest, strict=False):
        yield item
        heaviness += weight(item)
        if heaviness >= HEAVY:
            return
