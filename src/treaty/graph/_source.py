"""A graph file in text form: its name, its lines, and errors with line numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NoReturn

from treaty._streams import Unreadable, chunks_of, limited, name_of
from treaty.errors import InputError

__all__ = ["Source", "Unreadable"]

# No graph file is larger; anything larger is a mistake or a decompression bomb.
MOST_BYTES = 2**28
# A variable may have states that no factor of the file mentions, but only so many.
MOST_FREE_STATES = 10**6
LARGEST_SCORE = 1e100
"""Largest absolute score that the native graph accepts."""

# Only printable ASCII is valid outside comments; int() and float() would also accept "1_000" and
# the digits of other scripts. An underscore between letters may be part of a factor's name.
ODD = re.compile(r"[^\t\n\x20-\x7e]|(?<![A-Za-z])_|_(?![A-Za-z])")


PRINTABLE = bytes([*b"\t\n", *range(0x20, 0x7F)])


class Source:
    r"""The lines of a file without comments.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open text or binary stream; gzip and xz are
        decompressed, whatever the name.
    empty
        Whether the file may be empty.

    Attributes
    ----------
    text
        The text, with ``\n`` at the end of lines; ASCII.
    """

    def __init__(self, origin: str | Path | IO[Any], *, empty: bool = False) -> None:
        self.name = name_of(origin)
        text = self._decode(self._fetch(origin))
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if "#" in text:
            text = "\n".join(line.partition("#")[0] for line in text.split("\n"))
        self.text = text
        if self._may_be_odd() and (odd := ODD.search(text)):
            self.fail(self.line_at(odd.start()), "invalid character in a graph file", odd[0])
        if not empty and not text.strip():
            self.fail(None, "the file is empty; expected a graph")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return self.text.split("\n")

    def line_at(self, offset: int) -> int:
        """Return the number of the line at a position of `text`."""
        return self.text.count("\n", 0, offset) + 1

    def _may_be_odd(self) -> bool:
        """Rule out invalid characters quickly: the expression takes its time on large files."""
        return (
            not self.text.isascii()
            or "_" in self.text
            or bool(self.text.encode().translate(None, PRINTABLE))
        )

    def fail(self, line: int | None, message: str, text: str | None = None) -> NoReturn:
        """Raise `InputError` for the file."""
        raise InputError(message, path=self.name, line=line, text=text)

    def _fetch(self, origin: str | Path | IO[Any]) -> bytes:
        try:
            return b"".join(limited(chunks_of(origin), MOST_BYTES))
        except Unreadable as error:
            self.fail(None, error.message)

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.fail(line, f"not a text file: not UTF-8 at byte {error.start}")


def integer(token: str) -> int:
    """Parse an integer."""
    try:
        return int(token)
    except ValueError:
        raise Unreadable("expected an integer", token) from None


def count(token: str) -> int:
    """Parse a nonnegative integer."""
    if not token.isdecimal():
        raise Unreadable("expected a count (0, 1, 2…)", token)
    return integer(token)


def integers(tokens: Iterable[str]) -> list[int]:
    """Parse many integers quickly."""
    try:
        return list(map(int, tokens))
    except ValueError:
        return [integer(token) for token in tokens]


def number(token: str, most: float = math.inf) -> float:
    """Parse a finite number with absolute value at most `most`."""
    try:
        value = float(token)
    except ValueError:
        raise Unreadable("expected a number", token) from None
    if not math.isfinite(value):
        raise Unreadable("expected a finite number", token)
    if abs(value) > most:
        raise Unreadable(f"expected a number with absolute value at most {most:g}", token)
    return value


def cells(cardinalities: Iterable[int], most: int) -> int:
    """Multiply cardinalities: the size of a table, which must not exceed `most`."""
    product = 1
    for cardinality in cardinalities:
        product *= cardinality
        if product > most:  # before a product of a million factors is computed
            raise Unreadable(f"the table has more entries than the {most} numbers that follow")
    return product


def score(token: str) -> float:
    """Parse a number, or -inf for a forbidden configuration."""
    return -math.inf if token.lower() in ("-inf", "-infinity") else number(token)
