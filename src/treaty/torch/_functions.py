"""Functions of tensors of scores, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from treaty import diff
from treaty.diff._smooth import Gradient
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.graph import Factor, FactorGraph

__all__ = [
    "blackbox",
    "hinge_loss",
    "implicit_mle",
    "log_loss",
    "log_partition",
    "lp_sparsemap",
    "marginals",
    "perceptron_loss",
    "perturbed_loss",
    "sparsemap",
    "sparsemap_loss",
    "spo_plus_loss",
]

Doubles = np.typing.NDArray[np.float64]
Pullback = Callable[[Doubles], Gradient]


class _Layer(torch.autograd.Function):
    """Runs a function of arrays, which also gives the function that takes gradients."""

    @staticmethod
    def forward(
        context: Any, scores: Tensor, run: Callable[[Doubles], tuple[Any, Pullback]]
    ) -> Tensor:
        values, context.pullback = run(_array(scores))
        context.save_for_backward(scores)
        return _tensor(values, scores)

    @staticmethod
    def backward(context: Any, cotangent: Tensor) -> tuple[Tensor, None]:
        (scores,) = context.saved_tensors
        return _FirstDerivative.apply(cotangent, scores, context.pullback), None


class _FirstDerivative(torch.autograd.Function):
    """The backward pass as a function, so that differentiating it is refused in our words."""

    @staticmethod
    def forward(context: Any, cotangent: Tensor, scores: Tensor, pullback: Pullback) -> Tensor:
        gradient = pullback(_array(cotangent))
        width = scores.shape[-1]
        by = gradient.variables if gradient.variables.shape[-1] == width else gradient.parameters
        return _tensor(by, scores)

    @staticmethod
    def backward(context: Any, cotangent: Tensor) -> tuple[None, None, None]:
        raise UsageError(
            "treaty.torch: these layers have first derivatives only; a second one was required "
            "(create_graph=True, a gradient penalty, torch.autograd.gradgradcheck)"
        )


def _array(tensor: Tensor) -> Doubles:
    array: Doubles = tensor.detach().to("cpu", torch.float64).numpy()
    return array


def _tensor(values: Any, like: Tensor) -> Tensor:
    return torch.from_numpy(np.array(values, np.float64)).to(like.device, like.dtype)


@torch.compiler.disable
def _apply(what: str, scores: Tensor, run: Callable[[Doubles], tuple[Any, Pullback]]) -> Tensor:
    if not isinstance(scores, Tensor) or not scores.is_floating_point():
        given = f"one of {scores.dtype}" if isinstance(scores, Tensor) else type(scores).__name__
        raise UsageError(f"{what}: expected a tensor of floating-point scores, got {given}")
    layer: Callable[..., Tensor] = _Layer.apply
    if scores.dim() <= 2:
        return layer(scores, run)
    values = layer(scores.reshape(-1, scores.shape[-1]), run)
    return values.reshape(*scores.shape[:-1], *values.shape[1:])


def _values(function: Callable[..., Any], of: Any, options: dict[str, Any]) -> Callable[..., Any]:
    def run(scores: Doubles) -> tuple[Any, Pullback]:
        answer = function(of, scores, **options)
        return answer.values, answer.pullback

    return run


def _array_of(other: Any) -> Any:
    return other.detach().cpu().numpy() if isinstance(other, Tensor) else other


def _loss(function: Callable[..., Any], graph: FactorGraph, options: dict[str, Any],
          scores: Tensor, *others: Any) -> Tensor:  # fmt: skip
    arrays = [_flat(_array_of(other)) for other in others]

    def run(array: Doubles) -> tuple[Any, Pullback]:
        loss = function(graph, array, *arrays, **options)
        return loss.value, loss.pullback

    return _apply(f"treaty.torch.{function.__name__}", scores, run)


def _flat(array: Any) -> Any:
    return array.reshape(-1, array.shape[-1]) if np.ndim(array) > 2 else array


def lp_sparsemap(graph: FactorGraph, scores: Tensor, **options: Any) -> Tensor:
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
    >>> import torch
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0, 0.0]))
    >>> scores = torch.tensor([[0.3, 0.1, -2.0]], requires_grad=True)
    >>> values = lp_sparsemap(graph, scores)
    >>> values[0, 0].backward()
    >>> values.detach(), scores.grad
    (tensor([[0.6000, 0.4000, 0.0000]]), tensor([[ 0.5000, -0.5000,  0.0000]]))
    """
    run = _values(diff.lp_sparsemap, graph, options)
    return _apply("treaty.torch.lp_sparsemap", scores, run)


