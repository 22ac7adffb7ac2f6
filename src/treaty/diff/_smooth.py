"""LP-SparseMAP: the relaxation with a quadratic term, its certificate and its gradient."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native import diff as native
from treaty._native.graph import GraphError
from treaty.errors import SolverError, UsageError
from treaty.graph._parameters import rows_of_scores
from treaty.solve._batch import thread_count
from treaty.solve._warm_starts import WarmStarts, item_keys

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Gradient", "Smooth", "SmoothCertificate", "lp_sparsemap", "lp_sparsemap_many"]

Doubles = npt.NDArray[np.float64]
INEXACT = 1e-6
"""Largest residual of a gradient's equations, relative to the cotangent."""
NO_KEYS: npt.NDArray[np.int64] = np.empty(0, np.int64)


class Gradient(NamedTuple):
    """Derivatives of a loss with respect to scores.

    Attributes
    ----------
    variables
        By the scores of the variables; the first columns of `parameters`.
    parameters
        By all scores of the graph, in the order of ``graph.parameters``.
    """

    variables: Doubles
    parameters: Doubles


@dataclass(frozen=True)
class SmoothCertificate:
    """How near smooth values are to the true ones; arrays for a batch.

    Attributes
    ----------
    gap
        The duality gap of the quadratic problem, which bounds the distance to its solution:
        ``|values - best|² <= 2 gap / strength``. If a run was stopped early and the copies of a
        variable in its factors still disagree (`residual`), that counts at their prices.
    residual
        The largest difference between a variable's value and its copy in a factor.
    iterations
        Number of iterations.
    converged
        Whether the gap, relative to the larger of strength and objective, is within the tolerance.
    strength, tolerance
        As they were given.
    """

    gap: Any
    residual: Any
    iterations: Any
    converged: Any
    strength: float
    tolerance: float

    @property
    def distance(self) -> Any:
        """Upper bound on the Euclidean distance of the values to the solution."""
        distance = np.sqrt(2.0 * np.asarray(self.gap) / self.strength)
        return distance if distance.ndim else float(distance)


class Smooth:
    """A smooth answer, or those of a batch, with their certificate and gradient.

    Attributes
    ----------
    values
        A number in [0, 1] for each variable; a row per item for a batch.
    objective
        The value of the regularized problem.
    certificate
        How near the values are to the true ones.
    """

    def __init__(
        self,
        graph: FactorGraph,
        answer: Any,
        certificate: SmoothCertificate,
        is_batch: bool,
        threads: int,
    ) -> None:
        self.graph = graph
        self.is_batch = is_batch
        self.certificate = certificate
        self._answer = answer
        self._version = graph.native.version
        self._threads = threads

    @cached_property
    def values(self) -> Doubles:
        """The values (read-only)."""
        values: Doubles = self._answer.values
        values.flags.writeable = False
        return values if self.is_batch else values[0]

    @property
    def objective(self) -> Any:
        """The value of the regularized problem."""
        objective = self._answer.objective
        return objective if self.is_batch else float(objective[0])

    def pullback(self, cotangent: npt.ArrayLike) -> Gradient:
        """Multiply with the transposed Jacobian: the gradient by the scores of a loss.

        The Jacobian is exact, and symmetric for the variables, with eigenvalues 0 and
        1 / strength: the projection onto the directions in which no factor leaves the face of its
        polytope. At a kink, where the solution lies on the border of a face, it is the Jacobian on
        one side, an element of the generalized Jacobian; variables at a bound then do not move.

        Parameters
        ----------
        cotangent
            The derivatives of the loss by the values, in the shape of `values`.

        Examples
        --------
        >>> from treaty import FactorGraph
        >>> graph = FactorGraph()
        >>> _ = graph.exactly_one(graph.variables([0.3, 0.1, -2.0]))
        >>> lp_sparsemap(graph).pullback([1.0, 0.0, 0.0]).variables
        array([ 0.5, -0.5,  0. ])
        """
        if self.graph.native.version != self._version:
            raise UsageError(
                "pullback: the graph has changed after the forward pass; take the gradient first, "
                "or work on a copy (graph.copy())"
            )
        given = self._checked(cotangent)
        gradient, residual = self._answer.pull_back(given, self._threads)
        inexact = np.flatnonzero(residual > INEXACT)
        if len(inexact):
            where = f"item {inexact[0]}: " if self.is_batch else ""
            raise SolverError(
                f"pullback: {where}the linear equations of the gradient were solved only up to "
                f"{residual[inexact[0]]:.1e}, relative to the cotangent; raise the strength"
            )
        parameters = gradient if self.is_batch else gradient[0]
        return Gradient(parameters[..., : self.graph.native.variables], parameters)

    def _checked(self, cotangent: npt.ArrayLike) -> Doubles:
        try:
            given = np.ascontiguousarray(cotangent, np.float64)
        except (TypeError, ValueError, RuntimeError) as error:
            raise UsageError(f"pullback: expected an array of numbers ({error})") from error
        shape = self.values.shape
        if np.shape(cotangent) != shape:
            raise UsageError(
                f"pullback: expected a number for each value, shape {shape}, got one of shape "
                f"{np.shape(cotangent)}"
            )
        rows = given if self.is_batch else given[None]
        if not np.isfinite(rows).all():
            item, variable = np.argwhere(~np.isfinite(rows))[0].tolist()
            where = f"item {item}: " if self.is_batch else ""
            raise UsageError(
                f"pullback: {where}the derivative by {self.graph.name_of(variable)} is "
                f"{rows[item, variable]}; expected a finite number"
            )
        return rows

    def __len__(self) -> int:
        if not self.is_batch:
            raise TypeError("one answer, not a batch")
        return len(self.values)

    def __repr__(self) -> str:
        items = f"{len(self.values)} items, " if self.is_batch else ""
        return f"<{type(self).__name__}: {items}{self.graph.native.variables} variables>"


