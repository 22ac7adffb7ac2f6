"""Mutations of safetensors files: raw bytes, tensors, and Treaty's JSON header within them.

Mutants of the header and of tensors are well formed at the levels below, so that they reach the
checks above.
"""

from __future__ import annotations

import copy
import json
import random
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LONGEST", "mutated_file"]

KEY = "treaty"
MOST_TRIES = 4
LONGEST = 2**17
"""Number of bytes of the largest mutant."""
SIZES = {"U8": 1, "I8": 1, "I32": 4, "I64": 8, "U64": 8, "F32": 4, "F64": 8}
FORMATS = {"U8": "B", "I8": "b", "I32": "i", "I64": "q", "U64": "Q", "F32": "f", "F64": "d"}
OTHER_TYPES = (*SIZES, "BOOL", "F16", "BF16", "U16", "X9", "")
NUMBERS: tuple[Any, ...] = (
    0, 1, 2, 3, 7, -1, -2, 64, 65, 127, 128, 255, 256, 1000, 10**6, 10**9, 2**31 - 1, 2**31,
    2**32, 2**63 - 1, 2**63, 2**64, -(2**31), -(2**63), 10**30, 10**400, 0.0, -0.0, 0.5, 1.5,
    1e-320, 1e-9, 1e9, 1e18, 1e38, 1e300, 1.7e308, -1e300, True, False,
)  # fmt: skip
RAW_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 5000, "1" + "0" * 400)
STRINGS = (
    "", " ", "x", "\0", "\n", "\x1b[31m", "\ud800", "\udfff\ud800", "é", "\U0001f600", "english",
    "threads", "summarizer", "entities", "english.treaty", "/dev/zero", "/dev/stdin", "../x", "~",
    "w.form", "*", "w+9.form", "0.", "between.form", "%s%n{0}", "A" * 10_000, "_", "-", "O", "B-",
    "upos", "xpos", "feats", "chain", "global", "first", "third", "٣", "<script>alert(1)</script>",
)  # fmt: skip
OTHERS: tuple[Any, ...] = (None, [], {}, [[]], [None], {"": None}, [{}], [0] * 100, [""] * 100)


@dataclass
class _Raw:
    """JSON that is written as it stands."""

    text: str


@dataclass
class _File:
    """A file taken apart: the header of Treaty, and tensors as type, shape and bytes."""

    header: Any
    tensors: dict[str, list[Any]]
    metadata: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: bytes) -> _File:
        size = int.from_bytes(data[:8], "little")
        entries = json.loads(data[8 : 8 + size])
        metadata = entries.pop("__metadata__")
        payload = data[8 + size :]
        tensors = {
            name: [entry["dtype"], entry["shape"], payload[slice(*entry["data_offsets"])]]
            for name, entry in entries.items()
        }
        return cls(json.loads(metadata.pop(KEY)), tensors, metadata)

    def to_bytes(self) -> bytes:
        entries: dict[str, Any] = {"__metadata__": {**self.metadata, KEY: _written(self.header)}}
        payload, at = [], 0
        for name, (kind, shape, data) in self.tensors.items():
            offsets = [at, at + len(data)]
            entries[name] = {"dtype": kind, "shape": shape, "data_offsets": offsets}
            payload.append(data)
            at += len(data)
        text = json.dumps(entries).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(8, "little") + text + b"".join(payload)


def _written(value: Any) -> str:
    raws: list[str] = []

    def other(raw: _Raw) -> str:
        raws.append(raw.text)
        return f"@raw{len(raws) - 1}@"

    text = json.dumps(value, default=other)
    for number, raw in enumerate(raws):
        text = text.replace(f'"@raw{number}@"', raw)
    return text


def mutated_file(dice: random.Random, corpus: Sequence[bytes], _words: Sequence[bytes]) -> bytes:
    """Change a file of a corpus in one to three ways."""
    data = dice.choice(corpus)
    for _ in range(MOST_TRIES):
        made = _mutant(data, dice)
        if len(made) <= LONGEST:
            break
    return made


