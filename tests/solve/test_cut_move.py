"""Mixing two labelings by a minimum cut: against all mixtures, and in the search for labelings."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import FactorGraph
from treaty._native import solve as native


def problem_of(graph):
    return native.PatternGraph(graph.native).problem


def potts(side, labels, weight, seed):
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    cells = [graph.categorical(2.0 * random.normal(size=labels)) for _ in range(side * side)]
    for i, j in itertools.product(range(side), repeat=2):
        for k in [side * i + j + 1] * (j + 1 < side) + [side * (i + 1) + j] * (i + 1 < side):
            table = weight * random.uniform(0.5, 1.5) * (np.eye(labels) - 1.0)
            graph.table([cells[side * i + j], cells[k]], table)
    return graph


def mixtures(label, other):
    for taken in itertools.product((False, True), repeat=len(label)):
        yield np.where(taken, other, label).astype(np.int32)


def mixed(problem, label, other):
    taken, share = native.cut_move(problem, label, other)
    result = label.copy()
    result[taken] = other[taken]
    return result, share


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), labels=st.integers(2, 5))
def test_an_expansion_is_the_best_of_all(seed, labels):
    problem = problem_of(potts(3, labels, 1.0, seed))
    random = np.random.default_rng(seed)
    label = random.integers(labels, size=9).astype(np.int32)
    other = np.full(9, random.integers(labels), np.int32)
    result, share = mixed(problem, label, other)
    assert share == 1.0
    best = max(problem.score(mixture) for mixture in mixtures(label, other))
    assert problem.score(result) == pytest.approx(best)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_any_two_labelings_are_mixed_as_well_as_their_pairs_allow(seed):
    random = np.random.default_rng(seed)
    problem = problem_of(potts(3, 3, 1.0, seed))
    label, other = random.integers(3, size=(2, 9)).astype(np.int32)
    result, share = mixed(problem, label, other)
    assert all(result[v] in (label[v], other[v]) for v in range(9))
    if share == 1.0:
        best = max(problem.score(mixture) for mixture in mixtures(label, other))
        assert problem.score(result) == pytest.approx(best)


def test_forbidden_labels_are_not_taken():
    graph = potts(3, 3, 1.0, 0)
    for variable in graph.categoricals:
        graph.fix(variable[2], False)
    problem = problem_of(graph)
    label = np.zeros(9, np.int32)
    taken, _ = native.cut_move(problem, label, np.full(9, 2, np.int32))
    assert len(taken) == 0


def test_the_search_comes_near_the_optimum_of_segmentations():
    graph = potts(16, 6, 1.5, 3)
    search = native.PrimalSearch(problem_of(graph))
    search.run(2_000_000)
    solution = graph.solve("exact")
    assert solution.status == "OPTIMAL"
    assert search.objective >= solution.objective - 1e-2 * abs(solution.objective)


def test_a_search_in_pieces_goes_on_where_it_stopped():
    problem = problem_of(potts(30, 5, 1.0, 1))
    search = native.PrimalSearch(problem)
    for _ in range(40):
        search.run(50_000)  # less than one expansion
    whole = native.PrimalSearch(problem)
    whole.run(2_000_000)
    assert search.objective >= whole.objective - 1e-2 * abs(whole.objective)
