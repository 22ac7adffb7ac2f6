"""Exhaustive search: every assignment of a small graph, for tests and for certainty."""

from __future__ import annotations

import math
import time

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind, configuration_score
from treaty._native.solve import rounding, tolerance
from treaty.errors import SolverError
from treaty.graph._meaning import MEANING
from treaty.solve._certificate import Certificate, Status
from treaty.solve._check import check
from treaty.solve._solution import Solution
from treaty.solve._view import Bits, Doubles, GraphView, Ints

__all__ = ["exhaustive"]

CHUNK = 1 << 14


def exhaustive(graph: Graph, *, limit: int = 1 << 22) -> Solution:
    """Try every assignment that the evidence and the categorical variables leave.

    Parameters
    ----------
    graph
        The factor graph.
    limit
        More assignments than this are refused with a `SolverError`.

    Examples
    --------
    >>> import numpy as np
    >>> from treaty._native.graph import Graph
    >>> graph = Graph()
    >>> _ = graph.add_variables(np.array([1.0, -2.0]))
    >>> exhaustive(graph).objective
    1.0
    """
    started = time.perf_counter()
    view = GraphView.of(graph)
    choices = _choices(view)
    total = math.prod(len(choice) for choice in choices)
    if total > limit:
        raise SolverError(
            f"exhaustive search would try {total:.3g} assignments, more than the limit of {limit}; "
            "solve with method='ilp' or 'exact', or raise the limit"
        )
    best, best_score, most = np.full(view.variables, -1, dtype=np.int8), -math.inf, 0.0
    for first in range(0, total, CHUNK):
        values = _assignments(view, choices, np.arange(first, min(first + CHUNK, total)))
        values, score, size = _scores(graph, view, values)
        if len(score):
            most = max(most, float(size.max()))
            if score.max() > best_score:
                best, best_score = values[score.argmax()].astype(np.int8), float(score.max())
    status, error = Status.INFEASIBLE, 0.0
    if math.isfinite(best_score):
        best_score = check(graph, best).objective  # summed in the same order as for every solver
        status = Status.OPTIMAL
        most = rounding(most)
        if most > tolerance(graph, best_score):  # huge scores cancel: sums cannot be compared
            status, error = Status.FEASIBLE, most
    return Solution(
        Certificate(status, best_score, best_score + error, total, time.perf_counter() - started),
        values=best,
        method="exhaustive",
    )


def _choices(view: GraphView) -> list[npt.NDArray[np.intp]]:
    """List the decisions, each an array of the variables one may turn on (-1: none)."""
    categorical = np.zeros(view.variables, dtype=bool)
    choices = []
    for first, size in zip(view.categorical_first, view.categorical_size, strict=True):
        evidence = view.evidence[first : first + size]
        categorical[first : first + size] = True
        states = evidence == 1 if (evidence == 1).any() else evidence == -1
        choices.append(first + np.flatnonzero(states & ((evidence == 1).sum() <= 1)))
    for v in np.flatnonzero(~categorical):
        choices.append(np.array({-1: [-1, v], 0: [-1], 1: [v]}[int(view.evidence[v])]))
    return choices


def _assignments(view: GraphView, choices: list[npt.NDArray[np.intp]], number: Ints) -> Bits:
    """Make the assignments with these numbers, counting like an odometer."""
    values = np.zeros(
        (len(number), view.variables + 1), dtype=bool
    )  # the last column takes the -1s
    row = np.arange(len(number))
    for choice in choices:
        number, digit = np.divmod(number, len(choice))
        values[row, choice[digit]] = True
    return values[:, :-1]


def _scores(graph: Graph, view: GraphView, values: Bits) -> tuple[Bits, Doubles, Doubles]:
    """Keep the allowed ones among some assignments; their scores, and the sizes of the terms."""
    score: Doubles = values @ view.scores
    sizes: Doubles = np.abs(view.scores)
    size: Doubles = values @ sizes
    for factor in range(len(view.kinds)):
        literals = view.literals_of(factor)
        own = _own_score(
            graph, view, factor, values[:, literals >> 1] ^ (literals & 1).astype(bool)
        )
        allowed = own > -np.inf
        values, own = values[allowed], own[allowed]
        score, size = score[allowed] + own, size[allowed] + np.abs(own)
    return values, score, size


def _own_score(graph: Graph, view: GraphView, factor: int, on: Bits) -> Doubles:
    kind, data, shape = view.kind_of(factor), view.data_of(factor), view.shape_of(factor)
    if kind != Kind.custom:
        return MEANING[kind](on, data[None], shape)
    distinct, which = np.unique(on, axis=0, return_inverse=True)
    asked = [np.flatnonzero(row).astype(np.int32) for row in distinct]
    return np.array([configuration_score(graph, factor, y) for y in asked])[which.ravel()]
