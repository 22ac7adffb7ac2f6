"""Every native oracle against enumeration; trees also against simpler algorithms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graph.enumeration import (
    INF,
    check,
    evaluate,
    forbidding,
    graph_with,
    lists,
    maximize,
    modest,
    numbers,
)
from tests.solve.random_graphs import trees

from treaty._native.graph import GraphError, Kind, best_configuration

# Tables and sequences


def states_of(shape, on):
    """One state per variable, or nothing."""
    first = np.cumsum([0, *shape]).tolist()
    if len(on) != len(shape):
        return None
    states = [slot - begin for slot, begin in zip(on, first, strict=False)]
    return states if all(0 <= s < card for s, card in zip(states, shape, strict=True)) else None


shapes = st.lists(st.integers(1, 5), min_size=1, max_size=4).filter(lambda s: sum(s) <= 9)


@modest
@given(st.data(), shapes)
def test_table(data, shape):
    cells = data.draw(lists(forbidding, math.prod(shape)))
    table = np.array(cells).reshape(shape)

    def own_score(on):
        states = states_of(shape, on)
        return -INF if states is None else float(table[tuple(states)])

    check(
        graph_with(Kind.table, sum(shape), cells, shape),
        data.draw(lists(numbers, sum(shape))),
        own_score,
    )


def test_table_with_nothing_allowed():
    graph = graph_with(Kind.table, 4, [-INF] * 4, [2, 2])
    assert maximize(graph, [1.0, 2.0, 3.0, 4.0]) == (-INF, [])


def test_large_pairwise_table():
    rng = np.random.default_rng(3)
    for card in (16, 17, 20):
        table, scores = rng.normal(size=(card, card)), rng.normal(size=2 * card)
        total = table + scores[:card, None] + scores[None, card:]
        a, b = np.unravel_index(total.argmax(), total.shape)
        graph = graph_with(Kind.table, 2 * card, table.ravel(), [card, card])
        assert maximize(graph, scores) == (table[a, b], [a, card + b])


@modest
@given(st.data(), shapes)
def test_sequence(data, shape):
    start = data.draw(lists(forbidding, shape[0]))
    edges = [data.draw(lists(forbidding, a * b)) for a, b in itertools.pairwise(shape)]
    stop = data.draw(lists(forbidding, shape[-1]))

    def own_score(on):
        states = states_of(shape, on)
        if states is None:
            return -INF
        steps = [
            edge[a * card + b]
            for edge, (a, b), card in zip(edges, itertools.pairwise(states), shape[1:], strict=True)
        ]
        return sum([start[states[0]], *steps, stop[states[-1]]])

    graph = graph_with(Kind.sequence, sum(shape), [*start, *itertools.chain(*edges), *stop], shape)
    check(graph, data.draw(lists(numbers, sum(shape))), own_score)


def test_sequence_can_be_cut_by_its_edges():
    edge = [-INF, 0.0, -INF, -INF]  # only 0 -> 1, and never twice
    graph = graph_with(Kind.sequence, 6, [0, 0, *edge, *edge, 0, 0], [2, 2, 2])
    assert maximize(graph, np.zeros(6)) == (-INF, [])


@modest
@given(st.data(), shapes, st.integers(0, 4))
def test_sequence_budget(data, shape, budget):
    start = data.draw(lists(forbidding, shape[0]))
    edges = [data.draw(lists(forbidding, a * b)) for a, b in itertools.pairwise(shape)]
    stop = data.draw(lists(forbidding, shape[-1]))

    def own_score(on):
        states = states_of(shape, on)
        if states is None or states.count(0) > budget:
            return -INF
        steps = [
            edge[a * card + b]
            for edge, (a, b), card in zip(edges, itertools.pairwise(states), shape[1:], strict=True)
        ]
        return sum([start[states[0]], *steps, stop[states[-1]]])

    numbers_ = [*start, *itertools.chain(*edges), *stop]
    graph = graph_with(Kind.sequence_budget, sum(shape), numbers_, [budget, *shape])
    check(graph, data.draw(lists(numbers, sum(shape))), own_score)


# Trees of categorical variables


@modest
@given(st.data(), shapes, st.booleans())
def test_general_tree(data, sizes, counts):
    parents, _ = data.draw(trees(sizes))
    tables = {
        i: data.draw(lists(forbidding, sizes[p] * sizes[i])) for i, p in enumerate(parents) if i
    }

    def own_score(on):
        states = states_of(sizes, on[: len(sizes)] if counts else on)
        if states is None:
            return -INF
        if counts and on[len(sizes) :] != [sum(sizes) + states.count(0)]:
            return -INF
        return sum(t[states[parents[i]] * sizes[i] + states[i]] for i, t in tables.items())

    kind = Kind.general_tree_counts if counts else Kind.general_tree
    degree = sum(sizes) + (len(sizes) + 1 if counts else 0)
    graph = graph_with(kind, degree, list(itertools.chain(*tables.values())), [*sizes, *parents])
    check(graph, data.draw(lists(numbers, degree)), own_score)


@pytest.mark.parametrize("branching", [1, 2, 50])
def test_counts_of_large_trees_are_those_of_repeated_solving(branching):
    """Forcing a count by its literal gives the best labeling with that count: monotone by hand."""
    random = np.random.default_rng(branching)
    n = 60
    parents = [-1, *((i - 1) // branching for i in range(1, n))]
    shape = [2] * n + parents
    graph = graph_with(Kind.general_tree_counts, 3 * n + 1, np.zeros(4 * (n - 1)), shape)
    scores = random.normal(size=(n, 2))
    gains = np.sort(scores[:, 0] - scores[:, 1])[::-1]
    for count in (0, 1, 7, n - 1, n):
        prices = np.full(n + 1, -1e6)
        prices[count] = 0.0
        own, on = maximize(graph, [*scores.ravel(), *prices])
        assert own == 0.0
        assert on[-1] == 2 * n + count
        value = sum(scores.ravel()[slot] for slot in on[:-1])
        assert value == pytest.approx(scores[:, 1].sum() + gains[:count].sum())


def test_a_deep_tree_and_a_long_budget():
    n = 3000
    chain = list(range(-1, n - 1))
    graph = graph_with(Kind.general_tree, 2 * n, np.zeros(4 * (n - 1)), [2] * n + chain)
    assert maximize(graph, [1.0, 0.0] * n) == (0.0, list(range(0, 2 * n, 2)))
    budget = graph_with(Kind.sequence_budget, 2 * n, np.zeros(4 * n), [5] + [2] * n)
    own, on = maximize(budget, [1.0, 0.0] * n)
    assert sum(slot % 2 == 0 for slot in on) == 5
    assert evaluate(budget, on) == own == 0.0


@pytest.mark.parametrize(
    ("kind", "degree", "data", "shape", "cause"),
    [
        (Kind.general_tree, 2, [], [2], "states and the parent"),
        (Kind.general_tree, 2, [], [2, 0], "parent is -1"),
        (Kind.general_tree, 4, [0] * 4, [2, 2, -1, -1], "only node 0"),
        (Kind.general_tree, 4, [0] * 4, [2, 2, -1, 1], "cycle"),
        (Kind.general_tree, 3, [0] * 4, [2, 2, -1, 0], "4 state literals"),
        (Kind.general_tree, 4, [0] * 3, [2, 2, -1, 0], "4 scores of edges"),
        (Kind.general_tree, 2, [0] * 0, [2, 0, -1, 0], "at least one state"),
        (Kind.general_tree_counts, 4, [0] * 4, [2, 2, -1, 0], "7 literals"),
        (Kind.sequence_budget, 2, [0] * 4, [-1, 2], "budget of at least 0"),
        (Kind.sequence_budget, 2, [0] * 4, [1], "at least one categorical"),
        (Kind.sequence_budget, 2, [0] * 3, [1, 2], "4 scores"),
    ],
)
def test_trees_and_budgets_must_fit(kind, degree, data, shape, cause):
    with pytest.raises(GraphError, match=cause):
        graph_with(kind, degree, data, shape)


def test_counts_that_would_fill_the_memory_are_refused():
    n = 12000
    with pytest.raises(GraphError, match="2\\^27 numbers"):
        graph_with(
            Kind.general_tree_counts, 2 * n + 1, np.zeros(n - 1), [1] * n + list(range(-1, n - 1))
        )


# Compression trees


@st.composite
def forests(draw):
    n = draw(st.integers(1, 8))
    name = draw(st.permutations(range(n)))
    parents = [-1] * n
    for i in range(n):
        above = draw(st.integers(-1, i - 1))
        parents[name[i]] = -1 if above < 0 else name[above]
    return parents


@modest
@given(st.data(), forests(), st.booleans())
def test_compression_tree(data, parents, root_needs_child):
    cut = data.draw(lists(numbers, len(parents)))

    def own_score(on):
        score = 0.0
        for i, parent in enumerate(parents):
            if i in on and parent >= 0 and parent not in on:
                return -INF
            if i in on and parent < 0 and root_needs_child and not any(parents[j] == i for j in on):
                return -INF
            if i not in on and (parent < 0 or parent in on):
                score += cut[i]
        return score

    graph = graph_with(Kind.compression_tree, len(parents), cut, [*parents, root_needs_child])
    check(graph, data.draw(lists(numbers, len(parents))), own_score)


def test_a_root_alone_stays_off_if_it_needs_a_child():
    assert maximize(graph_with(Kind.compression_tree, 1, [-5.0], [-1, 1]), [1e9]) == (-5.0, [])
    assert maximize(graph_with(Kind.compression_tree, 1, [-5.0], [-1, 0]), [1e9]) == (0.0, [0])


@pytest.mark.parametrize("descending", [False, True])
def test_a_deep_compression_tree(descending):
    n = 20_000  # recursion would not survive this
    chain = range(1, n + 1) if descending else range(-1, n - 1)
    parents = [-1 if p == n else p for p in chain]
    graph = graph_with(Kind.compression_tree, n, np.zeros(n), [*parents, 0])
    scores = np.full(n, -1.0)
    scores[0 if descending else -1] = n
    assert maximize(graph, scores) == (0.0, list(range(n)))


# All of them


@pytest.mark.parametrize("huge", [1e9, 1e300])
def test_huge_scores(huge):
    scores = [huge, -huge, -huge, huge]
    zeros = [0.0] * 4
    assert maximize(graph_with(Kind.table, 4, zeros, [2, 2]), scores) == (0.0, [0, 3])
    assert maximize(graph_with(Kind.sequence, 4, zeros * 2, [2, 2]), scores) == (0.0, [0, 3])
    tree = graph_with(Kind.compression_tree, 4, zeros, [-1, 0, 0, 0, 0])
    assert maximize(tree, scores) == (0.0, [0, 3])


def test_closed_forms_have_no_oracle():
    graph = graph_with(Kind.exactly_one, 2, [], [])
    with pytest.raises(GraphError, match="exactly_one"):
        maximize(graph, [0.0, 0.0])


def test_arguments_are_checked():
    graph = graph_with(Kind.table, 4, [0.0] * 4, [2, 2])
    with pytest.raises(GraphError, match="4 slot scores"):
        maximize(graph, [0.0])
    with pytest.raises(IndexError):
        best_configuration(graph, 1, np.zeros(4))
    for on in ([2, 0], [0, 4], [-1, 2], [0, 0]):
        with pytest.raises(GraphError, match="ascending"):
            evaluate(graph, on)
