"""The dual of Qian & Liu (2014), section 3.3, as a linear program, from the formulas of the paper.

A twin of `TreeCut`: it shares nothing with it but the spanning tree. Minimizing over the
multipliers is the same as letting both subproblems be fractional and agree on the states: the
tree's polytope is that of its edges' marginals, and a product with a nonnegative coefficient in a
supermodular function is the lesser of its factors.
"""

from __future__ import annotations

import itertools
from collections import defaultdict

import highspy
import numpy as np


def section_3_3_edges(problem):
    """The graph: pairs with a table, and those inside of negative patterns."""
    edges = {tuple(sorted(edge)) for edge in problem.edges}
    for states, weight in _patterns(problem):
        if weight < 0:
            edges |= set(itertools.combinations(sorted(v for v, _ in states), 2))
    return edges


def is_spanning(tree, edges):
    """Whether some edges join all that others join, without a cycle."""

    def parts(pairs):
        leader = {}

        def find(v):
            while leader.setdefault(v, v) != v:
                v = leader[v]
            return v

        merged = 0
        for u, v in pairs:
            merged += find(u) != find(v)
            leader[find(u)] = find(v)
        return merged

    return parts(tree) == parts(edges) == len(tree)


def section_3_3(problem, tree):
    """The least bound that tree and cut can come to."""
    first = problem.first
    pairs = _pair_scores(problem)
    tree = {tuple(edge) for edge in tree}
    model = highspy.Highs()
    model.silent()
    score = []
    y = [  # the states, and so the cut's nodes Z, which agree with them
        [model.addVariable(lb=0, ub=1) for _ in range(b - a)]
        for a, b in itertools.pairwise(first.tolist())
    ]
    for v, own in enumerate(y):
        model.addConstr(sum(own) == 1)
        score += [own[s] * problem.state_scores[first[v] + s] for s in range(len(own))]
    for (u, v), table in pairs.items():
        if (u, v) in tree:
            score += _tree_edge(model, table, y[u], y[v])
            continue
        psi = -table.min()
        score.append(-psi)
        for (s, t), cell in np.ndenumerate(table):
            score.append((psi + cell) * _lesser(model, y[u][s], y[v][t]))
    for states, weight in _patterns(problem):
        z = [y[v][s] for v, s in states]
        score += _h2(model, z, weight) if weight >= 0 else _h3_h4(model, z, -weight)
    model.maximize(sum(score))
    return model.getObjectiveValue()


def _tree_edge(model, table, of_u, of_v):
    cell = np.array([[model.addVariable(lb=0, ub=1) for _ in of_v] for _ in of_u], dtype=object)
    for s, own in enumerate(of_u):
        model.addConstr(sum(cell[s]) == own)
    for t, own in enumerate(of_v):
        model.addConstr(sum(cell[:, t]) == own)
    return [score * cell[where] for where, score in np.ndenumerate(table)]


def _lesser(model, *terms):
    product = model.addVariable(lb=0, ub=1)
    for term in terms:
        model.addConstr(product <= term)
    return product


def _h2(model, z, weight):
    u = model.addVariable(lb=0, ub=1)
    return [weight * _lesser(model, u, one) for one in z] + [-weight * (len(z) - 1) * u]


def _h3_h4(model, z, weight):
    def term(times, threshold):
        u = model.addVariable(lb=0, ub=1)
        return [weight * times * _lesser(model, u, one) for one in z] + [-weight * threshold * u]

    if len(z) == 3:
        return term(1, 1)
    return term(2, 3) + [part for j in range(1, len(z) - 3) for part in term(1, j + 2)]


def _pair_scores(problem):
    """phi of the pairs, and the weights of all negative patterns that a pair is in."""
    first = problem.first
    sizes = np.diff(first)
    found = defaultdict(lambda: 0.0)
    begin = 0
    for u, v in problem.edges:
        cells = problem.cells[begin : begin + sizes[u] * sizes[v]].reshape(sizes[u], sizes[v])
        begin += cells.size
        found[min(u, v), max(u, v)] += cells if u < v else cells.T
    for states, weight in _patterns(problem):
        if weight < 0:
            for (u, s), (v, t) in itertools.combinations(sorted(states), 2):
                table = np.zeros((sizes[u], sizes[v]))
                table[s, t] = weight
                found[u, v] += table
    return found


def _patterns(problem):
    vertex = np.repeat(np.arange(problem.vertices), np.diff(problem.first))
    for (a, b), weight in zip(
        itertools.pairwise(problem.pattern_begin), problem.pattern_weights, strict=True
    ):
        states = problem.pattern_states[a:b]
        yield [(int(vertex[s]), int(s - problem.first[vertex[s]])) for s in states], weight
