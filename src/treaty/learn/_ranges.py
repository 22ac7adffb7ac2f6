"""Ranges of settings: declared once, checked when a user gives them and when a file holds them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from treaty.errors import UsageError, shortened

__all__ = ["Flag", "Int", "OneOf", "Optional", "Range", "Real", "Text", "Texts", "check_ranges"]

Value = TypeVar("Value")

LONGEST_TEXT = 1000
MOST_TEXTS = 2**16


class Range(ABC, Generic[Value]):
    """The values that an entry may have; its text completes "expected …"."""

    @abstractmethod
    def __contains__(self, value: object) -> bool:
        """Return whether a value is of the right type and in the range."""


@dataclass(frozen=True)
class Int(Range[int]):
    """Integers from `least` to `most`.

    Examples
    --------
    >>> 26 in Int(1, 26), 27 in Int(1, 26), True in Int(1, 26)
    (True, False, False)
    """

    least: int
    most: int

    def __contains__(self, value: object) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def __str__(self) -> str:
        return f"an integer from {self.least} to {self.most}"


@dataclass(frozen=True)
class Real(Range[float]):
    """Finite numbers from `least` to `most`.

    Examples
    --------
    >>> 1 in Real(0, 1), 1.5 in Real(0, 1), float("nan") in Real(0, 1)
    (True, False, False)
    """

    least: float
    most: float

    def __contains__(self, value: object) -> bool:
        return (
            isinstance(value, int | float)
            and type(value) is not bool
            and self.least <= value <= self.most
            and math.isfinite(value)
        )

    def __str__(self) -> str:
        return f"a number from {self.least:g} to {self.most:g}"


@dataclass(frozen=True)
class Flag(Range[bool]):
    """True or false."""

    def __contains__(self, value: object) -> bool:
        return type(value) is bool

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class OneOf(Range[str]):
    """One of a few strings.

    Examples
    --------
    >>> print(OneOf(("chain", "global")))
    one of chain, global
    """

    names: tuple[str, ...]

    def __contains__(self, value: object) -> bool:
        return type(value) is str and value in self.names

    def __str__(self) -> str:
        return f"one of {', '.join(self.names)}"


@dataclass(frozen=True)
class Text(Range[str]):
    """Strings of at most `longest` characters."""

    longest: int = LONGEST_TEXT

    def __contains__(self, value: object) -> bool:
        return type(value) is str and len(value) <= self.longest

    def __str__(self) -> str:
        return f"a string of at most {self.longest} characters"


@dataclass(frozen=True)
class Texts(Range[list[str]]):
    """Lists of `least` to `most` strings.

    Examples
    --------
    >>> ["a", "b"] in Texts(1), [] in Texts(1), ["a", 1] in Texts()
    (True, False, False)
    """

    least: int = 0
    most: int = MOST_TEXTS
    each: Text = Text()

    def __contains__(self, value: object) -> bool:
        return (
            type(value) is list
            and self.least <= len(value) <= self.most
            and all(item in self.each for item in value)
        )

    def __str__(self) -> str:
        limits = f"{self.least} to {self.most}, of at most {self.each.longest} characters"
        return f"a list of strings ({limits})"


@dataclass(frozen=True)
class Optional(Range[Any]):
    """A value in a range, or None.

    Examples
    --------
    >>> None in Optional(Text()), 1 in Optional(Text())
    (True, False)
    """

    of: Range[Any]

    def __contains__(self, value: object) -> bool:
        return value is None or value in self.of

    def __str__(self) -> str:
        return f"{self.of}, or nothing"


def check_ranges(values: Mapping[str, Any], ranges: Mapping[str, Range[Any]]) -> None:
    """Raise `UsageError` for the first value that is not in its range.

    Examples
    --------
    >>> check_ranges({"bits": 99}, {"bits": Int(1, 26)})
    Traceback (most recent call last):
        ...
    treaty.errors.UsageError: bits: expected an integer from 1 to 26, found 99
    """
    for name, allowed in ranges.items():
        if values[name] not in allowed:
            raise UsageError(f"{name}: expected {allowed}, found {shown(values[name])}")


def shown(value: object) -> str:
    """Write a value for a message, shortened; numbers may have thousands of digits."""
    if isinstance(value, str):
        return shortened(value)
    huge = type(value) is int and value.bit_length() > 64
    plain = isinstance(value, int | float | None) and not huge
    return repr(value) if plain else "a huge number" if huge else type(value).__name__
