"""What the tests of graphs share: an empty graph, and four variables of it."""

import pytest

from treaty.graph import FactorGraph


@pytest.fixture
def graph():
    return FactorGraph()


@pytest.fixture
def xs(graph):
    return graph.variables([1.0, 2.0, 3.0, 4.0])
