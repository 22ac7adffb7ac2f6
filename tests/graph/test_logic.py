"""Logic factors: how they are given, and what is stored."""

import pytest
from tests.graph.stored import stored

from treaty.errors import UsageError


@pytest.mark.parametrize("kind", ["exactly_one", "at_most_one", "at_least_one"])
def test_logic_takes_literals_or_iterables(graph, xs, kind):
    a, b, c, _ = xs
    add = getattr(graph, kind)
    for factor in (add(a, ~b, c), add([a, ~b, c]), add(iter([a, ~b]), c)):
        assert stored(factor) == (kind, [0, 3, 4], [], [])
    assert add(graph.categorical([0, 0])).literals == (graph[4], graph[5])


@pytest.mark.parametrize("kind", ["xor_with_output", "or_with_output", "and_with_output"])
def test_outputs_come_last(graph, xs, kind):
    a, b, c, _ = xs
    factor = getattr(graph, kind)([a, ~b], ~c)
    assert stored(factor) == (kind, [0, 3, 5], [], [])
    assert factor.literals == (a, ~b, ~c)


def test_implication_is_a_clause(graph, xs):
    a, b, c, _ = xs
    for factor in (graph.implies(a, ~b, c), graph.implies([a, ~b], c)):
        assert stored(factor) == ("at_least_one", [1, 2, 4], [], [])
    for wrong in ((), (a,)):
        with pytest.raises(UsageError, match="antecedent"):
            graph.implies(*wrong)
