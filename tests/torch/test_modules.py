"""Modules against their functions, and training with them."""

import copy

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.torch.test_functions import GOLD, chain, drawn  # noqa: E402

from treaty import UsageError  # noqa: E402
from treaty import torch as layers  # noqa: E402

LAYERS = [
    (layers.LPSparseMAP, layers.lp_sparsemap),
    (layers.Marginals, layers.marginals),
    (layers.Blackbox, layers.blackbox),
]
LOSSES = [
    (layers.SparseMAPLoss, layers.sparsemap_loss),
    (layers.LogLoss, layers.log_loss),
    (layers.HingeLoss, layers.hinge_loss),
    (layers.PerceptronLoss, layers.perceptron_loss),
]


@pytest.mark.parametrize(("module", "function"), LAYERS)
def test_layers_are_their_functions(module, function):
    graph = chain()
    scores = drawn(graph)
    torch.testing.assert_close(module(graph)(scores), function(graph, scores))
    assert isinstance(module(graph), torch.nn.Module)


def test_options_of_a_call_come_before_those_of_the_module():
    graph = chain()
    scores, layer = drawn(graph), layers.LPSparseMAP(graph, strength=3.0)
    torch.testing.assert_close(layer(scores), layers.lp_sparsemap(graph, scores, strength=3.0))
    torch.testing.assert_close(
        layer(scores, strength=0.5), layers.lp_sparsemap(graph, scores, strength=0.5)
    )
    assert repr(layer) == f"LPSparseMAP({graph!r}, strength=3.0)"
    twin = copy.deepcopy(layer)
    torch.testing.assert_close(twin(scores), layer(scores))
    assert twin.graph is not graph


def test_sparsemap_is_of_a_factor():
    graph = chain()
    factor = graph.factors[0]
    scores = torch.zeros(6, requires_grad=True)
    torch.testing.assert_close(layers.SparseMAP(factor)(scores), layers.sparsemap(factor, scores))


@pytest.mark.parametrize(("module", "function"), LOSSES)
def test_losses_are_reduced(module, function):
    graph = chain()
    scores = drawn(graph)
    every = function(graph, scores, GOLD)
    torch.testing.assert_close(module(graph)(scores, GOLD), every.mean())
    torch.testing.assert_close(module(graph, reduction="sum")(scores, GOLD), every.sum())
    torch.testing.assert_close(module(graph, reduction="none")(scores, GOLD), every)
    with pytest.raises(UsageError, match="reduction is 'mean', 'sum' or 'none', not 'max'"):
        module(graph, reduction="max")


def test_spo_plus():
    graph = chain()
    scores, truth = drawn(graph, every=False), np.zeros((3, 6))
    expected = layers.spo_plus_loss(graph, scores, truth).mean()
    torch.testing.assert_close(layers.SPOPlusLoss(graph)(scores, truth), expected)


@pytest.mark.parametrize("module", [layers.ImplicitMLE, layers.PerturbedLoss])
def test_noise_is_new_at_each_step_of_training_and_the_same_for_each_seed(module):
    graph = chain()
    scores = drawn(graph, size=0.1)
    others = () if module is layers.ImplicitMLE else (GOLD,)

    def steps(layer):
        return [layer(scores, *others).detach() for _ in range(3)]

    first, again = steps(module(graph, seed=4)), steps(module(graph, seed=4))
    for a, b in zip(first, again, strict=True):
        torch.testing.assert_close(a, b, atol=0, rtol=0)
    assert any(not torch.equal(first[0], later) for later in first[1:])
    still = steps(module(graph, seed=4).eval())
    assert all(torch.equal(still[0], later) for later in still)


def test_a_linear_model_learns_through_each_loss():
    """Weights that make gold the best answer exist; every loss finds some."""
    graph = chain()
    inputs = torch.eye(3)
    for loss in (
        layers.SparseMAPLoss(graph),
        layers.LogLoss(graph),
        layers.HingeLoss(graph),
        layers.PerturbedLoss(graph),
    ):
        weight = torch.zeros(3, 6, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1.0)
        for _ in range(60):
            optimizer.zero_grad()
            loss(inputs @ weight, GOLD).backward()
            optimizer.step()
        best = graph.batch((inputs @ weight).detach().numpy()).values
        np.testing.assert_array_equal(best, GOLD)
