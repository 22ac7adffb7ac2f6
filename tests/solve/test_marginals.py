"""Sums over all assignments against enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.test_k_best import all_answers, graphs

from treaty import FactorGraph
from treaty.errors import SolverError
from treaty.graph import Categorical
from treaty.solve import log_partition, marginals


def log_total(objectives):
    top = max(objectives)
    return top + math.log(sum(math.exp(o - top) for o in objectives))


@settings(deadline=None, max_examples=20)
@given(graph=graphs())
def test_sums_are_those_of_enumeration(graph):
    answers = all_answers(graph)
    total = log_total([o for o, _ in answers])
    found = log_partition(graph)
    assert found.is_exact
    assert found.value == pytest.approx(total, rel=1e-9, abs=1e-9)
    for variable, probabilities in zip(graph.whole_variables, marginals(graph), strict=True):
        states = len(variable) if isinstance(variable, Categorical) else 2
        expected = np.zeros(states)
        for objective, row in answers:
            expected[int(variable.state_in(row))] += math.exp(objective - total)
        np.testing.assert_allclose(probabilities, expected, rtol=1e-6, atol=1e-9)


def dense(vertices=7, labels=3, seed=0):
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    cells = [graph.categorical(random.normal(size=labels)) for _ in range(vertices)]
    for i, a in enumerate(cells):
        for b in cells[:i]:
            graph.table([a, b], random.normal(size=(labels, labels)))
    return graph


@pytest.mark.parametrize("most_cells", [9, 27, 81])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_exact_is_an_upper_bound(most_cells, seed):
    graph = dense(seed=seed)
    exact, bound = log_partition(graph), log_partition(graph, most_cells=most_cells)
    assert exact.is_exact
    assert not bound.is_exact
    assert bound.value >= exact.value - 1e-9
    with pytest.raises(SolverError, match="most_cells"):
        marginals(graph, most_cells=most_cells)


def test_no_assignment():
    graph = FactorGraph()
    x = graph.variable(1.0)
    graph.exactly_one(x)
    graph.fix(~x)
    assert log_partition(graph).value == -math.inf
    with pytest.raises(SolverError, match="no assignment"):
        marginals(graph)


def test_a_long_chain():
    graph = FactorGraph()
    chain = [graph.categorical([0.0, 0.0]) for _ in range(300)]
    for a, b in itertools.pairwise(chain):
        graph.table([a, b], [[0.0, 0.0], [0.0, -math.inf]])
    ways = [1, 2]
    for _ in range(299):
        ways.append(ways[-1] + ways[-2])
    assert log_partition(graph).value == pytest.approx(math.log(ways[300]))
