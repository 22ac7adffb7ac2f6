"""Model files: one safetensors file, whose metadata hold one JSON header.

Everything is checked before it is used: a damaged, truncated or hostile file gives a `ModelError`
and nothing else. Nothing in a file depends on the time or the machine: the same model gives the
same bytes.
"""

from __future__ import annotations

import json
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
from treaty.learn._packing import Table, Unpackable, unpack_codes

__all__ = ["FORMAT", "ModelFile", "Tensors", "read_header", "string_tensor"]

Tensors = Mapping[str, npt.NDArray[np.generic]]
Value = TypeVar("Value")

FORMAT = 2
"""The version of the format; files of another one are refused."""
KEY = "treaty"
"""Where the header stands in the metadata."""
OWN_KEYS = ("format", "task", "treaty")
"""Entries of the header that every file has, beside those of the model."""
DTYPES = {
    "U8": np.uint8, "I8": np.int8, "I32": np.int32, "I64": np.int64, "U64": np.uint64,
    "F32": np.float32, "F64": np.float64,
}  # fmt: skip
AGAIN = "fetch the file again or train the model again"
SURROGATE = re.compile("[\ud800-\udfff]")
MOST_HEADER = 100_000_000
"""Bytes of the header, as safetensors limits it."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """What a model file holds, and how it is read and written.

    Parameters
    ----------
    task
        What the model does, such as ``"tagger"``.
    header
        What JSON can hold: info, templates, labels, settings.
    tensors
        Arrays by name; `pack_weights` makes small ones of large tables.
    name
        The file, for messages.

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
            What the model must do; by default anything.

        Raises
        ------
        ModelError
            When the file cannot be read, is damaged, of another format or for another task.
        """
        name = name_of(origin)
        try:
            data = Path(origin).read_bytes() if isinstance(origin, str | Path) else origin.read()
        except (OSError, ValueError) as error:
            raise _unreadable(name, error) from error
        return cls.from_bytes(data, name, task=task)

    @classmethod
    def from_bytes(
        cls, data: bytes, name: str = "<bytes>", *, task: str | None = None
    ) -> ModelFile:
        """Read the bytes of a model file; `name` stands for it in messages."""
        tensors = _tensors(data, name)
        header = _header(data[8 : 8 + int.from_bytes(data[:8], "little")], name)
        found = header["task"]
        if task is not None and found != task:
            raise ModelError(f"{name}: a model for the task {found!r}; expected {task!r}")
        own = {key: value for key, value in header.items() if key not in OWN_KEYS}
        return cls(found, own, tensors, name)

    def to_bytes(self) -> bytes:
        """Give the bytes of the file.

        Raises
        ------
        UsageError
            When the header is not JSON, or a tensor of a type that files do not hold.
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
                raise UsageError(f"model files do not hold tensors of the type of {name!r}")
        return bytes(save(ordered, {KEY: text}))

    def write(self, path: str | Path) -> None:
        """Write the file; it replaces an old one only when all of it is written."""
        data = self.to_bytes()
        with replacing(path) as stream:
            stream.write(data)

    # What is in it, checked

    def fault(self, what: str) -> ModelError:
        """Make the error that says what is wrong with the file.

        Examples
        --------
        >>> print(ModelFile("tagger", {}, {}, "m.treaty").fault("there are no tags"))
        m.treaty: there are no tags; fetch the file again or train the model again
        """
        return ModelError(f"{self.name}: {what}; {AGAIN}")

    def value(self, key: str, kind: type[Value]) -> Value:
        """Look up an entry of the header, which must be of this type.

        Examples
        --------
        >>> ModelFile("tagger", {"bits": 20}, {}).value("bits", int)
        20
        """
        return self.checked(self.header.get(key), kind, key)

    def checked(self, value: object, kind: type[Value], what: str) -> Value:
        """Refuse a value of another type."""
        if type(value) is not kind:
            raise self.fault(f"{what}: expected {kind.__name__}, found {type(value).__name__}")
        return value

    def strings(self, key: str) -> list[str]:
        """Look up an entry of the header, which must be a list of strings."""
        return self.checked_strings(self.header.get(key), key)

    def checked_strings(self, value: object, what: str) -> list[str]:
        """Refuse what is not a list of strings."""
        strings = self.checked(value, list, what)
        if not all(type(string) is str for string in strings):
            raise self.fault(f"{what}: expected a list of strings")
        return strings

    def info(self) -> dict[str, Any]:
        """Look up what is known of the model: language, data, license, training, scores."""
        return self.value("info", dict)

    def tensor(
        self, name: str, dtype: type[np.generic], size: int | None = None
    ) -> npt.NDArray[Any]:
        """Look up a list of numbers, of this type and, if given, of this size."""
        tensor = self.tensors.get(name)
        if tensor is None:
            raise self.fault(f"there is no tensor {name}")
        if tensor.dtype != dtype or tensor.ndim != 1 or size not in (None, len(tensor)):
            wanted = f"{'' if size is None else f'{size} '}{dtype.__name__}"
            raise self.fault(f"{name}: expected a list of {wanted}")
        return tensor

    def string_list(self, name: str) -> list[str]:
        """Look up a tensor that `string_tensor` made."""
        try:
            *strings, rest = self.tensor(name, np.uint8).tobytes().decode().split("\n")
        except UnicodeDecodeError as error:
            raise self.fault(f"{name}: not UTF-8") from error
        if rest:
            raise self.fault(f"{name}: the last string breaks off")
        return strings

    def weights(self, name: str, size: int | None = None) -> Table:
        """Unpack a table of weights."""
        codes, levels = self.codes(name, size)
        return levels[codes]

    def codes(self, name: str, size: int | None = None) -> tuple[npt.NDArray[np.uint8], Table]:
        """Unpack a table of weights to the number of each one's level, and the levels."""
        try:
            codes, levels = unpack_codes(self.tensors, name)
        except Unpackable as error:
            raise self.fault(str(error)) from error
        if size not in (None, len(codes)):
            raise self.fault(f"{name}: expected {size} weights, found {len(codes)}")
        return codes, levels

    # Models within models

    def part(self, name: str, task: str | None = None, shared: Iterable[str] = ()) -> ModelFile:
        """See a model within this one: its own header, and its tensors under their own names.

        Parameters
        ----------
        name
            What `with_part` was told.
        task
            The task of the part; by default its name.
        shared
            What the names of tensors begin with that the part shares with others.

        Examples
        --------
        >>> whole = ModelFile("pipeline", {}, {}).with_part("tagger", ModelFile("tagger", {}, {}))
        >>> whole.part("tagger").task
        'tagger'
        """
        own = {
            tensor.removeprefix(f"{name}."): value
            for tensor, value in self.tensors.items()
            if tensor.startswith((f"{name}.", *shared))
        }
        return ModelFile(task or name, self.value(name, dict), own, self.name)

    def with_part(self, name: str, part: ModelFile, shared: Iterable[str] = ()) -> ModelFile:
        """Add a model to this one."""
        prefix = {key: "" if key.startswith(tuple(shared)) else f"{name}." for key in part.tensors}
        own = {f"{prefix[key]}{key}": value for key, value in part.tensors.items()}
        header = {**self.header, name: part.header}
        return ModelFile(self.task, header, {**self.tensors, **own}, self.name)


