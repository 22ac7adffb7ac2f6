"""The average of weights that grow and shrink, beside one that keeps every vector."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty._native.learn import AveragedDoubles, AveragedFloats

SIZE = 3


def changes(*factors):
    """A factor of shrinking; places and numbers of an update; how often it counts."""
    update = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(-4, 4)), max_size=4)
    return st.tuples(st.sampled_from(factors), update, st.sampled_from([1.0, -0.5]))


class Kept:
    """Every vector that there was."""

    def __init__(self):
        self.now, self.seen = np.zeros(SIZE), []

    def take(self, change):
        shrinking, update, times = change
        self.now = shrinking * self.now
        for place, number in update:
            self.now[place] += times * number
        self.seen.append(self.now.copy())


def take(weights, change):
    shrinking, update, times = change
    weights.shrink(shrinking)
    places, numbers = zip(*update, strict=True) if update else ((), ())
    dtype = weights.values.dtype
    weights.add(np.array(places, np.int64), np.array(numbers, dtype), times)
    weights.next_step()


@pytest.mark.parametrize(
    ("kind", "factors", "accuracy"),
    [(AveragedFloats, (1.0, 0.99, 0.9), 1e-4), (AveragedDoubles, (1.0, 0.9, 0.3, 0.01), 1e-9)],
)
@settings(max_examples=100, deadline=None)
@given(data=st.data(), begin=st.integers(0, 30))
def test_the_mean_of_all_vectors(kind, factors, accuracy, data, begin):
    weights, kept = kind(SIZE), Kept()
    steps = data.draw(st.lists(changes(*factors), max_size=30))
    for number, change in enumerate(steps):
        if number == begin:
            weights.start_averaging()
            kept.seen.clear()
        take(weights, change)
        kept.take(change)
    expected = np.mean(kept.seen, axis=0) if begin < len(steps) else kept.now
    np.testing.assert_allclose(weights.scale * weights.values, kept.now, atol=accuracy)
    np.testing.assert_allclose(weights.average(), expected, atol=accuracy)
    weights.keep_average()
    np.testing.assert_allclose(weights.values, expected, atol=accuracy)


def test_no_digits_are_lost_however_often_weights_shrink():
    """Time must begin anew now and then: 0.5 ** 2000 is no number any more."""
    weights, kept = AveragedDoubles(SIZE), Kept()
    weights.start_averaging()
    for number in range(2000):
        change = (0.5, [(number % SIZE, 1)], 1.0)
        take(weights, change)
        kept.take(change)
    np.testing.assert_allclose(weights.average(), np.mean(kept.seen, axis=0), rtol=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(changes(1.0, 0.3, 0.01), min_size=1, max_size=20), st.data())
@pytest.mark.parametrize("kind", [AveragedFloats, AveragedDoubles])
def test_restored_weights_go_on_to_the_same_bits(kind, steps, data):
    whole, resumed = kind(SIZE), kind(SIZE)
    whole.start_averaging()
    cut = data.draw(st.integers(0, len(steps)))
    for change in steps[:cut]:
        take(whole, change)
    tables = [table.copy() for table in (whole.values, whole.late, whole.past)]
    resumed.restore(*tables, whole.scale, whole.time, whole.step)
    for change in steps[cut:]:
        take(whole, change)
        take(resumed, change)
    assert np.array_equal(whole.average(), resumed.average())


def test_a_dense_update_is_a_sparse_one_of_all_places():
    dense, sparse = AveragedDoubles(SIZE), AveragedDoubles(SIZE)
    numbers = np.array([1.5, 0.0, -2.0])
    for weights in (dense, sparse):
        weights.start_averaging()
        weights.shrink(0.7)
        weights.next_step()
    dense.add_all(numbers, 0.3)
    sparse.add(np.arange(SIZE), numbers, 0.3)
    assert np.array_equal(dense.values, sparse.values) and np.array_equal(dense.late, sparse.late)


@pytest.mark.parametrize("place", [-1, SIZE])
def test_places_outside_are_refused(place):
    with pytest.raises(ValueError, match="not there"):
        AveragedDoubles(SIZE).add(np.array([place]), np.ones(1), 1.0)
    with pytest.raises(ValueError, match="expected a number"):
        AveragedDoubles(SIZE).add_all(np.ones(SIZE + place), 1.0)
