"""Trainings as tasks."""

from __future__ import annotations

import pytest

from treaty.cluster import cross_validate, grid_search, jackknife
from treaty.cluster._folds import folds_of
from treaty.errors import UsageError
from treaty.label import SequenceModel

SAMPLE = SequenceModel.sample()
EXAMPLES = list(SAMPLE.examples)
OPTIONS = {**SAMPLE.options, "epochs": 2}


def parted(numbers):
    return [EXAMPLES[i] for i in numbers]


def test_folds_are_scored_as_here(cluster):
    trials = cross_validate(cluster, "sequences", EXAMPLES, folds=3, **OPTIONS)
    for trial, (train, test) in zip(trials, folds_of(len(EXAMPLES), 3), strict=True):
        model = SequenceModel.train(parted(train), **OPTIONS)
        assert trial.scores == model.evaluate(parted(test))


def test_no_model_predicts_what_it_has_seen(cluster):
    found = jackknife(cluster, "sequences", EXAMPLES, folds=2, **OPTIONS)
    for train, test in folds_of(len(EXAMPLES), 2):
        wanted = SequenceModel.train(parted(train), **OPTIONS).predict(parted(test))
        assert [found[i].labels for i in test] == [one.labels for one in wanted]


def test_a_grid_gives_the_best_first(cluster):
    grid = {"learner": ["perceptron", "mira"], "epochs": [1, 3]}
    half = len(EXAMPLES) // 2
    trials = grid_search(cluster, "sequences", EXAMPLES[:half], EXAMPLES[half:], grid)
    assert len(trials) == 4
    scores = [trial.scores["accuracy"] for trial in trials]
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(UsageError, match="there is no score 'beauty'"):
        grid_search(cluster, "sequences", EXAMPLES, EXAMPLES, {"epochs": [1]}, by="beauty")


@pytest.mark.parametrize("folds", [1, 6])
def test_there_are_as_many_folds_as_make_sense(folds):
    with pytest.raises(UsageError, match="expected 2 to 5 folds"):
        folds_of(5, folds)
