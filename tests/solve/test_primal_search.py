"""The search for labelings: against enumeration, and the same answer for the same budget."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.pattern_graphs import labelings, pattern_graphs

from treaty import FactorGraph
from treaty._native import solve as native


def problem_of(graph):
    return native.PatternGraph(graph.native).problem


@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_small_problems_are_solved(data):
    problem = problem_of(data.draw(pattern_graphs()))
    best = max(problem.score(np.array(x, np.int32)) for x in labelings(problem))
    search = native.PrimalSearch(problem)
    search.run(200_000)
    if best == -math.inf:
        assert search.objective == -math.inf
    else:
        assert search.objective == problem.score(search.best)
        assert search.objective == pytest.approx(best, rel=1e-9, abs=1e-9)


def dense(vertices=12, labels=4, seed=0):
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    cells = [graph.categorical(random.normal(size=labels)) for _ in range(vertices)]
    for i, a in enumerate(cells):
        for b in cells[:i]:
            graph.table([a, b], random.normal(size=(labels, labels)))
    return graph


def test_the_same_budget_gives_the_same_answer():
    problem = problem_of(dense())
    runs = [native.PrimalSearch(problem) for _ in range(2)]
    for search in runs:
        search.run(50_000)
        search.run(50_000)
    assert runs[0].objective == runs[1].objective
    assert runs[0].spent == runs[1].spent
    np.testing.assert_array_equal(runs[0].best, runs[1].best)


def test_a_longer_search_is_never_worse():
    search = native.PrimalSearch(problem_of(dense(20, 5)))
    last = -math.inf
    for _ in range(5):
        better = search.run(20_000)
        assert better == (search.objective > last)
        last = search.objective


def test_an_offer_is_kept_or_bettered():
    problem = problem_of(dense())
    label = np.zeros(problem.vertices, np.int32)
    search = native.PrimalSearch(problem)
    assert search.offer(label)
    assert search.objective >= problem.score(label)
    found = search.objective
    search.offer(label)
    assert search.objective >= found


def test_labels_that_are_forbidden_are_not_taken():
    graph = FactorGraph()
    a, b = graph.categorical([9.0, 0.0]), graph.categorical([0.0, 0.0, 1.0])
    graph.fix(~a[0])
    graph.table([a, b], [[0.0] * 3, [1.0, -math.inf, -math.inf]])
    search = native.PrimalSearch(problem_of(graph))
    search.run(1000)
    assert search.best.tolist() == [1, 0]
