"""Functions of JAX's arrays against those of numpy's, under its transformations."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

from treaty import FactorGraph, UsageError, diff  # noqa: E402
from treaty import jax as layers  # noqa: E402

FUNCTIONS = [
    (layers.lp_sparsemap, diff.lp_sparsemap),
    (layers.marginals, diff.marginals),
    (layers.blackbox, diff.blackbox),
    (layers.implicit_mle, diff.implicit_mle),
]
LOSSES = [
    (layers.sparsemap_loss, diff.sparsemap_loss),
    (layers.log_loss, diff.log_loss),
    (layers.hinge_loss, diff.hinge_loss),
    (layers.perceptron_loss, diff.perceptron_loss),
    (layers.perturbed_loss, diff.perturbed_loss),
]
GOLD = np.array([[1, 0, 0, 1, 1, 0], [0, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 1]])


def names(pair):
    return pair.__name__ if callable(pair) else None


def chain():
    graph = FactorGraph()
    tags = [graph.categorical(np.zeros(2)) for _ in range(3)]
    graph.sequence(tags, np.random.default_rng(0).normal(size=(2, 2, 2)))
    graph.reward(tags[0][0], ~tags[2][1], 0.7)
    return graph


def drawn(width, items=3):
    return np.random.default_rng(1).normal(size=(items, width)).astype(np.float32)


@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize(("function", "twin"), FUNCTIONS, ids=names)
def test_values_and_gradients_are_those_of_numpy(function, twin, every):
    graph = chain()
    scores = drawn(len(graph.parameters) if every else len(graph))
    cotangent = np.random.default_rng(2).normal(size=(3, 6)).astype(np.float32)

    def total(s):
        return (function(graph, s) * cotangent).sum()

    answer = twin(graph, scores)
    gradient = answer.pullback(cotangent)
    expected = gradient.parameters if every else gradient.variables
    for transformed in (total, jax.jit(total)):
        value, slope = jax.value_and_grad(transformed)(jnp.asarray(scores))
        np.testing.assert_allclose(value, (answer.values * cotangent).sum(), atol=1e-5)
        np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-5)
        assert slope.dtype == jnp.float32


@pytest.mark.parametrize(("function", "twin"), LOSSES, ids=names)
def test_losses_and_their_gradients_are_those_of_numpy(function, twin):
    graph = chain()
    scores = drawn(len(graph))
    loss = twin(graph, scores, GOLD)
    weights = np.array([1.0, 2.0, -1.0], np.float32)

    def total(s, gold):
        return (function(graph, s, gold) * weights).sum()

    for transformed in (total, jax.jit(total)):
        value, slope = jax.value_and_grad(transformed)(jnp.asarray(scores), GOLD)
        np.testing.assert_allclose(value, loss.value @ weights, rtol=1e-5)
        np.testing.assert_allclose(slope, loss.pullback(weights).variables, atol=1e-5)


@pytest.mark.parametrize("function", [pair[0] for pair in FUNCTIONS[:3]], ids=names)
def test_vmap_is_a_batch(function):
    graph = chain()
    scores = jnp.asarray(drawn(6, 4))
    batch = function(graph, scores)
    np.testing.assert_allclose(jax.vmap(lambda s: function(graph, s))(scores), batch)
    grid = jax.jit(jax.vmap(jax.vmap(lambda s: function(graph, s))))(scores.reshape(2, 2, 6))
    np.testing.assert_allclose(grid.reshape(4, 6), batch)

    def first(s):
        return function(graph, s)[0]

    each = jnp.stack([jax.grad(first)(row) for row in scores])
    np.testing.assert_allclose(jax.vmap(jax.grad(first))(scores), each, atol=1e-6)


@pytest.mark.parametrize(("function", "twin"), [LOSSES[0], LOSSES[1], LOSSES[2]], ids=names)
def test_vmap_of_losses_over_scores_or_gold_or_both(function, twin):
    graph = chain()
    scores = jnp.asarray(drawn(6))

    def loss(s, g):
        return function(graph, s, g)

    both = jax.vmap(loss)(scores, jnp.asarray(GOLD, jnp.float32))
    np.testing.assert_allclose(both, twin(graph, scores, GOLD).value, rtol=1e-5, atol=1e-6)
    one = jax.vmap(loss, in_axes=(0, None))(scores, jnp.asarray(GOLD[0], jnp.float32))
    np.testing.assert_allclose(one, twin(graph, scores, GOLD[0]).value, rtol=1e-5, atol=1e-6)
    slopes = jax.jit(jax.vmap(jax.grad(loss)))(scores, jnp.asarray(GOLD, jnp.float32))
    expected = twin(graph, scores, GOLD).gradient.variables
    np.testing.assert_allclose(slopes, expected, atol=1e-5)


def test_jax_checks_the_gradients_in_double_precision():
    graph = chain()
    with jax.enable_x64(True):
        scores = jnp.asarray(drawn(len(graph.parameters)).astype(np.float64))
        assert scores.dtype == jnp.float64
        for function in (
            lambda s: layers.lp_sparsemap(graph, s, strength=0.7),
            lambda s: layers.marginals(graph, s),
            lambda s: layers.sparsemap_loss(graph, s, GOLD),
            lambda s: layers.log_loss(graph, s, GOLD),
        ):
            check_grads(function, (scores,), order=1, modes=["rev"], eps=1e-5)


def test_one_factor_and_true_scores():
    graph = chain()
    factor = graph.factors[0]
    scores = drawn(6)
    expected = diff.sparsemap(factor, scores)
    values, pull = jax.vjp(lambda s: layers.sparsemap(factor, s), jnp.asarray(scores))
    np.testing.assert_allclose(values, expected.values, atol=1e-6)
    cotangent = np.ones((3, 6), np.float32) * np.arange(6, dtype=np.float32)
    np.testing.assert_allclose(
        pull(cotangent)[0], expected.pullback(cotangent).variables, atol=1e-5
    )
    truth = drawn(6)[::-1]
    loss = diff.spo_plus_loss(graph, scores, truth)
    for gold in (None, diff.blackbox(graph, truth, exact=True).values):
        value = layers.spo_plus_loss(graph, jnp.asarray(scores), truth, gold)
        np.testing.assert_allclose(value, loss.value, rtol=1e-5)


def test_second_and_forward_derivatives_are_refused():
    graph = chain()
    scores = jnp.asarray(drawn(6)[0])
    for function in (
        lambda s: layers.lp_sparsemap(graph, s)[0],
        lambda s: layers.sparsemap_loss(graph, s, GOLD[0]),
    ):
        with pytest.raises(UsageError, match="reverse derivatives only, and only the first"):
            jax.jacrev(jax.grad(function))(scores)
    with pytest.raises(TypeError):
        jax.jvp(lambda s: layers.lp_sparsemap(graph, s), (scores,), (scores,))


def test_bad_scores_are_refused_by_name():
    graph = chain()
    bad = drawn(6)
    bad[1, 4] = np.nan
    with pytest.raises(Exception, match=r"item 1: the score of .* is nan"):
        layers.lp_sparsemap(graph, jnp.asarray(bad))
    with pytest.raises(Exception, match=r"item 1: the score of .* is nan"):
        jax.jit(lambda s: layers.sparsemap_loss(graph, s, GOLD))(bad).block_until_ready()
    with pytest.raises(UsageError, match="floating-point scores, got one of int32"):
        layers.lp_sparsemap(graph, jnp.zeros(6, jnp.int32))
    with pytest.raises(Exception, match=r"gold answer 0: .* does not allow it"):
        layers.log_loss(graph, jnp.zeros(6), np.zeros(6))


def test_a_graph_that_changed_before_the_backward_pass_is_refused():
    graph = chain()
    _, pull = jax.vjp(lambda s: layers.lp_sparsemap(graph, s), jnp.zeros(6))
    graph.fix(graph.categoricals[0], 1)
    with pytest.raises(Exception, match="the graph has changed after the forward pass"):
        pull(jnp.ones(6))


def test_traced_arrays_are_no_scores_of_graphs():
    graph = chain()
    with pytest.raises(UsageError, match=r"give it to a function of treaty\.jax"):
        jax.jit(lambda s: diff.lp_sparsemap(graph, s).values)(jnp.zeros(6))
    with pytest.raises(UsageError, match=r"give it to a function of treaty\.jax"):
        jax.jit(FactorGraph().variables)(jnp.zeros(6))
