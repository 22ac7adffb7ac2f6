"""Steps of the perceptron and MIRA, natively and from their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty._native.features import Weights
from treaty._native.learn import learn_from

BITS = 3
entries = st.lists(
    st.tuples(st.integers(0, 2**BITS - 1), st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0])),
    max_size=6,
)


def steps(start, examples, costs, aggressiveness):
    """The weights after a batch, and the mean over its steps."""
    changes = []
    for example, cost in zip(examples, costs, strict=True):
        change = np.zeros(2**BITS)
        for place, value in example:
            change[place] += value
        norm, loss = float(change @ change), cost - float(change @ start)
        rate = 1.0
        if aggressiveness:
            rate = min(aggressiveness, loss / norm) if norm > 0 and loss > 0 else 0.0
        changes.append(rate * change)
    after = start + np.cumsum(changes, axis=0)
    return after[-1], after.mean(axis=0)


@settings(deadline=None)
@given(st.lists(st.tuples(entries, st.integers(0, 4)), min_size=1, max_size=4), st.booleans())
def test_steps_are_those_of_the_definition(batch, mira):
    examples, costs = zip(*batch, strict=True)
    weights = Weights(BITS)
    weights.values[:] = start = np.linspace(-1, 1, 2**BITS).astype(np.float32)
    weights.start_averaging()
    begin = np.cumsum([0, *map(len, examples)]).astype(np.int64)
    flat = [entry for example in examples for entry in example]
    learn_from(
        weights,
        begin,
        np.array([place for place, _ in flat], np.int32),
        np.array([value for _, value in flat], np.float32),
        np.array(costs, np.float64),
        0.25 if mira else 0.0,
    )
    last, mean = steps(start.astype(float), examples, costs, 0.25 if mira else 0.0)
    assert weights.step == len(examples)
    assert np.allclose(weights.values, last, atol=1e-5)
    # The mean of n steps, as it is kept: the last weights less each change times when it came.
    assert np.allclose(weights.average(), mean, atol=1e-5)


@pytest.mark.parametrize(
    ("begin", "places", "values", "aggressiveness"),
    [
        ([0, 2], [1], [1.0], 0.1),
        ([0, 1, 1], [1], [1.0], 0.1),
        ([1, 1], [1], [1.0], 0.1),
        ([0, 1], [1], [1.0, 2.0], 0.1),
        ([0, 1], [8], [1.0], 0.1),
        ([0, 1], [-1], [1.0], 0.1),
        ([0, 1], [1], [1.0], -0.1),
        ([0, 1], [1], [1.0], float("nan")),
    ],
)
def test_batches_that_make_no_sense_are_refused(begin, places, values, aggressiveness):
    arrays = (np.array(begin, np.int64), np.array(places, np.int32), np.array(values, np.float32))
    with pytest.raises(ValueError, match=r"expected|beyond|aggressiveness"):
        learn_from(Weights(BITS), *arrays, np.array([1.0]), aggressiveness)
