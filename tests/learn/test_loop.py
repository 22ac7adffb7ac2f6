"""The loop over epochs: its order, its checkpoints, and runs that were interrupted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from treaty import ModelError, UsageError
from treaty._native.learn import AveragedFloats
from treaty.learn import ModelFile, TrainOptions, checkpoint_of, fit, remove_checkpoints
from treaty.learn import _loop as loop
from treaty.learn._identity import identity


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


def test_the_order_depends_on_seed_and_epoch_alone(monkeypatch):
    def order(seed, epochs):
        learner = Recorder()
        fit(learner, 50, epochs=epochs, seed=seed)
        return learner.seen

    first = order(3, 2)
    assert order(4, 2)[:50] != first[:50]
    assert order(4, 1) != first[50:]  # the seed and the epoch do not merely add up
    usual = Recorder()
    fit(usual, 50, epochs=1)
    assert usual.seen == order(0, 1)
    monkeypatch.setattr(loop, "CHUNK", 7)
    assert order(3, 3)[:100] == first


def test_an_interrupted_run_resumes_to_the_same_bytes(tmp_path):
    _, whole = train(tmp_path / "whole", 5)
    train(tmp_path / "parts", 2)
    learner, scores = train(tmp_path / "parts", 5, resume=True)
    assert scores == whole
    assert len(learner.seen) == 30
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_without_resume_a_checkpoint_is_written_anew(tmp_path):
    _, whole = train(tmp_path / "c", 2)
    learner, scores = train(str(tmp_path / "c"), 2)
    assert scores == whole and len(learner.seen) == 20


def test_resuming_what_is_done_learns_nothing(tmp_path):
    _, scores = train(tmp_path / "c", 2)
    learner, again = train(tmp_path / "c", 2, resume=True)
    assert (again, learner.seen) == (scores, [])


def test_without_a_checkpoint_resuming_starts_at_the_beginning(tmp_path):
    learner, _ = train(tmp_path / "c", 1, resume=True)
    assert len(learner.seen) == 10
    learner, scores = train(None, 2, resume=True)
    assert len(learner.seen) == 20 and len(scores) == 2


def test_without_dev_data_there_are_no_scores(tmp_path):
    assert fit(Recorder(), 10, epochs=2, checkpoint=tmp_path / "c") == [{}, {}]
    assert fit(Recorder(), 10, epochs=2, checkpoint=tmp_path / "c", resume=True) == [{}, {}]
    assert fit(Recorder(), 10, epochs=0) == []


# Checkpoints that do not fit


def test_other_data_or_seeds_are_refused(tmp_path):
    train(tmp_path / "c", 1)
    for examples, seed in ((11, 3), (10, 4)):
        with pytest.raises(ModelError, match="another training"):
            fit(Recorder(), examples, epochs=2, seed=seed, checkpoint=tmp_path / "c", resume=True)


def test_fewer_epochs_than_are_done_are_refused(tmp_path):
    train(tmp_path / "c", 3)
    with pytest.raises(ModelError, match="c: already has 3 epochs, more than the 2 to train"):
        train(tmp_path / "c", 2, resume=True)


def test_checkpoints_of_other_models_are_refused(tmp_path):
    learner = Recorder()
    learner.state = lambda: {"value": np.zeros(2)}
    fit(learner, 10, epochs=1, checkpoint=tmp_path / "c")
    with pytest.raises(ModelError, match=r"not a checkpoint of this model \(one value\)"):
        fit(Recorder(), 10, epochs=2, checkpoint=tmp_path / "c", resume=True)
    learner.state = lambda: {"other": np.zeros(1)}
    fit(learner, 10, epochs=1, checkpoint=tmp_path / "c")
    with pytest.raises(ModelError, match=r"not a checkpoint of this model \('value'\)"):
        fit(Recorder(), 10, epochs=2, checkpoint=tmp_path / "c", resume=True)


def test_the_difference_to_another_training_is_named(tmp_path):
    def run(resume, **parts):
        made_from = {"batch": 4, "data": ["a"] * 9, **parts}
        fit(Recorder(), 10, epochs=1, checkpoint=tmp_path / "c", resume=resume, made_from=made_from)

    run(resume=False)
    run(resume=True)
    run(resume=True, data=("a",) * 9)
    for parts, named in (
        ({"batch": 8}, r"with other batch \(4, not 8\); use"),
        ({"data": ["b"] * 9}, "with other data; use"),
        ({"batch": 8, "data": ["a"] * 8}, r"with other batch \(4, not 8\), data; use"),
        ({"more": 1}, r"with other more \(None, not 1\); use"),
    ):
        with pytest.raises(ModelError, match=f"c: a checkpoint of another training run, {named}"):
            run(resume=True, **parts)


def test_another_version_is_refused(tmp_path, monkeypatch):
    train(tmp_path / "c", 1)
    monkeypatch.setattr("treaty.__version__", "9.9", raising=False)
    with pytest.raises(ModelError, match=r"version \('.*', not '9.9'\)"):
        train(tmp_path / "c", 2, resume=True)


@pytest.mark.parametrize("scores", [None, {}, ["x"], [[]], [{"value": "x"}]])
def test_damaged_scores_are_refused(tmp_path, scores):
    header = {"run": identity(examples=10, seed=3), "scores": scores}
    ModelFile("checkpoint", header, {"value": np.zeros(1)}).write(tmp_path / "c")
    with pytest.raises(ModelError, match=r"scores: .*expected"):
        train(tmp_path / "c", 2, resume=True)


def test_models_are_not_checkpoints(tmp_path):
    ModelFile("tagger", {}, {}).write(tmp_path / "c")
    with pytest.raises(ModelError, match="the task 'tagger'; expected 'checkpoint'"):
        train(tmp_path / "c", 2, resume=True)


# Progress


def events(tmp_path, monkeypatch, **options):
    monkeypatch.setattr(loop, "CHUNK", 4)
    told = []
    _, scores = train(tmp_path / "c", 2, stage="words", progress=told.append, **options)
    return told, scores


def test_progress_counts_examples_over_all_epochs(tmp_path, monkeypatch):
    told, scores = events(tmp_path, monkeypatch)
    assert [(event.epoch, event.done) for event in told] == [
        (1, 4), (1, 8), (1, 10), (1, 10), (2, 14), (2, 18), (2, 20), (2, 20),
    ]  # fmt: skip
    assert all((e.stage, e.total, e.epochs) == ("words", 20, 2) for e in told)
    assert [event.scores for event in told] == [{}, {}, {}, scores[0], {}, {}, {}, scores[1]]


def test_seconds_are_those_since_the_beginning(tmp_path, monkeypatch):
    clock = itertools.count(1000, 5)
    monkeypatch.setattr(loop.time, "perf_counter", lambda: next(clock))
    told, _ = events(tmp_path, monkeypatch)
    assert [event.seconds for event in told] == list(range(5, 45, 5))


def test_progress_of_a_resumed_run_counts_what_is_left(tmp_path, monkeypatch):
    train(tmp_path / "c", 1)
    told, scores = events(tmp_path, monkeypatch, resume=True)
    assert [(event.epoch, event.done) for event in told] == [(2, 4), (2, 8), (2, 10), (2, 10)]
    assert all(event.total == 10 for event in told)
    assert told[-1].share == 1.0 and told[-1].scores == scores[1]


def test_the_state_is_kept_before_the_end_of_an_epoch_is_told(tmp_path):
    def interrupt(event):
        if event.scores:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "c", 2, progress=interrupt)
    learner, _ = train(tmp_path / "c", 2, resume=True)
    assert len(learner.seen) == 10


# Names


def test_stages_have_checkpoints_beside_each_other(tmp_path):
    assert checkpoint_of(None, "trees") is None
    assert checkpoint_of(tmp_path / "a.b", "trees") == tmp_path / "a.b.trees"
    assert checkpoint_of(str(tmp_path / "a"), "x.y") == tmp_path / "a.x.y"


def test_checkpoints_of_all_stages_are_removed_and_nothing_else(tmp_path, monkeypatch):
    names = ["m.checkpoint", "m.checkpoint.trees", "m.checkpoint.labels", "m", "m.checkpoints", "x"]
    names += ["m.checkpoint.labels-2", "m.checkpoint.backup", "m.checkpoint.trees.old"]
    for name in names:
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for stage in ("trees", "labels", "labels-2", "never-made"):
        checkpoint_of("m.checkpoint", stage)
    left = ["m", "m.checkpoint.backup", "m.checkpoint.trees.old", "m.checkpoints", "x"]
    remove_checkpoints(tmp_path / "m.checkpoint")
    assert sorted(path.name for path in tmp_path.iterdir()) == left
    remove_checkpoints("m.checkpoint")
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_options_train_as_the_loop_does(tmp_path):
    events = []
    options = TrainOptions(
        epochs=3, seed=3, checkpoint=tmp_path / "c", resume=True, progress=events.append
    )
    learner, (_, scores) = Recorder(), train(tmp_path / "other", 3)
    assert options.fit(learner, 10, "things", evaluate=learner.score) == scores
    assert {event.stage for event in events} == {"things"}
    assert (tmp_path / "c").exists()
    staged = options.of_stage("trees")
    assert staged.checkpoint == tmp_path / "c.trees"
    assert (staged.seed, staged.epochs) == (3, 3)
    assert TrainOptions().of_stage("trees").checkpoint is None


def test_weights_hold_their_average_while_scored_and_at_the_end():
    weights = AveragedFloats(1)
    scored = []

    def step(ids):
        for _ in ids:
            weights.add(np.array([0]), np.array([1.0], np.float32), 1.0)
            weights.next_step()

    def score():
        scored.append(float(weights.values[0]))
        return {"value": scored[-1]}

    options = TrainOptions(epochs=2)
    scores = options.fit_weights(weights, step, 4, "counts", evaluate=score)
    assert [line["value"] for line in scores] == scored == [2.5, 4.5]
    assert weights.values[0] == pytest.approx(4.5)


def test_threads_of_options_are_checked():
    with pytest.raises(UsageError, match="threads must be at least 1, not 0"):
        TrainOptions(threads=0)
