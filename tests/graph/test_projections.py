"""Projections: each is proved optimal, and compared with quadratic programs solved otherwise.

The proof is the variational inequality. A point z of a polytope P minimizes 1/2 |z - a|^2 -
score(z), for a concave score, if and only if (a - z) . (v - z) + score(v) - score(z) <= 0 for
all v in P; the left side is largest at a vertex. Small factors list their vertices, large ones
ask their maximizer (which has tests of its own).
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear
from tests.graph.enumeration import graph_with

from treaty._native.graph import GraphError, Kind

modest = settings(deadline=None, max_examples=150)

# Membership of the convex hull as inequalities (<= 0), with rounding allowed for in the test.
EXCESS = {
    Kind.exactly_one: lambda z, data, shape: [abs(sum(z) - 1)],
    Kind.at_most_one: lambda z, data, shape: [sum(z) - 1],
    Kind.at_least_one: lambda z, data, shape: [1 - sum(z)],
    Kind.xor_with_output: lambda z, data, shape: [abs(sum(z[:-1]) - z[-1])],
    Kind.or_with_output: lambda z, data, shape: [*(z[:-1] - z[-1]), z[-1] - sum(z[:-1])],
    Kind.and_with_output: lambda z, data, shape: [
        *(z[-1] - z[:-1]),
        (1 - z[-1]) - sum(1 - z[:-1]),
    ],
    Kind.reward: lambda z, data, shape: [0.0],
    Kind.at_most: lambda z, data, shape: [sum(z) - shape[0]],
    Kind.exactly: lambda z, data, shape: [abs(sum(z) - shape[0])],
    Kind.knapsack: lambda z, data, shape: [
        sum(z * np.array(data[:-1]) / (max(data[:-1]) or 1)) - data[-1] / (max(data[:-1]) or 1)
    ],
}
ordinary = st.one_of(
    st.integers(-4, 4).map(lambda k: k / 2),  # ties, zeros and ones
    st.floats(-3, 3),
    st.floats(0, 1),
)
entries = st.one_of(
    ordinary,
    ordinary,
    st.sampled_from([1e9, -1e9, 1e100, -1e100, 1e-300]),
    st.floats(-2, 2).map(lambda x: 1e9 + x),  # close to each other, far from 1
)
costs = st.one_of(
    st.integers(0, 4).map(float), st.floats(0.01, 5), st.sampled_from([1e-9, 1e-3, 1e3, 1e9])
)


def lists(elements, n):
    return st.lists(elements, min_size=n, max_size=n)


@st.composite
def problems(draw, sizes, points=entries, kinds=tuple(EXCESS)):
    """A factor that allows something, and a point: (kind, data, shape, a)."""
    n = draw(sizes)
    kind = draw(st.sampled_from(kinds))
    data, shape = [], []
    if kind == Kind.reward:
        data = [draw(points)]
    elif kind in (Kind.at_most, Kind.exactly):
        shape = [draw(st.integers(0, n))]
    elif kind == Kind.knapsack:
        cost = draw(lists(costs, n))
        share = draw(st.sampled_from([0.0, 1e-9, 0.1, 0.25, 0.5, 0.75, 1.0, 2.0]))
        data = [*cost, share * math.fsum(cost)]
    a = draw(lists(points, n))
    if (
        kind == Kind.knapsack
    ):  # the price of capacity must be a number: a / cost, in the largest's unit
        least = min((c for c in data[:-1] if c > 0), default=1.0) / (max(data[:-1]) or 1.0)
        assume(max(map(abs, a)) < 1e307 * least)
    return kind, data, shape, a


def vertices(graph, kind, n, data):
    """Every vertex of the polytope, from the definition, and for the knapsack some other points."""
    for y in itertools.product([0, 1], repeat=n):
        if graph.evaluate(0, np.array(y, dtype=np.int8)) == -math.inf:
            continue
        yield y
        if kind == Kind.knapsack:
            room = max(0.0, data[-1] - math.fsum(itertools.compress(data, y)))
            for i in range(n):
                if not y[i] and data[i] > room:
                    yield (*y[:i], room / data[i], *y[i + 1 :])


def envelope(kind, z, data):
    """The reward's score between the corners, its concave envelope; 0 for other kinds."""
    if kind != Kind.reward:
        return 0.0
    return data[0] * (min(z) if data[0] > 0 else max(0.0, math.fsum(z) - (len(z) - 1)))


def assert_inside(kind, z, data, shape):
    assert np.all((z >= 0) & (z <= 1))
    # Entries are in [0, 1] and sums have n terms: 1e-13 n is a few roundings per term, however
    # large the point was that was projected. (The knapsack's costs are relative to the largest.)
    assert max(EXCESS[kind](z, data, shape)) <= 1e-13 * len(z)


