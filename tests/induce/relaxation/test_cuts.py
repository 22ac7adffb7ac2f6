"""Tangents of sum-to-one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.induce.relaxation._cuts import tangent, violated


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_tangents_cut_off_what_sums_to_more_and_nothing_that_does_not(seed, size):
    random = np.random.default_rng(seed)
    floor, column = 1e-8, np.arange(size)
    theta = np.log(random.dirichlet(np.full(size, 0.3)) + 1e-12)
    cut = tangent(column, random.dirichlet(np.full(size, 0.3)), floor)
    assert cut.probability @ theta <= cut.right + 1e-9
    too_much = theta + 0.05 + random.random()
    (violation,) = violated(too_much, np.zeros(size, dtype=int), floor)
    assert violation.probability @ too_much > violation.right
    assert violated(np.maximum(theta, np.log(floor)), np.zeros(size, dtype=int), floor) == []
