"""Many tables of pairs: bounds, removed labels and proofs against enumeration and HiGHS."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
