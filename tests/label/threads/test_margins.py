"""Margins against differences of scores, and the confidences that training makes of them."""

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.label.threads import ORDERS
from treaty.label.threads._margins import margins
from treaty.learn import Calibration


@pytest.mark.parametrize("order", ORDERS)
def test_margins_are_differences_of_scores(linkers, order):
    linker = linkers[order]
    batch = linker.batch(toy_threads(2, seed=2))
    labels = batch.gold()
    found = margins(linker.crf, batch, labels)
    for pair in range(0, len(labels), 3):
        scores = []
        for label in (0, 1):
            turned = labels.copy()
            turned[pair] = label
            scores.append(linker.crf.scores(batch.instances, turned).sum())
        assert found[pair] == pytest.approx(scores[1] - scores[0], abs=1e-4)


def test_calibration_finds_the_scale_of_simulated_answers():
    rng = np.random.default_rng(0)
    margin, true = rng.normal(0, 30, (20_000, 1)), Calibration(-0.5, (0.1,))
    found = Calibration.fit(margin, rng.random(len(margin)) < true(margin))
    assert found.weights[0] == pytest.approx(0.1, rel=0.05)
    assert found.shift == pytest.approx(-0.5, abs=0.06)


def test_training_calibrates_confidences(linkers):
    for linker in linkers.values():
        assert linker.calibration != Calibration.none(1)
        assert linker.calibration.weights[0] > 0
