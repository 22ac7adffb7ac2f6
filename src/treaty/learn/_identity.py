"""What a training is made from: hashes of data and settings, to recognize its checkpoints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

import treaty

__all__ = ["differences", "digest", "identity"]

SIMPLE = (str, int, float, bool, type(None))
LONGEST = 60
"""Number of characters of a setting that is stored as it is, to be named in messages."""


def digest(value: Any) -> str:
    """Hash the content of data or settings: the same for equal content in any process.

    Dataclasses, arrays, sets, models and what JSON can hold are hashed by content; functions and
    objects of other classes by the name of the class alone.

    Examples
    --------
    >>> digest([1, "a"]) == digest((1, "a")), digest([1, "a"]) == digest([1, "b"])
    (True, False)
    """
    engine = blake2b(digest_size=16)
    listed = isinstance(value, Iterable) and not isinstance(value, str | Mapping | np.ndarray)
    for item in value if listed else [value]:
        engine.update(json.dumps(_sorted(item), default=_plain, sort_keys=True).encode())
        engine.update(b"\n")
    return engine.hexdigest()


def identity(**parts: Any) -> dict[str, Any]:
    """Describe a training for its checkpoint: short settings as they are, the rest by its hash.

    Examples
    --------
    >>> identity(batch=4, data=["a long text"] * 100)["batch"]
    4
    """
    told = {"version": treaty.__version__, **parts}
    return {name: value if _is_short(value) else digest(value) for name, value in told.items()}


def differences(saved: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Name what differs between two identities.

    Examples
    --------
    >>> differences({"batch": 4, "data": "0" * 32}, {"batch": 8, "data": "1" * 32})
    ['batch (4, not 8)', 'data']
    """
    found = []
    for name in now:
        old, new = saved.get(name), now[name]
        if old != new or type(old) is not type(new):
            hashed = any(isinstance(value, str) and len(value) == 32 for value in (old, new))
            found.append(name if hashed or not _is_short(old) else f"{name} ({old!r}, not {new!r})")
    return [*found, *(name for name in saved if name not in now)]


def _is_short(value: object) -> bool:
    return isinstance(value, SIMPLE) and len(str(value)) <= LONGEST


def _sorted(value: Any) -> Any:
    """Make the keys of a mapping strings, so that they can be sorted."""
    return {str(key): value[key] for key in value} if isinstance(value, Mapping) else value


def _plain(value: Any) -> Any:
    """Turn what JSON cannot hold into something that it can."""
    if isinstance(value, np.ndarray):
        return [
            str(value.dtype),
            value.shape,
            blake2b(np.ascontiguousarray(value).data).hexdigest(),
        ]
    if isinstance(value, np.generic):
        return value.item()
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _sorted(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, Mapping):
        return _sorted(value)
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "to_bytes"):
        return blake2b(value.to_bytes()).hexdigest()
    if hasattr(value, "tensors") and callable(value.tensors):
        return value.tensors()
    if isinstance(value, Iterable):
        return list(value)
    return getattr(value, "__qualname__", type(value).__qualname__)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.compare)
