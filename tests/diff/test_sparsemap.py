"""SparseMAP of one factor against all its configurations."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diff.twins import highs
from tests.solve.random_graphs import EVERY, graphs

from treaty import FactorGraph, SolverError, UsageError
from treaty._native.graph import Kind
from treaty.diff import lp_sparsemap, sparsemap

ONE = [kind for kind in EVERY if kind != Kind.knapsack]


def all_configurations(factor):
    """The allowed ones, and their own scores."""
    native = factor.graph.native
    every = np.array(list(itertools.product([0, 1], repeat=len(factor.codes))), np.int8)
    every = every.reshape(len(every), len(factor.codes))
    own = np.array([native.evaluate(factor.index, y) for y in every])
    return every[own > -np.inf].astype(float), own[own > -np.inf]


def optimum(configurations, own, scores, strength):
    """The mean of the best distribution, by HiGHS' quadratic solver with a column for each."""
    k, n = configurations.shape
    rows = np.vstack([np.hstack([configurations.T, -np.eye(n)]), np.r_[np.ones(k), np.zeros(n)]])
    bounds = np.r_[np.zeros(n), 1.0]
    cost = np.r_[own, scores]
    quadratic = np.r_[np.zeros(k), np.full(n, strength)]
    solution = highs(cost, np.zeros(k + n), np.ones(k + n), rows, bounds, bounds, quadratic)
    return None if solution is None else solution[k:]


@settings(max_examples=100, deadline=None)
@given(graphs(ONE, most_factors=2, evidence=False), st.sampled_from([1.0, 0.3]), st.integers(0, 99))
def test_one_factor_against_its_configurations(native, strength, seed):
    graph = FactorGraph._of(native)
    for factor in graph.factors:
        if not len(factor.codes):
            continue
        scores = np.random.default_rng(seed).normal(size=len(factor.codes))
        configurations, own = all_configurations(factor)
        if not len(own):
            with pytest.raises(SolverError):
                sparsemap(factor, scores, strength=strength)
            continue
        answer = sparsemap(factor, scores, strength=strength)
        # The distribution has these values as its mean, and no configuration is better.
        found, weights = answer.configurations.astype(float), answer.weights
        assert (weights > 0.0).all() and abs(weights.sum() - 1.0) <= 1e-12
        np.testing.assert_allclose(weights @ found, answer.values, atol=1e-9)
        score = dict(zip(map(tuple, configurations), own, strict=True))
        of_found = np.array([score[tuple(y)] for y in found])  # all are allowed
        slope = scores - strength * answer.values
        best = (configurations @ slope + own).max()
        assert best - (found @ slope + of_found) @ weights <= 1e-9
        assert len(weights) <= len(scores) + 1


def test_values_agree_with_a_quadratic_program():
    random = np.random.default_rng(0)
    graph = FactorGraph()
    tags = [graph.categorical(np.zeros(2)) for _ in range(3)]
    chain = graph.sequence(tags, random.normal(size=(2, 2, 2)), random.normal(size=2))
    scores = random.normal(size=6)
    expected = optimum(*all_configurations(chain), scores, 0.5)
    np.testing.assert_allclose(sparsemap(chain, scores, strength=0.5).values, expected, atol=1e-6)


def test_a_graph_with_negated_literals_and_variables_beside_the_factor():
    graph = FactorGraph()
    x = graph.variables([0.3, 0.1, 0.4, 0.7])
    graph.exactly_one(x[0], ~x[1], x[2])
    answer = sparsemap(graph)
    np.testing.assert_allclose(answer.values, lp_sparsemap(graph).values)
    mean = answer.weights @ answer.configurations
    np.testing.assert_allclose(mean, [answer.values[0], 1 - answer.values[1], answer.values[2]])


def test_batches_have_a_distribution_for_each_item():
    graph = FactorGraph()
    factor = graph.at_most(2, graph.variables(np.zeros(4)))
    scores = np.random.default_rng(0).normal(size=(5, 4))
    answer = sparsemap(factor, scores)
    for i, row in enumerate(scores):
        single = sparsemap(factor, row)
        np.testing.assert_array_equal(answer.configurations[i], single.configurations)
        np.testing.assert_array_equal(answer.weights[i], single.weights)
        gradient = answer.pullback(np.eye(5, 1, -i) * np.ones(4)).variables[i]
        np.testing.assert_allclose(gradient, single.pullback(np.ones(4)).variables)


def test_what_has_no_distribution_is_refused():
    graph = FactorGraph()
    x, y = graph.variables([0.1, 0.2])
    knapsack = graph.knapsack([x, y], [1.0, 2.0], 2.5)
    with pytest.raises(UsageError, match="a knapsack is relaxed"):
        sparsemap(knapsack)
    graph.exactly_one(x, y)
    with pytest.raises(UsageError, match="expected a graph with one factor"):
        sparsemap(graph)
    with pytest.raises(UsageError, match="expected a factor or a graph"):
        sparsemap([0.1, 0.2])
    twice = FactorGraph()
    z = twice.variable(0.3)
    twice.at_most_one(z, z)
    with pytest.raises(UsageError, match="in the factor twice"):
        sparsemap(twice)
