"""SparseMAP: one factor, and the sparse distribution over its configurations."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import diff as native
from treaty.diff._smooth import Doubles, Smooth, lp_sparsemap
from treaty.errors import UsageError
from treaty.graph import Factor, FactorGraph
from treaty.graph._parameters import rows_of_scores

__all__ = ["SparseSmooth", "sparsemap"]

Configurations = npt.NDArray[np.int8]


class SparseSmooth(Smooth):
    """A smooth answer of one factor, with the distribution over configurations behind it."""

    def __init__(self, smooth: Smooth, rows: Doubles) -> None:
        super().__init__(
            smooth.graph, smooth._answer, smooth.certificate, smooth.is_batch, smooth._threads
        )
        self._rows = rows

    @cached_property
    def _mixtures(self) -> tuple[Configurations, Doubles, list[int]]:
        strength = self.certificate.strength
        codes = self.graph.factors[0].codes
        by_literal = self._rows[:, codes >> 1]
        # With y = 1 - x the quadratic term is linear in y, but for itself.
        by_literal = np.where(codes & 1, strength - by_literal, by_literal)
        configurations, weights, begin = native.mixtures(
            self.graph.native, self._rows, np.ascontiguousarray(by_literal), strength=strength,
            threads=self._threads,
        )  # fmt: skip
        return configurations, weights, begin.tolist()

    def _split(self, values: Any) -> Any:
        begin = self._mixtures[2]
        return [values[a:b] for a, b in pairwise(begin)]

    @property
    def configurations(self) -> Any:
        """The configurations with a positive weight, a row of 0 and 1 per literal of the factor.

        Those with the largest weights come first. For a batch, a list with an array per item.
        """
        found = self._split(self._mixtures[0])
        return found if self.is_batch else found[0]

    @property
    def weights(self) -> Any:
        """Their weights, which sum to one. For a batch, a list with an array per item."""
        found = self._split(self._mixtures[1])
        return found if self.is_batch else found[0]


def sparsemap(
    factor: Factor | FactorGraph, scores: npt.ArrayLike | None = None, **options: Any
) -> SparseSmooth:
    """Find the smooth answer of one factor, and its sparse distribution over configurations.

    The values are the mean of a distribution over the factor's configurations; it maximizes the
    expected score minus ``strength / 2 |values|²`` (SparseMAP, Niculae et al. 2018). Values are
    unique; so is the distribution, if its configurations are affinely independent.

    Parameters
    ----------
    factor
        A factor, or a graph with a single one, in which each variable is only once.
    scores
        Of a factor: a number for each literal, followed or not by those of its own scores; of a
        graph: as for `lp_sparsemap`. Several rows are a batch. By default those in the graph.
    **options
        As for `lp_sparsemap`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tags = [graph.categorical([0.0, 0.0]) for _ in range(2)]
    >>> chain = graph.sequence(tags, [[[0.0, 0.5], [0.5, 0.0]]])
    >>> answer = sparsemap(chain, [0.3, 0.0, 0.0, 0.4])
    >>> answer.values.round(3)
    array([0.675, 0.325, 0.325, 0.675])
    >>> answer.configurations, answer.weights.round(3)
    (array([[1, 0, 0, 1],
           [0, 1, 1, 0]], dtype=int8), array([0.675, 0.325]))
    """
    graph = _graph_of(factor)
    if scores is None and isinstance(factor, Factor):
        own, codes = factor.graph.scores, factor.codes
        scores = np.where(codes & 1, -own[codes >> 1], own[codes >> 1])
    smooth = lp_sparsemap(graph, scores, **options)
    rows = rows_of_scores("sparsemap: scores", graph, scores)
    return SparseSmooth(smooth, rows)


def _graph_of(factor: Factor | FactorGraph) -> FactorGraph:
    if isinstance(factor, FactorGraph):
        graph = factor
    elif isinstance(factor, Factor):
        graph = FactorGraph._of(native.alone(factor.graph.native, factor.index))
    else:
        raise UsageError(f"sparsemap: expected a factor or a graph with one, got {factor!r}")
    if len(graph.factors) != 1:
        raise UsageError(
            f"sparsemap: expected a graph with one factor, got {graph!r}; use lp_sparsemap, or "
            "sparsemap(graph.factors[0])"
        )
    variables = graph.factors[0].codes >> 1
    if len(np.unique(variables)) != len(variables) or (graph.evidence >= 0).any():
        raise UsageError(
            "sparsemap: a variable is fixed, or in the factor twice; use lp_sparsemap, which has "
            "no distribution over configurations"
        )
    if graph.factors[0].kind == "knapsack":
        raise UsageError(
            "sparsemap: a knapsack is relaxed, and its fractional points are no mixtures of "
            "configurations; use lp_sparsemap"
        )
    return graph
