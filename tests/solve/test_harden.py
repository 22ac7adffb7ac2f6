"""Penalties that no optimum pays become constraints, and the answer proves that they may."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import FactorGraph, Status
from treaty._native.solve import harden
from treaty.solve import METHODS

ANY_GRAPH = ("ad3", "exact", "ilp", "lp", "subgradient", "exhaustive")
HUGE = (1e6, 1e9, 1e12, 1e50, 1e100)


@pytest.fixture
def tent():
    """Three variables of which one is on at least; the first two exclude each other, softly."""

    def make(penalty, scale=1.0):
        graph = FactorGraph()
        a, b, c = graph.variables([3.0 * scale, 1.25 * scale, -0.5 * scale])
        graph.at_least_one(a, b, c)
        graph.reward(a, b, -penalty)
        return graph

    return make


@pytest.mark.parametrize("scale", [1.0, 0.01, 1e-9])
@pytest.mark.parametrize("penalty", HUGE)
@pytest.mark.parametrize("method", ANY_GRAPH)
def test_a_huge_penalty_leaves_the_optimum_alone(tent, method, penalty, scale):
    solution = tent(penalty, scale).solve(method)
    assert solution.status is Status.OPTIMAL
    assert solution.values.tolist() == [1, 0, 0]
    assert solution.objective == 3.0 * scale
    assert solution.bound == pytest.approx(3.0 * scale, rel=1e-6)


@pytest.mark.parametrize("method", ["two-slave", "naive", "junction"])
def test_pattern_methods_take_the_constraint_too(method):
    graph = FactorGraph()
    left, right = graph.categorical([3.0, 1.0]), graph.categorical([2.0, 1.5])
    graph.reward(left[0], right[0], -1e12)
    solution = graph.solve(method)
    assert solution.status is Status.OPTIMAL
    assert solution.objective == 4.5


def test_ordinary_scores_have_no_levels():
    graph = FactorGraph()
    a, b, *_ = graph.variables([3.0, 1.25, -0.5, 0.0])
    graph.reward(a, b, -50.0)
    assert harden(graph.native) == []


def test_a_reward_that_everybody_wants_is_a_constant():
    graph = FactorGraph()
    a, b, c = graph.variables([-3.0, 1.25, 0.5])
    graph.reward(a, ~b, 1e12)
    (level,) = harden(graph.native)
    assert level.constant == 1e12 - 3.0
    assert level.graph.evidence.tolist() == [1, 0, -1]
    solution = graph.solve()
    assert solution.status is Status.OPTIMAL
    assert solution.objective == solution.bound == 1e12 - 3.0 + 0.5
    assert solution[a] and not solution[b] and solution[c]


def test_a_penalty_that_must_be_paid_is_paid():
    graph = FactorGraph()
    a, b, c = graph.variables([-1e12, -1e12, 1.0])
    graph.exactly_one(a, b)
    graph.reward(a, c, -3.0)
    for method in ANY_GRAPH:
        solution = graph.solve(method)
        assert solution.objective == pytest.approx(-1e12)
        assert solution.bound >= solution.objective


def test_levels_are_tried_from_the_strictest():
    """The second penalty must be paid, the first need not."""
    graph = FactorGraph()
    a, b, c = graph.variables([-1e6, -1e6, 0.5])
    graph.at_least_one(a, b)
    graph.reward(a, c, -1e12)
    strict, lax = harden(graph.native)
    assert strict.graph.evidence.tolist() == [0, 0, -1]
    assert lax.graph.evidence.tolist() == [-1, -1, -1]
    for method in ("ad3", "exact", "ilp"):
        solution = graph.solve(method)
        assert solution.values.tolist() == [0, 1, 1]
        assert solution.objective == -1e6 + 0.5


def test_where_arithmetic_cannot_tell_the_status_says_so():
    """Sums of 1e30 and 1 are sums of 1e30."""
    graph = FactorGraph()
    a, b, c = graph.variables([1e30, -1e30, 1.0])
    graph.exactly_one(a, ~b)
    graph.reward(a, b, c, 1.0)
    for method in ANY_GRAPH:
        solution = graph.solve(method)
        assert solution.bound >= 2.0
        if solution.status is Status.OPTIMAL:
            assert solution[c]


@given(seed=st.integers(0, 10**6), exponent=st.sampled_from([6, 9, 12, 60]))
@settings(max_examples=60, deadline=None)
def test_levels_keep_what_is_worth_keeping(all_objectives, seed, exponent):
    """What a level's graph excludes scores no more than its limit; the rest scores the same."""
    dice = random.Random(seed)
    graph = FactorGraph()

    def score():
        return dice.uniform(-2, 2) * 10.0 ** dice.choice([0, 0, exponent])

    literals = list(graph.variables([score() for _ in range(3)]))
    state = graph.categorical([score() for _ in range(3)])
    other = graph.categorical([score() for _ in range(2)])
    graph.reward(literals[0], ~literals[1], state[0], score())
    graph.table([state, other], [[score() for _ in range(2)] for _ in range(3)])
    graph.sequence(
        [other, state], [[[score() for _ in range(3)] for _ in range(2)]], start=[score(), score()]
    )
    every = np.array(all_objectives(graph))
    rounding = 1e-9 * np.abs(every[np.isfinite(every)]).max(initial=0.0)
    for level in harden(graph.native):
        kept = np.array(all_objectives(FactorGraph._of(level.graph)))
        excluded = np.isneginf(kept)
        assert np.all(every[excluded] <= level.limit + rounding)
        changed = kept[~excluded] + level.constant - every[~excluded]
        assert np.all(np.abs(changed) <= rounding)


def test_every_method_is_tested():
    assert {*ANY_GRAPH, "two-slave", "naive", "junction"} == set(METHODS)
