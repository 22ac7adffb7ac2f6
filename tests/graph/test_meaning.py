"""What every kind of factor means, by hand and against the definition of the test suite."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from tests.solve.random_graphs import build

from treaty._native.graph import Kind
from treaty.solve._check import check

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


def test_sequence_budget_counts_first_states():
    data = [1.0, 2.0, 10.0, 20.0, 30.0, 40.0, 100.0, 200.0]
    found = allowed_by(Kind.sequence_budget, [0, 2, 4, 6], data, [1, 2, 2], variables=4)
    assert found == {(1, 0, 0, 1): 221.0, (0, 1, 1, 0): 132.0, (0, 1, 0, 1): 242.0}


def test_general_tree_adds_its_edges_and_counts_its_first_states():
    edges = [1.0, 2.0, 3.0, -np.inf]
    found = allowed_by(Kind.general_tree, [0, 2, 4, 6], edges, [2, 2, -1, 0], variables=4)
    assert found == {(1, 0, 1, 0): 1.0, (1, 0, 0, 1): 2.0, (0, 1, 1, 0): 3.0}
    literals = [0, 1, 2, 3, 5, 4, 4 ^ 1]  # binary x and y with first states x and y
    counted = allowed_by(Kind.general_tree_counts, literals, edges, [2, 2, -1, 0])
    assert counted == {(1, 0, 1): 2.0, (0, 1, 1): 3.0}


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


@pytest.mark.parametrize("seed", range(30))
def test_every_assignment_scores_as_the_tests_define_it(seed, random_graph, objective):
    """The checker's numpy against the definitions in tests/conftest.py."""
    graph = random_graph(random.Random(seed))
    for values in itertools.product([0, 1], repeat=len(graph)):
        found = check(graph, values).objective
        assert found == pytest.approx(objective(graph, values), abs=1e-9)


@pytest.mark.parametrize(
    ("grandparents", "modifiers", "flag"), [(0, 2, 0), (1, 2, 0), (2, 2, 1), (2, 0, 1), (0, 0, 0)]
)
def test_automata_score_as_the_tests_define_it(grandparents, modifiers, flag, objective):
    from treaty.graph import FactorGraph

    rng, graph = np.random.default_rng(3), FactorGraph()
    arcs, words = graph.variables(np.zeros(grandparents)), graph.variables(np.zeros(modifiers))
    pairs = math.comb(modifiers + 2, 2)
    more = {"grand_siblings": rng.normal(size=(grandparents, pairs))} if flag else {}
    if grandparents:
        more["grandparent_scores"] = rng.normal(size=(grandparents, modifiers))
    graph.head_automaton(words, rng.normal(size=pairs), arcs, **more)
    graph.tri_sibling_automaton(words, rng.normal(size=math.comb(modifiers + 2, 3)))
    for values in itertools.product([0, 1], repeat=len(graph)):
        found = check(graph, values).objective
        assert found == pytest.approx(objective(graph, values), abs=1e-9)
