"""Reliability tables against counting."""

import math
import random

import pytest

from treaty.errors import UsageError
from treaty.metrics import reliability


def test_against_counting():
    rng = random.Random(1)
    pairs = [(rng.choice([0.0, 0.25, 0.5, 0.62, 0.99, 1.0]), rng.random() < 0.7) for _ in range(90)]
    found = reliability([p for p, _ in pairs], [r for _, r in pairs], bins=4)
    error = 0.0
    for one in found.bins:
        own = [(p, r) for p, r in pairs if one.low <= p < one.high or p == one.high == 1.0]
        assert one.count == len(own)
        assert one.accuracy == pytest.approx(sum(r for _, r in own) / len(own))
        assert one.confidence == pytest.approx(sum(p for p, _ in own) / len(own))
        error += abs(one.accuracy - one.confidence) * len(own) / len(pairs)
    assert sum(one.count for one in found.bins) == 90
    assert found.error == pytest.approx(error)
    assert found.brier == pytest.approx(sum((p - r) ** 2 for p, r in pairs) / 90)
    good, bad = ([p for p, r in pairs if r is truth] for truth in (True, False))
    wins = sum((g > b) + 0.5 * (g == b) for g in good for b in bad)
    assert found.ranking == pytest.approx(wins / len(good) / len(bad))
    assert found.to_dict()["bins"][0]["count"] == found.bins[0].count


def test_odd_data():
    assert math.isnan(reliability([0.5], [True]).ranking)
    assert reliability([0.5], [True]).to_dict()["ranking"] is None
    for confidences, right in (([], []), ([0.5], []), ([1.5], [True]), ([math.nan], [True])):
        with pytest.raises(UsageError, match="a probability for each answer"):
            reliability(confidences, right)
    with pytest.raises(UsageError, match="bins"):
        reliability([0.5], [True], bins=0)
