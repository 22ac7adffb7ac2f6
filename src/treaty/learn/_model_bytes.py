"""The bytes of model files: limits of size, safetensors, and Treaty's header within them."""

from __future__ import annotations

import json
import math
import mmap
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty import __version__
from treaty._streams import open_file
from treaty.errors import ModelError

__all__ = [
    "AGAIN",
    "DTYPES",
    "FORMAT",
    "KEY",
    "check_memory",
    "header_of",
    "read_bytes",
    "read_header",
    "tensors_of",
]

FORMAT = 2
"""Version of the format; files of other versions are rejected."""
KEY = "treaty"
"""Key of the header in the metadata."""
DTYPES = {
    "U8": np.uint8, "I8": np.int8, "I32": np.int32, "I64": np.int64, "U64": np.uint64,
    "F32": np.float32, "F64": np.float64,
}  # fmt: skip
AGAIN = "download the file again or retrain the model"
MOST_HEADER = 2**25
"""Maximum size of the header in bytes; that of a large parser has 100 kB."""
MOST_BYTES = 2**32
"""Maximum size of a file in bytes; a parser of English has 20 MB."""
BLOCK = 2**24
MOST_WEIGHTS = 2**30
"""Maximum number of weights that a file may unpack to."""
MOST_DEPTH = 32
"""Maximum nesting of the header."""
MOST_INTEGER = 2**63


def read_bytes(origin: str | Path | IO[bytes], name: str) -> bytes:
    """Read a file whose header is valid: what is not a model, such as a device, may be endless."""
    try:
        if not isinstance(origin, str | Path):
            return _limited(origin, name)
        with open_file(origin) as stream:
            return _limited(stream, name)
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error


def read_header(path: Path) -> dict[str, Any]:
    """Read only the header of a model file, including the task, without its tensors."""
    try:
        with open_file(path) as stream:
            size = int.from_bytes(stream.read(8), "little")
            data = stream.read(min(size, MOST_HEADER + 1))
    except (OSError, ValueError) as error:
        raise _unreadable(str(path), error) from error
    return header_of(data, str(path))


def _limited(stream: IO[bytes], name: str) -> bytes:
    start = stream.read(8)
    head = stream.read(min(int.from_bytes(start, "little"), MOST_HEADER + 1))
    header_of(head, name)
    parts, size = [start, head], 0
    while part := stream.read(BLOCK):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise ModelError(f"{name}: a file of more than {MOST_BYTES} bytes; {AGAIN}")
    return b"".join(parts)


def _unreadable(name: str, error: OSError | ValueError) -> ModelError:
    cause = getattr(error, "strerror", None) or error
    return ModelError(f"{name}: cannot be read: {cause}; check the path")


def tensors_of(data: bytes, name: str) -> dict[str, npt.NDArray[np.generic]]:
    """Read the tensors of a safetensors file; all their values are finite."""
    from safetensors import SafetensorError, deserialize

    check_memory(len(data))
    try:
        entries = deserialize(data)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise ModelError(
            f"{name}: not a model file, or a damaged one ({error}); {AGAIN}"
        ) from error
    tensors = {}
    for key, entry in entries:
        if entry["dtype"] not in DTYPES:
            raise ModelError(
                f"{name}: tensor {key!r} has the invalid type {entry['dtype']}; {AGAIN}"
            )
        try:
            tensor = np.frombuffer(entry["data"], DTYPES[entry["dtype"]]).reshape(entry["shape"])
        except ValueError as error:
            raise ModelError(f"{name}: tensor {key!r} has an invalid shape; {AGAIN}") from error
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise ModelError(f"{name}: tensor {key!r} has values that are not finite; {AGAIN}")
        tensor.flags.writeable = False
        tensors[key] = tensor
    sizes = [tensor for key, tensor in tensors.items() if key.endswith(".size")]
    if sum(float(np.abs(size.astype(np.float64)).sum()) for size in sizes) > MOST_WEIGHTS:
        raise ModelError(f"{name}: the tables have more than {MOST_WEIGHTS} weights; {AGAIN}")
    return tensors


def check_memory(size: int) -> None:
    """Raise `MemoryError` unless so many bytes can be had twice: safetensors would abort."""
    if size:
        try:
            mmap.mmap(-1, 2 * size).close()  # reserves addresses, no more
        except OSError as error:
            raise MemoryError(f"no memory for {size} bytes of tensors") from error


def header_of(data: bytes, name: str) -> dict[str, Any]:
    """Read Treaty's header from the metadata of a safetensors file."""
    if len(data) > MOST_HEADER:
        raise ModelError(f"{name}: a header of more than {MOST_HEADER} bytes; {AGAIN}")
    try:
        metadata = json.loads(data).get("__metadata__") or {}
        header = json.loads(
            metadata[KEY],
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_number,
        )
        _check_depth(header)
        json.dumps(header, ensure_ascii=False).encode()  # has no lone surrogates
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelError(
            f"{name}: not a model file, or the Treaty header is missing or damaged; {AGAIN}"
        ) from error
    if not isinstance(header, dict) or type(header.get("format")) is not int:
        raise ModelError(f"{name}: the header does not give its format version; {AGAIN}")
    if header["format"] != FORMAT:
        raise ModelError(
            f"{name}: format {header['format']}; Treaty ({__version__}) reads format {FORMAT}: "
            "install the version of Treaty that wrote it, or retrain the model"
        )
    if not all(isinstance(header.get(key), str) for key in ("task", "treaty")):
        raise ModelError(f"{name}: the header does not give its task and version; {AGAIN}")
    return header


def _integer(text: str) -> int:
    number = int(text)
    if abs(number) > MOST_INTEGER:
        raise ValueError(f"{text} is too large")
    return number


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not finite")
    return number


def _check_depth(value: object) -> None:
    """Raise ValueError for lists and dicts that are nested too deeply for recursion."""
    level = [value]
    for _ in range(MOST_DEPTH):
        inner = (
            v.values() if isinstance(v, dict) else v for v in level if isinstance(v, dict | list)
        )
        level = [item for items in inner for item in items]
        if not level:
            return
    raise ValueError(f"nested more than {MOST_DEPTH} deep")
