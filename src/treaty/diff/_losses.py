"""Losses of scores against gold answers, with gradients and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty.diff._decoding import (
    Limits,
    all_parameters,
    counts_of,
    decode,
    gold_answers,
    perturbed,
    score_of,
)
from treaty.diff._marginals import marginals
from treaty.diff._smooth import Doubles, Gradient, lp_sparsemap, require_positive
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = [
    "Loss", "hinge_loss", "log_loss", "perceptron_loss", "perturbed_loss", "sparsemap_loss",
    "spo_plus_loss",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Loss:
    """The loss of scores, or those of a batch, with their gradients.

    Attributes
    ----------
    value
        A number, or one for each item. It is that of the answer that decoding gave; the gradient
        belongs to it.
    bound
        The loss is at least `value` and at most this: the two differ where decoding was not
        proved optimal.
    answer
        The answer that is compared with gold, a number for each variable: of the smooth problem,
        the best one, probabilities, or the mean of the samples.
    """

    value: Any
    bound: Any
    answer: npt.NDArray[Any]
    _moved: Doubles

    @property
    def gap(self) -> Any:
        """By how much the bound exceeds the value."""
        return self.bound - self.value

    @cached_property
    def gradient(self) -> Gradient:
        """The derivatives by the scores; of each item's loss by its row for a batch."""
        parameters = self._moved if np.ndim(self.value) else self._moved[0]
        return Gradient(parameters[..., : self.answer.shape[-1]], parameters)

    def pullback(self, cotangent: npt.ArrayLike) -> Gradient:
        """Multiply the gradient with a number for each item."""
        given = np.asarray(cotangent, np.float64)
        if given.shape != np.shape(self.value):
            raise UsageError(
                f"pullback: expected a number for each loss, shape {np.shape(self.value)}, got "
                f"one of shape {given.shape}"
            )
        return Gradient(*(given[..., None] * part for part in self.gradient))

    def __repr__(self) -> str:
        if np.ndim(self.value):
            return f"<Loss: {len(self.value)} items>"
        return f"<Loss: {self.value:.6g}, at most {self.bound:.6g}>"


def _loss(
    is_batch: bool, value: Doubles, bound: Doubles, answer: npt.NDArray[Any], gradient: Doubles
) -> Loss:
    bound = np.maximum(bound, value)
    if is_batch:
        return Loss(value, bound, answer, gradient)
    return Loss(float(value[0]), float(bound[0]), answer[0], gradient)


def sparsemap_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    *,
    strength: float = 1.0,
    **options: Any,
) -> Loss:
    """SparseMAP's loss: the Fenchel-Young loss of the relaxation with a quadratic term.

    It is ``max_u (score(u) - strength / 2 |u|²) - (score(gold) - strength / 2 |gold|²)``: convex,
    at least ``strength / 2 |u - gold|²``, and zero exactly where the smooth answer is gold.
    Its gradient is the smooth answer minus gold. It needs no tree-width and no sampling.

    Parameters
    ----------
    graph
        Any graph.
    scores
        As for `lp_sparsemap`; None for the graph's own.
    gold
        0 or 1 for each variable; a row for each item, or one for all. Factors must allow it.
    strength
        Weight of the quadratic term: the margin by which gold must win.
    **options
        As for `lp_sparsemap`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = sparsemap_loss(graph, [0.0, 0.0], [1, 0])
    >>> loss.value, loss.gradient.variables
    (0.25, array([-0.5,  0.5]))
    >>> sparsemap_loss(graph, [1.0, 0.0], [1, 0]).value
    0.0
    """
    rows, is_batch = all_parameters("sparsemap_loss", graph, scores)
    right = gold_answers("sparsemap_loss", graph, gold, rows)
    smooth = lp_sparsemap(graph, rows, strength=strength, **options)
    expected = smooth._answer.expect(rows)
    of_gold = right.score - 0.5 * strength * right.values.sum(axis=1)
    value = np.maximum(smooth.objective - of_gold, 0.0)
    bound = smooth.objective + smooth.certificate.gap - of_gold
    return _loss(is_batch, value, bound, smooth.values, expected - right.counts)


