"""Minimum cuts: against enumeration, against scipy's maximum flow, warm against cold."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from treaty._native import solve as native
from treaty._native.graph import GraphError

capacities = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0]),
    st.floats(0, 3),
    st.sampled_from([1e-12, 1e12]),
)
terminals = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 2.0]),
    st.floats(-4, 4),
    st.sampled_from([1e-12, 1e12]),
)


class Network:
    """Arcs as arrays, in the order that `MaxFlow` takes them."""

    def __init__(self, nodes, arcs):
        self.nodes = nodes
        self.tail = np.array([a[0] for a in arcs], np.int32)
        self.head = np.array([a[1] for a in arcs], np.int32)
        self.forward = np.array([a[2] for a in arcs], float)
        self.backward = np.array([a[3] for a in arcs], float)

    def native(self):
        return native.MaxFlow(self.nodes, self.tail, self.head, self.forward, self.backward)

    def value(self, terminal, x):
        cut = self.forward * x[self.tail] * (1 - x[self.head])
        cut += self.backward * x[self.head] * (1 - x[self.tail])
        return float(terminal @ x - cut.sum())

    def best(self, terminal):
        points = itertools.product([0.0, 1.0], repeat=self.nodes)
        return max(self.value(terminal, np.array(x)) for x in points)


@st.composite
def networks(draw, most_nodes=6):
    nodes = draw(st.integers(1, most_nodes))
    pairs = list(itertools.permutations(range(nodes), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=12)) if pairs else []
    return Network(nodes, [(*pair, draw(capacities), draw(capacities)) for pair in chosen])


@settings(deadline=None, max_examples=100)
@given(networks(), st.data())
def test_warm_cold_and_enumerated_maxima_are_equal(network, data):
    """Terminals change again and again; some calls see no change at all.

    Rounding is relative to the largest number that was ever there.
    """
    largest = 1 + network.forward.sum() + network.backward.sum()
    warm, cold = network.native(), network.native()
    terminal = np.zeros(network.nodes)
    for _ in range(data.draw(st.integers(1, 6))):
        changed = data.draw(st.lists(st.integers(0, network.nodes - 1), max_size=network.nodes))
        terminal[changed] = [data.draw(terminals) for _ in changed]
        expected = network.best(terminal)
        largest = max(largest, np.abs(terminal).max())
        size = 1e-12 * largest
        for flow, value in [(warm, warm.solve(terminal)), (cold, cold.solve(terminal, cold=True))]:
            assert value == pytest.approx(expected, rel=1e-12, abs=size)
            for free in (0, 1):
                x = np.where(flow.sides < 0, free, flow.sides).astype(float)
                assert network.value(terminal, x) == pytest.approx(expected, rel=1e-12, abs=size)


def random_network(seed, nodes=200, arcs=800):
    random = np.random.default_rng(seed)
    tail = random.integers(nodes, size=arcs)
    head = (tail + random.integers(1, nodes, size=arcs)) % nodes
    capacity = random.integers(0, 50, size=(2, arcs))
    return random, Network(nodes, list(zip(tail, head, *capacity, strict=True)))


def scipy_value(network, terminal):
    """Sum of the source's capacities minus the maximum flow."""
    source, sink = network.nodes, network.nodes + 1
    inner = np.arange(network.nodes)
    rows = [network.tail, network.head, np.full(network.nodes, source), inner]
    columns = [network.head, network.tail, inner, np.full(network.nodes, sink)]
    data = [network.forward, network.backward, np.maximum(terminal, 0), np.maximum(-terminal, 0)]
    where = (np.concatenate(rows), np.concatenate(columns))
    shape = (network.nodes + 2,) * 2
    matrix = csr_array((np.concatenate(data).astype(np.int32), where), shape=shape)
    matrix.sum_duplicates()
    return np.maximum(terminal, 0).sum() - maximum_flow(matrix, source, sink).flow_value


@pytest.mark.parametrize("seed", range(4))
def test_larger_networks_agree_with_scipy_through_a_hundred_changes(seed):
    random, network = random_network(seed)
    flow = network.native()
    terminal = random.integers(-100, 100, size=network.nodes).astype(float)
    for step in range(100):
        value = flow.solve(terminal)
        if step % 10 == 0:
            assert value == scipy_value(network, terminal)
            x = (flow.sides == 1).astype(float)
            assert network.value(terminal, x) == value
        changed = random.integers(network.nodes, size=random.integers(0, 60))
        terminal[changed] += random.integers(-80, 80, size=len(changed))


def test_wrong_arcs_are_refused():
    with pytest.raises(GraphError, match="two different nodes"):
        Network(2, [(0, 2, 1.0, 1.0)]).native()
    with pytest.raises(GraphError, match="not negative"):
        Network(2, [(0, 1, -1.0, 1.0)]).native()
