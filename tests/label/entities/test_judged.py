"""Judged entities, and what labelers do with them: confidences that are fitted to dev data."""

from copy import copy

import numpy as np
import pytest
from tests.label.entities.toy import make_messages

from treaty.label.entities import EntityLabeler, judged_entities
from treaty.learn import Calibration
from treaty.text import ColumnSentence


def test_a_second_fit_starts_from_the_probabilities(labeler):
    judged = [(0.9, True), (0.9, False), (0.6, True), (0.7, False)] * 10
    labeler = copy(labeler)
    labeler.calibration = Calibration.none(1)
    labeler.calibrate(judged)
    once = labeler.calibration
    sure, right = zip(*judged, strict=True)
    again = once(Calibration.none(1).undone(sure))
    labeler.calibrate(zip(again, right, strict=True))
    assert labeler.calibration.to_list() == pytest.approx(once.to_list(), abs=1e-4)
    labeler.calibrate([])
    assert labeler.calibration.to_list() == pytest.approx(once.to_list(), abs=1e-4)


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
    assert plain.calibration == Calibration.none(1) != fitted.calibration
    for labeler, most in ((plain, 1.0), (fitted, 0.1)):
        judged = list(judged_entities(dev, labeler.predict(dev), labeler.types))
        sure, right = np.mean(judged, axis=0)
        assert abs(sure - right) < most
    assert abs(sure - right) < 0.1
    assert EntityLabeler.from_file(fitted.to_file()).calibration == fitted.calibration
