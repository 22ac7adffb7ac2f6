"""Pattern problems: what is read off a graph scores what the graph scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.pattern_graphs import labelings, pattern_graphs

from treaty._native import solve as native
from treaty._native.graph import GraphError
from treaty.graph import FactorGraph
from treaty.solve._check import check


@settings(deadline=None, max_examples=60)
@given(pattern_graphs(most_vertices=4))
def test_every_labeling_scores_what_the_checker_says(graph):
    reading = native.PatternGraph(graph.native)
    for labels in labelings(reading.problem):
        expected = check(graph, reading.values(labels)).objective
        assert reading.problem.score(labels) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(pattern_graphs(most_vertices=4))
def test_a_problem_survives_the_way_to_a_graph_and_back(graph):
    problem = native.PatternGraph(graph.native).problem
    again = native.PatternGraph(problem.graph())
    assert again.problem.first.tolist() == problem.first.tolist()
    for labels in labelings(problem):
        assert again.problem.score(labels) == pytest.approx(problem.score(labels), rel=1e-9)
        states = again.values(labels)[: problem.first[-1]]
        assert np.flatnonzero(states).tolist() == (problem.first[:-1] + labels).tolist()


def test_pairs_share_one_table_and_impossible_patterns_vanish():
    graph = FactorGraph()
    a, b, c = (graph.categorical(np.zeros(3)) for _ in range(3))
    graph.table([b, a], np.arange(9.0).reshape(3, 3))
    graph.reward(a[1], b[2], 10.0)
    graph.reward(a[0], a[1], b[0], 5.0)
    graph.reward(a[0], b[0], c[0], 1.0)
    graph.reward(c[0], a[0], b[0], 2.0)
    problem = native.PatternGraph(graph.native).problem
    assert problem.edges == [(0, 1)]
    assert problem.cells.tolist() == [0, 3, 6, 1, 4, 17, 2, 5, 8]
    assert problem.pattern_weights.tolist() == [3.0]
    assert problem.pattern_states.tolist() == [0, 3, 6]


def shared_output(graph, x, y, z):
    graph.and_with_output([x, y], z)
    graph.implies(z, x)


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda graph, x, y, z: graph.at_most(1, x, y, z), "a factor of the kind at_most"),
        (lambda graph, x, y, z: (graph.exactly_one(x, y), graph.exactly_one(y, z)), "overlap"),
        (lambda graph, x, y, z: graph.exactly_one(~x, y), "negated literals"),
        (shared_output, "in another factor"),
        (
            lambda graph, x, y, z: (
                graph.exactly_one(x, y, z),
                graph.reward(~x, graph.variable(), 1.0),
            ),
            "negates a state",
        ),
    ],
)
def test_other_graphs_are_refused_with_a_way_out(add, message):
    graph = FactorGraph()
    add(graph, *graph.variables(np.zeros(3)))
    with pytest.raises(GraphError, match=f"(?s)pattern problem.*{message}.*ad3, exact or ilp"):
        native.PatternGraph(graph.native)
