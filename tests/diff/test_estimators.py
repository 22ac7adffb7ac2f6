"""Gradients of decoding against their definitions, by enumeration."""

import numpy as np
import pytest
from tests.diff.test_losses import chain, every_answer, matching

from treaty import UsageError
from treaty.diff import blackbox, implicit_mle
from treaty.diff._estimators import _sum_of_gammas


def best_of(graph, parameters):
    answers, scores = every_answer(graph, parameters)
    return answers[scores.argmax()]


@pytest.mark.parametrize("interpolation", [0.5, 2.0, 20.0])
def test_blackbox_is_a_difference_of_best_answers(interpolation):
    graph, random = chain(), np.random.default_rng(0)
    parameters = random.normal(size=(5, len(graph.parameters)))
    cotangent = random.normal(size=(5, len(graph)))
    answer = blackbox(graph, parameters, interpolation=interpolation, exact=True)
    gradient = answer.pullback(cotangent)
    for item in range(5):
        here = best_of(graph, parameters[item])
        moved = parameters[item].copy()
        moved[: len(graph)] -= interpolation * cotangent[item]
        there = best_of(graph, moved)
        np.testing.assert_array_equal(answer.values[item], here)
        np.testing.assert_allclose(gradient.variables[item], (here - there) / interpolation)
        assert (there - here) @ cotangent[item] <= 1e-12  # the loss goes down
    np.testing.assert_array_equal(gradient.variables, gradient.parameters[:, : len(graph)])
    np.testing.assert_allclose(answer.bound, answer.score, atol=1e-7)


def test_blackbox_is_the_gradient_of_its_interpolated_loss():
    """Of (max (s) - max (s - t c)) / t, for which central differences are exact off kinks."""
    graph, random = chain(), np.random.default_rng(1)
    parameters, cotangent = random.normal(size=len(graph.parameters)), random.normal(size=6)
    gradient = blackbox(graph, parameters, interpolation=3.0, exact=True).pullback(cotangent)

    def interpolated(p):
        moved = p.copy()
        moved[:6] -= 3.0 * cotangent
        return (every_answer(graph, p)[1].max() - every_answer(graph, moved)[1].max()) / 3.0

    steps = 1e-6 * np.eye(len(parameters))
    expected = [(interpolated(parameters + d) - interpolated(parameters - d)) / 2e-6 for d in steps]
    np.testing.assert_allclose(gradient.parameters, expected, atol=1e-6)


def test_implicit_mle_is_the_mean_under_one_noise():
    graph, random = chain(), np.random.default_rng(2)
    parameters, cotangent = random.normal(size=len(graph.parameters)), random.normal(size=6)
    answer = implicit_mle(
        graph, parameters, noise=0.5, samples=7, seed=4, most_on=3, interpolation=2.0, exact=True
    )
    noise = _sum_of_gammas(np.random.default_rng(4), (1, 7, 6), 3)[0] * 0.5
    here, there = [], []
    for move in noise:
        moved = parameters.copy()
        moved[:6] += move
        here.append(best_of(graph, moved))
        moved[:6] -= 2.0 * cotangent
        there.append(best_of(graph, moved))
    np.testing.assert_allclose(answer.values, np.mean(here, axis=0))
    expected = (np.mean(here, axis=0) - np.mean(there, axis=0)) / 2.0
    np.testing.assert_allclose(answer.pullback(cotangent).variables, expected)


def test_sums_of_gammas_add_up_to_gumbels():
    noise = _sum_of_gammas(np.random.default_rng(0), (40_000, 5), 5).sum(axis=1)
    assert noise.mean() == pytest.approx(np.euler_gamma, abs=0.1)
    assert noise.std() == pytest.approx(np.pi / np.sqrt(6), abs=0.05)


def test_shapes_batches_and_repr():
    graph = matching(3)
    one, many = blackbox(graph), blackbox(graph, np.zeros((2, 9)))
    assert one.values.shape == (9,)
    assert many.values.shape == (2, 9)
    assert isinstance(one.score, float)
    assert repr(many) == "<Decoded: 2 items, 9 variables>"
    assert blackbox(graph, np.zeros((0, 9))).pullback(np.zeros((0, 9))).variables.shape == (0, 9)


def test_bad_input():
    graph = matching(3)
    for bad in (0.0, -1.0, np.nan):
        with pytest.raises(UsageError, match="interpolation must be a positive number"):
            blackbox(graph, interpolation=bad)
    with pytest.raises(UsageError, match="samples"):
        implicit_mle(graph, samples=0)
    with pytest.raises(UsageError, match="the score of x1 is nan"):
        implicit_mle(graph, [0.0, np.nan, *[0.0] * 7])
    answer = blackbox(graph)
    with pytest.raises(UsageError, match="shape"):
        answer.pullback([1.0])
    with pytest.raises(UsageError, match="finite"):
        answer.pullback(np.full(9, np.nan))
    graph.set_scores(np.ones(9))
    with pytest.raises(UsageError, match="the graph has changed"):
        answer.pullback(np.zeros(9))
