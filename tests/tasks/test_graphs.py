import pytest

from treaty.errors import UsageError
from treaty.tasks._graphs import GraphRecord, graph_of


def graph(factors, scores=(1.0, 0.5, 0.25)):
    variables = [{"name": n, "score": s} for n, s in zip("abc", scores, strict=True)]
    return graph_of(GraphRecord.from_dict({"variables": variables, "factors": factors}))


def best(*factors):
    solution = graph(list(factors)).solve("exhaustive")
    return "".join(n for n, on in zip("abc", solution.values, strict=True) if on)


def test_every_kind_of_factor():
    abc = ["a", "b", "c"]
    assert best() == "abc"
    assert best({"kind": "exactly_one", "of": abc}) == "a"
    assert best({"kind": "at_most_one", "of": abc}) == "a"
    assert best({"kind": "at_least_one", "of": ["~a", "~b"]}) == "ac"
    assert best({"kind": "implies", "of": ["a", "~b"]}) == "ac"
    assert best({"kind": "xor_with_output", "of": ["a", "b", "~c"]}) in ("abc", "a")
    assert best({"kind": "or_with_output", "of": ["a", "b", "~c"]}) == "ab"
    assert best({"kind": "and_with_output", "of": ["a", "b", "~c"]}) == "ab"
    assert best({"kind": "at_most", "k": 2, "of": abc}) == "ab"
    assert best({"kind": "exactly", "k": 2, "of": abc}) == "ab"
    assert best({"kind": "at_least", "k": 2, "of": ["~a", "~b", "~c"]}) == "a"
    assert best({"kind": "knapsack", "of": abc, "costs": [2, 1, 1], "capacity": 2}) == "a"
    assert best({"kind": "reward", "score": -2.0, "of": ["a", "b"]}) == "ac"


def test_variables_can_be_fixed():
    record = {
        "variables": [{"name": "a", "score": 3, "fixed": False}, {"name": "b", "fixed": True}]
    }
    assert graph_of(GraphRecord.from_dict(record)).solve().values.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("factor", "message"),
    [
        ({"kind": "implies", "of": ["a", "z"]}, "factor 1: there is no variable 'z'"),
        ({"kind": "at_most", "of": ["a"]}, "factor 1: at_most needs 'k'"),
        ({"kind": "at_most_one", "of": ["a"], "k": 1}, "factor 1: at_most_one has no 'k'"),
        ({"kind": "reward", "of": ["a"]}, "factor 1: reward needs 'score'"),
        ({"kind": "knapsack", "of": ["a"], "costs": [1]}, "factor 1: knapsack needs 'capacity'"),
        ({"kind": "knapsack", "of": ["a"], "costs": [1, 2], "capacity": 1}, "costs"),
        ({"kind": "implies", "of": ["a"]}, "impl"),
    ],
)
def test_wrong_factors_are_explained(factor, message):
    with pytest.raises(UsageError, match=message):
        graph([factor])
