"""Calibration against a search by another method, and in model files."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from treaty.errors import ModelError, UsageError
from treaty.learn import Calibration, ModelFile, logit


def sample(seed, kinds=2, size=400):
    rng = np.random.default_rng(seed)
    evidence = rng.normal(size=(size, kinds))
    odds = 0.5 + evidence @ np.linspace(1.5, -0.5, kinds)
    return evidence, rng.random(size) < 1 / (1 + np.exp(-odds))


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_is_the_most_likely(seed):
    evidence, right = sample(seed)
    found = Calibration.fit(evidence, right)

    def loss(w):
        odds = w[0] + evidence @ w[1:]
        return np.logaddexp(0, -np.where(right, odds, -odds)).sum() + 0.0005 * (w @ w)

    best = minimize(loss, np.zeros(3), method="BFGS").x
    assert found.to_list() == pytest.approx(best, abs=2e-3)


def test_mean_confidence_is_the_share_that_is_right():
    evidence, right = sample(5)
    assert Calibration.fit(evidence, right)(evidence).mean() == pytest.approx(
        right.mean(), abs=1e-3
    )


def test_all_right_or_all_wrong_stays_finite():
    for right in (True, False):
        found = Calibration.fit([[1.0], [30.0], [-30.0]], [right] * 3)
        assert all(map(math.isfinite, found.to_list()))
        assert (found([[0.0]]) > 0.9).item() is right


def test_faulty_data_are_refused():
    for evidence, right in (([], []), ([[1.0]], [True, False]), ([1.0], [True])):
        with pytest.raises(UsageError, match="row of evidence"):
            Calibration.fit(evidence, right)


def test_without_calibration_log_odds_stay_as_they_are():
    assert Calibration.none(2)([[float(logit(0.3)), 9.0]]) == pytest.approx([0.3])


def test_files():
    header = {"calibration": {"tag": [0.5, 2.0]}}
    assert Calibration.from_file(ModelFile("toy", header, {}), "tag", 1) == Calibration(0.5, (2.0,))
    assert Calibration.from_file(ModelFile("toy", {}, {}), "tag", 1) == Calibration.none(1)
    for faulty in ([1.0], [1.0, 2.0, 3.0], ["a", 1.0], [math.inf, 1.0], [1e9, 1.0], {}, [True, 1]):
        with pytest.raises(ModelError, match="calibration"):
            Calibration.from_file(ModelFile("toy", {"calibration": {"tag": faulty}}, {}), "tag", 1)
    with pytest.raises(ModelError, match="calibration"):
        Calibration.from_file(ModelFile("toy", {"calibration": 3}, {}), "tag", 1)
