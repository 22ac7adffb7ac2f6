"""Many factors at once are the same graph as one by one."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graph.test_pickling import same

from treaty import FactorGraph, UsageError
from treaty.graph import Categorical
from treaty.graph._many import OPTIONS

NUMBERS = st.one_of(
    st.floats(-1e100, 1e100), st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, 1e-300, 1e100])
)
LITERALS = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=2, max_size=6)


def graph_of_ten() -> FactorGraph:
    """Ten variables: three binary ones, one of three states, two binary ones, one of two states."""
    graph = FactorGraph()
    graph.variables([1.0, -1.0, 0.5])
    graph.categorical([0.1, 0.2, 0.3])
    graph.variables([0.0, 2.0])
    graph.categorical([0.4, 0.3])
    return graph


def literals_of(graph: FactorGraph, row):
    return [~graph[v] if negated else graph[v] for v, negated in row]


def add_one(graph: FactorGraph, kind: str, row, options) -> None:
    """Add a factor by the method of its kind."""
    literals = literals_of(graph, row)
    if kind.endswith("_with_output"):
        getattr(graph, kind)(literals[:-1], literals[-1])
    elif kind == "knapsack":
        graph.knapsack(literals, options["costs"], options["capacity"])
    elif "k" in options:
        getattr(graph, kind)(options["k"], literals)
    else:
        getattr(graph, kind)(*literals, **options)


def drawn_options(data, kind: str, size: int):
    values = {
        "score": NUMBERS,
        "k": st.integers(0, 8),
        "capacity": NUMBERS,
        "costs": st.lists(NUMBERS.map(abs), min_size=size, max_size=size),
    }
    return {name: data.draw(values[name]) for name in OPTIONS[kind]}


def flattened(values: list, name: str):
    """Join what was drawn for each factor."""
    if name == "costs":
        return np.concatenate([np.zeros(0), *values])
    return np.array(values, int if name == "k" else float)


@given(st.data(), st.sampled_from(sorted(OPTIONS.keys() - {"table"})))
def test_the_graph_is_that_of_single_factors(data, kind):
    rows = data.draw(st.lists(LITERALS, max_size=6))
    options = [drawn_options(data, kind, len(row)) for row in rows]
    one, many = graph_of_ten(), graph_of_ten()
    for row, given_options in zip(rows, options, strict=True):
        add_one(one, kind, row, given_options)
    flat = [pair for row in rows for pair in row]
    arrays = {name: flattened([each[name] for each in options], name) for name in OPTIONS[kind]}
    added = many.add_many(
        kind,
        [v for v, _ in flat],
        [len(row) for row in rows],
        negated=np.array([negated for _, negated in flat], bool),
        **arrays,
    )
    assert added == range(len(rows))
    same(one, many)
    assert pickle.dumps(one) == pickle.dumps(many)


@given(st.data())
def test_tables_take_whole_variables(data):
    whole = graph_of_ten().whole_variables
    rows = data.draw(
        st.lists(st.lists(st.sampled_from(whole), min_size=1, max_size=3), min_size=1, max_size=4)
    )
    one, many = graph_of_ten(), graph_of_ten()
    index, negated, cells = [], [], []
    for row in rows:
        variables, sizes = [], []
        for variable in row:
            if isinstance(variable, Categorical):
                variables.append(one.categoricals[variable.index])
                index.append(variable.first)
                negated.append(False)
                sizes.append(variable.size)
            else:
                negated.append(data.draw(st.booleans()))
                literal = one[variable.variable]
                variables.append(~literal if negated[-1] else literal)
                index.append(variable.variable)
                sizes.append(2)
        scores = np.random.default_rng(len(index)).normal(size=sizes)
        scores.flat[0] = -np.inf
        one.table(variables, scores)
        cells.append(scores.ravel())
    many.add_many(
        "table", index, [len(row) for row in rows], negated=negated, scores=np.concatenate(cells)
    )
    same(one, many)


def test_a_matrix_has_a_factor_in_each_row():
    one, many = graph_of_ten(), graph_of_ten()
    rows = np.array([[0, 1, 2], [6, 7, 0]])
    costs = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    for row, cost in zip(rows, costs, strict=True):
        one.knapsack([one[v] for v in row.tolist()], cost, 7.0)
    many.add_many("knapsack", rows, costs=costs, capacity=7.0)
    for row in rows:
        one.at_least(2, *[~one[int(v)] if v == row[0] else one[int(v)] for v in row])
    many.add_many("at_least", rows, negated=[True, False, False], k=2)
    table = np.arange(6.0).reshape(3, 2)
    for first in (0, 1):
        one.table([one.categoricals[0], one[first]], table)
    many.add_many("table", [[3, 0], [3, 1]], scores=table)
    for first in (0, 1):
        one.table([one.categoricals[0], one[first]], table * (first + 1))
    many.add_many("table", [[3, 0], [3, 1]], scores=np.stack([table, 2 * table]))
    same(one, many)


def test_sizes_may_be_one_number_and_there_may_be_no_factors():
    graph = graph_of_ten()
    assert graph.add_many("reward", [0, 1, 1, 2], 2, score=0.5) == range(2)
    assert [f.codes.tolist() for f in graph.factors] == [[0, 2], [2, 4]]
    for kind, names in OPTIONS.items():
        options = {name: np.zeros(0, int) for name in names}
        assert graph.add_many(kind, [], [], **options) == range(2, 2)
        if kind != "table":
            assert graph.add_many(kind, np.zeros((0, 3), int), **options) == range(2, 2)


TWO = np.array([[0, 1], [1, 2]])


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (
            "no_such_kind",
            {"variables": TWO},
            "there is no kind 'no_such_kind': choose from exactly",
        ),
        ("at_most_one", {"variables": TWO, "k": 1}, "at_most_one needs these options: none; got k"),
        ("reward", {"variables": TWO}, "reward needs these options: score; got none"),
        ("at_most_one", {"variables": [0, 1]}, "with sizes; got an array of shape (2,)"),
        ("at_most_one", {"variables": TWO, "sizes": [2, 2]}, "omit sizes"),
        ("at_most_one", {"variables": [[0.0, 1.0]]}, "expected integers"),
        ("at_most_one", {"variables": [[True, False]]}, "expected integers"),
        ("at_most_one", {"variables": [[0, 1], [1, 10]]}, "factor 1 of 2: at_most_one: a literal"),
        ("at_most_one", {"variables": [[0, 1], [-1, 2]]}, "factor 1: there is no variable -1"),
        (
            "at_most_one",
            {"variables": [[0, 2**40]]},
            "factor 0: there is no variable 1099511627776",
        ),
        ("at_most_one", {"variables": [0, 1, 2], "sizes": [2, 2]}, "sum to 4, but there are 3"),
        ("at_most_one", {"variables": [0, 1], "sizes": [3, -1]}, "factor 0: its size is 3"),
        ("at_most_one", {"variables": [0, 1, 2], "sizes": 2}, "one for all that divides"),
        (
            "at_most_one",
            {"variables": [0, 1], "sizes": [2, 0]},
            "factor 1 of 2: at_most_one: needs",
        ),
        ("at_most_one", {"variables": TWO, "negated": [0, 1]}, "expected True and False"),
        ("at_most_one", {"variables": TWO, "negated": [True] * 3}, "broadcasts"),
        ("implies", {"variables": [0, 1, 2], "sizes": [2, 1]}, "factor 1: implies requires"),
        ("reward", {"variables": TWO, "score": [1.0, np.nan]}, "factor 1 of 2: reward"),
        ("reward", {"variables": TWO, "score": "high"}, "score: expected numbers"),
        (
            "reward",
            {"variables": TWO, "score": [1.0] * 3},
            "score: expected an array of shape (2,)",
        ),
        ("at_most", {"variables": TWO, "k": [1, -1]}, "factor 1: k is from 0"),
        ("at_most", {"variables": TWO, "k": np.array([1, 2**63], np.uint64)}, "factor 1: k is"),
        ("at_most", {"variables": TWO, "k": 1.5}, "k: expected integers"),
        (
            "knapsack",
            {"variables": TWO, "costs": [[1, 2], [3, -4]], "capacity": 1},
            "factor 1 of 2: knapsack: costs must not be negative",
        ),
        ("table", {"variables": [[3, 0]], "scores": [1.0] * 5}, "expected the 6 cells"),
        (
            "table",
            {"variables": [[0], [10]], "scores": [0.0] * 4},
            "factor 1: there is no variable",
        ),
        ("table", {"variables": [0], "sizes": [1], "scores": [np.nan, 0]}, "factor 0 of 1: table"),
        ("table", {"variables": [0], "sizes": [1, 0], "scores": [0]}, "factor 1: a table needs"),
        (
            "table",
            {"variables": [[3]], "negated": [[True]], "scores": [0.0] * 3},
            "factor 0: a categorical variable cannot be negated",
        ),
    ],
)
def test_nothing_is_added_if_anything_is_wrong(kind, arguments, message):
    graph = graph_of_ten()
    graph.add_many("exactly_one", [[0, 1]])
    before = pickle.dumps(graph)
    with pytest.raises(UsageError, match=re.escape(message)):
        graph.add_many(kind, **arguments)
    assert pickle.dumps(graph) == before


def test_a_million_variables_are_no_objects_until_they_are_looked_at():
    graph = FactorGraph()
    x = graph.variables(np.zeros(10**6))
    assert len(x) == 10**6
    assert x.indices[-1] == 10**6 - 1
    assert x[-1].name == "x999999"
    graph.add_many("at_most_one", np.stack([x.indices[:-1], x.indices[1:]], axis=1))
    assert len(graph.factors) == 10**6 - 1
    assert graph.factors[-1].codes.tolist() == [2 * (10**6 - 2), 2 * (10**6 - 1)]