def log_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    *,
    temperature: float = 1.0,
    **options: Any,
) -> Loss:
    """Negative conditional log-likelihood of gold, times the temperature, where sums are exact.

    Its gradient is the expectation of each parameter minus its count in gold.

    Parameters
    ----------
    graph
        A graph that `marginals` can sum over.
    scores, gold
        As for `sparsemap_loss`.
    temperature
        As for `marginals`.
    **options
        As for `marginals`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = log_loss(graph, None, [1, 0])
    >>> round(loss.value, 6), loss.gradient.variables
    (0.693147, array([-0.5,  0.5]))
    """
    rows, is_batch = all_parameters("log_loss", graph, scores)
    right = gold_answers("log_loss", graph, gold, rows)
    sums = marginals(graph, rows, temperature=temperature, **options)
    value = np.maximum(sums.objective - right.score, 0.0)
    return _loss(is_batch, value, value, sums.values, sums.expectations - right.counts)


def hinge_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    *,
    cost: npt.ArrayLike = 1.0,
    exact: bool = False,
    **limits: Any,
) -> Loss:
    """Structured hinge loss: by how much an answer may beat gold, with the cost of its errors.

    ``max_y (score(y) + cost · |y - gold|) - score(gold)``. Decoding is AD3's; where it is not
    proved, `Loss.bound` is higher than `Loss.value`.

    Parameters
    ----------
    graph
        Any graph.
    scores, gold
        As for `sparsemap_loss`.
    cost
        Of each variable that differs from gold: a number, one for each variable, or a row of them
        for each item.
    exact
        Whether to decode by ``graph.solve(method="exact")`` where AD3 proves nothing.
    **limits
        As for ``graph.batch``: iterations, time_limit, threads, warm, keys and others.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = hinge_loss(graph, [0.5, 0.0], [1, 0])
    >>> loss.value, loss.bound, loss.gradient.variables
    (1.5, 1.5, array([-1.,  1.]))
    """
    return _margin_loss("hinge_loss", graph, scores, gold, cost, exact, limits)


def perceptron_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    *,
    exact: bool = False,
    **limits: Any,
) -> Loss:
    """Structured perceptron's loss: the score of the best answer minus that of gold.

    Parameters
    ----------
    graph
        Any graph.
    scores, gold
        As for `sparsemap_loss`.
    exact, **limits
        As for `hinge_loss`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = perceptron_loss(graph, [[0.5, 0.0], [0.0, 0.5]], [1, 0])
    >>> loss.value, loss.gradient.variables
    (array([0. , 0.5]), array([[ 0.,  0.], [-1.,  1.]]))
    """
    return _margin_loss("perceptron_loss", graph, scores, gold, 0.0, exact, limits)


def _margin_loss(
    what: str,
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    cost: npt.ArrayLike,
    exact: bool,
    limits: Limits,
) -> Loss:
    rows, is_batch = all_parameters(what, graph, scores)
    right = gold_answers(what, graph, gold, rows)
    price = _costs(what, cost, right.values.shape)
    augmented = rows.copy()
    augmented[:, : price.shape[1]] += price * (1.0 - 2.0 * right.values)
    constant = (price * right.values).sum(axis=1) - right.score
    best = decode(what, graph, augmented, is_batch, exact, limits)
    value = best.score + constant
    worse = value <= 0.0  # gold is an answer too, and as good as the one that was found
    counts = np.where(worse[:, None], right.counts, counts_of(graph, best.values))
    answer = np.where(worse[:, None], right.values, best.values)
    bound = np.maximum(best.bound + constant, 0.0)
    return _loss(is_batch, np.maximum(value, 0.0), bound, answer, counts - right.counts)


def _costs(what: str, cost: npt.ArrayLike, shape: tuple[int, ...]) -> Doubles:
    try:
        price = np.asarray(cost, np.float64)
        price = np.broadcast_to(price, shape)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what}: cost: expected a number for each variable ({error})") from error
    if not (np.isfinite(price) & (price >= 0.0)).all():
        raise UsageError(f"{what}: cost: expected finite numbers that are not negative")
    return price