def lp_sparsemap(
    graph: FactorGraph,
    scores: npt.ArrayLike | None = None,
    *,
    strength: float = 1.0,
    tolerance: float = 1e-8,
    iterations: int = 10_000,
    strict: bool = False,
    threads: int | None = None,
    warm: WarmStarts | None = None,
    keys: npt.ArrayLike | None = None,
) -> Smooth:
    """Maximize the scores minus a quadratic term over the local polytope (LP-SparseMAP).

    The answer ``u`` maximizes ``scores · u + scores of factors - strength / 2 |u|²`` over the
    relaxation of the graph: unique, sparse, and differentiable almost everywhere (Niculae &
    Martins 2020). The quadratic term is on the variables alone; scores of factors (tables,
    transitions, rewards) stay linear, as in that paper.

    Parameters
    ----------
    graph
        Any graph, with evidence and factors of your own.
    scores
        A number for each variable, or for each of ``graph.parameters``; several rows are a batch.
        By default the graph's own.
    strength
        Weight of the quadratic term. Small ones are near the linear relaxation.
    tolerance
        Largest duality gap, relative to the larger of `strength` and the objective. The last step
        is exact nearly always, so that the gap is far below.
    iterations
        Limit for each item.
    strict
        Whether to raise `SolverError` if an item does not reach the tolerance.
    threads
        For batches; all cores by default. Results do not depend on it.
    warm, keys
        Where to keep multipliers between epochs, and an integer for each item to find them by.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee, cake = graph.variables([0.3, 0.1, 0.6])
    >>> _ = graph.exactly_one(tea, coffee)
    >>> answer = lp_sparsemap(graph)
    >>> answer.values.round(6)
    array([0.6, 0.4, 0.6])
    >>> answer.pullback([1.0, 0.0, 1.0]).variables.round(6)
    array([ 0.5, -0.5,  1. ])
    >>> lp_sparsemap(graph, [[3.0, 0.0, 0.0], [0.0, 0.0, 0.5]], strength=2.0).values.round(6)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.25]])
    """
    rows = rows_of_scores("lp_sparsemap: scores", graph, scores)
    is_batch = scores is not None and np.ndim(scores) == 2
    return _smooth(
        "lp_sparsemap", graph, rows, is_batch, strength=strength, tolerance=tolerance,
        iterations=iterations, strict=strict, threads=thread_count(threads, len(rows)), warm=warm,
        keys=item_keys(keys, warm, len(rows)),
    )  # fmt: skip


