"""Model files: one safetensors file, whose metadata hold one JSON header.

Everything is checked before it is used: a damaged, truncated or hostile file gives a `ModelError`
and nothing else. Nothing of a file depends on the time or the machine: the same model gives the
same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from treaty import __version__
from treaty._streams import name_of
from treaty.errors import ModelError, UsageError
from treaty.learn._packing import Table, Unpackable, unpack_codes

__all__ = ["FORMAT", "ModelFile", "describe", "load_model", "save_model"]

Tensors = Mapping[str, npt.NDArray[np.generic]]
Value = TypeVar("Value")

FORMAT = 1
"""The version of the format; files of a newer one are refused."""
KEY = "treaty"
"""Where the header stands in the metadata."""
DTYPES = {
    "U8": np.uint8, "I8": np.int8, "I32": np.int32, "I64": np.int64, "U64": np.uint64,
    "F32": np.float32, "F64": np.float64,
}  # fmt: skip
AGAIN = "fetch the file again or train the model anew"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What a model file holds.

    Parameters
    ----------
    name
        The file, for messages.
    header
        Format version, Treaty's version, task, and what else the model wrote there.
    tensors
        Its arrays by name; they cannot be written to.
    """

    name: str
    header: Mapping[str, Any]
    tensors: Tensors

    def fault(self, what: str) -> ModelError:
        """Make the error that says what is wrong with the file.

        Examples
        --------
        >>> print(ModelFile("m.treaty", {}, {}).fault("there are no tags"))
        m.treaty: there are no tags; fetch the file again or train the model anew
        """
        return ModelError(f"{self.name}: {what}; {AGAIN}")

    def value(self, key: str, kind: type[Value]) -> Value:
        """Look up an entry of the header, which must be of this kind.

        Examples
        --------
        >>> ModelFile("m.treaty", {"bits": 20}, {}).value("bits", int)
        20
        """
        return self.checked(self.header.get(key), kind, key)

    def checked(self, value: object, kind: type[Value], what: str) -> Value:
        """Refuse a value that is of another kind."""
        if type(value) is not kind:
            raise self.fault(f"{what}: expected {kind.__name__}, found {type(value).__name__}")
        return value

    def texts(self, value: object, what: str) -> list[str]:
        """Refuse what is not a list of texts."""
        texts = self.checked(value, list, what)
        if not all(type(text) is str for text in texts):
            raise self.fault(f"{what}: expected a list of texts")
        return texts

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


def save_model(path: str | Path, *, task: str, header: Mapping[str, Any], tensors: Tensors) -> None:
    """Write a model file; it takes its place when all of it is written.

    Parameters
    ----------
    path
        Where to write.
    task
        What the model does, such as ``"tagger"``; `load_model` asks for it.
    header
        What JSON can hold: language, templates, labels, training settings, scores on dev data, the
        license of the data.
    tensors
        Arrays by name; `pack_weights` makes small ones of large tables.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "model.treaty"
    >>> save_model(path, task="toy", header={"tags": ["A"]}, tensors={"w": np.zeros(2)})
    >>> load_model(path, task="toy").header["tags"]
    ['A']
    """
    from safetensors.numpy import save

    text = json.dumps(
        {**header, "format": FORMAT, "treaty": __version__, "task": task},
        sort_keys=True,
        ensure_ascii=False,
        allow_nan=False,
    )
    ordered = {name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}
    for name, tensor in ordered.items():
        if tensor.dtype not in DTYPES.values():
            raise UsageError(f"the tensor {name!r} is of a type that model files do not hold")
    replace_file(Path(path), save(ordered, {KEY: text}))


def replace_file(path: Path, data: bytes) -> None:
    """Write a file beside the path that takes its place: a failure leaves the old one."""
    try:
        target = Path(os.path.realpath(path))
        part = target.with_name(f"{target.name}.part")
        try:
            part.write_bytes(data)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', error)}") from error


def load_model(origin: str | Path | IO[bytes], *, task: str | None = None) -> ModelFile:
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
        When the file cannot be read, is damaged, of a newer format or for another task.
    """
    name = name_of(origin)
    data = _read(origin, name)
    tensors = _tensors(data, name)
    header = _header(data, name)
    if task is not None and header["task"] != task:
        raise ModelError(f"{name}: a model for {header['task']!r}; expected one for {task!r}")
    return ModelFile(name, header, tensors)


def _read(origin: str | Path | IO[bytes], name: str) -> bytes:
    try:
        return Path(origin).read_bytes() if isinstance(origin, str | Path) else origin.read()
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or error
        raise ModelError(f"{name}: cannot be read: {cause}; check the path") from error


def _tensors(data: bytes, name: str) -> dict[str, npt.NDArray[np.generic]]:
    from safetensors import SafetensorError, deserialize

    try:
        entries = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise ModelError(f"{name}: no model file, or a damaged one ({error}); {AGAIN}") from error
    tensors = {}
    for key, entry in entries:
        if entry["dtype"] not in DTYPES:
            raise ModelError(f"{name}: tensor {key!r} is of type {entry['dtype']}; {AGAIN}")
        tensor = np.frombuffer(entry["data"], DTYPES[entry["dtype"]]).reshape(entry["shape"])
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise ModelError(f"{name}: tensor {key!r} has numbers that are not finite; {AGAIN}")
        tensor.flags.writeable = False
        tensors[key] = tensor
    return tensors


def _header(data: bytes, name: str) -> dict[str, Any]:
    """Read the header of data that are known to be a safetensors file."""
    size = int.from_bytes(data[:8], "little")
    try:
        metadata = json.loads(data[8 : 8 + size]).get("__metadata__") or {}
        header = json.loads(metadata[KEY], parse_constant=_no_constant)
    except (KeyError, ValueError, RecursionError) as error:
        raise ModelError(
            f"{name}: it has no header of Treaty's, or a damaged one; {AGAIN}"
        ) from error
    if not isinstance(header, dict) or type(header.get("format")) is not int:
        raise ModelError(f"{name}: the header does not say its format; {AGAIN}")
    if header["format"] != FORMAT:
        raise ModelError(
            f"{name}: format {header['format']}, this Treaty ({__version__}) reads {FORMAT}; "
            "install the version of Treaty that wrote it, or train the model anew"
        )
    if not all(isinstance(header.get(key), str) for key in ("task", "treaty")):
        raise ModelError(f"{name}: the header does not say its task and version; {AGAIN}")
    return header


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def describe(model: ModelFile) -> dict[str, Any]:
    """Tell what a model is: its header, with long lists counted, and the size of its tensors.

    Examples
    --------
    >>> describe(ModelFile("m", {"task": "toy", "tags": ["A"] * 99}, {"w": np.zeros(4, np.uint8)}))
    {'task': 'toy', 'tags': '99 entries', 'tensors': 1, 'bytes': 4}
    """
    header = {key: _short(value) for key, value in model.header.items()}
    size = sum(tensor.nbytes for tensor in model.tensors.values())
    return {**header, "tensors": len(model.tensors), "bytes": size}


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _short(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    return [_short(item) for item in value] if len(value) <= 20 else f"{len(value)} entries"