def rounding(a, data):
    # z is the exact projection of a point within a few roundings of a; that displacement also
    # bounds the variational inequality, since no entry of v - z exceeds 1.
    weight = abs(data[0]) if len(data) == 1 else 0.0
    return 1e-14 * len(a) * (1 + np.max(np.abs(a)) + weight)


@modest
@given(problems(st.integers(1, 7)))
@example((Kind.or_with_output, [], [], [5.0]))
@example((Kind.and_with_output, [], [], [-5.0]))
@example((Kind.exactly, [], [2], [1e100, 1e100, 1e100]))
@example((Kind.exactly, [], [2], [1e9, 1e9 + 0.5, 1e9 + 0.25, -1e9]))
@example((Kind.knapsack, [1.0, 1.0, 1.0], [], [1e100, 1e100]))
@example((Kind.knapsack, [1.0, 0.3, 0.7, 0.9], [], [1e9, 3e8, 7e8]))
@example((Kind.knapsack, [0.0, 1.0, 0.0], [], [2.0, 2.0]))
@example((Kind.knapsack, [1.0, 1.0, 1.0, 1.0], [], [1.0, 1.0, 1.0]))
def test_projection_satisfies_the_variational_inequality(problem):
    kind, data, shape, a = problem
    a = np.array(a)
    graph = graph_with(kind, len(a), data, shape)
    z = graph.project(0, a)
    assert_inside(kind, z, data, shape)
    own = envelope(kind, z, data)
    for v in vertices(graph, kind, len(a), data):
        gain = math.fsum((a - z) * (v - z)) + envelope(kind, v, data) - own
        assert gain <= rounding(a, data)


@modest
@given(problems(st.integers(8, 300), kinds=tuple(k for k in EXCESS if k != Kind.knapsack)))
def test_large_projections_satisfy_it_through_the_maximizer(problem):
    check_with_maximizer(*problem)


@settings(modest, max_examples=60)
@given(problems(st.integers(8, 300), points=ordinary, kinds=(Kind.knapsack,)))
def test_large_knapsacks_satisfy_it_through_the_maximizer(problem):
    check_with_maximizer(*problem)


def check_with_maximizer(kind, data, shape, a):
    a = np.array(a)
    graph = graph_with(kind, len(a), data, shape)
    z = graph.project(0, a)
    assert_inside(kind, z, data, shape)
    best, _ = graph.maximize(0, a - z)
    # Both sides are sums of n terms as large as a, so that they are rounded n times as much.
    reached = math.fsum((a - z) * z) + envelope(kind, z, data)
    assert best - reached <= rounding(a, data) * len(a)


@modest
@given(problems(st.integers(1, 5), points=ordinary, kinds=tuple(set(EXCESS) - {Kind.reward})))
def test_projection_is_the_nearest_point_of_the_hull_of_the_vertices(problem):
    """The least-distance program by an active-set method (Lawson & Hanson 1974, ch. 23)."""
    kind, data, shape, a = problem
    a = np.array(a)
    graph = graph_with(kind, len(a), data, shape)
    hull = np.array(list(vertices(graph, kind, len(a), data)), dtype=float).T
    matrix = np.vstack([hull - a[:, None], np.ones(hull.shape[1])])
    fit = lsq_linear(matrix, np.eye(len(a) + 1)[-1], (0, np.inf), method="bvls", tol=1e-15)
    nearest = hull @ fit.x / fit.x.sum()
    # BVLS factors matrices of entries up to 4 and some 60 columns that may be nearly dependent.
    assert graph.project(0, a) == pytest.approx(nearest, abs=1e-8)


def bisect(spent, capacity):
    """The multiplier at which a decreasing function meets the capacity."""
    low, high = -1e4, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if spent(middle) > capacity else (low, middle)
    return (low + high) / 2


