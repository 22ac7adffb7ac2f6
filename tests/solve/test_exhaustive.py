from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solve.random_graphs import build, graphs

from treaty import SolverError
from treaty._native.graph import Graph, Kind
from treaty.solve import _exhaustive
from treaty.solve._check import check
from treaty.solve._exhaustive import exhaustive


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_is_the_best_of_all_assignments(graph):
    found = exhaustive(graph)
    every = itertools.product([0, 1], repeat=graph.variables)
    best = max(check(graph, values).objective for values in every)
    assert found.objective == pytest.approx(best, abs=1e-9)
    assert found.bound == found.objective
    assert found.status == ("OPTIMAL" if math.isfinite(best) else "INFEASIBLE")


def test_counts_states_not_bits():
    graph = Graph()
    for _ in range(5):
        graph.add_categorical(np.array([0.0, 3.0, 1.0]))
    found = exhaustive(graph, limit=3**5)
    assert found.objective == 15.0
    assert found.iterations == 3**5


def test_chunks_make_no_difference(monkeypatch):
    graph = build([1.0, -1.0, 2.0, 0.5], (Kind.exactly, [0, 2, 4, 6], [], [2]))
    whole = exhaustive(graph)
    monkeypatch.setattr(_exhaustive, "CHUNK", 3)
    parts = exhaustive(graph)
    assert parts.values.tolist() == whole.values.tolist() == [1, 0, 1, 0]


def test_evidence_that_contradicts_itself():
    graph = Graph()
    graph.add_categorical(np.zeros(2))
    graph.fix(0, 1)
    graph.fix(1, 1)
    assert exhaustive(graph).status == "INFEASIBLE"
    graph.fix(0, 0)
    graph.fix(1, 0)
    assert exhaustive(graph).status == "INFEASIBLE"


def test_refuses_large_graphs():
    with pytest.raises(SolverError, match="more than the limit"):
        exhaustive(build([1.0] * 23))
    graph = build([1.0] * 23)
    for variable in range(20):
        graph.fix(variable, 1)
    assert exhaustive(graph).objective == 23.0


def test_empty_graph():
    assert exhaustive(Graph()).objective == 0.0
