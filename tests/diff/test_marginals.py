"""Marginals against sums over all assignments, and their gradients against differences."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diff.twins import differences, sums, tree_log_partition
from tests.solve.random_graphs import EVERY, graphs

from treaty import FactorGraph, SolverError, UsageError
from treaty._native.graph import Kind
from treaty.diff import marginals

CUSTOM_FREE = [kind for kind in EVERY if kind != Kind.custom]


def tree(nodes, single_root=False):
    graph = FactorGraph()
    arcs = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m]
    graph.arborescence(arcs, graph.variables(np.zeros(len(arcs))), single_root=single_root)
    return graph


@settings(max_examples=150, deadline=None)
@given(graphs(EVERY), st.sampled_from([1.0, 0.1, 7.0, 1e3]))
def test_marginals_are_sums(native, size):
    graph = FactorGraph._of(native)
    scores = graph.parameters * size
    if any(factor.kind == "custom" for factor in graph.factors):
        scores = graph.parameters
    total, expected = sums(graph, scores)
    if total == -np.inf:
        with pytest.raises(SolverError, match="no assignment is allowed"):
            marginals(graph, scores)
        return
    answer = marginals(graph, scores)
    np.testing.assert_allclose(answer.objective, total, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(answer.values, expected, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(graphs(CUSTOM_FREE), st.sampled_from([1.0, 0.5]), st.integers(0, 2**32 - 1))
def test_gradients_and_expectations_are_those_of_differences(native, temperature, seed):
    graph = FactorGraph._of(native)
    random = np.random.default_rng(seed)
    parameters = graph.parameters
    try:
        answer = marginals(graph, parameters, temperature=temperature)
    except SolverError:
        return
    free = np.isfinite(parameters)

    def several(rows):
        every = np.tile(parameters, (len(rows), 1))
        every[:, free] = rows
        return marginals(graph, every, temperature=temperature, threads=1)

    cotangent = random.normal(size=len(graph))
    expected, _ = differences(lambda rows: several(rows).values, parameters[free], cotangent, 1e-5)
    gradient = answer.pullback(cotangent)
    np.testing.assert_allclose(gradient.parameters[free], expected, atol=1e-7)
    assert (gradient.parameters[~free] == 0.0).all()
    slope, _ = differences(
        lambda rows: several(rows).objective[:, None], parameters[free], np.ones(1), 1e-5
    )
    np.testing.assert_allclose(answer.expectations[free], slope, atol=1e-7)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("size", [0.0, 1.0, 30.0, 1e3, 1e6])
def test_spanning_trees_are_exact_however_large_the_scores(size, single_root):
    graph = tree(4, single_root)
    scores = np.random.default_rng(1).normal(size=len(graph)) * size
    total, expected = sums(graph, scores)
    answer = marginals(graph, scores)
    np.testing.assert_allclose(answer.objective, total, rtol=1e-14)
    np.testing.assert_allclose(answer.values, expected, atol=1e-12)


@pytest.mark.parametrize("single_root", [False, True])
def test_spanning_trees_by_a_determinant(single_root):
    """Koo et al. (2007): the first row of the Laplacian is replaced for a single root."""
    graph, n = tree(9, single_root), 8
    scores = np.random.default_rng(2).normal(size=len(graph))
    weight = np.zeros((n + 1, n + 1))
    arcs = [(h, m) for h in range(n + 1) for m in range(1, n + 1) if h != m]
    for (h, m), score in zip(arcs, scores, strict=True):
        weight[h, m] = np.exp(score)
    laplacian = np.diag(weight[1:, 1:].sum(axis=0)) - weight[1:, 1:]
    if single_root:
        laplacian[0] = weight[0, 1:]
    else:
        laplacian += np.diag(weight[0, 1:])
    sign, log_sum = np.linalg.slogdet(laplacian)
    assert sign > 0
    np.testing.assert_allclose(marginals(graph, scores).objective, log_sum, rtol=1e-12)


def test_trees_with_evidence_parallel_arcs_and_impossible_ones():
    graph = FactorGraph()
    arcs = [(0, 1), (0, 1), (1, 2), (2, 1), (0, 2)]
    x = graph.variables([0.3, -0.2, 1.0, 0.4, 0.1])
    graph.arborescence(arcs, x)
    graph.fix(x[0], False)
    for fixed in (None, x[2], x[4]):
        if fixed is not None:
            graph.fix(fixed)
        total, expected = sums(graph, graph.parameters)
        answer = marginals(graph)
        np.testing.assert_allclose(answer.values, expected, atol=1e-12)
        np.testing.assert_allclose(answer.objective, total)
        if fixed is not None:
            graph.free(fixed)
    graph.fix(x[1], False)
    graph.fix(x[4], False)
    with pytest.raises(SolverError, match="no assignment is allowed"):
        marginals(graph)


def test_long_chains_and_large_scores():
    """Forward and backward in logarithms, as anyone would write them."""
    random, length, states = np.random.default_rng(0), 60, 4
    graph = FactorGraph()
    tags = [graph.categorical(np.zeros(states)) for _ in range(length)]
    edges = random.normal(size=(length - 1, states, states))
    graph.sequence(tags, edges)
    unary = random.normal(size=(length, states)) * 300
    forward = [unary[0]]
    for edge, scores in zip(edges, unary[1:], strict=True):
        forward.append(np.logaddexp.reduce(forward[-1][:, None] + edge, axis=0) + scores)
    answer = marginals(graph, unary.ravel())
    np.testing.assert_allclose(answer.objective, np.logaddexp.reduce(forward[-1]), rtol=1e-12)
    np.testing.assert_allclose(answer.values.reshape(length, states).sum(axis=1), 1.0, atol=1e-12)


def test_a_low_temperature_is_near_the_best_assignment():
    graph = FactorGraph()
    graph.exactly_one(graph.variables([0.3, 0.1, -0.5]))
    answer = marginals(graph, temperature=1e-3)
    np.testing.assert_allclose(answer.values, [1.0, 0.0, 0.0], atol=1e-12)
    assert answer.objective == pytest.approx(0.3)


def test_batches_are_their_items():
    graph, random = tree(5), np.random.default_rng(0)
    scores, cotangent = random.normal(size=(2, 7, len(graph)))
    batch = marginals(graph, scores, threads=3)
    gradient = batch.pullback(cotangent).variables
    for i in range(7):
        single = marginals(graph, scores[i])
        np.testing.assert_array_equal(single.values, batch.values[i])
        np.testing.assert_array_equal(single.pullback(cotangent[i]).variables, gradient[i])
    assert marginals(graph, scores[:0]).values.shape == (0, len(graph))


def test_large_tables_are_refused():
    graph = FactorGraph()
    x = graph.variables(np.zeros(18))
    graph.at_most(3, x)
    with pytest.raises(SolverError, match="more than 65536 cells for the at_most factor 0"):
        marginals(graph)
    grid = FactorGraph()
    y = grid.variables(np.zeros(64))
    for i, j in itertools.product(range(8), range(7)):
        grid.reward(y[8 * i + j], y[8 * i + j + 1], 0.1)
        grid.reward(y[8 * j + i], y[8 * j + i + 8], 0.1)
    assert marginals(grid).values.shape == (64,)
    with pytest.raises(SolverError, match="more than 100 cells"):
        marginals(grid, most_cells=100)


@pytest.mark.parametrize("options", [{"temperature": 0.0}, {"most_cells": 0}, {"threads": 0}])
def test_bad_options(options):
    with pytest.raises(UsageError):
        marginals(tree(3), **options)


@pytest.mark.parametrize("size", [3, 40, 400, 1400])
def test_trees_with_one_root_at_any_size_of_scores(size):
    """Weights that pass by the root grow without end where the others vanish."""
    n = 6
    pairs = [(h, m) for h in range(n) for m in range(n)]
    graph = FactorGraph()
    ends = [(0 if h == m else h + 1, m + 1) for h, m in pairs]
    graph.arborescence(ends, graph.variables(np.zeros(n * n)), single_root=True)
    powers = np.random.default_rng(size).normal(size=(6, n, n)) * size // 1
    scores = powers.reshape(6, -1) * np.log(2.0)
    answer = marginals(graph, scores)
    expected = [tree_log_partition(each) for each in powers]
    np.testing.assert_allclose(answer.objective, expected, rtol=1e-12)
    np.testing.assert_allclose(answer.values.reshape(6, n, n).sum(axis=1), 1.0, atol=1e-12)
    assert np.isfinite(answer.pullback(np.ones((6, n * n))).variables).all()


def test_long_sentences_with_huge_scores_have_no_nan():
    n = 30
    ends = [(0 if h == m else h + 1, m + 1) for h in range(n) for m in range(n)]
    graph = FactorGraph()
    graph.arborescence(ends, graph.variables(np.zeros(n * n)), single_root=True)
    scores = np.random.default_rng(0).normal(size=(32, n * n)) * 1e3
    answer = marginals(graph, scores)
    np.testing.assert_allclose(answer.values.reshape(32, n, n).sum(axis=1), 1.0, atol=1e-12)
    assert np.isfinite(answer.pullback(np.ones((32, n * n))).variables).all()
