"""Confidences: margins against differences of scores, and the calibration of simulated answers."""

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.label.threads import ORDERS
from treaty.label.threads._confidence import calibrate, confidence, margins


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
    margin = rng.normal(0, 30, 20_000)
    gold = (rng.random(len(margin)) < confidence(margin, (0.1, -0.5))).astype(np.int32)
    slope, offset = calibrate(margin, gold)
    assert slope == pytest.approx(0.1, rel=0.05)
    assert offset == pytest.approx(-0.5, abs=0.06)
