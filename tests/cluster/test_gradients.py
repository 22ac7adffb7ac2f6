"""Likelihood with gradients that are summed over shards."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from treaty.cluster import lbfgs, train_likelihood
from treaty.cluster._gradients import Setup, Shard, _Total
from treaty.errors import UsageError

ROWS = [("the", "O"), ("old", "O"), ("bridge", "THING"), ("in", "O"), ("Rome", "PLACE")]
EXAMPLES = [
    ([{"form": word, "end": word[-1]} for word, _ in ROWS[a:b]], [label for _, label in ROWS[a:b]])
    for a, b in ((0, 5), (1, 3), (2, 5), (0, 3), (3, 5), (1, 5))
]
INPUTS = [[{"form": "old"}, {"form": "Rome", "end": "e"}], [{"form": "bridge"}]]


def weights_of(model):
    return np.asarray(model.crf.native.weights.values, np.float64)


def setup_of(examples):
    labels = sorted({label for _, row in examples for label in row})
    return Setup(examples, None, None, labels, [], 1)


def test_a_cluster_finds_the_weights_of_one_process(cluster):
    alone = train_likelihood(None, EXAMPLES, iterations=30)
    far = train_likelihood(cluster, EXAMPLES, iterations=30, shards=3)
    assert weights_of(far) == pytest.approx(weights_of(alone), abs=2e-3)
    assert [one.labels for one in far.predict(INPUTS)] == [
        one.labels for one in alone.predict(INPUTS)
    ]


@pytest.mark.parametrize("shards", [2, 5])
def test_the_gradient_is_the_sum_of_the_shards(shards):
    setup = setup_of(EXAMPLES)
    whole, parts = _Total(None, setup, 1, 0.5), _Total(None, setup, shards, 0.5)
    point = np.random.default_rng(3).normal(size=len(whole.local.crf.native.weights.values))
    one, many = whole(point), parts(point)
    assert many[0] == pytest.approx(one[0], rel=1e-6)
    assert many[1] == pytest.approx(one[1], abs=1e-5)


def test_the_gradient_is_that_of_differences():
    total = _Total(None, setup_of(EXAMPLES[:4]), 2, 1.0)
    point = np.random.default_rng(1).normal(size=len(total.local.crf.native.weights.values)) * 0.1
    _, gradient = total(point)
    for i in range(0, len(point), max(1, len(point) // 7)):
        step = np.zeros(len(point))
        step[i] = 1e-2
        change = (total(point + step)[0] - total(point - step)[0]) / 2e-2
        assert change == pytest.approx(gradient[i], rel=2e-3, abs=2e-3)


def test_lbfgs_finds_what_scipy_finds():
    chosen = np.random.default_rng(5)
    matrix, goal = chosen.normal(size=(30, 12)), chosen.choice([-1.0, 1.0], 30)

    def slope(x):
        margins = goal * (matrix @ x)
        value = np.logaddexp(0, -margins).sum() + 0.05 * x @ x
        weight = -goal / (1 + np.exp(margins))
        return float(value), matrix.T @ weight + 0.1 * x

    wanted = minimize(slope, np.zeros(12), jac=True, method="L-BFGS-B", tol=1e-12)
    found = lbfgs(slope, np.zeros(12), tolerance=1e-8)
    assert found == pytest.approx(wanted.x, abs=1e-5)
    values = []
    lbfgs(slope, np.zeros(12), on_step=lambda _, value: values.append(value))
    assert values == sorted(values, reverse=True)


def test_shards_know_the_features_of_all():
    setup = setup_of(EXAMPLES)
    sizes = {len(Shard(setup, n, 3).crf.native.weights.values) for n in range(3)}
    assert len(sizes) == 1


def test_there_must_be_examples():
    with pytest.raises(UsageError, match="no examples"):
        train_likelihood(None, [])
