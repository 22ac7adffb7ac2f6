"""The k best answers against sorted enumeration; max-marginals against forced enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import FactorGraph
from treaty.errors import UsageError
from treaty.graph import Categorical
from treaty.solve import check, k_best, max_marginals
from treaty.solve._exhaustive import _assignments, _choices
from treaty.solve._view import GraphView

NUMBERS = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([1e-9, 1e5, 0.5]))


@st.composite
def graphs(draw):
    graph = FactorGraph()
    a = graph.categorical([draw(NUMBERS) for _ in range(3)])
    b = graph.categorical([draw(NUMBERS) for _ in range(2)])
    x, y = graph.variables([draw(NUMBERS), draw(NUMBERS)])
    graph.table([a, b], np.array([draw(NUMBERS) for _ in range(6)]).reshape(3, 2))
    graph.reward(a[0], x, draw(NUMBERS))
    if draw(st.booleans()):
        graph.at_most_one(x, ~y, b[1])
    if draw(st.booleans()):
        graph.fix(~a[1])
    return graph


def all_answers(graph):
    """Every feasible assignment with its objective, best first."""
    view = GraphView.of(graph.native)
    choices = _choices(view)
    values = _assignments(view, choices, np.arange(math.prod(len(c) for c in choices)))
    found = [(check(graph, row.astype(np.int8)), row) for row in values]
    return sorted(((c.objective, row) for c, row in found if c.feasible), key=lambda p: -p[0])


@settings(deadline=None, max_examples=12)
@given(graph=graphs(), k=st.integers(0, 8))
def test_the_k_best_are_those_of_enumeration(graph, k):
    expected = [objective for objective, _ in all_answers(graph)][:k]
    found = k_best(graph, k)
    objectives = [solution.objective for solution in found]
    np.testing.assert_allclose(objectives, expected, rtol=1e-6, atol=1e-6)
    assert len({solution.values.tobytes() for solution in found}) == len(found)
    for solution in found:
        assert check(graph, solution.values).feasible
        assert solution.bound >= solution.objective


def test_all_of_them_and_no_more():
    graph = FactorGraph()
    graph.at_most_one(graph.variables([1.0, 2.0, 3.0]))
    assert [s.objective for s in k_best(graph, 10)] == [3.0, 2.0, 1.0, 0.0]
    graph.fix(graph[0])
    assert [s.objective for s in k_best(graph, 10)] == [1.0]


def distance_of(graph, a, b):
    return sum(a[v] != b[v] for v in graph.whole_variables)


@settings(deadline=None, max_examples=6)
@given(graph=graphs())
def test_diverse_answers_are_far_apart_and_the_best_of_these(graph):
    found = k_best(graph, 3, distance=2)
    for i, solution in enumerate(found):
        assert all(distance_of(graph, solution, other) >= 2 for other in found[:i])
        far = [
            objective
            for objective, row in all_answers(graph)
            if all(
                sum(v.state_in(row) != other[v] for v in graph.whole_variables) >= 2
                for other in found[:i]
            )
        ]
        assert solution.objective == pytest.approx(far[0], rel=1e-6, abs=1e-6)


@settings(deadline=None, max_examples=6)
@given(graph=graphs())
def test_max_marginals_are_those_of_enumeration(graph):
    answers = all_answers(graph)
    for variable, found in zip(graph.whole_variables, max_marginals(graph), strict=True):
        states = len(variable) if isinstance(variable, Categorical) else 2
        for state in range(states):
            own = [o for o, row in answers if int(variable.state_in(row)) == state]
            best = max(own, default=-math.inf)
            if math.isfinite(best):
                assert found.objective[state] == pytest.approx(best, rel=1e-6, abs=1e-6)
                assert found.bound[state] >= best - 1e-6 * max(1.0, abs(best))
            else:
                assert found.objective[state] == -math.inf
        assert found.is_exact


@pytest.mark.parametrize("method", ["ad3", "exact"])
def test_bounds_are_not_below_their_answers_at_any_scale(method):
    """Found by fuzzing: 1e-296 is lost beside 1e100, in the bound before it is in the objective."""
    graph = FactorGraph()
    graph.variable(-1e100)
    graph.categorical([1e-296, 0.0])
    for found in max_marginals(graph, method=method):
        assert (found.bound >= found.objective).all()


def test_only_the_variables_that_count_must_differ():
    graph = FactorGraph()
    a, b = graph.variables([2.0, 1.0])
    assert [s.objective for s in k_best(graph, 9)] == [3.0, 2.0, 1.0, 0.0]
    assert [s.objective for s in k_best(graph, 9, variables=[a])] == [3.0, 1.0]
    assert len(k_best(graph, 9, variables=[])) == 1
    assert [s[b] for s in k_best(graph, 9, variables=[b])] == [True, False]


def test_wrong_arguments():
    graph = FactorGraph()
    graph.variable(1.0)
    with pytest.raises(UsageError, match="distance"):
        k_best(graph, 1, distance=0)
    with pytest.raises(UsageError, match="number of answers"):
        k_best(graph, -1)
