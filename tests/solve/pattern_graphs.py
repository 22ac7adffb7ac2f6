"""Small random pattern problems, written in every way a user may write them."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

from treaty.graph import FactorGraph

# Ties, zeros, huge and tiny numbers.
weights = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, -2.0]),
    st.floats(-3, 3).map(lambda weight: round(weight, 3)),
)
magnitudes = st.sampled_from([1.0, 1.0, 1.0, 1e-6, 1e9])


@st.composite
def pattern_graphs(draw, most_vertices=5, most_labels=3, forbidding=True, evidence=True):
    """Categorical and binary variables, tables, a sequence, rewards and ANDs of any size."""
    graph, size = FactorGraph(), draw(magnitudes)
    number = weights.map(lambda weight: weight * size)
    cell = st.one_of(number, number, number, st.just(-np.inf)) if forbidding else number

    def numbers(shape, of=number):
        count = int(np.prod(shape))
        return np.array(draw(st.lists(of, min_size=count, max_size=count))).reshape(shape)

    vertices = [
        _vertex(graph, draw, numbers, most_labels)
        for _ in range(draw(st.integers(1, most_vertices)))
    ]
    sizes = [len(states) for _, states in vertices]
    order = draw(st.permutations(range(len(vertices))))
    if draw(st.booleans()):
        named = [v for v in order if vertices[v][0] is not None]
        chain = named[: draw(st.integers(1, len(order)))]
        edges = [numbers((sizes[u], sizes[v]), cell) for u, v in itertools.pairwise(chain)]
        if chain:
            graph.sequence([vertices[v][0] for v in chain], edges, numbers(sizes[chain[0]]))
    for _ in range(draw(st.integers(0, 4))):
        scope = draw(st.permutations(range(len(vertices))))[
            : draw(st.integers(1, min(3, len(vertices))))
        ]
        if all(vertices[v][0] is not None for v in scope):
            table = numbers([sizes[v] for v in scope], cell)
            graph.table([vertices[v][0] for v in scope], table)
    for _ in range(draw(st.integers(0, 5))):
        scope = draw(st.permutations(range(len(vertices))))[: draw(st.integers(1, len(vertices)))]
        states = [draw(st.sampled_from(vertices[v][1])) for v in scope]
        if draw(st.booleans()):
            graph.reward(*states, draw(number))
        else:
            output = graph.variable(draw(number))
            graph.and_with_output(states, output)
            if evidence and draw(st.integers(0, 9)) == 0:
                graph.fix(output, draw(st.booleans()))
    if evidence and draw(st.integers(0, 4)) == 0:
        graph.fix(draw(st.sampled_from(draw(st.sampled_from(vertices))[1])), draw(st.booleans()))
    return graph


def _vertex(graph, draw, numbers, most_labels):
    """What tables call a variable (None where they cannot), and the literals of its states."""
    labels = draw(st.integers(1, most_labels))
    form = draw(st.sampled_from(["categorical", "exactly_one", "binary"]))
    if form == "categorical":
        variable = graph.categorical(numbers(labels))
        return variable, list(variable)
    if form == "exactly_one":
        states = graph.variables(numbers(labels))
        graph.exactly_one(*states)
        return None, states
    literal = graph.variable(numbers(1)[0])
    return literal, [~literal, literal]


def labelings(problem):
    """Every way to label the vertices of a native pattern problem."""
    sizes = np.diff(problem.first)
    return (np.array(labels, np.int32) for labels in itertools.product(*map(range, sizes)))
