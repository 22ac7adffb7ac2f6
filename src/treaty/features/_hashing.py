"""The hash of native/features/hash.hpp over arrays, for features that are made of codes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["combined", "mixed"]

Hashes = npt.NDArray[np.uint64]


def mixed(values: Hashes) -> Hashes:
    """Let every bit touch every other: the finalizer of splitmix64.

    Examples
    --------
    >>> mixed(np.array([0], np.uint64))
    array([16294208416658607535], dtype=uint64)
    """
    x = values + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def combined(hashes: Hashes, values: Hashes) -> Hashes:
    """Add values, which must be well mixed, to running hashes.

    Examples
    --------
    >>> one, two = mixed(np.array([1, 2], np.uint64))
    >>> seed = np.array([7], np.uint64)
    >>> bool(combined(combined(seed, one), two)[0] == combined(combined(seed, two), one)[0])
    False
    """
    return (hashes ^ values) * np.uint64(0xD6E8FEB86659FD93)
