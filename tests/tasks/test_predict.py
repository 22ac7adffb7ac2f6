"""Prediction by any model, with settings of its own."""

import json

import pytest

from treaty.errors import UsageError
from treaty.tasks import PredictRequest
from treaty.tasks._predict import using

LINE = json.dumps({"posts": [{"text": "Any sheep?"}, {"text": "No."}]}) + "\n"
TREE = "1\tHush\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


def test_any_model_predicts(perform):
    (thread,) = perform("predict", LINE, model="threads")
    assert len(thread.thread.posts) == 2


def test_settings_are_options_of_the_model(perform):
    (thread,) = perform("predict", LINE, model="threads", settings={"order": "independent"})
    assert len(thread.thread.posts) == 2
    with pytest.raises(UsageError, match="--set wolves: the model has no such option"):
        perform("predict", TREE, model="english", settings={"wolves": 3})


def test_other_errors_are_left_as_they_are():
    with pytest.raises(TypeError, match="a number"), using({"order": 3}):
        raise TypeError("expected a number")


def test_a_model_is_needed():
    with pytest.raises(TypeError, match="model"):
        PredictRequest()
    assert PredictRequest(model="m").to_dict() == {"model": "m", "settings": {}, "threads": 1}