def lp_sparsemap_many(
    graphs: Iterable[FactorGraph],
    scores: Sequence[npt.ArrayLike | None] | None = None,
    *,
    strength: float = 1.0,
    tolerance: float = 1e-8,
    iterations: int = 10_000,
    strict: bool = False,
    threads: int | None = None,
    warm: WarmStarts | None = None,
    keys: npt.ArrayLike | None = None,
) -> list[Smooth]:
    """Do the same for many graphs, each with scores of its own: a ragged batch.

    Parameters
    ----------
    graphs
        The graphs.
    scores
        For each graph its scores; by default the graphs' own.
    strength, tolerance, iterations, strict, threads, warm, keys
        As for `lp_sparsemap`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graphs = [FactorGraph(), FactorGraph()]
    >>> for n, graph in enumerate(graphs, start=2):
    ...     _ = graph.exactly_one(graph.variables([0.0] * n))
    >>> [answer.values.round(2) for answer in lp_sparsemap_many(graphs)]
    [array([0.5, 0.5]), array([0.33, 0.33, 0.33])]
    """
    several = list(graphs)
    given = [None] * len(several) if scores is None else list(scores)
    if len(given) != len(several):
        raise UsageError(
            f"lp_sparsemap_many: got {len(several)} graphs but {len(given)} arrays of scores"
        )
    rows = [
        rows_of_scores(f"lp_sparsemap_many: scores of graph {i}", graph, each)
        for i, (graph, each) in enumerate(zip(several, given, strict=True))
    ]
    for i, each in enumerate(given):
        if each is not None and np.ndim(each) != 1:
            raise UsageError(f"lp_sparsemap_many: scores of graph {i}: expected one row")

    _check_options("lp_sparsemap_many", strength, tolerance, iterations)
    count, checked = thread_count(threads, len(several)), item_keys(keys, warm, len(several))
    lengths = [row.shape[1] for row in rows]
    try:
        answers = native.smooth_many(
            [graph.native for graph in several],
            np.concatenate([np.empty(0), *(row[0] for row in rows)]),
            np.cumsum([0, *lengths], dtype=np.int64),
            strength=strength, tolerance=tolerance, iterations=iterations, threads=count,
            warm=None if warm is None else warm.store(native.SmoothStarts), keys=checked,
        )  # fmt: skip
    except GraphError as error:
        raise UsageError(f"lp_sparsemap_many: {error}") from error
    options = strength, tolerance, strict
    return [
        Smooth(
            graph,
            answer,
            _certificate(f"lp_sparsemap_many: graph {i}", answer, False, *options),
            False,
            1,
        )
        for i, (graph, answer) in enumerate(zip(several, answers, strict=True))
    ]


def _smooth(
    what: str,
    graph: FactorGraph,
    rows: Doubles,
    is_batch: bool,
    *,
    strength: float,
    tolerance: float,
    iterations: int,
    strict: bool,
    threads: int,
    warm: WarmStarts | None,
    keys: npt.NDArray[np.int64],
) -> Smooth:
    _check_options(what, strength, tolerance, iterations)
    try:
        answer = native.smooth(
            graph.native, rows, strength=strength, tolerance=tolerance, iterations=iterations,
            threads=threads, warm=None if warm is None else warm.store(native.SmoothStarts),
            keys=keys,
        )  # fmt: skip
    except GraphError as error:
        raise UsageError(f"{what}: {error}") from error
    certificate = _certificate(what, answer, is_batch, strength, tolerance, strict)
    return Smooth(graph, answer, certificate, is_batch, threads)


def _certificate(
    what: str,
    answer: native.Smoothed,
    is_batch: bool,
    strength: float,
    tolerance: float,
    strict: bool,
) -> SmoothCertificate:
    status = answer.status
    infeasible = np.flatnonzero(status == native.SmoothStatus.INFEASIBLE.value)
    if len(infeasible):
        where = f"item {infeasible[0]}: " if is_batch else ""
        raise SolverError(
            f"{what}: {where}no assignment satisfies every factor, not even a fractional one; "
            "graph.solve() and treaty.solve.check say more about the constraints"
        )
    converged = status == native.SmoothStatus.CONVERGED.value
    gap, residual = answer.gap, answer.residual
    if strict and not converged.all():
        item = int(np.flatnonzero(~converged)[0])
        where = f"item {item}: " if is_batch else ""
        raise SolverError(
            f"{what}: {where}the duality gap is {gap[item]:.3g}, more than the tolerance "
            f"{tolerance:g} allows; allow more iterations, or a higher tolerance"
        )
    columns: dict[str, Any] = {
        "gap": gap,
        "residual": residual,
        "iterations": answer.iterations,
        "converged": converged,
    }
    if not is_batch:
        columns = {name: column[0].item() for name, column in columns.items()}
    return SmoothCertificate(**columns, strength=strength, tolerance=tolerance)


def _check_options(what: str, strength: float, tolerance: float, iterations: int) -> None:
    require_positive(what, "strength", strength)
    require_positive(what, "tolerance", tolerance)
    if iterations < 1:
        raise UsageError(f"{what}: iterations must be at least 1, not {iterations}")


def require_positive(what: str, name: str, value: float) -> None:
    if not (isinstance(value, int | float) and math.isfinite(value) and value > 0.0):
        raise UsageError(f"{what}: {name} must be a positive number, not {value!r}")