def perturbed_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    gold: npt.ArrayLike,
    *,
    noise: float = 1.0,
    samples: int = 16,
    seed: int = 0,
    exact: bool = False,
    **limits: Any,
) -> Loss:
    """Perturbed Fenchel-Young loss: how far the best answers under noise are from gold.

    The mean over samples of ``max_y (scores + noise * normal) · y``, minus the score of gold
    (Berthet et al. 2020; the constant of gold in their loss is left out). The gradient is the mean
    of the best answers minus gold. The same seed gives the same noise for each item's number.

    Parameters
    ----------
    graph
        Any graph.
    scores, gold
        As for `sparsemap_loss`.
    noise
        Standard deviation of the noise on the score of each variable.
    samples
        Number of samples for each item.
    seed
        Of the noise.
    exact, **limits
        As for `hinge_loss`. `keys` and `warm` are for ``samples`` rows an item.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = perturbed_loss(graph, [9.0, 0.0], [1, 0], samples=8)
    >>> loss.gradient.variables
    array([0., 0.])
    """
    rows, is_batch = all_parameters("perturbed_loss", graph, scores)
    right = gold_answers("perturbed_loss", graph, gold, rows)
    require_positive("perturbed_loss", "noise", noise)
    if samples < 1:
        raise UsageError(f"perturbed_loss: samples must be at least 1, not {samples}")
    variables = right.values.shape[1]
    moves = np.random.default_rng(seed).normal(size=(len(rows), samples, variables)) * noise
    best = perturbed("perturbed_loss", graph, rows, moves, exact, limits)
    counts = counts_of(graph, best.values).reshape(len(rows), samples, rows.shape[1]).mean(axis=1)
    value = best.score.reshape(moves.shape[:2]).mean(axis=1) - right.score
    bound = best.bound.reshape(moves.shape[:2]).mean(axis=1) - right.score
    answer = best.values.reshape(moves.shape).mean(axis=1)
    return _loss(is_batch, value, bound, answer, counts - right.counts)


def spo_plus_loss(
    graph: FactorGraph,
    scores: npt.ArrayLike | None,
    truth: npt.ArrayLike,
    gold: npt.ArrayLike | None = None,
    *,
    exact: bool = True,
    **limits: Any,
) -> Loss:
    """SPO+ loss: a convex bound of the regret of deciding by predicted scores.

    ``max_y (2 scores - truth)(y) - 2 score(gold) + truth(gold)``, where gold is the best answer
    under the true scores (Elmachtoub & Grigas 2022, for maximization). The regret,
    ``truth(gold) - truth(best answer of the scores)``, is never larger.

    Parameters
    ----------
    graph
        Any graph.
    scores
        The predicted scores, as for `lp_sparsemap`.
    truth
        The true scores; a row for each item, or one for all.
    gold
        Best answers under `truth`, if they are known; else they are solved for.
    exact
        As for `hinge_loss`. The default, since another gold makes another loss.
    **limits
        As for `hinge_loss`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> loss = spo_plus_loss(graph, [0.0, 1.0], [3.0, 1.0])
    >>> loss.value, loss.gradient.variables
    (4.0, array([-2.,  2.]))
    """
    rows, is_batch = all_parameters("spo_plus_loss", graph, scores)
    true, _ = all_parameters("spo_plus_loss: truth", graph, truth)
    if len(true) not in (1, len(rows)):
        raise UsageError(
            f"spo_plus_loss: got {len(rows)} rows of scores but {len(true)} of true ones"
        )
    if gold is None:
        gold = decode("spo_plus_loss: truth", graph, true, is_batch, exact, limits).values
    true = np.broadcast_to(true, rows.shape)
    right = gold_answers("spo_plus_loss", graph, gold, rows)
    true_score = score_of(right.counts, true) + right.hidden
    with np.errstate(invalid="ignore"):  # what is forbidden in both stays forbidden
        mixed = np.where(np.isneginf(rows), rows, 2.0 * rows - true)
    best = decode("spo_plus_loss", graph, mixed, is_batch, exact, limits)
    constant = true_score - 2.0 * right.score
    value = best.score + constant
    gradient = 2.0 * (counts_of(graph, best.values) - right.counts)
    return _loss(is_batch, value, best.bound + constant, best.values, gradient)
