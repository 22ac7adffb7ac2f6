"""Model files: safetensors files with a JSON header in their metadata.

Everything is validated before use: a damaged, truncated or malicious file raises `ModelError` and
nothing else. Files do not depend on time or machine: the same model gives the same bytes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from treaty import __version__
from treaty._streams import name_of, replacing
from treaty.errors import ModelError, UsageError, shortened
from treaty.learn._model_bytes import (
    AGAIN,
    DTYPES,
    FORMAT,
    KEY,
    check_memory,
    header_of,
    read_bytes,
    tensors_of,
)
from treaty.learn._packing import Table, Unpackable, unpack_codes
from treaty.learn._ranges import Range, Texts, check_ranges, shown

__all__ = ["FORMAT", "ModelFile", "Tensors", "string_tensor"]

Tensors = Mapping[str, npt.NDArray[np.generic]]
Value = TypeVar("Value")

OWN_KEYS = ("format", "task", "treaty")
"""Header entries that every file has, in addition to those of the model."""
SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """The contents of a model file, with reading and writing.

    Parameters
    ----------
    task
        What the model does, such as ``"tagger"``.
    header
        JSON values: info, templates, labels, settings.
    tensors
        Arrays by name; `pack_weights` compresses large tables.
    name
        Name of the file in messages.

    Examples
    --------
    >>> file = ModelFile("toy", {"tags": ["A"]}, {"w": np.zeros(2)})
    >>> ModelFile.from_bytes(file.to_bytes(), task="toy").strings("tags")
    ['A']
    """

    task: str
    header: Mapping[str, Any]
    tensors: Tensors
    name: str = "<model>"

    # Reading and writing

    @classmethod
    def read(cls, origin: str | Path | IO[bytes], *, task: str | None = None) -> ModelFile:
        """Read a model file.

        Parameters
        ----------
        origin
            A path or an open binary stream.
        task
            Required task of the model; any by default.

        Raises
        ------
        ModelError
            When the file cannot be read, is damaged, of another format or for another task.
        """
        name = name_of(origin)
        data = read_bytes(origin, name)
        return cls.from_bytes(data, name, task=task)

    @classmethod
    def from_bytes(
        cls, data: bytes, name: str = "<bytes>", *, task: str | None = None
    ) -> ModelFile:
        """Read the bytes of a model file; `name` is used in messages."""
        tensors = tensors_of(data, name)
        header = header_of(data[8 : 8 + int.from_bytes(data[:8], "little")], name)
        stored_task = header["task"]
        if task is not None and stored_task != task:
            raise ModelError(
                f"{name}: this is a model for the task {stored_task!r}; expected {task!r}"
            )
        entries = {key: value for key, value in header.items() if key not in OWN_KEYS}
        return cls(stored_task, entries, tensors, name)

    def to_bytes(self) -> bytes:
        """Return the bytes of the file.

        Raises
        ------
        UsageError
            When the header is not JSON, or a tensor has an unsupported type.
        """
        from safetensors.numpy import save

        header = {**self.header, "format": FORMAT, "treaty": __version__, "task": self.task}
        try:
            text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
            text.encode()
        except (TypeError, ValueError) as error:
            raise UsageError(f"the header of a model file must be JSON: {error}") from error
        ordered = {name: np.ascontiguousarray(self.tensors[name]) for name in sorted(self.tensors)}
        for name, tensor in ordered.items():
            if tensor.dtype not in DTYPES.values():
                raise UsageError(f"model files cannot store the type of the tensor {name!r}")
        check_memory(sum(tensor.nbytes for tensor in ordered.values()) + len(text))
        return bytes(save(ordered, {KEY: text}))

    def write(self, path: str | Path) -> None:
        """Write the file, replacing an existing one only when all is written."""
        data = self.to_bytes()
        with replacing(path) as stream:
            stream.write(data)

    # Validated access to the contents

    def fault(self, what: str) -> ModelError:
        """Make the error for a fault in the file.

        Examples
        --------
        >>> print(ModelFile("tagger", {}, {}, "m.treaty").fault("there are no tags"))
        m.treaty: there are no tags; download the file again or retrain the model
        """
        return ModelError(f"{self.name}: {what}; {AGAIN}")

    def value(self, key: str, kind: type[Value] | Range[Value]) -> Value:
        """Return an entry of the header, which must be of this type or in this range.

        Examples
        --------
        >>> from treaty.learn import Int
        >>> ModelFile("tagger", {"bits": 20}, {}).value("bits", Int(1, 26))
        20
        """
        return self.checked(self.header.get(key), kind, key)

    def checked(self, value: object, kind: type[Value] | Range[Value], what: str) -> Value:
        """Return the value, or raise `ModelError` if it is of another type or out of range."""
        if isinstance(kind, Range):
            if value not in kind:
                raise self.fault(f"{what}: expected {kind}, found {shown(value)}")
        elif type(value) is not kind:
            raise self.fault(f"{what}: expected {kind.__name__}, found {type(value).__name__}")
        return value  # type: ignore[return-value]  # a range holds values of its type alone

    def settings(self, key: str, ranges: Mapping[str, Range[Any]]) -> dict[str, Any]:
        """Return an entry that has exactly these settings, each in its range.

        Examples
        --------
        >>> from treaty.learn import Int
        >>> file = ModelFile("tagger", {"settings": {"bits": 99}}, {}, "m.treaty")
        >>> file.settings("settings", {"bits": Int(1, 26)})
        Traceback (most recent call last):
            ...
        treaty.errors.ModelError: m.treaty: settings: bits: expected an integer from 1 to 26, \
