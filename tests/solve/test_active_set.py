"""Projections by the active-set method, against all vertices of small factors.

`project` returns the z' that minimizes 1/2 |z' - z|^2 - step * score(z') over the hull of a
factor's configurations y with own scores s, where score is the upper envelope of the s.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, nnls
from tests.solve.random_graphs import AUTOMATA, TREES, add, automata, scores, trees

from treaty._native.graph import Graph, GraphError, Kind

CHAINS = [[2], [3], [2, 2], [2, 3], [3, 2, 2]]
TABLES = [[2], [3], [2, 2], [3, 2], [3, 3], [2, 2, 2], [2, 3, 2]]
cells = st.one_of(scores, scores, st.just(-math.inf))
steps = st.sampled_from([1e-3, 0.1, 1.0, 10.0])


def alone(kind: Kind, degree: int, data=(), shape=()) -> Graph:
    """A graph of one factor over variables of its own."""
    graph = Graph()
    graph.add_variables(np.zeros(degree))
    add(graph, kind, [2 * v for v in range(degree)], data, shape)
    return graph


def draws(strategy, count: int):
    return st.lists(strategy, min_size=count, max_size=count)


@st.composite
def tables(draw):
    shape = draw(st.sampled_from(TABLES))
    return alone(Kind.table, sum(shape), draw(draws(cells, math.prod(shape))), shape)


@st.composite
def sequences(draw):
    shape = draw(st.sampled_from(CHAINS))
    edges = sum(a * b for a, b in itertools.pairwise(shape))
    data = draw(draws(cells, shape[0] + edges + shape[-1]))
    return alone(Kind.sequence, sum(shape), data, shape)


@st.composite
def budgets(draw):
    shape = draw(st.sampled_from(CHAINS))
    edges = sum(a * b for a, b in itertools.pairwise(shape))
    data = draw(draws(cells, shape[0] + edges + shape[-1]))
    budget = draw(st.integers(0, len(shape)))
    return alone(Kind.sequence_budget, sum(shape), data, [budget, *shape])


@st.composite
def general_trees(draw):
    sizes = draw(st.sampled_from(CHAINS))
    kind = draw(st.sampled_from(TREES))
    parents, count = draw(trees(sizes))
    degree = sum(sizes) + (len(sizes) + 1 if kind == Kind.general_tree_counts else 0)
    return alone(kind, degree, draw(draws(cells, count)), [*sizes, *parents])


@st.composite
def compression_trees(draw):
    nodes = draw(st.integers(1, 6))
    parents = [draw(st.integers(-1, node - 1)) for node in range(nodes)]
    flag = draw(st.sampled_from([0, 1]))
    return alone(Kind.compression_tree, nodes, draw(draws(scores, nodes)), [*parents, flag])


@st.composite
def arborescences(draw):
    nodes = draw(st.integers(2, 4))
    every = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m]
    arcs = draw(st.lists(st.sampled_from(every), min_size=1, max_size=9))
    shape = [nodes, draw(st.sampled_from([0, 1])), *itertools.chain.from_iterable(arcs)]
    return alone(Kind.arborescence, len(arcs), shape=shape)


@st.composite
def head_automata(draw):
    kind = draw(st.sampled_from(AUTOMATA))
    data, shape = draw(automata(kind, cells, least=1))
    return alone(kind, sum(shape[:2]), data, shape)


factors = st.one_of(
    *(tables(), sequences(), budgets(), general_trees()),
    *(compression_trees(), arborescences(), head_automata()),
)


def vertices(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Every configuration of the factor, and its own score."""
    every = np.array(list(itertools.product((0, 1), repeat=graph.variables)), dtype=np.int8)
    own = np.array([graph.evaluate(0, y) for y in every])
    return every[own > -np.inf].astype(float), own[own > -np.inf]


def assert_optimal(graph: Graph, z: np.ndarray, step: float, projected: np.ndarray) -> None:
    """No vertex lies in a direction of descent, and those that tie for it make up the point."""
    y, own = vertices(graph)
    promise = y @ (z - projected) + step * own
    size = 1.0 + np.abs(z).max() + step * np.abs(own).max()
    best = promise >= promise.max() - 1e-7 * size
    columns = np.vstack([y[best].T, np.ones(best.sum())])
    _, distance = nnls(columns, np.append(projected, 1.0))
    assert distance < 1e-6


@given(factors, st.data(), steps)
@settings(max_examples=150, deadline=None)
def test_projection_is_optimal(graph, data, step):
    z = np.array(data.draw(draws(st.one_of(scores, st.just(0.5)), graph.variables)))
    if not len(vertices(graph)[0]):
        with pytest.raises(GraphError, match="no assignment"):
            graph.project(0, z, step)
    else:
        assert_optimal(graph, z, step, graph.project(0, z, step))


@given(factors, st.data(), st.sampled_from([1.0, 1e9]), st.sampled_from([1e-9, 1.0, 1e9]))
@settings(max_examples=100, deadline=None)
def test_projection_of_points_far_away(graph, data, size, step):
    z = size * np.array(data.draw(draws(st.integers(-2, 2).map(float), graph.variables)))
    if len(vertices(graph)[0]):
        assert_optimal(graph, z, step, graph.project(0, z, step))


@given(factors, st.data(), steps)
@settings(max_examples=40, deadline=None)
def test_projection_solves_the_quadratic_program_over_the_vertices(graph, data, step):
    y, own = vertices(graph)
    z = np.array(data.draw(draws(scores, graph.variables)))
    if not 1 <= len(y) <= 20:
        return

    def objective(weights):
        return 0.5 * np.sum((weights @ y - z) ** 2) - step * own @ weights

    def gradient(weights):
        return y @ (weights @ y - z) - step * own

    best = minimize(
        objective,
        np.full(len(y), 1 / len(y)),
        jac=gradient,
        bounds=[(0, 1)] * len(y),
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    np.testing.assert_allclose(graph.project(0, z, step), best.x @ y, atol=2e-4)


@given(factors, st.data(), steps)
@settings(max_examples=100, deadline=None)
def test_projections_do_not_move_points_apart(graph, data, step):
    if not len(vertices(graph)[0]):
        return
    a, b = (np.array(data.draw(draws(scores, graph.variables))) for _ in range(2))
    apart = np.linalg.norm(graph.project(0, a, step) - graph.project(0, b, step))
    assert apart <= np.linalg.norm(a - b) + 1e-7


@given(arborescences(), st.data())
@settings(max_examples=50, deadline=None)
def test_points_of_the_polytope_stay_where_they_are(graph, data):
    y, _ = vertices(graph)
    if len(y):
        weights = np.array(data.draw(draws(st.integers(0, 3).map(float), len(y)))) + 1e-3
        point = weights / weights.sum() @ y
        np.testing.assert_allclose(graph.project(0, point, 1.0), point, atol=1e-8)


def test_a_large_tree_projects_onto_its_polytope():
    nodes = 15
    arcs = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m]
    graph = alone(
        Kind.arborescence, len(arcs), shape=[nodes, 0, *itertools.chain.from_iterable(arcs)]
    )
    rng = np.random.default_rng(0)
    for _ in range(5):
        z = rng.normal(size=len(arcs))
        projected = graph.project(0, z, 1.0)
        heads = np.bincount([m for _, m in arcs], projected, nodes)
        np.testing.assert_allclose(heads[1:], 1.0, atol=1e-9)
        assert projected.min() >= -1e-12
        value, tree = graph.maximize(0, z - projected)  # the gap of the linearized problem
        assert value - (z - projected) @ projected < 1e-8
        assert tree.sum() == nodes - 1
