"""One graph, many scores: batches solved natively."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty._native import solve as native
from treaty._native.graph import GraphError
from treaty.errors import UsageError, check_threads
from treaty.graph._parameters import rows_of_scores
from treaty.solve._certificate import Certificate, Status
from treaty.solve._dual import require
from treaty.solve._solution import Solution
from treaty.solve._warm_starts import WarmStarts, item_keys

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["BatchSolution", "solve_batch", "thread_count"]

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """The answers of a batch with their certificates, as arrays.

    Attributes
    ----------
    values
        0 or 1 for each item and variable; -1 where an item has no answer.
    relaxed
        The solution of the relaxation; NaN where there is none.
    objective, bound
        Of each item.
    iterations, seconds
        Of each item.
    """

    values: npt.NDArray[np.int8]
    relaxed: Doubles
    objective: Doubles
    bound: Doubles
    codes: npt.NDArray[np.uint8]
    iterations: npt.NDArray[np.int64]
    seconds: Doubles

    @property
    def status(self) -> list[Status]:
        """What is proved about each answer."""
        return [_STATUS[code] for code in self.codes.tolist()]

    @property
    def gap(self) -> Doubles:
        """By how much each bound exceeds the objective."""
        return np.maximum(self.bound - self.objective, 0.0)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, item: int) -> Solution:
        certificate = Certificate(
            _STATUS[int(self.codes[item])],
            float(self.objective[item]),
            float(self.bound[item]),
            int(self.iterations[item]),
            float(self.seconds[item]),
        )
        relaxed = self.relaxed[item]
        known = None if np.isnan(relaxed).any() else relaxed
        return Solution(certificate, self.values[item], "ad3", known)

    def __repr__(self) -> str:
        return f"<BatchSolution: {len(self)} items, {self.values.shape[1]} variables>"


_STATUS = [Status(status.name) for status in native.Status]


def thread_count(threads: int | None, items: int) -> int:
    """Check a number of threads; by default there are as many as cores, or items."""
    if threads is None:
        return max(1, min(items, os.cpu_count() or 1))
    check_threads(threads)
    return threads


def solve_batch(
    graph: FactorGraph,
    scores: npt.ArrayLike,
    *,
    iterations: int = 5000,
    time_limit: float | None = None,
    gap: float = 0.0,
    tolerance: float = 1e-6,
    polish: bool = True,
    threads: int | None = None,
    warm: WarmStarts | None = None,
    keys: npt.ArrayLike | None = None,
) -> BatchSolution:
    """Solve a graph with several rows of scores by AD3, in native threads.

    Parameters
    ----------
    graph
        The structure.
    scores
        A row for each item: of the variables, or of all ``graph.parameters``.
    iterations, time_limit, gap, tolerance, polish
        As for AD3, for each item.
    threads
        Number of threads; all cores by default. Results do not depend on it.
    warm, keys
        Where to keep multipliers between epochs, and an integer for each item to find them by; by
        default its number.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> solutions = solve_batch(graph, [[0.3, 0.1], [0.0, 0.5]])
    >>> solutions.values, solutions.objective
    (array([[1, 0],
           [0, 1]], dtype=int8), array([0.3, 0.5]))
    >>> solutions[1].status.value
    'OPTIMAL'
    """
    require(iterations >= 0, "the limit on iterations", "0 or more", iterations)
    require(time_limit is None or time_limit >= 0.0, "time_limit", "0 or more seconds", time_limit)
    require(gap >= 0.0, "gap", "0 or more", gap)
    require(tolerance > 0.0, "tolerance", "positive", tolerance)
    rows = rows_of_scores("batch: scores", graph, scores)
    if np.ndim(scores) != 2:
        raise UsageError(
            f"batch: scores: expected a row for each item, got an array of shape {np.shape(scores)}"
        )
    checked = item_keys(keys, warm, len(rows))
    try:
        answers = native.batch(
            graph.native, rows, iterations=min(iterations, 1 << 62),
            seconds=math.inf if time_limit is None else time_limit, gap=gap, tolerance=tolerance,
            polish=polish, threads=thread_count(threads, len(rows)),
            warm=None if warm is None else warm.store(native.BatchStarts), keys=checked,
        )  # fmt: skip
    except GraphError as error:
        raise UsageError(f"batch: {error}") from error
    return BatchSolution(*answers)
