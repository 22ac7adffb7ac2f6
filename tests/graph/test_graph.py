"""The graph as a whole."""

import pytest

from treaty.errors import UsageError


def test_copies_are_independent(graph, xs):
    graph.categorical([0, 0], name="weather")
    graph.at_most_one(xs)
    twin = graph.copy()
    twin.fix(twin["weather"], 0)
    twin.set_score(twin[0], 9)
    twin.variable(name="new")
    twin.at_least_one(twin["new"])
    assert repr(graph) == "<FactorGraph: 6 variables, 1 factors>"
    assert repr(twin) == "<FactorGraph: 7 variables, 2 factors>"
    assert graph.scores[0] == 1.0 and (graph.evidence == -1).all()
    assert graph.names == twin.names[:6]
    graph.variable(name="new")  # the name is free here
    with pytest.raises(UsageError, match="another graph"):
        twin.at_most_one(xs)
