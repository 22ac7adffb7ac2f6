from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.random_graphs import Listed, build, graphs, integers

from treaty import FactorGraph, UsageError
from treaty._native.graph import Graph, Kind
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive

X, Y, Z = 0, 2, 4  # literals of the first three variables


def allowed_by(*factor, variables=3):
    """The assignments a single factor allows, and what it adds to their score."""
    graph = build([0.0] * variables, factor)
    every = itertools.product([0, 1], repeat=variables)
    found = {values: check(graph, values).objective for values in every}
    return {values: score for values, score in found.items() if score > -math.inf}


@pytest.mark.parametrize(
    ("kind", "shape", "rule"),
    [
        (Kind.exactly_one, [], lambda x, y, z: x + y + z == 1),
        (Kind.at_most_one, [], lambda x, y, z: x + y + z <= 1),
        (Kind.at_least_one, [], lambda x, y, z: x + y + z >= 1),
        (Kind.xor_with_output, [], lambda x, y, z: x + y == z),
        (Kind.or_with_output, [], lambda x, y, z: (x or y) == z),
        (Kind.and_with_output, [], lambda x, y, z: (x and y) == z),
        (Kind.at_most, [2], lambda x, y, z: x + y + z <= 2),
        (Kind.exactly, [2], lambda x, y, z: x + y + z == 2),
        (Kind.at_most, [0], lambda x, y, z: x + y + z == 0),
    ],
)
def test_logic(kind, shape, rule):
    every = itertools.product([0, 1], repeat=3)
    assert set(allowed_by(kind, [X, Y, Z], [], shape)) == {v for v in every if rule(*v)}


def test_negated_and_repeated_literals():
    assert set(allowed_by(Kind.at_most_one, [X, X], variables=1)) == {(0,)}
    assert set(allowed_by(Kind.exactly_one, [X, X ^ 1], variables=1)) == {(0,), (1,)}
    assert set(allowed_by(Kind.at_least_one, [X ^ 1, Y], variables=2)) == {(0, 0), (0, 1), (1, 1)}


def test_outputs_of_nothing():
    assert set(allowed_by(Kind.or_with_output, [X], variables=1)) == {(0,)}
    assert set(allowed_by(Kind.xor_with_output, [X], variables=1)) == {(0,)}
    assert set(allowed_by(Kind.and_with_output, [X], variables=1)) == {(1,)}


def test_reward_counts_when_all_are_on():
    found = allowed_by(Kind.reward, [X, Y ^ 1], [2.5], variables=2)
    assert found == {(0, 0): 0.0, (0, 1): 0.0, (1, 0): 2.5, (1, 1): 0.0}


def test_knapsack_forgives_the_last_digit_only():
    found = allowed_by(Kind.knapsack, [X, Y, Z], [0.1, 0.2, 0.3, 0.3])  # 0.1 + 0.2 > 0.3 in floats
    assert set(found) == {(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1)}
    assert set(allowed_by(Kind.knapsack, [X], [1.0, 0.999], variables=1)) == {(0,)}


def test_table_reads_the_chosen_cell():
    found = allowed_by(Kind.table, [0, 2, 4, 6], [1.0, 2.0, -np.inf, 4.0], [2, 2], variables=4)
    assert found == {(1, 0, 1, 0): 1.0, (1, 0, 0, 1): 2.0, (0, 1, 0, 1): 4.0}


def test_sequence_adds_start_edges_and_stop():
    data = [1.0, 2.0, 10.0, 20.0, 30.0, -np.inf, 100.0, 200.0]
    found = allowed_by(Kind.sequence, [0, 2, 4, 6], data, [2, 2], variables=4)
    assert found == {(1, 0, 1, 0): 111.0, (1, 0, 0, 1): 221.0, (0, 1, 1, 0): 132.0}
    single = allowed_by(Kind.sequence, [0, 2], [1.0, 2.0, 10.0, 20.0], [2], variables=2)
    assert single == {(1, 0): 11.0, (0, 1): 22.0}


def test_compression_tree_scores_its_cuts():
    free = allowed_by(Kind.compression_tree, [X, Y, Z], [1.0, 10.0, 100.0], [-1, 0, 1, 0])
    assert free == {(0, 0, 0): 1.0, (1, 0, 0): 10.0, (1, 1, 0): 100.0, (1, 1, 1): 0.0}
    fed = allowed_by(Kind.compression_tree, [X, Y, Z], [1.0, 10.0, 100.0], [-1, 0, 1, 1])
    assert fed == {(0, 0, 0): 1.0, (1, 1, 0): 100.0, (1, 1, 1): 0.0}


def test_arborescence_spans_from_the_root():
    arcs = [0, 1, 0, 2, 1, 2, 2, 1]
    literals = [0, 2, 4, 6]
    trees = allowed_by(Kind.arborescence, literals, [], [3, 0, *arcs], variables=4)
    assert set(trees) == {(1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 0, 1)}
    single = allowed_by(Kind.arborescence, literals, [], [3, 1, *arcs], variables=4)
    assert set(single) == {(1, 0, 1, 0), (0, 1, 0, 1)}
    assert set(allowed_by(Kind.arborescence, [], [], [1, 1], variables=1)) == {(0,), (1,)}
    assert not allowed_by(Kind.arborescence, [], [], [2, 0], variables=1)


def test_an_own_factor_is_asked():
    graph = build([1.0, 1.0])
    graph.add_python_oracle(integers([X, Y ^ 1]), Listed([[1, 0], [1, 1]], [5.0, 7.0]))
    assert [check(graph, v).objective for v in ([1, 1], [1, 0], [0, 0])] == [7.0, 8.0, -math.inf]


def test_says_what_is_violated():
    graph = build([1.0, 1.0], (Kind.at_most_one, [X, Y]), (Kind.at_least_one, [X, Y]))
    graph.add_categorical(np.zeros(2))
    graph.fix(0, 0)
    found = check(graph, [1, 1, 0, 0])
    assert not found.feasible
    assert found.objective == -math.inf
    assert found.violated == (0,)
    assert found.messages == (
        "variable 0 is 1 against the evidence",
        "categorical variable 0 has 0 states on",
        "factor 0 (at_most_one) is violated",
    )


def test_takes_the_graph_of_the_user():
    graph = FactorGraph()
    graph.variables([1.0, 2.0])
    assert check(graph, [1, 1]).objective == 3.0


@pytest.mark.parametrize("values", [[], [0], [0, 1, 1], [0, 2], [0.5, 1], [[0, 1]]])
def test_refuses_what_is_no_assignment(values):
    with pytest.raises(UsageError):
        check(build([1.0, 2.0]), values)


def test_empty_graph():
    assert check(Graph(), []).objective == 0.0


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_agrees_with_exhaustive_search(graph):
    best = exhaustive(graph)
    if best.status == "OPTIMAL":
        assert check(graph, best.values).objective == pytest.approx(best.objective, abs=1e-9)
    else:
        assert not check(graph, np.zeros(graph.variables)).feasible
