"""What work on a request has at hand, and what it tells besides its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from treaty.errors import InputError
from treaty.web._shelf import Shelf
from treaty.web._stop import Stop

__all__ = ["Context"]

Item = TypeVar("Item")
MOST_TOLD = 10
"""Number of faults that are told one by one."""
HEAVY = 256


@dataclass
class Context:
    """What work on a request has at hand, and what it tells besides its results.

    Attributes
    ----------
    shelf, stop
        The models; when to end.
    notes
        What the client should know, such as that a limit was reached.
    faults
        Number of faulty parts of the input, which were skipped.
    left_out
        Number of inputs that were not worked on before the time limit.
    """

    shelf: Shelf
    stop: Stop
    notes: list[str] = field(default_factory=list)
    faults: int = 0
    left_out: int = 0

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
            self.stop.check()
            if self.stop.is_late and not is_first:
                self.left_out = len(group) + sum(1 for _ in rest)
                return
            yield group
            is_first = False

    def told(self) -> dict[str, Any]:
        """Return what is added to the results: only what there is to tell."""
        if self.left_out:
            self.notes.append(
                f"stopped at the time limit of {self.stop.seconds:g} seconds: "
                f"{self.left_out:,} inputs are left out"
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
