"""Functions of arrays of JAX, with gradients by callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from treaty import diff
from treaty.errors import UsageError
from treaty.graph import Factor

if TYPE_CHECKING:
    from jax import Array

    from treaty.graph import FactorGraph

__all__ = [
    "blackbox",
    "hinge_loss",
    "implicit_mle",
    "log_loss",
    "lp_sparsemap",
    "marginals",
    "perceptron_loss",
    "perturbed_loss",
    "sparsemap",
    "sparsemap_loss",
    "spo_plus_loss",
]

Answer = Callable[..., Any]


def _checked(what: str, scores: Any) -> Array:
    array = jnp.asarray(scores)
    if not jnp.issubdtype(array.dtype, jnp.floating) or array.ndim == 0:
        raise UsageError(
            f"{what}: expected an array of floating-point scores, got one of {array.dtype} and "
            f"shape {array.shape}"
        )
    return array


def _rows(array: Any) -> Any:
    """Convert to rows of doubles: the axes before the last one are those of a batch."""
    given = np.asarray(array, np.float64)
    return given if given.ndim == 1 else given.reshape(-1, given.shape[-1])


def _version(of: FactorGraph | Factor) -> np.int32:
    graph = of.graph if isinstance(of, Factor) else of
    return np.int32(graph.native.version & 0x7FFFFFFF)


def _called(what: str, function: Callable[..., Any], shapes: Any, *arrays: Any) -> Any:
    """Call back, and refuse to be differentiated in our words."""

    @jax.custom_jvp
    def call(*given: Any) -> Any:
        return jax.pure_callback(function, shapes, *given, vmap_method="broadcast_all")

    @call.defjvp
    def refuse(primals: Any, tangents: Any) -> Any:
        raise UsageError(f"{what}: there are reverse derivatives only, and only the first")

    return call(*arrays)


def _layer(what: str, answer: Answer, of: Any, scores: Any, options: dict[str, Any]) -> Array:
    """Values with the scores' leading axes; the backward pass solves again, and pulls back."""
    scores = _checked(what, scores)
    graph = of.graph if isinstance(of, Factor) else of
    variables = len(of.codes) if isinstance(of, Factor) else graph.native.variables

    def forward(given: Any) -> tuple[Any, Any]:
        values = answer(of, _rows(given), **options).values
        seen = np.full(given.shape[:-1], _version(of))
        return values.reshape(*given.shape[:-1], variables).astype(given.dtype), seen

    def backward(given: Any, seen: Any, cotangent: Any) -> Any:
        if (np.asarray(seen) != _version(of)).any():
            raise UsageError(
                f"{what}: the graph has changed after the forward pass; take the gradient first, "
                "or work on a copy (graph.copy())"
            )
        gradient = answer(of, _rows(given), **options).pullback(_rows(cotangent))
        width = given.shape[-1]
        by = gradient.variables if width == variables else gradient.parameters
        return by.reshape(given.shape).astype(given.dtype)

    def run(given: Array) -> tuple[Array, Array]:
        shapes = (
            jax.ShapeDtypeStruct((*given.shape[:-1], variables), given.dtype),
            jax.ShapeDtypeStruct(given.shape[:-1], np.int32),
        )
        return _called(what, forward, shapes, given)

    @jax.custom_vjp
    def layer(given: Array) -> Array:
        return run(given)[0]

    def down(given: Array) -> tuple[Array, Any]:
        values, seen = run(given)
        return values, (given, seen)

    def up(kept: Any, cotangent: Array) -> tuple[Array]:
        given, seen = kept
        shape = jax.ShapeDtypeStruct(given.shape, given.dtype)
        return (_called(what, backward, shape, given, seen, cotangent),)

    layer.defvjp(down, up)
    return layer(scores)


def _loss(
    what: str, answer: Answer, graph: FactorGraph, scores: Any, others: Any, options: dict[str, Any]
) -> Array:
    """Losses with the scores' leading axes; the gradient comes with them."""
    scores = _checked(what, scores)
    arrays = tuple(jnp.asarray(other, scores.dtype) for other in others)

    def forward(given: Any, *rest: Any) -> tuple[Any, Any]:
        lead = given.shape[:-1]
        spread = (np.broadcast_to(r, (*lead, np.shape(r)[-1])) for r in rest)
        loss = answer(graph, _rows(given), *map(_rows, spread), **options)
        part = loss.gradient.parameters[..., : given.shape[-1]]
        value = np.asarray(loss.value).reshape(lead)
        return value.astype(given.dtype), part.reshape(given.shape).astype(given.dtype)

    def run(given: Array, *rest: Array) -> tuple[Array, Array]:
        shapes = (
            jax.ShapeDtypeStruct(given.shape[:-1], given.dtype),
            jax.ShapeDtypeStruct(given.shape, given.dtype),
        )
        return _called(what, forward, shapes, given, *rest)

    @jax.custom_vjp
    def loss(given: Array, *rest: Array) -> Array:
        return run(given, *rest)[0]

    def down(given: Array, *rest: Array) -> tuple[Array, Any]:
        value, gradient = run(given, *rest)
        return value, (gradient, rest)

    def up(kept: Any, cotangent: Array) -> tuple[Array, ...]:
        gradient, rest = kept
        return (cotangent[..., None] * gradient, *(jnp.zeros_like(r) for r in rest))

    loss.defvjp(down, up)
    return loss(scores, *arrays)


