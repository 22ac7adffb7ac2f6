"""Exact marginals and their gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty._native import diff as native
from treaty._native.graph import GraphError
from treaty.diff._smooth import Doubles, Smooth, SmoothCertificate, require_positive
from treaty.errors import SolverError, UsageError
from treaty.graph._parameters import rows_of_scores
from treaty.solve._batch import thread_count

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Marginals", "marginals"]


@dataclass(frozen=True, eq=False)
class _Sums:
    """What `Smooth` needs of an answer."""

    sums: native.Marginals
    scores: Doubles
    temperature: float
    values: Doubles
    objective: Doubles
    expectations: Doubles

    def pull_back(self, cotangent: Doubles, threads: int) -> tuple[Doubles, Doubles]:
        directions = np.zeros_like(self.scores)
        directions[:, : cotangent.shape[1]] = cotangent
        gradient = self.sums.turn(self.scores, directions, threads) / self.temperature
        return gradient, np.zeros(len(gradient))


class Marginals(Smooth):
    """Marginals of a graph, or of a batch, with their log-partition and gradient.

    Attributes
    ----------
    values
        The probability that each variable is on.
    objective
        The temperature times the log-partition of the scores divided by the temperature.
    """

    _answer: Any

    @property
    def expectations(self) -> Doubles:
        """How often each of ``graph.parameters`` counts in expectation: the objective's gradient.

        The first columns are `values`.
        """
        expectations: Doubles = self._answer.expectations
        return expectations if self.is_batch else expectations[0]


def marginals(
    graph: FactorGraph,
    scores: npt.ArrayLike | None = None,
    *,
    temperature: float = 1.0,
    most_cells: int = 2**20,
    threads: int | None = None,
) -> Marginals:
    """Compute the probability of each variable, where sums over all assignments are possible.

    An assignment has a probability proportional to ``exp(score / temperature)``. Sums are exact:
    by elimination where the tree-width is small (chains, trees, small graphs), and by the
    matrix-tree theorem for an arborescence whose arcs no other factor has. No sum cancels,
    however large the scores.

    Parameters
    ----------
    graph
        The graph.
    scores
        As for `lp_sparsemap`.
    temperature
        Small ones are near the best assignment.
    most_cells
        Largest table of the elimination; `SolverError` is raised if that is not enough.
    threads
        For batches; all cores by default.

    See Also
    --------
    treaty.solve.marginals : probabilities by variable, without gradients.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> answer = marginals(graph)
    >>> answer.values, round(answer.objective, 6)
    (array([0.25, 0.25, 0.25]), 1.386294)
    >>> answer.pullback([1.0, 0.0, 0.0]).variables
    array([ 0.1875, -0.0625, -0.0625])
    """
    require_positive("marginals", "temperature", temperature)
    if isinstance(most_cells, bool) or not isinstance(most_cells, int) or most_cells < 1:
        raise UsageError(f"marginals: most_cells must be a positive integer, not {most_cells!r}")
    rows = rows_of_scores("marginals: scores", graph, scores)
    is_batch = scores is not None and np.ndim(scores) == 2
    count = thread_count(threads, len(rows))
    native_graph, parameters = graph.native, graph.native.parameters
    if rows.shape[1] < len(parameters):
        of_factors = np.tile(parameters[rows.shape[1] :], (len(rows), 1))
        rows = np.concatenate([rows, of_factors], axis=1)
    rows = rows / temperature
    try:
        sums = native.Marginals(native_graph, most_cells)
    except GraphError as error:
        raise SolverError(f"marginals: {error}") from error
    total, expectations = sums.sum(rows, count)
    impossible = np.flatnonzero(np.isneginf(total))
    if len(impossible):
        where = f"item {impossible[0]}: " if is_batch else ""
        raise SolverError(f"marginals: {where}no assignment is allowed")
    values = np.clip(expectations[:, : native_graph.variables], 0.0, 1.0)
    answer = _Sums(sums, rows, temperature, values, total * temperature, expectations)
    nothing = np.zeros(len(rows))
    certificate = SmoothCertificate(
        gap=nothing if is_batch else 0.0,
        residual=nothing if is_batch else 0.0,
        iterations=np.zeros(len(rows), np.int64) if is_batch else 0,
        converged=np.full(len(rows), True) if is_batch else True,
        strength=temperature,
        tolerance=0.0,
    )
    return Marginals(graph, answer, certificate, is_batch, count)
