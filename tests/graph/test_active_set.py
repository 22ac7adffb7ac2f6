"""Projections that start from the active set of the one before, as in a solver."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from treaty import FactorGraph
from treaty._native.graph import GraphError

EXACT = 2**64 - 1
POINTS = 8


def automaton(seed):
    """Draw a head automaton and points; with few digits there are many ties."""
    random = np.random.default_rng(seed)
    size, digits = int(random.integers(2, 6)), int(random.integers(0, 3))
    graph = FactorGraph()
    siblings = np.round(random.normal(size=(size + 2, size + 2)), digits)
    graph.head_automaton(graph.variables(np.zeros(size)), siblings=siblings)
    return graph.native, np.round(random.normal(size=(POINTS, size)), digits)


def in_turn(native, points, rounds):
    return native.project_in_turn(0, points.ravel(), 1.0, rounds).reshape(points.shape)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6))
def test_the_nearest_point_does_not_depend_on_the_point_before(seed):
    native, points = automaton(seed)
    alone = [native.project(0, point) for point in points]
    assert in_turn(native, points, EXACT) == pytest.approx(np.array(alone), abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
@example(4739, 2)  # a weight of -5.6e-17 made the next step infinitely long
@example(5452, 2)
@example(6196, 2)
@example(6268, 2)
@example(7669, 2)
def test_projections_with_few_rounds_are_averages_of_assignments(seed, rounds):
    native, points = automaton(seed)
    found = in_turn(native, points, rounds)
    assert np.isfinite(found).all()
    assert found.min() >= 0.0
    assert found.max() <= 1.0 + 1e-12


def test_points_have_a_value_for_each_literal():
    native, points = automaton(0)
    with pytest.raises(GraphError, match="one value for each literal"):
        native.project_in_turn(0, points.ravel()[:-1], 1.0, EXACT)
