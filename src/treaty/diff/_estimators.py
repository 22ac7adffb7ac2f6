"""Best answers as layers, with gradients of a surrogate: blackbox differentiation and I-MLE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty.diff._decoding import (
    Answers,
    Limits,
    all_parameters,
    counts_of,
    perturbed,
)
from treaty.diff._smooth import Doubles, Gradient, require_positive
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Decoded", "blackbox", "implicit_mle"]


class Decoded:
    """Best answers, or means of them under noise, with the gradient of a surrogate.

    Attributes
    ----------
    values
        A number for each variable; a row per item for a batch.
    score, bound
        Of each answer, and the bound that decoding proved; means over the samples.
    """

    def __init__(
        self,
        graph: FactorGraph,
        rows: Doubles,
        is_batch: bool,
        moves: Doubles,
        interpolation: float,
        exact: bool,
        limits: Limits,
    ) -> None:
        self.graph, self.is_batch = graph, is_batch
        self._rows, self._moves, self._interpolation = rows, moves, interpolation
        self._exact, self._limits = exact, limits
        self._version = graph.native.version
        best = self._decode(rows)
        self._counts = self._mean(counts_of(graph, best.values))
        values = self._counts[:, : graph.native.variables]
        score, bound = (self._mean(part[:, None])[:, 0] for part in best[1:])
        self.values = values if is_batch else values[0]
        self.score: Any = score if is_batch else float(score[0])
        self.bound: Any = bound if is_batch else float(bound[0])

    def _decode(self, rows: Doubles) -> Answers:
        return perturbed("decoding", self.graph, rows, self._moves, self._exact, self._limits)

    def _mean(self, samples: Doubles) -> Doubles:
        items, count = self._moves.shape[:2]
        mean: Doubles = samples.reshape(items, count, samples.shape[1]).mean(axis=1)
        return mean

    def pullback(self, cotangent: npt.ArrayLike) -> Gradient:
        """Decode once more, with scores moved against the cotangent, and compare.

        Parameters
        ----------
        cotangent
            The derivatives of the loss by the values, in the shape of `values`.
        """
        if self.graph.native.version != self._version:
            raise UsageError(
                "pullback: the graph has changed after the forward pass; take the gradient first, "
                "or work on a copy (graph.copy())"
            )
        given = np.asarray(cotangent, np.float64)
        if given.shape != self.values.shape:
            raise UsageError(
                f"pullback: expected a number for each value, shape {self.values.shape}, got one "
                f"of shape {given.shape}"
            )
        if not np.isfinite(given).all():
            raise UsageError("pullback: expected finite numbers")
        moved = self._rows.copy()
        moved[:, : given.shape[-1]] -= self._interpolation * np.atleast_2d(given)
        target = self._mean(counts_of(self.graph, self._decode(moved).values))
        gradient = (self._counts - target) / self._interpolation
        parameters = gradient if self.is_batch else gradient[0]
        return Gradient(parameters[..., : self.graph.native.variables], parameters)

    def __repr__(self) -> str:
        items = f"{len(self.values)} items, " if self.is_batch else ""
        return f"<Decoded: {items}{self.graph.native.variables} variables>"


def blackbox(
    graph: FactorGraph,
    scores: npt.ArrayLike | None = None,
    *,
    interpolation: float = 10.0,
    exact: bool = False,
    **limits: Any,
) -> Decoded:
    """Decode, with the gradient of an interpolation of the loss (Vlastelica et al. 2020).

    The gradient is the best answer minus the one for ``scores - interpolation * cotangent``,
    divided by `interpolation`.

    Parameters
    ----------
    graph
        Any graph.
    scores
        As for `lp_sparsemap`.
    interpolation
        How far the scores are moved. Small ones are more faithful, large ones give more gradients
        that are not zero.
    exact, **limits
        As for `hinge_loss`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.3, 0.1]))
    >>> answer = blackbox(graph, interpolation=2.0)
    >>> answer.values, answer.pullback([1.0, 0.0]).variables
    (array([1., 0.]), array([ 0.5, -0.5]))
    """
    require_positive("blackbox", "interpolation", interpolation)
    rows, is_batch = all_parameters("blackbox", graph, scores)
    still = np.zeros((len(rows), 1, graph.native.variables))
    return Decoded(graph, rows, is_batch, still, interpolation, exact, limits)


def implicit_mle(
    graph: FactorGraph,
    scores: npt.ArrayLike | None = None,
    *,
    interpolation: float = 10.0,
    noise: float = 1.0,
    samples: int = 1,
    seed: int = 0,
    most_on: int = 10,
    exact: bool = False,
    **limits: Any,
) -> Decoded:
    """Sample answers by perturbing and decoding, with the gradient of implicit MLE.

    The values are the mean of the best answers under noise, and the gradient is their difference
    to those for ``scores - interpolation * cotangent`` under the same noise, divided by
    `interpolation` (Niepert, Minervini & Franceschi 2021). The noise is their sum of gammas.

    Parameters
    ----------
    graph
        Any graph.
    scores
        As for `lp_sparsemap`.
    interpolation
        How far the scores are moved.
    noise
        Temperature of the noise.
    samples
        Number of samples for each item.
    seed
        Of the noise.
    most_on
        About how many variables are on in an answer; the noise on so many is near to Gumbel's.
    exact, **limits
        As for `hinge_loss`; `keys` and `warm` are for ``samples`` rows an item.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([5.0, 0.0]))
    >>> answer = implicit_mle(graph, noise=0.1, samples=4)
    >>> answer.values, answer.pullback([1.0, 0.0]).variables
    (array([1., 0.]), array([ 0.1, -0.1]))
    """
    require_positive("implicit_mle", "interpolation", interpolation)
    require_positive("implicit_mle", "noise", noise)
    if samples < 1 or most_on < 1:
        raise UsageError("implicit_mle: samples and most_on must be at least 1")
    rows, is_batch = all_parameters("implicit_mle", graph, scores)
    shape = (len(rows), samples, graph.native.variables)
    moves = _sum_of_gammas(np.random.default_rng(seed), shape, most_on) * noise
    return Decoded(graph, rows, is_batch, moves, interpolation, exact, limits)


def _sum_of_gammas(
    random: np.random.Generator, shape: tuple[int, ...], k: int, terms: int = 10
) -> Doubles:
    """Niepert et al. 2021, section 3.2: k of them add up to about a Gumbel variable."""
    total = np.zeros(shape)
    for i in range(1, terms + 1):
        total += random.gamma(1.0 / k, k / i, size=shape)
    noise: Doubles = (total - np.log(terms)) / k
    return noise
