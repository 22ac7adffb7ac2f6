"""Names of variables, and the way back from a name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.graph import FactorGraph


def test_names_default_and_look_up(graph):
    x, weather, y = (
        graph.variable(),
        graph.categorical([0, 0], name="weather"),
        graph.variable(name="y"),
    )
    c = graph.categorical([0])
    assert graph.names == ["x0", "weather[0]", "weather[1]", "y", "c1[0]"]
    assert graph["x0"] == x and graph["y"] == y == graph[3] == graph[-2]
    assert graph["weather"] == weather and graph["weather[1]"] == weather[1]
    assert graph["c1"] == c and graph["c1[0]"] == c[0]
    assert (repr(~y), y.name, weather.name) == ("~y", "y", "weather")


@pytest.mark.parametrize("name", ["x1", "x3", "x9", "weather[2]", "c0", "c1", "", "nobody", 9, -6])
def test_unknown_names_are_refused(graph, name):
    graph.variable(name="first")
    graph.categorical([0, 0], name="weather")
    graph.variable(name="last")
    with pytest.raises(UsageError, match="no variable"):
        graph[name]


@pytest.mark.parametrize("name", ["a", "x0", "x7", "c0", "w", "w[0]", "b[12]", "", 3])
def test_names_are_unique_and_not_those_of_others(graph, name):
    graph.variable(name="a")
    graph.categorical([0, 0], name="w")
    for add in (graph.variable, graph.categorical):
        with pytest.raises(UsageError, match="name"):
            add([0.0] if add == graph.categorical else 0.0, name=name)
    assert len(graph) == 3


def test_names_may_hold_brackets_and_their_own_default(graph):
    graph.variables([0, 0], names=["arc[0->2]", "x1"])
    assert graph["arc[0->2]"].variable == 0 and graph["x1"].variable == 1


def test_names_and_scores_must_match(graph):
    with pytest.raises(UsageError, match="2 scores but 1 names"):
        graph.variables([0, 0], names=["a"])
    with pytest.raises(UsageError, match="twice"):
        graph.variables([0, 0], names=["a", "a"])


@given(
    kinds=st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([None, "a", "b[x]", "w", "x1", "c0"])),
        max_size=6,
    )
)
def test_every_variable_is_found_by_its_name(kinds):
    graph = FactorGraph()
    for size, name in kinds:
        try:
            if size:
                graph.categorical([0.0] * size, name=name)
            else:
                graph.variable(name=name)
        except UsageError:
            continue  # a name that is taken, or kept for others
    assert len(set(graph.names)) == len(graph)
    for variable in graph:
        assert graph[variable.name] == variable == graph[variable.variable]
    for categorical in graph.categoricals:
        assert graph[categorical.name] == categorical
        assert [graph[f"{categorical.name}[{k}]"] for k in range(len(categorical))] == [
            *categorical
        ]
