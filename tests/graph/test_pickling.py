"""Graphs survive pickling and deep copies, to the bit."""

from __future__ import annotations

import copy
import ctypes
import pickle
import random

import numpy as np
import pytest

from treaty import FactorGraph, UsageError
from treaty.graph._pickling import ARRAYS

COPIES = [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy]


class AllOrNone:
    def maximize(self, scores):
        return [float(sum(scores) > 0)] * len(scores)


def same(one, two):
    for name in ARRAYS:
        ours, theirs = getattr(one.native, name), getattr(two.native, name)
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs), name
    assert one.names == two.names


@pytest.mark.parametrize("twin", COPIES)
@pytest.mark.parametrize("seed", range(25))
def test_random_graphs_stay_what_they_are(seed, twin, random_graph):
    native = random_graph(random.Random(seed))
    graph = native if isinstance(native, FactorGraph) else FactorGraph._of(native)
    again = twin(graph)
    same(graph, again)
    ours, theirs = graph.solve("exact", iterations=50), again.solve("exact", iterations=50)
    assert (ours.status, ours.objective, ours.bound) == (
        theirs.status,
        theirs.objective,
        theirs.bound,
    )
    assert np.array_equal(ours.values, theirs.values)


def named_graph():
    graph = FactorGraph()
    sun, rain = graph.variables([1.2, -0.0], names=["sun", "rain"])
    tag = graph.categorical([0.1, 0.7], name="tag")
    hat = graph.variable(1e-300)
    graph.exactly_one(sun, ~rain, tag[1])
    graph.fix(hat)
    return graph, sun, tag


@pytest.mark.parametrize("twin", COPIES)
def test_names_evidence_and_variables_come_along(twin):
    graph, sun, tag = named_graph()
    again, its_sun, its_tag = twin((graph, sun, tag))
    same(graph, again)
    assert its_sun.graph is again and its_tag.graph is again
    assert (its_sun.name, its_tag.name) == ("sun", "tag")
    solution = again.solve()
    assert solution[its_tag] == graph.solve()[tag]
    again.variable(5.0, "more")
    assert len(graph.names) == len(again.names) - 1


@pytest.mark.parametrize("twin", COPIES)
def test_oracles_come_along(twin):
    graph = FactorGraph()
    graph.factor(AllOrNone(), graph.variables([1.0, -0.4]))
    for made in (twin(graph), twin(graph.copy())):
        assert made.solve("exact").objective == pytest.approx(0.6)


def test_compiled_factors_are_refused():
    graph = FactorGraph()
    signature = ctypes.CFUNCTYPE(ctypes.c_double)
    graph.compiled_factor(signature(lambda: 0.0), graph.variables([1.0]))
    with pytest.raises(UsageError, match="cannot be pickled"):
        pickle.dumps(graph)
