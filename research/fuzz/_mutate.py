"""Mutations of inputs: bytes, numbers, lines and cells; words of the format; other inputs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

__all__ = ["LONGEST", "mutated"]

LONGEST = 2**14
"""Number of bytes at which inputs are cut off."""
SHORT, LONG = 2**11, 0.125
"""All but this share of the inputs are cut off at fewer bytes: most faults need no more."""
MOST_AT_ONCE = 6
"""Number of mutations of an input."""
ODD: tuple[bytes, ...] = (
    b"", b"\0", b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b"\\", b'"', b"'", b"#", b"_", b"-",
    b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xed\xa0\x80", "\N{NO-BREAK SPACE}".encode(),
    "\N{LINE SEPARATOR}".encode(), "\N{COMBINING ACUTE ACCENT}".encode(), "😀".encode(),
    "٣".encode(), "²".encode(), "İ".encode(), b"<", b">", b"&", b"[", b"]", b"{", b"}", b":", b",",
    b"\x1f\x8b", b"\xfd7zXZ\x00",
)  # fmt: skip
"""What readers get wrong whatever the format."""
NUMBERS: tuple[bytes, ...] = (
    b"0", b"-0", b"1", b"-1", b"2", b"255", b"65536", b"2147483647", b"2147483648", b"-2147483649",
    b"4294967296", b"9223372036854775808", b"1" * 400, b"9" * 5000, b"1e309", b"-1e309", b"1e-400",
    b"nan", b"inf", b"-inf", b"NaN", b"Infinity", b"0x10", b"1_000", b"+1", b"01", b"1.", b".5",
)  # fmt: skip
NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
SEPARATORS = (b"\n", b"\t", b" ", b",", b'"')
TIMES = (2, 3, 10, 100, 1000)

Dice = random.Random


def mutated(dice: Dice, corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Make an input from one or two of a corpus."""
    data = dice.choice(corpus)
    for _ in range(dice.randint(1, MOST_AT_ONCE)):
        data = dice.choice(MUTATIONS)(dice, data, corpus, words)
    return data[: LONGEST if dice.random() < LONG else SHORT]


def _span(dice: Dice, data: bytes) -> tuple[int, int]:
    start = dice.randrange(len(data) + 1)
    return start, min(len(data), start + int(dice.expovariate(0.1)))


def _flip(dice: Dice, data: bytes, _corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    if not data:
        return data
    place = dice.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :]


def _cut(dice: Dice, data: bytes, _corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    start, end = _span(dice, data)
    return data[:start] + data[end:]


def _end(dice: Dice, data: bytes, _corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _repeat(dice: Dice, data: bytes, _corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    start, end = _span(dice, data)
    times = dice.choice(TIMES) if end - start < 64 else 2
    return data[:start] + data[start:end] * times + data[end:]


def _insert(dice: Dice, data: bytes, _corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    start, end = _span(dice, data)
    word = dice.choice(words if words and dice.random() < 0.7 else ODD)
    return data[:start] + word + data[start if dice.random() < 0.7 else end :]


def _number(dice: Dice, data: bytes, _corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    found = NUMBER.search(data, dice.randrange(len(data) + 1))
    if found is None:
        return data
    return data[: found.start()] + dice.choice(NUMBERS) + data[found.end() :]


def _parts(dice: Dice, data: bytes, corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Drop, double, swap or replace a line, cell or word."""
    separator = dice.choice(SEPARATORS)
    parts = data.split(separator)
    one, other = dice.randrange(len(parts)), dice.randrange(len(parts))
    match dice.randrange(5):
        case 0:
            del parts[one]
        case 1:
            parts.insert(other, parts[one])
        case 2:
            parts[one], parts[other] = parts[other], parts[one]
        case 3:
            parts[one] = dice.choice(words or ODD)
        case _:
            parts[one] = dice.choice(dice.choice(corpus).split(separator))
    return separator.join(parts)


def _splice(dice: Dice, data: bytes, corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    other = dice.choice(corpus)
    return data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]


MUTATIONS: tuple[Callable[[Dice, bytes, Sequence[bytes], Sequence[bytes]], bytes], ...] = (
    _flip, _cut, _end, _repeat, _insert, _insert, _number, _parts, _parts, _splice,
)  # fmt: skip
