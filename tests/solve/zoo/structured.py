"""Tables, sequences, trees and users' own factors."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.solve.zoo.keeper import NO, keeper

from treaty.graph import FactorGraph


@keeper(3.0)
def table_with_forbidden_cells():
    """The best cell (9) is forbidden by the score of its row, the next (5) costs 2."""
    graph = FactorGraph()
    row, column = graph.categorical([-8.0, 0.0, -2.0]), graph.categorical([0.0, 0.0])
    graph.table([row, column], [[9.0, NO], [NO, 1.0], [2.0, 5.0]])
    return graph


@keeper(4.0)
def table_of_three():
    """Worth 4 only where the states differ in all three variables and start with 0."""
    graph = FactorGraph()
    chosen = [graph.categorical([0.0, 0.0, 0.0]) for _ in range(3)]
    scores = np.full((3, 3, 3), NO)
    scores[0, 1, 2], scores[0, 2, 1], scores[1, 0, 2], scores[2, 2, 2] = 3.0, 4.0, 2.0, 1.0
    graph.table(chosen, scores)
    return graph


@keeper(1.5)
def table_of_literals():
    """States are (~x, x) and, for the negated literal, (y, ~y): both x and y on."""
    graph = FactorGraph()
    x, y = graph.variables([0.5, 0.5])
    graph.table([x, ~y], [[0.0, 0.4], [0.5, NO]])
    return graph


@keeper(6.0)
def sequence():
    """0 1 1 scores 1 + 2 + 1 by states and 2 by edges; staying in 0 is forbidden."""
    graph = FactorGraph()
    tags = [graph.categorical(scores) for scores in ([1.0, 0.5], [0.5, 2.0], [1.5, 1.0])]
    graph.sequence(tags, [[NO, 1.0], [0.0, 1.0]], stop=[-1.0, 0.0])
    return graph


@keeper(3.5, tight=False)
def sequences_that_cross():
    """All in state 2: 1.5 by states and 2 by edges. That c and a differ would cost as much."""
    graph = FactorGraph()
    a, b, c = (graph.categorical([0.0, 0.25, 0.5]) for _ in range(3))
    x = graph.variable(-1.0)
    graph.sequence([a, b, c], np.eye(3))
    graph.sequence([c, a, x], [1 - np.eye(3), [[0.0, 0.5], [0.0, NO], [0.0, NO]]])
    return graph


@keeper(1.75)
def compression_tree():
    """Keep the root and child 1; cutting child 2 pays 0.75, its own child would pay 1."""
    graph = FactorGraph()
    words = graph.variables([0.5, 0.5, -0.5, 0.6])
    graph.compression_tree(words, [None, 0, 0, 2], cut_scores=[0.0, -1.0, 0.75, 0.0])
    return graph


@keeper(0.0)
def compression_tree_whose_root_needs_a_child():
    """The root alone is worth 1 but not allowed; with its cheapest child it is worth -0.5."""
    graph = FactorGraph()
    words = graph.variables([1.0, -1.5, -2.0])
    graph.compression_tree(words, [None, 0, 0], root_needs_child=True)
    return graph


ARCS = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 1), (2, 3), (3, 2), (1, 3)]
ARC_SCORES = [5.0, 5.0, 1.0, 4.0, 4.5, 3.0, 9.0, 2.0]


@keeper(16.0)
def arborescence():
    """0 -> 1 (5), 1 -> 3 (2), 3 -> 2 (9), where the greedy choice 3 -> 2 -> 3 is a cycle."""
    graph = FactorGraph()
    graph.arborescence(ARCS, graph.variables(ARC_SCORES))
    return graph


@keeper(15.0)
def arborescence_with_a_taboo():
    """With 1 -> 3 ruled out, node 3 hangs on the root: 5 + 1 + 9."""
    graph = FactorGraph()
    arcs = graph.variables(ARC_SCORES)
    graph.arborescence(ARCS, arcs)
    graph.at_most_one(arcs[0], arcs[7])
    graph.implies(arcs[6], ~arcs[4])
    return graph


@keeper(10.5)
def arborescence_with_a_single_root():
    """Two arcs from the root are worth 12, one of them with its chain 10.5."""
    graph = FactorGraph()
    graph.arborescence([(0, 1), (0, 2), (1, 2), (2, 1)], graph.variables([6, 6, 4.5, 1]), 3, True)
    return graph


@keeper(5.5)
def head_automaton():
    """Modifiers 1 and 3: 2 for those two side by side pays for 1 on and for 2 left out."""
    graph = FactorGraph()
    siblings = np.zeros((5, 5))
    siblings[0, 1], siblings[1, 3], siblings[1, 2], siblings[3, 4] = 1.0, 2.0, -3.0, 0.5
    graph.head_automaton(graph.variables([-1.0, 2.0, 3.0]), siblings)
    return graph


@keeper(5.0)
def head_automaton_with_grandparents():
    """The arc worth less brings more: 1 by itself, 2 + 5 by its modifiers, -3 by their steps."""
    graph = FactorGraph()
    incoming, modifiers = graph.variables([2.0, 1.0]), graph.variables([0.0, 0.0])
    siblings = np.where(np.eye(4, k=3) > 0, 0.0, -1.0)
    graph.head_automaton(modifiers, siblings, incoming, [[1.0, 1.0], [2.0, 5.0]])
    return graph


@keeper(2.5)
def head_automaton_with_grand_siblings():
    """The first grandparent allows no modifier, the second no END right after START."""
    graph = FactorGraph()
    incoming, modifiers = graph.variables([1.5, 0.0]), graph.variables([1.0, 1.0])
    grand = np.full((2, 4, 4), NO)
    grand[0, 0, 3], grand[1, 0, 2], grand[1, 2, 3] = 0.0, 0.5, 1.0
    graph.head_automaton(modifiers, np.zeros((4, 4)), incoming, grand_siblings=grand)
    return graph


@keeper(-0.5)
def automata_without_modifiers():
    """Only START and END are left to score, for whichever arc comes in."""
    graph = FactorGraph()
    graph.head_automaton([], [-1.0])
    graph.head_automaton([], [0.0], graph.variables([1.0, 0.5]), None, [[-2.0], [0.0]])
    graph.tri_sibling_automaton([], [])
    return graph


@keeper(3.0)
def tri_sibling_automaton():
    """Two in a row cost 5, three of them pay 6; without scores for pairs, 1 and 3 are worth 1."""
    graph = FactorGraph()
    scores = np.zeros((5, 5, 5))
    scores[0, 1, 2], scores[1, 2, 3], scores[0, 1, 3] = -5.0, 6.0, -2.0
    graph.tri_sibling_automaton(graph.variables([1.0, -1.0, 2.0]), scores)
    return graph


@keeper(14.0, tight=False)
def a_tree_with_automata():
    """0 -> {1, 3} and 3 -> 2: 15 by arcs, -2 by the root's triples, 1 since 2 has no modifiers.

    0 -> 1 -> 3 -> 2 pays 16 + 1, but 5 for a root with 1 alone; 0 -> 2 -> {1, 3} is worth 13.
    """
    graph = FactorGraph()
    arcs = graph.variables(ARC_SCORES)
    graph.arborescence(ARCS, arcs)
    from_root = np.zeros((5, 5))
    from_root[1, 4] = -4.0
    graph.head_automaton(arcs[:3], from_root)
    graph.tri_sibling_automaton(arcs[:3], -np.ones((5, 5, 5)))
    graph.head_automaton([arcs[4]], [0.0, 0.5, 0.0], [arcs[1], arcs[3], arcs[6]], [[0.5], [0], [0]])
    graph.head_automaton([arcs[5]], [0.0, 0.5, 0.0], [arcs[1], arcs[3], arcs[6]], [[1.0], [0], [0]])
    return graph


@keeper(1.0)
def arborescence_of_the_root_alone():
    graph = FactorGraph()
    graph.variables([1.0, -1.0])
    graph.arborescence([], [], nodes=1)
    return graph


class AllEqual:
    """All on, for a bonus, or all off."""

    def __init__(self, bonus: float) -> None:
        self.bonus = bonus

    def maximize(self, scores):
        on = scores.sum() + self.bonus > 0
        return np.full(len(scores), float(on)), self.bonus * on

    def evaluate(self, configuration):
        equal = configuration.min() == configuration.max()
        return self.bonus * int(configuration[0]) if equal else -math.inf


@keeper(0.75)
def own_factor_in_python():
    """All equal, for a bonus: 2 - 3 + 1.25 + 0.5; the neighbor wants the second off, in vain."""
    graph = FactorGraph()
    a, b, c, d = graph.variables([2.0, -3.0, 1.25, 0.25])
    graph.factor(AllEqual(0.5), [a, b, c])
    graph.at_most_one(d, ~b)
    graph.reward(~b, 0.25)
    graph.reward(d, -0.25)
    return graph


ALL_EQUAL = """
extern "C" double all_equal(const double* scores, long degree, unsigned char* on, void* bonus) {
  double sum = *static_cast<double*>(bonus);
  for (long i = 0; i < degree; ++i) sum += scores[i];
  for (long i = 0; i < degree; ++i) on[i] = sum > 0;
  return sum > 0 ? *static_cast<double*>(bonus) : 0.0;
}
"""


@cache
def compiled_all_equal():
    """The C function, compiled once; tests without a compiler are skipped."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no compiler")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "all_equal.cpp"), Path(folder, "all_equal.so")
        source.write_text(ALL_EQUAL)
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        return ctypes.CDLL(str(library)).all_equal


