"""A weight table in training: its average, its state, and the mean of several trainings."""

from __future__ import annotations

import numpy as np
import pytest

from treaty._native.features import Weights
from treaty.learn import WeightsLearner, mean_of_trainings


class Steps:
    """A table of four weights; an example adds its own number to the weight of that number."""

    def __init__(self, **options):
        self.weights = Weights(2)
        self.seen = []
        self.learner = WeightsLearner(self.weights, self.step, **options)

    def step(self, ids):
        self.seen += ids.tolist()
        for i in ids.tolist():
            self.weights.add(np.array([i]), np.array([i], np.float32), 1.0)
            self.weights.next_step()


def ids(*numbers):
    return np.array(numbers, np.int32)


def test_the_average_is_that_of_the_table():
    steps = Steps()
    steps.learner.learn(ids(1, 2, 3, 1))
    average = steps.weights.average()
    current = steps.weights.values.copy()
    with steps.learner.averaged():
        assert np.array_equal(steps.weights.values, average)
    assert np.array_equal(steps.weights.values, current)
    assert not np.array_equal(current, average)
    steps.learner.finish()
    assert np.array_equal(steps.weights.values, average)


def test_current_weights_come_back_after_a_failure():
    steps = Steps()
    steps.learner.learn(ids(1, 2))
    current = steps.weights.values.copy()
    with pytest.raises(RuntimeError), steps.learner.averaged():
        raise RuntimeError
    assert np.array_equal(steps.weights.values, current)


def test_scores_are_those_of_the_average():
    steps = Steps()
    steps.learner.learn(ids(1, 2, 3))
    score = steps.learner.scoring(lambda: {"sum": float(steps.weights.values.sum())})
    assert score() == {"sum": pytest.approx(float(steps.weights.average().sum()))}
    assert steps.weights.values.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_the_average_leaves_out_the_beginning():
    """With a warm-up of two examples, the average is over what follows them."""
    steps = Steps(warm_up=2)
    steps.learner.learn(ids(3, 3))
    steps.learner.learn(ids(1, 2))
    late = Steps()
    late.weights.values[3] = 6.0
    late.weights.start_averaging()
    late.learner.learn(ids(1, 2))
    assert steps.weights.step == 2
    assert steps.weights.average() == pytest.approx(late.weights.average())


def test_without_a_warm_up_the_average_is_over_all_steps():
    steps = Steps()
    for number in (3, 3, 1):
        steps.learner.learn(ids(number))
    assert steps.weights.step == 3
    assert steps.weights.average().tolist() == pytest.approx([0.0, 1 / 3, 0.0, (3 + 6 + 6) / 3])


def test_the_state_before_the_first_step_can_be_continued():
    steps = Steps()
    steps.learner.restore(Steps().learner.state())
    assert steps.weights.step == 0


def test_a_state_is_continued_to_the_same_weights():
    whole, parts = Steps(warm_up=3), Steps(warm_up=3)
    for some in (ids(1, 2), ids(3), ids(2, 2), ids(1)):
        whole.learner.learn(some)
    parts.learner.learn(ids(1, 2))
    state = {name: array.copy() for name, array in parts.learner.state().items()}
    resumed = Steps(warm_up=3)
    resumed.learner.restore(state)
    for some in (ids(3), ids(2, 2), ids(1)):
        resumed.learner.learn(some)
    assert np.array_equal(resumed.weights.values, whole.weights.values)
    assert np.array_equal(resumed.weights.average(), whole.weights.average())
    assert resumed.weights.step == whole.weights.step


@pytest.mark.parametrize(
    "changes",
    [
        {"values": np.zeros(1, np.float32)},  # would be spread over all weights
        {"values": np.zeros(5, np.float32)},
        {"values": np.zeros((4, 1), np.float32)},
        {"late": np.zeros(3, np.float32)},
        {"past": np.zeros(3, np.float32)},
        {"clock": np.zeros(2)},
        {"clock": np.array([0.0, 1.0, 1.0])},
        {"clock": np.array([1.0, np.nan, 1.0])},
        {"clock": np.array([1.0, 1.0, -1.0])},
        {"seen": np.zeros(2, np.int64)},
        {"seen": np.zeros(1)},
        {"seen": np.array([-1])},
    ],
)
def test_states_of_other_tables_are_refused(changes):
    steps = Steps()
    with pytest.raises(ValueError, match="expected"):
        steps.learner.restore({**steps.learner.state(), **changes})
    for name in changes:
        state = steps.learner.state()
        del state[name]
        with pytest.raises(KeyError):
            steps.learner.restore(state)


def test_trainings_begin_at_zero_and_the_mean_is_kept():
    weights, begun = Weights(1), []
    for number in mean_of_trainings(weights, 4):
        begun.append((number, weights.values.tolist(), weights.step))
        weights.values[:] = [number, 1.0]
        weights.next_step()
    assert begun == [(number, [0.0, 0.0], 0) for number in range(4)]
    assert weights.values.tolist() == [1.5, 1.0]