def lp_sparsemap(graph: FactorGraph, scores: Any, **options: Any) -> Array:
    """Compute the smooth answer of any graph (`treaty.diff.lp_sparsemap`).

    Parameters
    ----------
    graph
        Any graph. It must not change between the forward and the backward pass.
    scores
        Of the variables or of all ``graph.parameters``, along the last axis.
    **options
        As for `treaty.diff.lp_sparsemap`.

    Examples
    --------
    >>> import jax
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0, 0.0]))
    >>> first = jax.jit(lambda scores: lp_sparsemap(graph, scores)[0])
    >>> value, gradient = jax.value_and_grad(first)(jax.numpy.array([0.3, 0.1, -2.0]))
    >>> print(f"{value:.4f}", gradient)
    0.6000 [ 0.5 -0.5  0. ]
    """
    return _layer("treaty.jax.lp_sparsemap", diff.lp_sparsemap, graph, scores, options)


def sparsemap(factor: Factor | FactorGraph, scores: Any, **options: Any) -> Array:
    """Compute the smooth answer of one factor (`treaty.diff.sparsemap`)."""
    return _layer("treaty.jax.sparsemap", diff.sparsemap, factor, scores, options)


def marginals(graph: FactorGraph, scores: Any, **options: Any) -> Array:
    """Compute the probability of each variable (`treaty.diff.marginals`)."""
    return _layer("treaty.jax.marginals", diff.marginals, graph, scores, options)


def blackbox(graph: FactorGraph, scores: Any, **options: Any) -> Array:
    """Decode, with the gradient of an interpolation (`treaty.diff.blackbox`)."""
    return _layer("treaty.jax.blackbox", diff.blackbox, graph, scores, options)


def implicit_mle(graph: FactorGraph, scores: Any, **options: Any) -> Array:
    """Decode under noise, with the gradient of implicit MLE (`treaty.diff.implicit_mle`)."""
    return _layer("treaty.jax.implicit_mle", diff.implicit_mle, graph, scores, options)


def sparsemap_loss(graph: FactorGraph, scores: Any, gold: Any, **options: Any) -> Array:
    """Compute SparseMAP's loss of each item (`treaty.diff.sparsemap_loss`).

    Parameters
    ----------
    graph, scores
        As for `lp_sparsemap`.
    gold
        0 or 1 for each variable, with the batch axes of the scores or without.
    **options
        As for `treaty.diff.sparsemap_loss`.

    Examples
    --------
    >>> import jax
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> print(jax.grad(lambda s: sparsemap_loss(graph, s, [1, 0]))(jax.numpy.zeros(2)))
    [-0.5  0.5]
    """
    return _loss("treaty.jax.sparsemap_loss", diff.sparsemap_loss, graph, scores, (gold,), options)


def log_loss(graph: FactorGraph, scores: Any, gold: Any, **options: Any) -> Array:
    """Compute the negative log-likelihood of each item (`treaty.diff.log_loss`)."""
    return _loss("treaty.jax.log_loss", diff.log_loss, graph, scores, (gold,), options)


def hinge_loss(graph: FactorGraph, scores: Any, gold: Any, **options: Any) -> Array:
    """Compute the structured hinge loss of each item (`treaty.diff.hinge_loss`)."""
    return _loss("treaty.jax.hinge_loss", diff.hinge_loss, graph, scores, (gold,), options)


def perceptron_loss(graph: FactorGraph, scores: Any, gold: Any, **options: Any) -> Array:
    """Compute the perceptron's loss of each item (`treaty.diff.perceptron_loss`)."""
    what = "treaty.jax.perceptron_loss"
    return _loss(what, diff.perceptron_loss, graph, scores, (gold,), options)


def perturbed_loss(graph: FactorGraph, scores: Any, gold: Any, **options: Any) -> Array:
    """Compute the perturbed loss of each item (`treaty.diff.perturbed_loss`)."""
    return _loss("treaty.jax.perturbed_loss", diff.perturbed_loss, graph, scores, (gold,), options)


def spo_plus_loss(
    graph: FactorGraph, scores: Any, truth: Any, gold: Any = None, **options: Any
) -> Array:
    """Compute the SPO+ loss of each item (`treaty.diff.spo_plus_loss`)."""
    others = (truth,) if gold is None else (truth, gold)
    return _loss("treaty.jax.spo_plus_loss", diff.spo_plus_loss, graph, scores, others, options)