found 99; download the file again or retrain the model
        """
        values = self.value(key, dict)
        if set(values) != set(ranges):
            raise self.fault(f"{key}: expected {', '.join(ranges) or 'none'}")
        try:
            check_ranges(values, ranges)
        except UsageError as error:
            raise self.fault(f"{key}: {error.message}") from error
        return values

    def strings(self, key: str, allowed: Texts = Texts()) -> list[str]:  # noqa: B008 - frozen
        """Return an entry of the header, which must be a list of strings."""
        return self.checked(self.header.get(key), allowed, key)

    def checked_strings(self, value: object, what: str) -> list[str]:
        """Return a list of strings, or raise `ModelError` if it is something else."""
        return self.checked(value, Texts(), what)

    def info(self) -> dict[str, Any]:
        """Return the metadata of the model: language, data, license, training, scores."""
        return self.value("info", dict)

    def tensor(
        self,
        name: str,
        dtype: type[np.generic],
        size: int | None = None,
        *,
        least: float | None = None,
        most: float | None = None,
    ) -> npt.NDArray[Any]:
        """Return a one-dimensional tensor of this type and, if given, this size and range.

        Examples
        --------
        >>> file = ModelFile("toy", {}, {"path": np.array([0, 9], np.int32)}, "m.treaty")
        >>> file.tensor("path", np.int32, 2, least=0, most=3)
        Traceback (most recent call last):
            ...
        treaty.errors.ModelError: m.treaty: path: expected numbers from 0 to 3; \
download the file again or retrain the model
        """
        tensor = self.tensors.get(name)
        if tensor is None:
            raise self.fault(f"there is no tensor {name}")
        if tensor.dtype != dtype or tensor.ndim != 1 or size not in (None, len(tensor)):
            wanted = f"{'' if size is None else f'{size} '}{dtype.__name__}"
            raise self.fault(f"{name}: expected a vector of {wanted}")
        low, high = -math.inf if least is None else least, math.inf if most is None else most
        if len(tensor) and not (tensor.min() >= low and tensor.max() <= high):
            raise self.fault(f"{name}: expected numbers from {low} to {high}")
        return tensor

    def string_list(self, name: str) -> list[str]:
        """Return the strings of a tensor made by `string_tensor`."""
        try:
            *strings, rest = self.tensor(name, np.uint8).tobytes().decode().split("\n")
        except UnicodeDecodeError as error:
            raise self.fault(f"{name}: not valid UTF-8") from error
        if rest:
            raise self.fault(f"{name}: the last string is truncated")
        return strings

    def weights(self, name: str, size: int | None = None) -> Table:
        """Unpack a table of weights."""
        codes, levels = self.codes(name, size)
        return levels[codes]

    def codes(self, name: str, size: int | None = None) -> tuple[npt.NDArray[np.uint8], Table]:
        """Unpack a table of weights into the index of each weight's level, and the levels."""
        try:
            codes, levels = unpack_codes(self.tensors, name)
        except Unpackable as error:
            raise self.fault(str(error)) from error
        if size not in (None, len(codes)):
            raise self.fault(f"{name}: expected {size} weights, found {len(codes)}")
        return codes, levels

    # Models within models

    def part(self, name: str, task: str | None = None, shared: Iterable[str] = ()) -> ModelFile:
        """View a model within this one, with its own header and tensor names.

        Parameters
        ----------
        name
            The name given to `with_part`.
        task
            The task of the part; by default its name.
        shared
            Name prefixes of the tensors that the part shares with others.

        Examples
        --------
        >>> whole = ModelFile("pipeline", {}, {}).with_part("tagger", ModelFile("tagger", {}, {}))
        >>> whole.part("tagger").task
        'tagger'
        """
        tensors = {
            tensor.removeprefix(f"{name}."): value
            for tensor, value in self.tensors.items()
            if tensor.startswith((f"{name}.", *shared))
        }
        return ModelFile(task or name, self.value(name, dict), tensors, self.name)

    def with_part(self, name: str, part: ModelFile, shared: Iterable[str] = ()) -> ModelFile:
        """Return this file with another model added."""
        prefix = {key: "" if key.startswith(tuple(shared)) else f"{name}." for key in part.tensors}
        tensors = {f"{prefix[key]}{key}": value for key, value in part.tensors.items()}
        header = {**self.header, name: part.header}
        return ModelFile(self.task, header, {**self.tensors, **tensors}, self.name)


def string_tensor(strings: Iterable[str]) -> npt.NDArray[np.generic]:
    r"""Store strings without line breaks in a tensor.

    Raises
    ------
    UsageError
        When a string has a line break, or a lone surrogate, which UTF-8 cannot encode.

    Examples
    --------
    >>> string_tensor(["a", "b"]).tobytes()
    b'a\nb\n'
    """
    every = list(strings)
    for string in every:
        if "\n" in string or (not string.isascii() and SURROGATE.search(string)):
            raise UsageError(f"model files cannot store the string {shortened(string)}")
    return np.frombuffer("".join(f"{string}\n" for string in every).encode(), np.uint8)