def sparsemap(factor: Factor | FactorGraph, scores: Tensor, **options: Any) -> Tensor:
    """Compute the smooth answer of one factor (`treaty.diff.sparsemap`)."""
    run = _values(diff.sparsemap, factor, options)
    return _apply("treaty.torch.sparsemap", scores, run)


def marginals(graph: FactorGraph, scores: Tensor, **options: Any) -> Tensor:
    """Compute the probability of each variable (`treaty.diff.marginals`)."""
    run = _values(diff.marginals, graph, options)
    return _apply("treaty.torch.marginals", scores, run)


def log_partition(graph: FactorGraph, scores: Tensor, **options: Any) -> Tensor:
    """Compute the logarithm of the sum over all assignments; its gradient are expectations.

    Parameters
    ----------
    graph, scores, **options
        As for `marginals`; it is the `objective` of `treaty.diff.marginals`.
    """

    def run(array: Doubles) -> tuple[Any, Pullback]:
        sums = diff.marginals(graph, array, **options)

        def pullback(cotangent: Doubles) -> Gradient:
            rows = cotangent[..., None] * sums.expectations
            return Gradient(rows[..., : sums.values.shape[-1]], rows)

        return sums.objective, pullback

    return _apply("treaty.torch.log_partition", scores, run)


def blackbox(graph: FactorGraph, scores: Tensor, **options: Any) -> Tensor:
    """Decode, with the gradient of an interpolation (`treaty.diff.blackbox`)."""
    run = _values(diff.blackbox, graph, options)
    return _apply("treaty.torch.blackbox", scores, run)


def implicit_mle(graph: FactorGraph, scores: Tensor, **options: Any) -> Tensor:
    """Decode under noise, with the gradient of implicit MLE (`treaty.diff.implicit_mle`)."""
    run = _values(diff.implicit_mle, graph, options)
    return _apply("treaty.torch.implicit_mle", scores, run)


def sparsemap_loss(graph: FactorGraph, scores: Tensor, gold: Any, **options: Any) -> Tensor:
    """Compute SparseMAP's loss of each item (`treaty.diff.sparsemap_loss`).

    Parameters
    ----------
    graph, scores
        As for `lp_sparsemap`.
    gold
        0 or 1 for each variable, as a tensor or an array.
    **options
        As for `treaty.diff.sparsemap_loss`.

    Examples
    --------
    >>> import torch
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> scores = torch.zeros(2, requires_grad=True)
    >>> loss = sparsemap_loss(graph, scores, [1, 0])
    >>> loss.backward()
    >>> loss.item(), scores.grad
    (0.25, tensor([-0.5000,  0.5000]))
    """
    return _loss(diff.sparsemap_loss, graph, options, scores, gold)


def log_loss(graph: FactorGraph, scores: Tensor, gold: Any, **options: Any) -> Tensor:
    """Compute the negative log-likelihood of each item (`treaty.diff.log_loss`)."""
    return _loss(diff.log_loss, graph, options, scores, gold)


def hinge_loss(graph: FactorGraph, scores: Tensor, gold: Any, **options: Any) -> Tensor:
    """Compute the structured hinge loss of each item (`treaty.diff.hinge_loss`)."""
    return _loss(diff.hinge_loss, graph, options, scores, gold)


def perceptron_loss(graph: FactorGraph, scores: Tensor, gold: Any, **options: Any) -> Tensor:
    """Compute the perceptron's loss of each item (`treaty.diff.perceptron_loss`)."""
    return _loss(diff.perceptron_loss, graph, options, scores, gold)


def perturbed_loss(graph: FactorGraph, scores: Tensor, gold: Any, **options: Any) -> Tensor:
    """Compute the perturbed loss of each item (`treaty.diff.perturbed_loss`)."""
    return _loss(diff.perturbed_loss, graph, options, scores, gold)


def spo_plus_loss(
    graph: FactorGraph, scores: Tensor, truth: Any, gold: Any = None, **options: Any
) -> Tensor:
    """Compute the SPO+ loss of each item (`treaty.diff.spo_plus_loss`)."""
    return _loss(diff.spo_plus_loss, graph, options, scores, truth, gold)
