"""Compact weight tables: each weight is quantized to one of 255 levels, and codes are compressed.

The levels are denser around zero, where most weights are (a square law). Huffman coding alone takes
about half a byte per bucket; the accuracy of models is practically unchanged.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

__all__ = ["Unpackable", "pack_weights", "rows_to_keep", "unpack_codes"]

Table = npt.NDArray[np.float32]

MOST_LEVELS = 127
"""Maximum number of levels on each side of zero."""
BLOCK = 2**18
"""Number of buckets decoded at a time."""
MOST_WEIGHT = 1e9
"""Limit on the size of weights: far above any learned weight, and sums of them stay finite."""
MOST_EXPANSION = 1032
"""Maximum compression ratio of deflate."""


class Unpackable(ValueError):  # noqa: N818 - becomes a ModelError once the file is known
    """Tensors that are not valid packed weights."""


def pack_weights(
    name: str, values: npt.NDArray[np.floating], *, levels: int = MOST_LEVELS
) -> dict[str, npt.NDArray[np.generic]]:
    """Pack a table of weights into tensors of a model file.

    Parameters
    ----------
    name
        Name of the table in the file, for `ModelFile.weights`.
    values
        The weights.
    levels
        Number of levels on each side of zero, at most 127; fewer make a smaller file.

    Examples
    --------
    >>> tensors = pack_weights("tagger", np.array([0.0, -0.5, 1.0, 0.0], np.float32))
    >>> sorted(tensors)
    ['tagger.codes', 'tagger.levels', 'tagger.size']
    >>> codes, level = unpack_codes(tensors, "tagger")
    >>> level[codes].round(2)
    array([ 0. , -0.5,  1. ,  0. ], dtype=float32)
    """
    if not 1 <= levels <= MOST_LEVELS:
        raise UsageError(f"levels: expected 1 to {MOST_LEVELS}, found {levels}")
    table = np.ascontiguousarray(values, np.float32)
    if not np.abs(table).max(initial=0.0) <= MOST_WEIGHT:
        raise UsageError(
            f"the weights {name!r} are not all finite and within {MOST_WEIGHT:.0e}: training "
            "diverged; try a smaller step"
        )
    level = _levels(table, levels)
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_HUFFMAN_ONLY)
    packed = b""
    for begin in range(0, len(table), BLOCK):
        codes = _codes(table[begin : begin + BLOCK], level)
        packed += packer.compress(codes.astype(np.uint8).tobytes())
    packed += packer.flush()
    return {
        f"{name}.codes": np.frombuffer(packed, np.uint8),
        f"{name}.levels": level,
        f"{name}.size": np.array([len(table)], np.int64),
    }


def rows_to_keep(rows: npt.NDArray[np.float32], least: float) -> npt.NDArray[np.bool_]:
    """Choose the rows of a table that are worth storing in a file.

    A row is kept if its largest weight rounds to at least the level that `least` rounds to. The
    same rows are kept when the table has already been rounded in a file.

    Parameters
    ----------
    rows
        The weights; the rows that are kept are packed by `pack_weights`.
    least
        Smallest weight worth keeping.

    Examples
    --------
    >>> rows_to_keep(np.array([[0.0, -0.5], [1e-4, 0.0], [1.0, 0.0]], np.float32), 1e-3)
    array([ True, False,  True])
    """
    level = _levels(rows, MOST_LEVELS)
    fewest = max(int(_codes(np.float32(least), level)), MOST_LEVELS + 1)
    return _codes(np.abs(rows).max(axis=1, initial=0.0), level) >= fewest


def _levels(table: Table, levels: int) -> Table:
    """Return the levels that weights are rounded to, `levels` on each side of zero."""
    top = float(np.abs(table).max(initial=0.0))
    step = np.arange(-levels, levels + 1, dtype=np.float64)
    return (np.sign(step) * top * (step / levels) ** 2).astype(np.float32)


def _codes(weights: npt.ArrayLike, level: Table) -> npt.NDArray[np.int64]:
    """Find the index of the nearest level for each weight."""
    exact = level.astype(np.float64)  # halves of the smallest float32 are not
    return np.searchsorted((exact[1:] + exact[:-1]) / 2, weights)


def unpack_codes(
    tensors: Mapping[str, npt.NDArray[np.generic]], name: str
) -> tuple[npt.NDArray[np.uint8], Table]:
    """Invert `pack_weights` up to rounding: the index of each weight's level, and the levels.

    Raises
    ------
    Unpackable
        When the tensors are not what `pack_weights` makes; no more memory is allocated than the
        codes can fill.
    """
    codes = _tensor(tensors, f"{name}.codes", np.uint8)
    level = _tensor(tensors, f"{name}.levels", np.float32)
    sizes = _tensor(tensors, f"{name}.size", np.int64)
    if len(sizes) != 1 or not 0 <= sizes[0] <= MOST_EXPANSION * len(codes):
        raise Unpackable(f"{name}.size: not a valid table size")
    if len(level) > 2 * MOST_LEVELS + 1 or not (np.abs(level) <= MOST_WEIGHT).all():
        raise Unpackable(
            f"{name}.levels: expected at most {2 * MOST_LEVELS + 1} finite levels, "
            f"none beyond {MOST_WEIGHT:.0e}"
        )
    table = np.empty(int(sizes[0]), np.uint8)
    _inflate(codes, table, name)
    if table.max(initial=0) >= len(level) and len(table) > 0:
        raise Unpackable(f"{name}.codes: damaged (a code has no level)")
    return table, level.astype(np.float32, copy=False)


def _tensor(
    tensors: Mapping[str, npt.NDArray[np.generic]], name: str, dtype: type[np.generic]
) -> npt.NDArray[np.generic]:
    tensor = tensors.get(name)
    if tensor is None:
        raise Unpackable(f"there is no tensor {name}")
    if tensor.dtype != dtype or tensor.ndim != 1:
        raise Unpackable(f"{name}: expected a vector of {dtype.__name__}")
    return tensor


def _inflate(codes: npt.NDArray[np.generic], table: npt.NDArray[np.uint8], name: str) -> None:
    engine, data, done = zlib.decompressobj(), codes.tobytes(), 0
    try:
        while not engine.eof:
            part = np.frombuffer(engine.decompress(data, BLOCK), np.uint8)
            data = engine.unconsumed_tail
            if done + len(part) > len(table) or (len(part) == 0 and not data and not engine.eof):
                break
            table[done : done + len(part)] = part
            done += len(part)
    except zlib.error as error:
        raise Unpackable(f"{name}.codes: damaged ({error})") from error
    if done != len(table) or not engine.eof or engine.unused_data:
        raise Unpackable(f"{name}.codes: expected {len(table)} codes")
