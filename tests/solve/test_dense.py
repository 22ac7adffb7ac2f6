"""Many tables of pairs: bounds, removed labels and proofs against enumeration and HiGHS."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

from treaty import FactorGraph
from treaty._native import solve as native
from treaty.solve import check, solve

SCORES = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-10, 10, allow_nan=False),
    st.sampled_from([0.0, 1e-12, -1e6, 1e6]),
    st.just(-math.inf),
)


def complete(tables, labels):
    """A table for every two of some variables."""
    graph = FactorGraph()
    variables = [graph.categorical(np.zeros(k)) for k in labels]
    for (a, b), cells in zip(itertools.combinations(variables, 2), tables, strict=True):
        graph.table([a, b], cells)
    return graph


@st.composite
def dense_graphs(draw):
    labels = draw(st.lists(st.integers(1, 3), min_size=9, max_size=9))
    shapes = [(a, b) for a, b in itertools.combinations(labels, 2)]
    tables = [
        np.array(draw(st.lists(SCORES, min_size=a * b, max_size=a * b))).reshape(a, b)
        for a, b in shapes
    ]
    return complete(tables, labels)


@settings(deadline=None, max_examples=12)
@given(graph=dense_graphs())
def test_it_proves_what_enumeration_finds(graph):
    expected = solve(graph, "exhaustive")
    found = solve(graph, "exact")
    if not math.isfinite(expected.objective):
        assert found.status == "INFEASIBLE"
        return
    assert found.objective <= expected.objective + 1e-9 * max(1.0, abs(expected.objective))
    assert found.bound >= expected.objective - 1e-9 * max(1.0, abs(expected.objective))
    if found.status == "OPTIMAL":
        assert found.objective == pytest.approx(expected.objective, rel=1e-6, abs=1e-6)
    assert check(graph, found.values).objective == pytest.approx(found.objective)


def random_complete(vertices=10, labels=3, seed=0):
    random = np.random.default_rng(seed)
    count = vertices * (vertices - 1) // 2
    return complete(random.normal(size=(count, labels, labels)), [labels] * vertices)


@pytest.mark.parametrize("seed", range(2))
def test_it_proves_what_integer_programming_proves(seed):
    graph = random_complete(seed=seed)
    assert native.is_dense(graph.native)
    exact, ilp = solve(graph, "exact"), solve(graph, "ilp")
    assert exact.status == ilp.status == "OPTIMAL"
    assert exact.objective == pytest.approx(ilp.objective, rel=1e-6)


def test_a_stopped_search_has_a_true_bound():
    graph = random_complete(11, 3)
    optimum = solve(graph, "exact")
    stopped = solve(graph, "exact", iterations=1)
    assert stopped.iterations == 1
    assert stopped.objective <= optimum.objective + 1e-9
    assert stopped.bound >= optimum.objective - 1e-9
    assert solve(graph, "exact", iterations=1).to_dict()["values"] == stopped.values.tolist()


def bounds(graph, rounds=8, triplets_from=4):
    return native.dense_bounds(native.PatternGraph(graph.native).problem, rounds, triplets_from)


def is_close_or_above(value, least):
    return value >= least - 1e-9 * max(1.0, abs(least))


@settings(deadline=None, max_examples=12)
@given(graph=dense_graphs())
def test_bounds_of_triplets_hold_and_never_rise(graph):
    optimum = solve(graph, "exhaustive").objective
    found = bounds(graph)
    assert all(is_close_or_above(bound, optimum) for bound in found)
    if math.isfinite(optimum):
        assert all(is_close_or_above(a, b) for a, b in itertools.pairwise(found))


def test_three_vertices_are_one_triplet():
    unlike = np.array([[0.0, 1.0], [1.0, 0.0]])
    graph = complete([unlike] * 3, [2] * 3)
    found = bounds(graph, rounds=30)
    assert found[3] == pytest.approx(3.0)  # each pair alone
    assert found[-1] == pytest.approx(2.0)  # no three differ from each other


def triplet_relaxation(problem_tables, labels):
    """The linear program over triplets that agree on pairs: the least that triplets can reach."""
    vertices = range(len(labels))
    pairs = list(itertools.combinations(vertices, 2))
    triplets = list(itertools.combinations(vertices, 3))
    first, count = {}, 0
    for cluster in [*pairs, *triplets]:
        first[cluster] = count
        count += int(np.prod([labels[v] for v in cluster]))
    cost = np.zeros(count)
    for pair, table in zip(pairs, problem_tables, strict=True):
        cost[first[pair] : first[pair] + table.size] = -np.ravel(table)
    rows = []
    for triplet in triplets:
        shape = [labels[v] for v in triplet]
        cells = first[triplet] + np.arange(np.prod(shape)).reshape(shape)
        for left_out in range(3):
            pair = tuple(v for i, v in enumerate(triplet) if i != left_out)
            sums = np.moveaxis(cells, left_out, -1).reshape(-1, shape[left_out])
            rows += [(first[pair] + i, line) for i, line in enumerate(sums)]
    matrix = lil_matrix((len(rows) + len(pairs), count))
    for r, (cell, line) in enumerate(rows):
        matrix[r, cell] = -1.0
        matrix[r, line] = 1.0
    for r, pair in enumerate(pairs, start=len(rows)):
        size = labels[pair[0]] * labels[pair[1]]
        matrix[r, first[pair] : first[pair] + size] = 1.0
    right = np.concatenate([np.zeros(len(rows)), np.ones(len(pairs))])
    return -linprog(cost, A_eq=matrix.tocsr(), b_eq=right, bounds=(0, None)).fun


@pytest.mark.parametrize("seed", range(3))
def test_triplets_come_near_their_relaxation(seed):
    random = np.random.default_rng(seed)
    labels = [3] * 6
    tables = random.normal(size=(15, 3, 3))
    graph = complete(tables, labels)
    found = bounds(graph, rounds=60)
    relaxed = triplet_relaxation(tables, labels)
    assert found[-1] >= relaxed - 1e-7
    assert found[-1] - relaxed < 0.1 * (found[3] - relaxed) + 1e-7
