"""The loop over epochs: its order, its checkpoints, and runs that were broken off."""

import numpy as np
import pytest

from treaty import ModelError
from treaty.learn import _loop as loop
from treaty.learn import fit


class Recorder:
    """A learner whose state depends on the order of all it has seen."""

    def __init__(self):
        self.value = np.zeros(1)
        self.seen = []

    def learn(self, ids):
        for i in ids.tolist():
            self.value = (self.value * 1.7 + i) % 1009
        self.seen += ids.tolist()

    def state(self):
        return {"value": self.value}

    def restore(self, state):
        if len(state["value"]) != 1:
            raise ValueError("one value")
        self.value = state["value"].copy()

    def score(self):
        return {"value": float(self.value[0])}


def train(path, epochs, **options):
    learner = Recorder()
    scores = fit(
        learner, 10, epochs=epochs, seed=3, evaluate=learner.score, checkpoint=path, **options
    )
    return learner, scores


def test_every_epoch_sees_every_example_in_another_order(tmp_path):
    learner, _ = train(tmp_path / "c", 2)
    assert sorted(learner.seen[:10]) == sorted(learner.seen[10:]) == list(range(10))
    assert learner.seen[:10] != learner.seen[10:]


def test_a_run_that_was_broken_off_goes_on_to_the_same_bytes(tmp_path):
    _, whole = train(tmp_path / "whole", 5)
    train(tmp_path / "parts", 2)
    learner, scores = train(tmp_path / "parts", 5, resume=True)
    assert scores == whole
    assert len(learner.seen) == 30
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_resuming_what_is_done_learns_nothing(tmp_path):
    _, scores = train(tmp_path / "c", 2)
    learner, again = train(tmp_path / "c", 2, resume=True)
    assert (again, learner.seen) == (scores, [])


def test_without_a_checkpoint_resuming_starts_at_the_beginning(tmp_path):
    learner, _ = train(tmp_path / "c", 1, resume=True)
    assert len(learner.seen) == 10


def test_other_data_or_seeds_are_refused(tmp_path):
    train(tmp_path / "c", 1)
    for examples, seed in ((11, 3), (10, 4)):
        with pytest.raises(ModelError, match="another training"):
            fit(Recorder(), examples, epochs=2, seed=seed, checkpoint=tmp_path / "c", resume=True)


def test_checkpoints_of_other_models_are_refused(tmp_path):
    learner = Recorder()
    learner.state = lambda: {"value": np.zeros(2)}
    fit(learner, 10, epochs=1, checkpoint=tmp_path / "c")
    with pytest.raises(ModelError, match=r"no checkpoint of this model \(one value\)"):
        fit(Recorder(), 10, epochs=2, checkpoint=tmp_path / "c", resume=True)


def test_progress_is_reported(monkeypatch):
    monkeypatch.setattr(loop, "CHUNK", 4)
    reports = []
    learner = Recorder()
    fit(learner, 10, epochs=1, evaluate=lambda: {"x": 1.0}, report=lambda *r: reports.append(r))
    assert reports == [(1, 4, None), (1, 8, None), (1, 10, None), (1, 10, {"x": 1.0})]