def string_tensor(strings: Iterable[str]) -> npt.NDArray[np.generic]:
    r"""Make a tensor of strings, none of which has a line break in it.

    Raises
    ------
    UsageError
        When a string has a line break, or lone surrogates, which UTF-8 cannot hold.

    Examples
    --------
    >>> string_tensor(["a", "b"]).tobytes()
    b'a\nb\n'
    """
    every = list(strings)
    for string in every:
        if "\n" in string or (not string.isascii() and SURROGATE.search(string)):
            raise UsageError(f"model files do not hold the string {shortened(string)}")
    return np.frombuffer("".join(f"{string}\n" for string in every).encode(), np.uint8)


def read_header(path: Path) -> dict[str, Any]:
    """Read the header of a model file alone, task included, without its tensors."""
    try:
        with path.open("rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            data = stream.read(min(size, MOST_HEADER))
    except (OSError, ValueError) as error:
        raise _unreadable(str(path), error) from error
    return _header(data, str(path))


def _unreadable(name: str, error: OSError | ValueError) -> ModelError:
    cause = getattr(error, "strerror", None) or error
    return ModelError(f"{name}: cannot be read: {cause}; check the path")


def _tensors(data: bytes, name: str) -> dict[str, npt.NDArray[np.generic]]:
    from safetensors import SafetensorError, deserialize

    try:
        entries = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise ModelError(f"{name}: not a model file, or damaged ({error}); {AGAIN}") from error
    tensors = {}
    for key, entry in entries:
        if entry["dtype"] not in DTYPES:
            raise ModelError(f"{name}: tensor {key!r} is of type {entry['dtype']}; {AGAIN}")
        try:
            tensor = np.frombuffer(entry["data"], DTYPES[entry["dtype"]]).reshape(entry["shape"])
        except ValueError as error:
            raise ModelError(f"{name}: tensor {key!r} has no usable shape; {AGAIN}") from error
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise ModelError(f"{name}: tensor {key!r} has numbers that are not finite; {AGAIN}")
        tensor.flags.writeable = False
        tensors[key] = tensor
    return tensors


def _header(data: bytes, name: str) -> dict[str, Any]:
    """Read Treaty's header from the header of a safetensors file."""
    try:
        metadata = json.loads(data).get("__metadata__") or {}
        header = json.loads(metadata[KEY], parse_constant=_no_constant)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"{name}: it has no Treaty header, or a damaged one; {AGAIN}") from error
    if not isinstance(header, dict) or type(header.get("format")) is not int:
        raise ModelError(f"{name}: the header does not name its format; {AGAIN}")
    if header["format"] != FORMAT:
        raise ModelError(
            f"{name}: format {header['format']}, this Treaty ({__version__}) reads {FORMAT}; "
            "install the version of Treaty that wrote it, or train the model again"
        )
    if not all(isinstance(header.get(key), str) for key in ("task", "treaty")):
        raise ModelError(f"{name}: the header does not name its task and version; {AGAIN}")
    return header


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")
