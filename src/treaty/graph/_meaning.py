"""The definitions of the factors in numpy, for the checker, exhaustive search and file writers.

They are independent of the compiled kernels, which are tested against them. Each is in the module
of its family.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind

__all__ = ["MEANING", "Bits", "Doubles", "Integers", "Meaning"]

Bits = npt.NDArray[np.bool_]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]

Meaning = Callable[[Bits, Doubles, Integers], Doubles]
"""Own scores, ``-inf`` where the factor does not allow it, given

- which literals are on: a row per assignment,
- the factor's numbers: a row for every assignment, or a single one for all,
- its shape.
"""

MEANING: dict[Kind, Meaning] = {}
"""By kind; a user's own factors (``Kind.custom``) must be asked themselves."""


def allowed_if(holds: Any) -> Doubles:
    """Score 0 where it holds, else ``-inf``."""
    return np.where(holds, 0.0, -np.inf)


def pick(data: Doubles, column: npt.NDArray[np.intp]) -> Doubles:
    """Pick one number for every assignment."""
    picked: Doubles = data[0 if len(data) == 1 else np.arange(len(column)), column]
    return picked


def dot(on: Bits, data: Doubles) -> Doubles:
    """Add up the numbers of what is on, for every assignment."""
    total: Doubles = on @ data[0] if len(data) == 1 else np.einsum("ij,ij->i", on, data)
    return total
