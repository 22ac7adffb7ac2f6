"""Small random graphs of every kind of factor, with all the oddities that are legal."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
from hypothesis import strategies as st

from treaty._native.graph import Graph, Kind

NO_DATA = np.array([], dtype=float)
AUTOMATA = [Kind.head_automaton, Kind.tri_sibling_automaton]
TREES = [Kind.general_tree, Kind.general_tree_counts]
ORACLES = [Kind.arborescence, Kind.sequence_budget, Kind.general_tree_counts, Kind.custom]
COMPACT = [kind for kind in Kind if kind not in ORACLES]
EVERY = list(Kind)

scores = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.5]),
    st.floats(-3, 3).map(lambda score: round(score, 3)),
)
cells = st.one_of(scores, st.just(-np.inf))


class Listed:
    """A user's own factor: it allows the configurations on its list."""

    def __init__(self, configurations, own_scores):
        self.configurations = np.array(configurations, dtype=np.int8)
        self.own_scores = np.array(own_scores, dtype=float)

    def maximize(self, slot_scores):
        best = int(np.argmax(self.configurations @ slot_scores + self.own_scores))
        return self.configurations[best], float(self.own_scores[best])

    def evaluate(self, configuration):
        same = np.all(self.configurations == configuration, axis=1)
        return float(self.own_scores[same].max(initial=-np.inf))


def integers(values):
    return np.array(values, dtype=np.int32)


def add(graph, kind, literals, data=(), shape=()):
    return graph.add(kind, integers(literals), np.array(data, dtype=float), integers(shape))


def build(variables, *factors):
    """A graph of binary variables with these scores, and factors as arguments of `add`."""
    graph = Graph()
    graph.add_variables(np.array(variables, dtype=float))
    for factor in factors:
        add(graph, *factor)
    return graph


@st.composite
def graphs(draw, kinds=EVERY, most_factors=4, evidence=True):
    """At most 8 binary variables, a few of them states, and some factors of these kinds."""
    graph = Graph()
    graph.add_variables(np.array(draw(st.lists(scores, min_size=1, max_size=4)), dtype=float))
    for _ in range(draw(st.integers(0, 2))):
        graph.add_categorical(np.array(draw(st.lists(scores, min_size=1, max_size=3)), dtype=float))
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=most_factors)):
        add_random(draw, graph, kind)
    if evidence:
        for variable in draw(st.lists(st.integers(0, graph.variables - 1), max_size=2)):
            graph.fix(variable, draw(st.sampled_from([0, 1])))
    return graph


def add_random(draw, graph, kind):
    """A factor over literals that may be negated and may occur twice."""

    def literals(least, most):
        literal = st.integers(0, 2 * graph.variables - 1)
        return draw(st.lists(literal, min_size=least, max_size=most))

    def numbers(strategy, count):
        return draw(st.lists(strategy, min_size=count, max_size=count))

    if kind == Kind.reward:
        return add(graph, kind, literals(1, 3), numbers(scores, 1))
    if kind in (Kind.at_most, Kind.exactly):
        return add(graph, kind, literals(1, 4), shape=[draw(st.integers(0, 3))])
    if kind == Kind.knapsack:
        y = literals(1, 4)
        costs = numbers(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.25]), len(y))
        return add(graph, kind, y, [*costs, draw(st.sampled_from([0.0, 0.5, 2.0, 3.0, 100.0]))])
    if kind in TREES:
        y, sizes = state_literals(draw, graph)
        parents, count = draw(trees(sizes))
        if kind == Kind.general_tree_counts:
            y += literals(len(sizes) + 1, len(sizes) + 1)
        return add(graph, kind, y, numbers(cells, count), [*sizes, *parents])
    if kind in (Kind.table, Kind.sequence, Kind.sequence_budget):
        y, shape = state_literals(draw, graph)
        pairs = itertools.pairwise(shape)
        chain = shape[0] + shape[-1] + sum(left * right for left, right in pairs)
        count = int(np.prod(shape)) if kind == Kind.table else chain
        budget = [draw(st.integers(0, 3))] if kind == Kind.sequence_budget else []
        return add(graph, kind, y, numbers(cells, count), [*budget, *shape])
    if kind == Kind.compression_tree:
        y = literals(1, 4)
        parent = [draw(st.integers(-1, i - 1)) for i in range(len(y))]
        return add(
            graph, kind, y, numbers(scores, len(y)), [*parent, draw(st.sampled_from([0, 1]))]
        )
    if kind == Kind.arborescence:
        nodes = draw(st.integers(1, 4))
        every = [(head, mod) for head in range(nodes) for mod in range(1, nodes) if head != mod]
        arcs = draw(st.lists(st.sampled_from(every), max_size=7)) if every else []
        y = literals(len(arcs), len(arcs))
        shape = [nodes, draw(st.sampled_from([0, 1])), *itertools.chain.from_iterable(arcs)]
        return add(graph, kind, y, shape=shape)
    if kind in AUTOMATA:
        data, shape = draw(automata(kind, cells))
        degree = sum(shape[:2])
        return add(graph, kind, literals(degree, degree), data, shape)
    if kind == Kind.custom:
        y = literals(1, 3)
        every = list(itertools.product([0, 1], repeat=len(y)))
        listed = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
        return graph.add_python_oracle(integers(y), Listed(listed, numbers(scores, len(listed))))
    return add(graph, kind, literals(1, 4))


@st.composite
def automata(draw, kind, cell, least=0):
    """Data and shape of a head automaton or a tri-sibling automaton with few modifiers."""
    modifiers = draw(st.integers(least, 3))
    if kind == Kind.tri_sibling_automaton:
        count, shape = comb(modifiers + 2, 3), [modifiers]
    else:
        grandparents, pairs = draw(st.integers(0, 2)), comb(modifiers + 2, 2)
        flag = draw(st.integers(0, min(1, grandparents)))
        count = grandparents * modifiers + pairs * (1 + flag * grandparents)
        shape = [grandparents, modifiers, flag]
    return draw(st.lists(cell, min_size=count, max_size=count)), shape


@st.composite
def trees(draw, sizes):
    """Parents of nodes with so many states, in any order below node 0, and the number of cells."""
    name = [0, *draw(st.permutations(range(1, len(sizes))))]
    parents = [-1] * len(sizes)
    for i in range(1, len(sizes)):
        parents[name[i]] = name[draw(st.integers(0, i - 1))]
    return parents, sum(sizes[p] * sizes[i] for i, p in enumerate(parents) if p >= 0)


def state_literals(draw, graph):
    """Literals for one to three variables of a table: true states, or any literals at all."""
    y, shape = [], []
    for _ in range(draw(st.integers(1, 3))):
        if len(graph.categorical_first) and draw(st.booleans()):
            c = draw(st.integers(0, len(graph.categorical_first) - 1))
            first, size = int(graph.categorical_first[c]), int(graph.categorical_size[c])
            y += [2 * (first + state) for state in range(size)]
        else:
            size = draw(st.integers(1, 3))
            literal = st.integers(0, 2 * graph.variables - 1)
            y += draw(st.lists(literal, min_size=size, max_size=size))
        shape.append(size)
    return y, shape
