"""Maximizers and the definition of every closed-form factor, against enumeration."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from tests.graph.enumeration import graph_with

from treaty._native.graph import GraphError, Kind

INF = math.inf
modest = settings(deadline=None, max_examples=150)

# What each kind allows, in the words of its definition; `y` is a tuple of 0s and 1s.
ALLOWS = {
    Kind.exactly_one: lambda y, data, shape: sum(y) == 1,
    Kind.at_most_one: lambda y, data, shape: sum(y) <= 1,
    Kind.at_least_one: lambda y, data, shape: any(y),
    Kind.xor_with_output: lambda y, data, shape: sum(y[:-1]) == y[-1],
    Kind.or_with_output: lambda y, data, shape: any(y[:-1]) == bool(y[-1]),
    Kind.and_with_output: lambda y, data, shape: all(y[:-1]) == bool(y[-1]),
    Kind.reward: lambda y, data, shape: True,
    Kind.at_most: lambda y, data, shape: sum(y) <= shape[0],
    Kind.exactly: lambda y, data, shape: sum(y) == shape[0],
    Kind.knapsack: lambda y, data, shape: (
        data[-1] >= 0 and math.fsum(itertools.compress(data, y)) <= data[-1]
    ),
}
scores = st.one_of(
    st.integers(-2, 2).map(float),  # ties and zeros
    st.floats(-3, 3),
    st.sampled_from([1e9, -1e9, 1e100, -1e100]),
)


def lists(elements, n):
    return st.lists(elements, min_size=n, max_size=n)


@st.composite
def problems(draw, sizes):
    """A factor and the scores of its slots: (kind, data, shape, scores)."""
    n = draw(sizes)
    kind = draw(st.sampled_from(list(ALLOWS)))
    data, shape = [], []
    if kind == Kind.reward:
        data = [draw(scores)]
    elif kind in (Kind.at_most, Kind.exactly):
        shape = [draw(st.integers(0, n + 1))]
    elif kind == Kind.knapsack:
        # Multiples of 1/4: sums of costs are exact, and so is the question whether they fit.
        cost = draw(lists(st.integers(0, 20).map(lambda c: c / 4), n))
        data = [*cost, draw(st.integers(-1, 4 * n).map(lambda c: c / 4))]
    return kind, data, shape, draw(lists(scores, n))


def own_score(kind, y, data, shape):
    if not ALLOWS[kind](y, data, shape):
        return -INF
    return data[0] if kind == Kind.reward and all(y) else 0.0


def relaxed_knapsack_points(cost, capacity):
    """Every vertex of the relaxed knapsack, where one entry may take the rest, and other points."""
    for y in itertools.product([0, 1], repeat=len(cost)):
        room = capacity - math.fsum(itertools.compress(cost, y))
        if room < 0:
            continue
        yield y
        for i, c in enumerate(cost):
            if not y[i] and c > room:
                yield (*y[:i], room / c, *y[i + 1 :])


def best_by_enumeration(kind, data, shape, score):
    n = len(score)
    points = itertools.product([0, 1], repeat=n)
    if kind == Kind.knapsack:
        points = relaxed_knapsack_points(data[:n], data[n])
    return max(
        (
            math.fsum(s * v for s, v in zip(score, y, strict=True))
            + (0.0 if kind == Kind.knapsack else own_score(kind, y, data, shape))
            for y in points
        ),
        default=-INF,
    )


def tolerance(score, data):
    # Every value is a sum of n + 1 numbers, rounded at each step at the scale of the largest.
    return (
        1e-15
        * (len(score) + 1)
        * (max(map(abs, score)) * len(score) + max(map(abs, data), default=0))
    )


@modest
@given(problems(st.integers(1, 8)))
@example((Kind.or_with_output, [], [], [5.0]))
@example((Kind.and_with_output, [], [], [-5.0]))
@example((Kind.xor_with_output, [], [], [5.0]))
@example((Kind.knapsack, [0.0, 1.0, 0.0], [], [3.0, 2.0]))
@example((Kind.knapsack, [-0.0, 1.0], [], [3.0]))
@example((Kind.reward, [-0.5], [], [1.0, 1.0]))
def test_maximizer_finds_the_best_of_all_configurations(problem):
    kind, data, shape, score = problem
    value, y = graph_with(kind, len(score), data, shape).maximize(0, np.array(score))
    best = best_by_enumeration(kind, data, shape, score)
    if best == -INF:
        assert value == -INF
        return
    assert value == pytest.approx(best, rel=0, abs=tolerance(score, data))
    assert np.count_nonzero((y != 0) & (y != 1)) <= (kind == Kind.knapsack)
    if kind == Kind.knapsack:
        assert math.fsum(c * v for c, v in zip(data, y, strict=False)) <= data[-1] * (1 + 1e-14)
        own = 0.0
    else:
        own = own_score(kind, tuple(y), data, shape)
    assert own + math.fsum(score * y) == pytest.approx(best, rel=0, abs=tolerance(score, data))


@modest
@given(problems(st.integers(1, 6)))
def test_evaluate_is_the_definition(problem):
    kind, data, shape, score = problem
    graph = graph_with(kind, len(score), data, shape)
    for y in itertools.product([0, 1], repeat=len(score)):
        assert graph.evaluate(0, np.array(y, dtype=np.int8)) == own_score(kind, y, data, shape)


def test_costs_that_fill_the_capacity_but_for_rounding_fit():
    graph = graph_with(
        Kind.knapsack, 3, [0.1, 0.1, 0.1, 0.3], []
    )  # 0.1 + 0.1 + 0.1 > 0.3 in doubles
    assert graph.evaluate(0, np.ones(3, dtype=np.int8)) == 0.0


@modest
@given(st.data(), st.integers(9, 300))
def test_large_budgets_take_the_largest(data, n):
    score = np.array(data.draw(lists(scores, n)))
    k = data.draw(st.integers(0, n))
    ranked = np.sort(score)[::-1][:k]
    for kind, kept in ((Kind.exactly, ranked), (Kind.at_most, ranked[ranked > 0])):
        value, y = graph_with(kind, n, [], [k]).maximize(0, score)
        assert value == pytest.approx(math.fsum(kept), rel=1e-12, abs=tolerance(score, []))
        assert sorted(score[y == 1]) == sorted(kept)
        assert set(y) <= {0.0, 1.0}


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(9, 300))
def test_large_knapsack_is_the_linear_program(data, n):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    cost = rng.choice([0.0, 0.5, 1.0, 1.0, 3.0, rng.uniform(0, 9)], n)
    score = rng.choice([-1.0, 0.0, 1.0, 2.0, 2.0], n) * rng.choice([1.0, rng.uniform()], n)
    capacity = data.draw(st.sampled_from([0.0, 0.3, 1.0, n / 5, n * 1.0, n * 10.0]))
    value, y = graph_with(Kind.knapsack, n, [*cost, capacity], []).maximize(0, score)
    program = linprog(-score, A_ub=cost[None], b_ub=[capacity], bounds=(0, 1), method="highs")
    assert value == pytest.approx(
        -program.fun, rel=1e-9, abs=1e-9
    )  # HiGHS: 1e-7 feasibility at worst
    assert cost @ y <= capacity * (1 + 1e-14)
    assert np.count_nonzero((y != 0) & (y != 1)) <= 1


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e90])
def test_knapsack_maximizer_does_not_mind_the_unit_of_cost(scale):
    cost = np.array([3.0, 1.0, 2.0, 5.0]) * scale
    graph = graph_with(Kind.knapsack, 4, [*cost, 4 * scale], [])
    value, y = graph.maximize(0, np.array([3.0, 2.0, 2.5, 1.0]))
    assert y == pytest.approx([1 / 3, 1, 1, 0])
    assert value == pytest.approx(5.5)


@pytest.mark.parametrize(
    ("kind", "data", "shape"),
    [
        (Kind.exactly, [], [3]),
        (Kind.knapsack, [1.0, 1.0, -0.5], []),
        (Kind.knapsack, [0.0, 0.0, -1.0], []),
    ],
)
def test_nothing_allowed_is_minus_infinity(kind, data, shape):
    graph = graph_with(kind, 2, data, shape)
    assert graph.maximize(0, np.ones(2))[0] == -INF
    for y in itertools.product([0, 1], repeat=2):
        assert graph.evaluate(0, np.array(y, dtype=np.int8)) == -INF


def test_wrong_lengths_indices_and_values_are_refused():
    graph = graph_with(Kind.at_most_one, 3, [], [])
    with pytest.raises(GraphError, match="3 literals, got 2"):
        graph.maximize(0, np.zeros(2))
    with pytest.raises(GraphError, match="3 literals, got 4"):
        graph.evaluate(0, np.zeros(4, dtype=np.int8))
    with pytest.raises(GraphError, match="zeros and ones"):
        graph.evaluate(0, np.array([0, 2, 0], dtype=np.int8))
    with pytest.raises(IndexError):
        graph.maximize(1, np.zeros(3))


def test_structured_factors_are_evaluated_by_their_oracle():
    graph = graph_with(Kind.table, 4, [1.0, 2.0, 3.0, -INF], [2, 2])
    assert graph.evaluate(0, np.array([1, 0, 0, 1], dtype=np.int8)) == 2.0
    assert graph.evaluate(0, np.array([0, 1, 0, 1], dtype=np.int8)) == -INF
