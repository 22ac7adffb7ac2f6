"""Labels under change: values, breaches and exact moves of forests against enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.pattern_graphs import labelings, pattern_graphs

from treaty._native import solve as native


def opposite_tables():
    """Two tables of the same variables, in both orders: the second must be transposed."""
    from treaty import FactorGraph

    graph = FactorGraph()
    a, b = graph.categorical([0.0, 0.0]), graph.categorical([0.0, 0.0, 0.0])
    graph.table([a, b], [[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    graph.table([b, a], [[0.5, 0.25], [0.125, 3.0], [5.0, 7.0]])
    return native.PatternGraph(graph.native).problem


def test_tables_in_both_orders_are_added_cell_by_cell():
    problem = opposite_tables()
    for x, y in itertools.product(range(2), range(3)):
        expected = [[1, 2, 4], [8, 16, 32]][x][y] + [[0.5, 0.25], [0.125, 3], [5, 7]][y][x]
        assert problem.score(np.array([x, y], np.int32)) == expected


def random_labels(problem, draw):
    sizes = np.diff(problem.first)
    return [draw(st.integers(0, int(size) - 1)) for size in sizes]


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_values_are_those_of_the_labelings(data):
    problem = native.PatternGraph(data.draw(pattern_graphs()).native).problem
    labeling = native.Labeling(problem)
    for _ in range(3):
        for v, x in enumerate(random_labels(problem, data.draw)):
            labeling.move(v, x)
        here = labeling.label
        exact = problem.score(here)
        assert (labeling.breaches == 0) == (exact > -math.inf)
        if exact > -math.inf:
            assert labeling.score == pytest.approx(exact, rel=1e-9, abs=1e-9)
        for v in range(problem.vertices):
            own = problem.first[v] + here[v]
            for x in range(problem.first[v + 1] - problem.first[v]):
                there = here.copy()
                there[v] = x
                state = problem.first[v] + x
                more = labeling.breach(state) - labeling.breach(own)
                worth = problem.score(there)
                assert (labeling.breaches + more == 0) == (worth > -math.inf)
                if worth > -math.inf:
                    gained = labeling.value(state) - labeling.value(own)
                    assert labeling.score + gained == pytest.approx(worth, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_move_of_trees_never_loses(data):
    problem = native.PatternGraph(data.draw(pattern_graphs()).native).problem
    labeling = native.Labeling(problem)
    everything = np.arange(problem.vertices, dtype=np.int32)
    for seed in range(4):
        before = labeling.breaches, labeling.score
        labeling.move_trees(everything, labeling.prohibitive, seed)
        if before[0] == 0:
            assert labeling.breaches == 0
            assert labeling.score >= before[1] - 1e-9 * max(1.0, abs(before[1]))


def test_a_chain_is_solved_by_one_move():
    from treaty import FactorGraph

    random = np.random.default_rng(0)
    graph = FactorGraph()
    chain = [graph.categorical(random.normal(size=3)) for _ in range(6)]
    for a, b in itertools.pairwise(chain):
        graph.table([a, b], random.normal(size=(3, 3)))
    problem = native.PatternGraph(graph.native).problem
    labeling = native.Labeling(problem)
    labeling.move_trees(np.arange(6, dtype=np.int32), labeling.prohibitive, 1)
    best = max(problem.score(np.array(x, np.int32)) for x in labelings(problem))
    assert labeling.score == pytest.approx(best)
