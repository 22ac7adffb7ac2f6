"""Tangents of sum-to-one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.papers.relaxations._cuts import MOST_POOLED, CutPool, tangent, violated


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


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30))
def test_the_pool_finds_every_cut_that_a_point_violates(seed, number):
    random = np.random.default_rng(seed)
    distribution = np.array([0, 0, 1, 1, 1, 3])
    pool = CutPool(distribution)
    cuts = [
        tangent(own, random.dirichlet(np.ones(len(own))), 1e-8)
        for own in (np.flatnonzero(distribution == random.choice([0, 1])) for _ in range(number))
    ]
    pool.use(cuts)
    theta = np.log(random.random(6)) / 3
    fresh = violated(theta, distribution, 1e-8)
    expected = [c for c in cuts if c.probability @ theta[c.column] > c.right + 1e-5]
    assert {id(cut) for cut in pool.like(fresh, theta)} == {id(cut) for cut in expected}


def test_the_pool_drops_what_was_not_used_for_longest():
    pool, column = CutPool(np.zeros(2, dtype=int)), np.arange(2)
    cuts = [tangent(column, np.array([p, 1 - p]), 0.0) for p in np.linspace(0.1, 0.9, MOST_POOLED)]
    pool.use(cuts)
    pool.use(cuts[:1])
    pool.use([tangent(column, np.array([0.95, 0.05]), 0.0)])
    kept = {id(cut) for cut in pool}
    assert len(kept) == MOST_POOLED
    assert id(cuts[0]) in kept and id(cuts[1]) not in kept
    assert len(pool.like(cuts[:1], np.zeros(2))) == MOST_POOLED