def _mutant(data: bytes, chance: random.Random) -> bytes:
    try:
        file = _File.of(data)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return _bytes(data, chance)
    if chance.random() < 0.15:
        return _bytes(data, chance)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        change = _header if chance.random() < 0.6 else _tensor
        change(file, chance)
    made = file.to_bytes()
    return _bytes(made, chance) if chance.random() < 0.03 else made


# Bytes


def _bytes(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    head = 8 + int.from_bytes(data[:8], "little")
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        end = max(1, min(len(changed), head if chance.random() < 0.6 else len(changed)))
        at = chance.randrange(end)
        kind = chance.randrange(6)
        if kind == 0:
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            changed[at : at + 1] = chance.randbytes(1)
        elif kind == 2:
            del changed[at : at + chance.choice((1, 2, 8, 100))]
        elif kind == 3:
            changed[at:at] = chance.randbytes(chance.choice((1, 2, 8)))
        elif kind == 4:
            changed[at:at] = changed[at : at + chance.choice((1, 8, 64))]
        elif chance.random() < 0.2:
            del changed[at:]
        if not changed:
            changed = bytearray(data)
    return bytes(changed)


# The header


def _header(file: _File, chance: random.Random) -> None:
    places = _places(file.header)
    holder, key = chance.choice(places)
    old = holder[key]
    kind = chance.random()
    if kind < 0.6:
        holder[key] = _like(old, chance) if chance.random() < 0.6 else _any(chance)
    elif kind < 0.68:
        del holder[key]
    elif kind < 0.76:
        other, at = chance.choice(places)
        holder[key] = json.loads(_written(other[at])) if _is_plain(other[at]) else None
    elif kind < 0.84 and isinstance(old, list) and old:
        times = chance.choice((2, 3, 10, 300))
        old[:] = (old * times)[:100_000]
    elif kind < 0.9 and isinstance(old, list):
        chance.shuffle(old)
    elif isinstance(holder, dict) and isinstance(key, str):
        holder[chance.choice(STRINGS)] = holder.pop(key)
    else:
        holder[key] = _any(chance)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """List all entries, as their holder and key; few of long lists."""
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        holder = todo.pop()
        keys = list(holder) if isinstance(holder, dict) else [*range(min(len(holder), 4))]
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                todo.append(holder[key])
    return found or [({"": 0}, "")]


def _is_plain(value: Any) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def _any(chance: random.Random) -> Any:
    kind = chance.randrange(6)
    if kind == 0:
        return _Raw(chance.choice(RAW_NUMBERS))
    if kind == 1:
        depth = chance.choice((10, 200, 990, 5000))
        pair = chance.choice(("[]", '{"a":}'))
        middle = "1" if pair != "[]" else ""
        return _Raw(pair[:-1] * depth + middle + pair[-1] * depth)
    return copy.deepcopy(chance.choice((NUMBERS, STRINGS, OTHERS, NUMBERS)[kind - 2]))


def _like(old: Any, chance: random.Random) -> Any:
    """Another value of the same type."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        near = old + chance.choice((-1, 1, 2, -2, 10))
        return chance.choice((near, *(n for n in NUMBERS if type(n) is int)))
    if isinstance(old, float):
        numbers = [n for n in NUMBERS if type(n) is float]
        return chance.choice((*numbers, old * 2, -old, old * 1e6))
    if isinstance(old, str):
        return _string(old, chance)
    if isinstance(old, list):
        return [*old, *(chance.choice((old, [_any(chance)])) or [])]
    return {**old, chance.choice(STRINGS): _any(chance)} if isinstance(old, dict) else _any(chance)


def _string(old: str, chance: random.Random) -> str:
    if not old or chance.random() < 0.3:
        return chance.choice(STRINGS)
    at = chance.randrange(len(old))
    words = old.split() or [old]
    ways: tuple[Callable[[], str], ...] = (
        lambda: old[:at] + old[at + 1 :],
        lambda: old[:at] + chance.choice(("\ud800", "9", "+", "-", ".", "(", " ", "\0")) + old[at:],
        lambda: " ".join(words * chance.choice((2, 10, 1000))),
        lambda: f"{old} {chance.choice(words)}",
        lambda: old * chance.choice((2, 50)),
        lambda: old.upper(),
        lambda: "".join(str(chance.choice((0, 9, 99, 10**9))) if c.isdigit() else c for c in old),
    )
    return chance.choice(ways)()


# Tensors


def _tensor(file: _File, chance: random.Random) -> None:
    if not file.tensors:
        return
    name = chance.choice(list(file.tensors))
    tensor = file.tensors[name]
    kind, shape, data = tensor
    way = chance.randrange(10)
    if way == 0:
        del file.tensors[name]
    elif way == 1:
        file.tensors[chance.choice((*STRINGS, name + "x"))] = file.tensors.pop(name)
    elif way == 2:
        tensor[0] = chance.choice(OTHER_TYPES)
    elif way == 3:
        tensor[1] = _shape(shape, chance)
    elif way == 4:
        other = file.tensors[chance.choice(list(file.tensors))]
        tensor[:] = other
    elif kind in SIZES:
        tensor[2] = changed = _elements(kind, data, chance, way)
        if chance.random() < 0.95:
            tensor[1] = [len(changed) // SIZES[kind]]


def _shape(shape: list[int], chance: random.Random) -> list[int]:
    ways = (
        [1, *shape], [*shape, 1], [1] * 64 + shape, [1] * 65 + shape, [0, *shape], [0] * 70, [],
        [n + 1 for n in shape], [2**32, 2**32], [2**63, 0], [*shape, 0, 2**62], [2, 2],
    )  # fmt: skip
    return chance.choice(ways)


def _elements(kind: str, data: bytes, chance: random.Random, way: int) -> bytes:
    width, code = SIZES[kind], FORMATS[kind]
    count = len(data) // width
    at = chance.randrange(count + 1)
    if way == 5:
        return data[: at * width]
    if way == 6:
        return data + data[: chance.choice((1, 2, count)) * width]
    if way == 7 and kind == "U8":
        return chance.randbytes(chance.choice((0, 1, 8, 100)))
    if way == 8 and count > 1:
        rows = [data[i * width : (i + 1) * width] for i in range(min(count, 1000))]
        chance.shuffle(rows)
        return b"".join(rows) + data[len(rows) * width :]
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 20))):
        at = chance.randrange(count) if count else 0
        changed[at * width : (at + 1) * width] = _number(kind, code, chance)
    if way == 9 and chance.random() < 0.3:
        return _number(kind, code, chance) * count
    return bytes(changed)


def _number(kind: str, code: str, chance: random.Random) -> bytes:
    if chance.random() < 0.2:
        return chance.randbytes(SIZES[kind])
    if kind.startswith("F"):
        values = (0.0, -0.0, 1.0, -1.0, 1e9, -1e9, 1.1e9, 1e18, 1e38, -3e38, 1e-40)
        more = (float("nan"), float("inf"), -float("inf"), 1e-3)
        wide = (1e300, -1.7e308, 5e-324) if kind == "F64" else ()
        return struct.pack(f"<{code}", chance.choice((*values, *more, *wide)))
    bits = 8 * SIZES[kind]
    low = 0 if kind.startswith("U") else -(2 ** (bits - 1))
    high = low + 2**bits - 1
    numbers = [n for n in (0, 1, 2, -1, 10, 127, 1000, 10**6, 10**9, low, high) if low <= n <= high]
    return struct.pack(f"<{code}", chance.choice(numbers))