BONUS = ctypes.c_double(0.5)


@keeper(0.75)
def own_factor_compiled():
    """The same as in Python."""
    graph = FactorGraph()
    a, b, c = graph.variables([2.0, -3.0, 1.25])
    graph.compiled_factor(compiled_all_equal(), [a, b, c], ctypes.addressof(BONUS))
    graph.at_least_one(a, b)
    return graph


@keeper(1.75)
def a_sequence_with_a_budget():
    """Three first states would be 3.0 + 2 * 0.5; only one may be taken, that of the last."""
    graph = FactorGraph()
    words = [graph.categorical([score, 0.0]) for score in (1.0, 0.75, 1.25)]
    graph.sequence_budget(1, words, [[0.5, 0.25], [0.25, 0.0]])
    graph.table([words[0], words[2]], [[0.0, 0.0], [0.25, 0.0]])
    return graph


@keeper(2.5)
def a_tree_of_states():
    """The root's first state is worth less alone, but its children like it."""
    graph = FactorGraph()
    root, left, right = (graph.categorical([0.0, 0.5]) for _ in range(3))
    likes = [[0.25, 0.75], [0.0, NO]]
    graph.general_tree([root, left, right], [None, 0, 0], [likes, likes])
    return graph


@keeper(1.5)
def a_tree_with_counts():
    """All three first states are best alone (1.5 + 0.3), but three of them cost 1."""
    graph = FactorGraph()
    nodes = [graph.categorical([0.5, 0.0]) for _ in range(3)]
    counts = graph.variables([0.0, 0.0, 0.25, -1.0])
    edges = [[[0.25, 0.0], [0.0, 0.0]], [[0.05, 0.0], [0.0, 0.0]]]
    graph.general_tree(nodes, [None, 0, 1], edges, counts)
    return graph
