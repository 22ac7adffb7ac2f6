"""From a relaxed answer to an assignment."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treaty._native import Graph
from treaty.solve._view import Doubles

__all__ = ["round_relaxed"]


def round_relaxed(graph: Graph, relaxed: Doubles) -> npt.NDArray[np.int8]:
    """Round to the nearest assignment that gives every categorical variable one state.

    It need not satisfy the factors: run it through `check`.
    """
    values = (relaxed > 0.5).astype(np.int8)
    for first, size in zip(graph.categorical_first, graph.categorical_size, strict=True):
        values[first : first + size] = 0
        values[first + relaxed[first : first + size].argmax()] = 1
    return values
