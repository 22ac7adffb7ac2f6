"""The one door through which factors enter a graph."""

import pytest

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph import FactorGraph


def test_nothing_but_literals_of_this_graph_is_taken(graph, xs):
    other = FactorGraph().variable()
    for wrong in (other, 0, "x0", None, [xs[0], 1.5]):
        with pytest.raises(UsageError, match=r"another graph|expected a variable"):
            graph.at_most_one(xs[0], wrong)
    with pytest.raises(UsageError, match="another graph"):
        graph.table([other.graph.categorical([0, 0])], [0, 0])
    for kind in ("exactly_one", "at_most_one", "at_least_one"):
        with pytest.raises(UsageError, match="at least 1 literal"):
            getattr(graph, kind)()
    assert len(graph.factors) == 0


def test_what_the_native_graph_refuses_is_a_usage_error(graph, xs):
    with pytest.raises(UsageError, match="reward"):
        graph._add(Kind.reward, [0, 2])  # without a score
    with pytest.raises(UsageError, match="at_most"):
        graph._add(Kind.at_most, [0, 2])  # without a limit
    assert len(graph.factors) == 0
