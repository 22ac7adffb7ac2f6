"""Calibration: the best line between log-odds, against a search; and what labelers do with it."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.label.entities.toy import make_messages

from treaty.corpus import ColumnSentence
from treaty.label.entities import EntityLabeler, judged_entities
from treaty.label.entities._calibration import (
    LEAST_SLOPE,
    PRIOR,
    calibrated,
    fit_calibration,
    fitted_line,
)


def loss(slope, offset, probabilities, right):
    sure = np.array([calibrated(p, slope, offset) for p in probabilities])
    likely = np.where(right, sure, 1 - sure)
    return -np.log(np.maximum(likely, 1e-300)).sum() + PRIOR / 2 * ((slope - 1) ** 2 + offset**2)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.floats(0.02, 0.98), st.booleans()), min_size=1, max_size=30))
def test_no_other_line_is_better(pairs):
    probabilities, right = zip(*pairs, strict=True)
    slope, offset = fit_calibration(probabilities, right)
    assume(slope > LEAST_SLOPE)
    best = loss(slope, offset, probabilities, right)
    for other in ((slope + 0.05, offset), (slope, offset + 0.05), (slope, offset - 0.05), (1, 0)):
        assert best <= loss(*other, probabilities, right) + 1e-6


def test_confidences_of_certain_names_stay_near_one():
    assert calibrated(1.0, 0.5, -0.3) > 0.9999
    assert calibrated(0.0, 0.5, 0.3) < 0.0001


def test_a_second_fit_starts_from_the_probabilities():
    judged = [(0.9, True), (0.9, False), (0.6, True), (0.7, False)] * 10
    line = fitted_line(judged, 1.0, 0.0)
    again = [(calibrated(p, *line), right) for p, right in judged]
    assert fitted_line(again, *line) == pytest.approx(line, abs=1e-4)


def test_training_fits_confidences_to_dev_data(messages):
    dev = [
        ColumnSentence(
            [(w, "O" if w == "Rome" else y) for w, y in zip(m.words, m.labels, strict=True)]
        )
        for m in make_messages(60, seed=3)
    ]
    options = {"language_model": None, "tags": False, "epochs": 3}
    plain = EntityLabeler.train(messages, **options)
    fitted = EntityLabeler.train(messages, dev, **options)
    assert plain.settings.confidence_slope == 1.0
    assert (fitted.settings.confidence_slope, fitted.settings.confidence_offset) != (1.0, 0.0)
    for labeler, most in ((plain, 1.0), (fitted, 0.1)):
        judged = list(judged_entities(dev, labeler.predict(dev), labeler.types))
        sure, right = np.mean(judged, axis=0)
        assert abs(sure - right) < most
    assert abs(sure - right) < 0.1
    assert EntityLabeler.from_file(fitted.to_file()).settings == fitted.settings
