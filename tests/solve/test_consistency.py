"""Branch and bound on soft arc consistency: against enumeration, and on problems of many kinds."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solve.pattern_graphs import labelings, pattern_graphs

from treaty import FactorGraph
from treaty._native import solve as native
from treaty.solve import check, solve

NUMBERS = st.one_of(
    st.integers(-3, 0).map(float),
    st.floats(-10, 10).map(lambda score: round(score, 2)),
    st.sampled_from([0.0, 0.0, 0.0, -1e3, -9.21]),
)
SCORES = st.one_of(NUMBERS, NUMBERS, NUMBERS, st.just(-math.inf))


def best_of(graph):
    problem = native.PatternGraph(graph.native).problem
    return max(problem.score(np.array(x, np.int32)) for x in labelings(problem))


def assert_proved(graph, best):
    found = native.consistent(graph.native)
    if best == -math.inf:
        assert (found.status.name, found.bound) == ("INFEASIBLE", -math.inf)
        return
    size = max(1.0, abs(best))
    assert found.status.name == "OPTIMAL"
    assert found.objective == pytest.approx(best, abs=1e-6 * size)
    assert found.bound >= best - 1e-12 * size
    answer = check(graph, found.values.round().astype(np.int8))
    assert answer.feasible
    assert answer.objective == pytest.approx(found.objective)


@settings(deadline=None, max_examples=80)
@given(data=st.data())
def test_patterns_are_proved(data):
    graph = data.draw(pattern_graphs())
    assert_proved(graph, best_of(graph))


@st.composite
def tables(draw):
    """Tables of two to four variables, with forbidden cells."""
    graph = FactorGraph()
    labels = draw(st.lists(st.integers(1, 4), min_size=2, max_size=6))
    variables = [graph.categorical(draw(st.lists(NUMBERS, min_size=k, max_size=k))) for k in labels]
    for _ in range(draw(st.integers(1, 8))):
        scope = draw(st.permutations(range(len(labels))))[: draw(st.integers(2, 4))]
        shape = [labels[v] for v in scope]
        cells = draw(st.lists(SCORES, min_size=math.prod(shape), max_size=math.prod(shape)))
        graph.table([variables[v] for v in scope], np.array(cells).reshape(shape))
    return graph


@settings(deadline=None, max_examples=150)
@given(graph=tables())
def test_tables_are_proved(graph):
    assert_proved(graph, best_of(graph))


@settings(deadline=None, max_examples=30)
@given(graph=tables(), nodes=st.integers(0, 20))
def test_a_limit_leaves_a_true_bound(graph, nodes):
    best = best_of(graph)
    found = native.consistent(graph.native, nodes=nodes)
    error = 1e-9 * max(1.0, abs(best)) if math.isfinite(best) else 0.0
    assert found.objective <= best + error
    assert found.bound >= best - error


def hard_problem(vertices=40, labels=4, edges=120, forbidden=0.3, seed=0):
    """Random tables with many forbidden cells and one labeling that is allowed."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    planted = random.integers(labels, size=vertices)
    cells = [graph.categorical(random.normal(size=labels)) for _ in range(vertices)]
    pairs = list(itertools.combinations(range(vertices), 2))
    for i in random.choice(len(pairs), size=edges, replace=False):
        a, b = pairs[i]
        table = np.where(random.random((labels, labels)) < forbidden, -math.inf, 0.0)
        table[planted[a], planted[b]] = 0.0
        graph.table([cells[a], cells[b]], table)
    return graph


@pytest.mark.parametrize("seed", range(4))
def test_hard_problems_are_proved_as_by_highs(seed):
    graph = hard_problem(seed=seed)
    found = native.consistent(graph.native)
    assert found.status.name == "OPTIMAL"
    assert found.objective == pytest.approx(solve(graph, "ilp").objective)


def test_the_same_search_gives_the_same_answer():
    graph = hard_problem(60, 5, 250, 0.4)
    runs = [native.consistent(graph.native, nodes=3000) for _ in range(2)]
    assert runs[0].objective == runs[1].objective
    assert runs[0].bound == runs[1].bound
    assert runs[0].iterations == runs[1].iterations


def test_a_gap_is_enough():
    graph = hard_problem()
    best = native.consistent(graph.native).objective
    found = native.consistent(graph.native, gap=1.0)
    assert best - 1.0 <= found.objective <= best <= found.bound + 1e-9


def test_other_factors_are_left_to_others():
    graph = FactorGraph()
    graph.at_most(2, graph.variables([1.0, 2.0, 3.0, 4.0]))
    assert native.consistent(graph.native) is None


def test_it_stops_when_told():
    graph = hard_problem(80, 6, 500, 0.35)
    seen = []
    found = native.consistent(
        graph.native, report=lambda now: seen.append(now) or False, report_every=1
    )
    assert len(seen) == 1
    assert found.status.name in ("FEASIBLE", "UNKNOWN")
