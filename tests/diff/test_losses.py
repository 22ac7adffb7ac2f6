"""Losses against enumeration, differences and identities."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diff.twins import sums
from tests.solve.random_graphs import EVERY, Listed, graphs

from treaty import FactorGraph, SolverError, UsageError
from treaty._native.graph import Kind
from treaty.diff import (
    hinge_loss,
    log_loss,
    lp_sparsemap,
    perceptron_loss,
    perturbed_loss,
    sparsemap_loss,
    spo_plus_loss,
)

seeds = st.integers(0, 2**32 - 1)
small = settings(max_examples=50, deadline=None)


def matching(n=3):
    graph = FactorGraph()
    x = graph.variables(np.zeros(n * n))
    for i in range(n):
        graph.exactly_one(x[n * i : n * i + n])
        graph.exactly_one(x[i::n])
    return graph


def chain():
    graph, random = FactorGraph(), np.random.default_rng(0)
    tags = [graph.categorical(random.normal(size=2)) for _ in range(3)]
    graph.sequence(tags, random.normal(size=(2, 2, 2)))
    graph.reward(tags[0][0], ~tags[2][1], 0.7)
    return graph


def every_answer(graph, parameters):
    """All allowed assignments, and their scores with these parameters."""
    copy = graph.copy()
    copy.set_scores(parameters=parameters)
    answers, scores = [], []
    for y in itertools.product([0, 1], repeat=len(graph)):
        total = float(np.dot(y, parameters[: len(graph)]))
        for factor in copy.factors:
            codes = factor.codes
            on = np.array([y[c >> 1] ^ (c & 1) for c in codes], np.int8)
            total += copy.native.evaluate(factor.index, on)
        total += sum(-np.inf for c in copy.categoricals if sum(y[c.first : c.first + c.size]) != 1)
        total += -np.inf if ((copy.evidence >= 0) & (copy.evidence != y)).any() else 0.0
        if total > -np.inf:
            answers.append(y), scores.append(total)
    return np.array(answers, float).reshape(len(answers), len(graph)), np.array(scores)


def drawn(native, seed):
    """A graph, noisy parameters, all answers, their scores, and the number of a gold one."""
    graph, random = FactorGraph._of(native), np.random.default_rng(seed)
    parameters = graph.parameters + random.normal(size=len(graph.parameters))
    answers, scores = every_answer(graph, parameters)
    gold = random.integers(len(answers)) if len(answers) else None
    return graph, parameters, answers, scores, gold


def check_gradient(loss, parameters, gradient, step=1e-6, tolerance=1e-5):
    """Central differences, where both sides agree."""
    free = np.flatnonzero(np.isfinite(parameters))
    for i in free:
        sides = []
        for sign in (1, -1):
            moved = parameters.copy()
            moved[i] += sign * step
            sides.append(loss(moved).value)
        here = loss(parameters).value
        right, left = (sides[0] - here) / step, (here - sides[1]) / step
        assert min(left, right) - 1e-3 <= gradient[i] <= max(left, right) + 1e-3
        if abs(left - right) < 1e-5:
            np.testing.assert_allclose(gradient[i], (left + right) / 2, atol=tolerance)
    assert (gradient[~np.isfinite(parameters)] == 0.0).all()


@small
@given(graphs(EVERY), seeds, st.sampled_from([0.0, 1.0, 0.3]))
def test_hinge_is_the_largest_augmented_score_of_all_answers(native, seed, cost):
    graph, parameters, answers, scores, gold = drawn(native, seed)
    if gold is None:
        return
    loss = hinge_loss(graph, parameters, answers[gold], cost=cost, exact=True)
    errors = np.abs(answers - answers[gold]).sum(axis=1)
    expected = (scores + cost * errors).max() - scores[gold]
    np.testing.assert_allclose(loss.value, expected, atol=1e-6)
    assert loss.value - 1e-9 <= loss.bound <= loss.value + 1e-6
    chosen = np.flatnonzero((answers == loss.answer).all(axis=1))
    assert len(chosen) == 1
    np.testing.assert_array_equal(loss.gradient.variables, answers[chosen[0]] - answers[gold])


@small
@given(graphs([k for k in EVERY if k != Kind.custom]), seeds)
def test_bounds_of_unproved_hinges_hold(native, seed):
    graph, parameters, answers, scores, gold = drawn(native, seed)
    if gold is None:
        return
    try:
        loss = hinge_loss(graph, parameters, answers[gold], iterations=3, polish=False)
    except SolverError:
        return
    errors = np.abs(answers - answers[gold]).sum(axis=1)
    expected = (scores + errors).max() - scores[gold]
    assert loss.value - 1e-7 <= expected <= loss.bound + 1e-7
    assert loss.gap >= 0.0


def test_costs_by_variable_and_item():
    graph, gold = matching(2), [1, 0, 0, 1]
    scores = np.zeros((2, 4))
    loss = hinge_loss(graph, scores, gold, cost=[[1, 1, 1, 1], [0, 3, 0, 0]])
    assert loss.value.tolist() == [4.0, 3.0]
    assert loss.gradient.variables.tolist() == [[-1, 1, 1, -1]] * 2
    assert loss.pullback([1.0, 2.0]).variables.tolist() == [[-1, 1, 1, -1], [-2, 2, 2, -2]]
    for bad in ([-1.0] * 4, [np.nan] * 4, [1.0] * 3, "a"):
        with pytest.raises(UsageError, match="cost: expected"):
            hinge_loss(graph, scores, gold, cost=bad)


@small
@given(graphs([k for k in EVERY if k != Kind.custom]), seeds)
def test_sparsemap_loss_is_convex_conjugate_and_its_gradient_that_of_differences(native, seed):
    graph, parameters, answers, scores, gold = drawn(native, seed)
    if gold is None:
        return
    loss = sparsemap_loss(graph, parameters, answers[gold])
    smooth = lp_sparsemap(graph, parameters)
    y = answers[gold]
    np.testing.assert_allclose(loss.gradient.variables, smooth.values - y, atol=1e-9)
    np.testing.assert_allclose(
        loss.value, max(0.0, smooth.objective - scores[gold] + 0.5 * y.sum()), atol=1e-9
    )
    assert loss.value >= 0.5 * ((smooth.values - y) ** 2).sum() - 1e-7
    assert loss.value <= loss.bound <= loss.value + 1e-6
    check_gradient(lambda p: sparsemap_loss(graph, p, y), parameters, loss.gradient.parameters)


def test_sparsemap_loss_of_factors_by_users():
    graph = FactorGraph()
    x = graph.variables([0.3, 0.1])
    graph.factor(Listed([[1, 0], [0, 1]], [0.5, 0.0]), x)
    assert sparsemap_loss(graph, [2.0, 0.0], [1, 0]).value == 0.0
    loss = sparsemap_loss(graph, [0.0, 0.0], [0, 1])
    # By hand: u = (0.75, 0.25).
    assert loss.value == pytest.approx(0.75 * 0.5 - 0.3125 + 0.5)
    assert hinge_loss(graph, [0.0, 0.0], [0, 1]).value == 2.5
    assert spo_plus_loss(graph, [0.0, 2.0], [0.0, 0.0]).value == pytest.approx(4.0 - 2 * 0.5 + 0.5)


@pytest.mark.parametrize("strength", [0.5, 1.0, 2.0])
def test_sparsemap_loss_is_zero_from_a_margin_on(strength):
    graph = FactorGraph()
    graph.exactly_one(graph.variables([0.0, 0.0, 0.0]))
    for margin in (0.5, 0.999, 1.0, 1.5):
        loss = sparsemap_loss(graph, [margin * strength, 0, 0], [1, 0, 0], strength=strength)
        assert (loss.value < 1e-12) == (margin >= 1.0)
        assert (np.abs(loss.gradient.variables).max() < 1e-9) == (margin >= 1.0)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_log_loss_is_that_of_sums(temperature):
    graph = chain()
    random = np.random.default_rng(1)
    parameters = graph.parameters + random.normal(size=len(graph.parameters))
    answers, scores = every_answer(graph, parameters)
    for gold in range(len(answers)):
        loss = log_loss(graph, parameters, answers[gold], temperature=temperature)
        total, expected = sums(graph, parameters / temperature)
        np.testing.assert_allclose(loss.value, temperature * total - scores[gold], atol=1e-9)
        np.testing.assert_allclose(loss.gradient.variables, expected - answers[gold], atol=1e-9)
        assert loss.gap == 0.0
    y = answers[0]

    def by(p):
        return log_loss(graph, p, y, temperature=temperature)

    check_gradient(by, parameters, by(parameters).gradient.parameters)


def test_perceptron_loss_counts_every_parameter():
    graph = chain()
    answers, scores = every_answer(graph, graph.parameters)
    y = answers[np.argmin(scores)]
    loss = perceptron_loss(graph, None, y)
    assert loss.value == pytest.approx(scores.max() - scores.min())
    check_gradient(
        lambda p: perceptron_loss(graph, p, y), graph.parameters, loss.gradient.parameters
    )
    best = perceptron_loss(graph, None, answers[np.argmax(scores)])
    assert best.value == pytest.approx(0.0, abs=1e-12)
    assert not best.gradient.parameters.any()


def test_perturbed_loss_is_the_mean_of_maxima_under_the_same_noise():
    graph, random = chain(), np.random.default_rng(5)
    parameters = np.tile(graph.parameters, (3, 1)) + random.normal(size=(3, len(graph.parameters)))
    gold = every_answer(graph, parameters[0])[0][[1, 2, 3]]
    loss = perturbed_loss(graph, parameters, gold, noise=0.7, samples=5, seed=9)
    noise = np.random.default_rng(9).normal(size=(3, 5, len(graph))) * 0.7
    for item in range(3):
        maxima, means = [], []
        for move in noise[item]:
            moved = parameters[item].copy()
            moved[: len(graph)] += move
            answers, scores = every_answer(graph, moved)
            maxima.append(scores.max()), means.append(answers[scores.argmax()])
        answers, scores = every_answer(graph, parameters[item])
        of_gold = scores[(answers == gold[item]).all(axis=1)][0]
        assert loss.value[item] == pytest.approx(np.mean(maxima) - of_gold)
        np.testing.assert_allclose(loss.answer[item], np.mean(means, axis=0))
    again = perturbed_loss(graph, parameters, gold, noise=0.7, samples=5, seed=9)
    np.testing.assert_array_equal(again.gradient.parameters, loss.gradient.parameters)
    other = perturbed_loss(graph, parameters, gold, noise=0.7, samples=5, seed=8)
    assert (other.value != loss.value).any()

    def first(p):
        return perturbed_loss(graph, p, gold[0], noise=0.7, samples=5, seed=9)

    check_gradient(first, parameters[0], first(parameters[0]).gradient.parameters)


@small
@given(seeds)
def test_spo_plus_bounds_the_regret(seed):
    graph, random = matching(3), np.random.default_rng(seed)
    predicted, truth = random.normal(size=(2, 9)).round(1)
    answers, true_scores = every_answer(graph, truth)
    loss = spo_plus_loss(graph, predicted, truth)
    mixed = answers @ (2 * predicted - truth)
    best = answers[true_scores.argmax()]
    np.testing.assert_allclose(
        spo_plus_loss(graph, predicted, truth, best).value,
        mixed.max() - 2 * predicted @ best + true_scores.max(),
        atol=1e-7,
    )
    chosen = every_answer(graph, predicted)
    regret = true_scores.max() - true_scores[chosen[1].argmax()]
    assert loss.value >= regret - 1e-7
    assert loss.bound >= loss.value >= 0.0 - 1e-9
    check_gradient(lambda p: spo_plus_loss(graph, p, truth, best), predicted,
                   spo_plus_loss(graph, predicted, truth, best).gradient.parameters)  # fmt: skip


def test_spo_plus_of_the_truth_is_zero():
    graph, truth = matching(3), np.random.default_rng(0).normal(size=(4, 9))
    loss = spo_plus_loss(graph, truth, truth)
    np.testing.assert_allclose(loss.value, 0.0, atol=1e-9)
    assert not loss.gradient.variables.any()
    with pytest.raises(UsageError, match="4 rows of scores but 2"):
        spo_plus_loss(graph, truth, truth[:2])


LOSSES = [
    sparsemap_loss, hinge_loss, perceptron_loss, log_loss, perturbed_loss, spo_plus_loss,
]  # fmt: skip


@pytest.mark.parametrize("loss", [each for each in LOSSES if each is not spo_plus_loss])
def test_batches_are_their_items_and_gold_answers_are_checked(loss):
    graph, random = chain(), np.random.default_rng(2)
    parameters = random.normal(size=(4, len(graph.parameters)))
    answers, _ = every_answer(graph, parameters[0])
    many = loss(graph, parameters.astype(np.float32), answers[:4])
    assert many.value.shape == many.bound.shape == (4,)
    assert many.gradient.parameters.shape == parameters.shape
    assert repr(many) == "<Loss: 4 items>"
    if loss is not perturbed_loss:  # whose noise depends on the item
        for item in range(4):
            one = loss(graph, parameters[item].astype(np.float32), answers[item])
            assert one.value == pytest.approx(many.value[item])
            np.testing.assert_allclose(
                one.gradient.parameters, many.gradient.parameters[item], atol=1e-9
            )
    empty = loss(graph, np.zeros((0, 6)), answers[0])
    assert empty.value.shape == (0,)
    assert empty.gradient.variables.shape == (0, 6)
    with pytest.raises(UsageError, match=r"gold answer 0: .* does not allow it"):
        loss(graph, None, np.zeros(6))
    with pytest.raises(UsageError, match=r"gold answer 1: .* is 0.5, not 0 or 1"):
        loss(graph, parameters[:2], [answers[0], [0.5, 0.5, 1, 0, 1, 0]])
    with pytest.raises(UsageError, match="4 rows of scores but 3 gold answers"):
        loss(graph, parameters, answers[:3])
    with pytest.raises(UsageError, match="gold: expected 0 or 1 for each of the 6 variables"):
        loss(graph, None, [1, 0])
    with pytest.raises(UsageError, match=r"item 1: .* is nan"):
        loss(graph, np.where(np.arange(4)[:, None] == 1, np.nan, parameters), answers[0])
    with pytest.raises(UsageError, match="a number for each loss"):
        many.pullback(1.0)


def test_gold_against_evidence_states_and_forbidden_cells():
    graph = FactorGraph()
    state = graph.categorical([0.0, 0.0])
    x = graph.variable(0.0)
    graph.table([state, x], [[0.0, -np.inf], [0.0, 0.0]])
    with pytest.raises(UsageError, match="does not allow it"):
        sparsemap_loss(graph, None, [1, 0, 1])
    allowed = [0.0, 0.0, 0.0, -np.inf, 0.0, 0.0, 0.0]
    with pytest.raises(UsageError, match="a score of -inf forbids it"):
        sparsemap_loss(graph, allowed, [1, 0, 0])
    graph.fix(x, False)
    with pytest.raises(UsageError, match="is fixed to 0"):
        sparsemap_loss(graph, None, [0, 1, 1])
    free = FactorGraph()
    free.categorical([0.0, 0.0])
    with pytest.raises(UsageError, match="2 states of"):
        perceptron_loss(free, None, [1, 1])


def test_infeasible_graphs_have_no_loss_and_say_which_item():
    graph = FactorGraph()
    x, y = graph.variables([0.0, 0.0])
    graph.table([x, y], np.zeros((2, 2)))
    scores = np.zeros((2, 6))
    scores[1, 2:] = -np.inf
    with pytest.raises(SolverError, match="item 1: decoding has no answer"):
        spo_plus_loss(graph, np.zeros((2, 6)), scores)
