"""Evidence, infeasible graphs, frustrated ones, ties, and scores of every size."""

from __future__ import annotations

import itertools
import math

import numpy as np
from tests.solve.zoo.keeper import NO, keeper

from treaty.graph import FactorGraph

# Evidence


@keeper(-1.5)
def evidence_that_decides_everything():
    """a on turns b off, which turns c on; d follows from c."""
    graph = FactorGraph()
    a, b, c, d = graph.variables([-3.0, 4.0, 1.0, 0.25])
    graph.fix(a)
    graph.at_most_one(a, b)
    graph.at_least_one(b, c)
    graph.or_with_output([b, c], d)
    graph.reward(c, d, 0.25)
    return graph


@keeper(1.25)
def evidence_in_a_sequence_and_a_table():
    """The middle is fixed in state 1 and state 0 of the last is ruled out."""
    graph = FactorGraph()
    a, b, c = (graph.categorical([1.0, 0.0, 0.0]) for _ in range(3))
    graph.fix(b, 1)
    graph.fix(~c[0])
    graph.sequence([a, b, c], [np.eye(3) * 0.5, [[2.0, 2.0, 2.0], [1.0, 0.0, 0.25], [0, 0, 0]]])
    graph.table([a, c], [[0.0, -5.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    return graph


@keeper(2.0)
def evidence_in_a_tree():
    """The arc 2 -> 1 is forced, though 0 -> 1 is better."""
    graph = FactorGraph()
    arcs = graph.variables([9.0, 1.0, 5.0, 1.0])
    graph.fix(arcs[3])
    graph.arborescence([(0, 1), (0, 2), (1, 2), (2, 1)], arcs)
    return graph


# Without a solution


@keeper(NO)
def contradicting_evidence():
    graph = FactorGraph()
    a, b = graph.variables([1.0, 1.0])
    graph.at_most_one(a, b)
    graph.fix(a)
    graph.fix(b)
    return graph


@keeper(NO)
def three_out_of_two():
    graph = FactorGraph()
    graph.exactly(3, graph.variables([1.0, 1.0]))
    return graph


@keeper(NO)
def a_knapsack_in_debt():
    graph = FactorGraph()
    graph.knapsack(graph.variables([1.0]), [1.0], -1.0)
    return graph


@keeper(NO)
def a_table_that_forbids_everything():
    graph = FactorGraph()
    graph.table([graph.categorical([1.0, 2.0]), graph.variable(1.0)], np.full((2, 2), NO))
    return graph


@keeper(NO)
def a_sequence_without_a_way_through():
    graph = FactorGraph()
    tags = [graph.categorical([1.0, 2.0]) for _ in range(3)]
    graph.sequence(tags, [[[0.0, NO], [0.0, NO]], [[NO, NO], [0.0, 0.0]]])
    return graph


@keeper(NO)
def a_node_out_of_reach():
    graph = FactorGraph()
    graph.arborescence([(0, 1), (2, 3), (3, 2)], graph.variables([1.0, 1.0, 1.0]))
    return graph


@keeper(NO, tight=False)
def differences_around_an_odd_circle():
    graph = FactorGraph()
    nodes = graph.variables([1.0, 2.0, 3.0])
    for left, right in itertools.combinations(nodes, 2):
        graph.exactly_one(left, right)
    return graph


@keeper(NO)
def an_own_factor_against_another():
    class Never:
        def maximize(self, scores):
            return np.zeros(len(scores)), -math.inf

        def evaluate(self, configuration):
            return -math.inf

    graph = FactorGraph()
    graph.factor(Never(), graph.variables([1.0, 1.0]))
    return graph


def coloring(edges, nodes, colors, score=lambda node, color: 0.0):
    graph = FactorGraph()
    chosen = [graph.categorical([score(n, c) for c in range(colors)]) for n in range(nodes)]
    for a, b in edges:
        graph.table([chosen[a], chosen[b]], np.where(np.eye(colors) == 1, NO, 0.0))
    return graph


TRIANGLE = [(0, 1), (1, 2), (0, 2)]


@keeper(NO, tight=False)
def two_colors_on_a_triangle():
    """The relaxation is feasible: every node half red, half blue."""
    return coloring(TRIANGLE, 3, 2)


@keeper(NO, tight=False)
def three_colors_on_four_neighbors():
    """The relaxation is feasible with a third of each color."""
    return coloring(itertools.combinations(range(4), 2), 4, 3)


# Frustrated: the relaxation is not tight


@keeper(2.0, tight=False)
def triangle_that_wants_to_differ():
    """Of three pairs two at most can differ; the relaxation, all halves, gets 3."""
    graph = FactorGraph()
    for a, b in itertools.combinations(graph.variables([0.0, 0.0, 0.0]), 2):
        graph.reward(a, ~b, 1.0)
        graph.reward(~a, b, 1.0)
    return graph


@keeper(2.0, tight=False)
def independent_set_on_a_pentagon():
    """Two nodes; the relaxation gets 2.5."""
    graph = FactorGraph()
    nodes = graph.variables([1.0] * 5)
    for i in range(5):
        graph.at_most_one(nodes[i], nodes[(i + 1) % 5])
    return graph


@keeper(6.0, tight=False)
def two_colors_on_a_pentagon_of_tables():
    """Four of five neighbors differ (1.5 each); the relaxation has all five differ."""
    graph = FactorGraph()
    nodes = [graph.categorical([0.0, 0.0]) for _ in range(5)]
    for i in range(5):
        graph.table([nodes[i], nodes[(i + 1) % 5]], 1.5 * (1 - np.eye(2)))
    return graph


@keeper(-2.0, tight=False)
def set_cover_by_triangles():
    """Each of the three elements is in two of the three sets: two sets; 1.5 in the relaxation."""
    graph = FactorGraph()
    for a, b in itertools.combinations(graph.variables([-1.0, -1.0, -1.0]), 2):
        graph.at_least_one(a, b)
    return graph


@keeper(6.0)
def three_colors_on_a_triangle():
    """Node n likes color n."""
    return coloring(TRIANGLE, 3, 3, score=lambda node, color: 2.0 * (node == color))


# Ties, and scores of every size


@keeper(0.0)
def ties_everywhere():
    graph = FactorGraph()
    x = graph.variables(np.zeros(6))
    a, b = graph.categorical([0.0, 0.0]), graph.categorical([0.0, 0.0, 0.0])
    graph.exactly_one(x[:3])
    graph.exactly(2, x[2:])
    graph.or_with_output(x[:2], x[5])
    graph.reward(x[0], x[3], 0.0)
    graph.table([a, b], np.zeros((2, 3)))
    graph.sequence([b, a, x[4]], [np.zeros((3, 2)), np.zeros((2, 2))])
    return graph


@keeper(0.0)
def ties_in_a_tree_of_states():
    """The arcs are the states of one variable and x: only 0 -> 1 and 1 -> 2 make a tree."""
    graph = FactorGraph()
    x, states = graph.variable(0.0), graph.categorical([0.0, 0.0, 0.0])
    arcs = [states[1], states[2], x, states[0]]
    graph.arborescence([(0, 1), (0, 2), (1, 2), (2, 1)], arcs, single_root=True)
    graph.at_most_one(states[1], states[2])
    graph.at_least_one(~x, states[0], states[2], states[1])
    return graph


@keeper(2.0)
def ties_among_trees():
    graph = FactorGraph()
    arcs = [(h, m) for h in range(3) for m in (1, 2) if h != m]
    graph.arborescence(arcs, graph.variables(np.ones(len(arcs))))
    return graph


def rivals(size):
    """a and c are worth 3 - 0.25 together, b alone, with both off, 2.5 + 0.125."""
    graph = FactorGraph()
    a, b, c, d = graph.variables(size * np.array([1.5, 2.5, 1.5, 0.25]))
    graph.at_most_one(a, b)
    graph.at_most_one(b, c)
    graph.at_most_one(a, d)
    graph.at_most_one(c, d)
    graph.at_most_one(b, d)
    graph.reward(a, c, -0.25 * size)
    graph.reward(~a, ~c, 0.125 * size)
    return graph


@keeper(2.75e9, tight=False)
def frustrated_scores_of_a_billion():
    return rivals(1e9)


@keeper(2.75e-9, tight=False)
def frustrated_scores_of_a_billionth():
    return rivals(1e-9)


def chain(size):
    """States 1 0 1: three of the four states' best (1 + 1 + 2), and both edges (0.5 each)."""
    graph = FactorGraph()
    tags = [graph.categorical(size * np.array(s)) for s in ([0.0, 1.0], [1.0, 1.5], [0.0, 2.0])]
    graph.sequence(tags, size * 0.5 * (1 - np.eye(2)))
    graph.at_most(2, [tag[1] for tag in tags])
    return graph


@keeper(5.0e9)
def scores_of_a_billion():
    return chain(1e9)


@keeper(5.0e-9)
def scores_of_a_billionth():
    return chain(1e-9)


@keeper(1.0e9 + 1.5)
def scores_of_both_sizes():
    """The billion decides first; among what is left the small ones matter still."""
    graph = FactorGraph()
    a, b, c = graph.variables([1e9, 1.0, 1.5])
    graph.at_most_one(b, c)
    graph.reward(~a, b, 1e8)
    return graph
