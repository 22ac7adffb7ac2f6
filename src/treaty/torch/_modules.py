"""The functions as modules, with a graph and options of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from torch import Tensor, nn

from treaty.errors import UsageError
from treaty.torch import _functions as functions

if TYPE_CHECKING:
    from treaty.graph import Factor, FactorGraph

__all__ = [
    "Blackbox",
    "HingeLoss",
    "ImplicitMLE",
    "LPSparseMAP",
    "LogLoss",
    "Marginals",
    "PerceptronLoss",
    "PerturbedLoss",
    "SPOPlusLoss",
    "SparseMAP",
    "SparseMAPLoss",
]


class _OfGraph(nn.Module):
    """A function with its graph; `options` are those of the function."""

    function: ClassVar[Any]

    def __init__(self, graph: FactorGraph | Factor, **options: Any) -> None:
        super().__init__()
        self.graph, self.options = graph, options

    def extra_repr(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"{self.graph!r}{options}"


class _Layer(_OfGraph):
    def forward(self, scores: Tensor, **options: Any) -> Tensor:
        """Apply the function; options given here come before those of the module."""
        values: Tensor = type(self).function(self.graph, scores, **{**self.options, **options})
        return values


class LPSparseMAP(_Layer):
    """The smooth answer of a graph: `lp_sparsemap`.

    Examples
    --------
    >>> import torch
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> layer = LPSparseMAP(graph, strength=2.0)
    >>> layer
    LPSparseMAP(<FactorGraph: 2 variables, 1 factors>, strength=2.0)
    >>> layer(torch.tensor([1.0, 0.0]))
    tensor([0.7500, 0.2500])
    """

    function = functions.lp_sparsemap


class SparseMAP(_Layer):
    """The smooth answer of one factor: `sparsemap`."""

    function = functions.sparsemap


class Marginals(_Layer):
    """Probabilities of variables: `marginals`."""

    function = functions.marginals


class Blackbox(_Layer):
    """Decoding with an interpolated gradient: `blackbox`."""

    function = functions.blackbox


class ImplicitMLE(_Layer):
    """Decoding under noise: `implicit_mle`. In training, each call has noise of its own.

    Parameters
    ----------
    graph
        Any graph.
    **options
        As for `implicit_mle`; `seed` is that of the first call.
    """

    function = functions.implicit_mle

    def __init__(self, graph: FactorGraph, *, seed: int = 0, **options: Any) -> None:
        super().__init__(graph, **options)
        self.next_seed = seed

    def forward(self, scores: Tensor, **options: Any) -> Tensor:
        """Decode under noise."""
        seed, self.next_seed = self.next_seed, self.next_seed + self.training
        return super().forward(scores, **{"seed": seed, **options})


class _Loss(_OfGraph):
    def __init__(self, graph: FactorGraph, *, reduction: str = "mean", **options: Any) -> None:
        super().__init__(graph, **options)
        if reduction not in ("mean", "sum", "none"):
            raise UsageError(
                f"{type(self).__name__}: reduction is 'mean', 'sum' or 'none', not {reduction!r}"
            )
        self.reduction = reduction

    def forward(self, scores: Tensor, *others: Any, **options: Any) -> Tensor:
        """Compute the loss of scores and gold answers; of a batch, its mean or sum."""
        options = {**self.options, **options}
        loss: Tensor = type(self).function(self.graph, scores, *others, **options)
        if self.reduction == "none":
            return loss
        return loss.mean() if self.reduction == "mean" else loss.sum()


class SparseMAPLoss(_Loss):
    """SparseMAP's loss: `sparsemap_loss`.

    Parameters
    ----------
    graph
        Any graph.
    reduction
        ``"mean"`` or ``"sum"`` over the items, or ``"none"``.
    **options
        As for `sparsemap_loss`.

    Examples
    --------
    >>> import torch
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.exactly_one(graph.variables([0.0, 0.0]))
    >>> SparseMAPLoss(graph)(torch.zeros(5, 2), torch.tensor([0, 1]))
    tensor(0.2500)
    """

    function = functions.sparsemap_loss


class LogLoss(_Loss):
    """Negative log-likelihood: `log_loss`."""

    function = functions.log_loss


class HingeLoss(_Loss):
    """Structured hinge loss: `hinge_loss`."""

    function = functions.hinge_loss


class PerceptronLoss(_Loss):
    """The perceptron's loss: `perceptron_loss`."""

    function = functions.perceptron_loss


class PerturbedLoss(_Loss):
    """Perturbed loss: `perturbed_loss`. In training, each call has noise of its own."""

    function = functions.perturbed_loss

    def __init__(self, graph: FactorGraph, *, seed: int = 0, **options: Any) -> None:
        super().__init__(graph, **options)
        self.next_seed = seed

    def forward(self, scores: Tensor, *others: Any, **options: Any) -> Tensor:
        """Compute the loss."""
        seed, self.next_seed = self.next_seed, self.next_seed + self.training
        return super().forward(scores, *others, **{"seed": seed, **options})


class SPOPlusLoss(_Loss):
    """SPO+ loss of predicted and true scores: `spo_plus_loss`."""

    function = functions.spo_plus_loss
