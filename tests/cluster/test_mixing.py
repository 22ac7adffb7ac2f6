"""Iterative parameter mixing."""

from __future__ import annotations

import io
import os
import signal
import threading
import time

import numpy as np
import pytest

from treaty._native.features import Weights
from treaty.cluster import train_mixed
from treaty.cluster._mixing import ShardExchange, mixed
from treaty.errors import UsageError
from treaty.learn import WeightsLearner, fit, model_class
from treaty.learn._loop import mixing_by


class Alone(ShardExchange):
    """Shards in one process, one after the other: a twin of the cluster."""

    def __init__(self, rank, shards, board):
        super().__init__(None, rank, shards, {})
        self.board = board

    def mix(self, epoch, examples, state):
        self.board[self._rank] = {name: np.array(array) for name, array in state.items()}
        self.board["seen"] = epoch * examples
        self.board["barrier"].wait()
        if self._rank == 0:
            states = [self.board[rank] for rank in range(self._shards)]
            self.board["mean"] = mixed(states, self.board["seen"])
        self.board["barrier"].wait()
        return self.board["mean"]


def learner_of(weights, examples, labels):
    """A perceptron of features by number, the simplest learner there is."""

    def step(ids):
        for i in ids.tolist():
            score = sum(weights.values[f] for f in examples[i])
            if score * labels[i] <= 0:
                for f in examples[i]:
                    weights.values[f] += labels[i]

    return WeightsLearner(weights, step)


def train_alone(task, examples, shards, options):
    """Train shards in threads of this process."""
    board = {"barrier": threading.Barrier(shards)}
    made = {}

    def work(rank):
        with mixing_by(Alone(rank, shards, board)):
            made[rank] = model_class(task).train(examples, **options)

    threads = [threading.Thread(target=work, args=(rank,)) for rank in range(shards)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return made


@pytest.mark.parametrize(
    ("task", "own"),
    [("sequences", {"learner": "perceptron"}), ("sequences", {"learner": "mira"}), ("parser", {})],
)
def test_a_cluster_trains_what_shards_in_one_process_train(cluster, task, own):
    sample = model_class(task).sample()
    options = {**sample.options, **own}
    twin = train_alone(task, list(sample.examples), 2, options)
    assert twin[0].to_bytes() == twin[1].to_bytes()  # all shards end with the same weights
    found = train_mixed(cluster, task, list(sample.examples), shards=2, **options)
    assert found.to_bytes() == twin[0].to_bytes()
    scores = found.evaluate(list(sample.examples))
    assert next(iter(scores.values())) > 0.5


def test_one_shard_is_an_ordinary_training(cluster):
    sample = model_class("sequences").sample()
    options = {**sample.options, "learner": "perceptron"}
    alone = model_class("sequences").train(sample.examples, **options)
    alone = model_class("sequences").load(io.BytesIO(alone.to_bytes()))  # rounded, as files are
    found = train_mixed(cluster, "sequences", list(sample.examples), shards=1, **options)
    for one, other in zip(found.predict(sample.inputs), alone.predict(sample.inputs), strict=True):
        assert one.labels == other.labels
        assert one.certificate.objective == pytest.approx(other.certificate.objective, rel=1e-4)


def test_the_mean_of_states_is_that_of_weights_and_of_averages():
    chosen = np.random.default_rng(1)
    tables = []
    for seed in (1, 2):
        weights = Weights(4)
        examples = [chosen.integers(0, 16, 3).tolist() for _ in range(12)]
        labels = chosen.choice([-1, 1], 12).tolist()
        learner = learner_of(weights, examples, labels)
        fit(learner, 12, epochs=2, seed=seed)
        tables.append((weights, learner))
    state = mixed([learner.state() for _, learner in tables], seen=24)
    both = Weights(4)
    learner = WeightsLearner(both, lambda ids: None)
    learner.restore(state)
    mean = np.mean([weights.values for weights, _ in tables], axis=0)
    assert both.values == pytest.approx(mean, abs=1e-5)
    average = np.mean([np.asarray(weights.average()) for weights, _ in tables], axis=0)
    assert np.asarray(both.average()) == pytest.approx(average, abs=1e-5)


def test_shards_are_disjoint_and_of_one_size():
    order = np.arange(11, dtype=np.int32)
    shares = [ShardExchange(None, rank, 3, {}).share(order).tolist() for rank in range(3)]
    assert [len(share) for share in shares] == [3, 3, 3]
    assert len({i for share in shares for i in share}) == 9


def test_shards_of_different_models_are_refused():
    with pytest.raises(UsageError, match="different models"):
        mixed([{"a": np.zeros(1)}, {"b": np.zeros(1)}])


def test_more_shards_than_examples_are_refused(cluster):
    with pytest.raises(UsageError, match="expected 1 to 1 shards, not 5"):
        train_mixed(cluster, "sequences", [(["a"], ["x"])], shards=5)


@pytest.mark.long
def test_a_training_survives_the_death_of_a_worker(cluster):
    sample = model_class("parser").sample()
    examples = list(sample.examples) * 20
    options = {**sample.options, "epochs": 6}
    wanted = train_mixed(cluster, "parser", examples, shards=2, **options).to_bytes()

    def kill():
        time.sleep(2.0)
        os.kill(next(iter(cluster.client.run(os.getpid).values())), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = train_mixed(cluster, "parser", examples, shards=2, **options).to_bytes()
    killer.join()
    assert found == wanted