@modest
@given(st.data(), st.integers(2, 300))
def test_budgets_and_knapsacks_match_bisection_on_the_multiplier(data, n):
    a = np.array(data.draw(lists(ordinary, n)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    k = data.draw(st.integers(1, n - 1))
    tau = bisect(lambda t: np.clip(a - t, 0, 1).sum(), k)
    z = graph_with(Kind.exactly, n, [], [k]).project(0, a)
    # 200 halvings leave tau exact to its last bit; costs are at least 1/10, entries at most 4.
    assert z == pytest.approx(np.clip(a - tau, 0, 1), abs=1e-12 * n)

    cost = np.round(rng.uniform(0.1, 5, n), data.draw(st.sampled_from([0, 1, 9])))
    capacity = data.draw(st.floats(0.01, 1)) * cost.sum()
    price = max(0.0, bisect(lambda t: cost @ np.clip(a - t * cost, 0, 1), capacity))
    z = graph_with(Kind.knapsack, n, [*cost, capacity], []).project(0, a)
    assert z == pytest.approx(np.clip(a - price * cost, 0, 1), abs=1e-12 * n)


@modest
@given(problems(st.integers(1, 40)))
def test_projecting_twice_changes_nothing(problem):
    kind, data, shape, a = problem
    graph = graph_with(kind, len(a), data, shape)
    z = graph.project(0, np.array(a), 0.0)  # step 0: a reward's own score would push on
    assert graph.project(0, z, 0.0) == pytest.approx(z, abs=1e-13 * len(a))


@modest
@given(ordinary, ordinary, st.floats(0, 3))
def test_pair_is_equation_24(a, b, w):
    """Martins et al. (2011), eq. 24; a negative score follows by negating one of the literals."""
    expected = (a, b + w) if a > b + w else (a + w, b) if b > a + w else ((a + b + w) / 2,) * 2
    pair = graph_with(Kind.reward, 2, [w], [])
    assert pair.project(0, np.array([a, b])) == pytest.approx(np.clip(expected, 0, 1), abs=1e-15)
    # -w x y = w x (1 - y) - w x
    negative = graph_with(Kind.reward, 2, [-w], []).project(0, np.array([a, b]))
    flipped = pair.project(0, np.array([a - w, 1 - b]))
    assert negative == pytest.approx([flipped[0], 1 - flipped[1]], abs=1e-14)


def test_step_scales_the_reward():
    z = np.array([0.2, 0.4, 0.9])
    half = graph_with(Kind.reward, 3, [0.8], []).project(0, z, 0.5)
    assert half == pytest.approx(graph_with(Kind.reward, 3, [0.4], []).project(0, z))


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e90])
def test_knapsack_does_not_mind_the_unit_of_cost(scale):
    a, cost = np.array([0.9, 0.8, 2.0, 0.1]), np.array([3.0, 1.0, 2.0, 5.0])
    expected = graph_with(Kind.knapsack, 4, [*cost, 2.5], []).project(0, a)
    z = graph_with(Kind.knapsack, 4, [*(cost * scale), 2.5 * scale], []).project(0, a)
    assert z == pytest.approx(expected, abs=1e-14)
    assert cost @ z == pytest.approx(2.5, rel=1e-14)


@pytest.mark.parametrize("n", [60, 300])
def test_geometric_inputs_where_every_breakpoint_has_its_own_scale(n):
    """Newton's steps and the fixing of variables are slow here; the answer must not suffer."""
    for base in (0.5, 0.9):
        a, cost = 2.0 * base ** np.arange(n), base ** (np.arange(n)[::-1] / 3)
        for kind, data, shape in (
            (Kind.exactly_one, [], []),
            (Kind.exactly, [], [2]),
            (Kind.knapsack, [*cost, cost.sum() / 50], []),
            (Kind.knapsack, [*cost[::-1], cost.sum() / 50], []),
        ):
            check_with_maximizer(kind, data, shape, a)


@pytest.mark.parametrize(
    ("kind", "data", "shape"),
    [(Kind.exactly, [], [3]), (Kind.knapsack, [1.0, 0.0, -0.5], [])],
)
def test_an_empty_polytope_is_refused(kind, data, shape):
    with pytest.raises(GraphError, match="no assignment of its literals is allowed"):
        graph_with(kind, 2, data, shape).project(0, np.zeros(2))


def test_an_empty_knapsack_keeps_what_is_free():
    z = graph_with(Kind.knapsack, 3, [2.0, 0.0, 1e-300, 0.0], []).project(
        0, np.array([1e9, 0.7, 1])
    )
    assert z.tolist() == [0.0, 0.7, 0.0]


@modest
@given(
    problems(
        st.integers(1, 9),
        points=st.sampled_from([math.inf, -math.inf, math.nan, 1.7e308, -1.7e308, 0.0, 1.0]),
        kinds=tuple(set(EXCESS) - {Kind.reward, Kind.knapsack}),
    )
)
def test_even_numbers_that_are_none_end_in_the_unit_cube(problem):
    kind, data, shape, a = problem
    z = graph_with(kind, len(a), data, shape).project(0, np.array(a))
    assert np.all((z >= 0) & (z <= 1))


@given(st.lists(st.sampled_from([math.inf, -math.inf, math.nan, 1.7e308, 0.0, 1.0]), min_size=3))
@modest
def test_even_such_knapsacks_and_rewards_end_in_the_unit_cube(a):
    for kind, data in (
        (Kind.knapsack, [*range(len(a)), 1.5]),
        (Kind.reward, [2.0]),
        (Kind.reward, [-2.0]),
    ):
        z = graph_with(kind, len(a), data, []).project(0, np.array(a))
        assert np.all((z >= 0) & (z <= 1))
