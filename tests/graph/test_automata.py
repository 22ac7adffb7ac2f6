"""Head automata: their oracles against enumeration, and how they are built."""

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

from treaty._native.graph import GraphError, Kind

scores = st.one_of(forbidding, st.sampled_from([1e-300, -1e-300, 5e-324]))
sizes = st.tuples(st.sampled_from([0, 1, 2, 3]), st.integers(0, 5), st.booleans())


def path(modifiers, on):
    """The positions that are on, from START to END."""
    return [0, *(slot + 1 for slot in on), modifiers + 1]


@modest
@given(st.data(), sizes)
def test_head_automaton(data, size):
    grandparents, modifiers, flag = size
    flag = flag and grandparents > 0
    pairs = list(itertools.combinations(range(modifiers + 2), 2))
    arcs = [(g, m) for g in range(grandparents) for m in range(1, modifiers + 1)]
    grandparent = dict(zip(arcs, data.draw(lists(scores, len(arcs))), strict=True))
    sibling = dict(zip(pairs, data.draw(lists(scores, len(pairs))), strict=True))
    triples = list(itertools.product(range(grandparents), pairs)) if flag else []
    grand_sibling = dict(zip(triples, data.draw(lists(scores, len(triples))), strict=True))

    def own_score(on):
        incoming = [slot for slot in on if slot < grandparents]
        if len(incoming) != min(grandparents, 1):
            return -INF
        (g,) = incoming or [None]
        modifier = [slot - grandparents for slot in on if slot >= grandparents]
        steps = list(itertools.pairwise(path(modifiers, modifier)))
        score = sum(sibling[step] for step in steps)
        score += sum(grandparent[g, m + 1] for m in modifier if g is not None)
        return score + sum(grand_sibling[g, step] for step in steps if flag)

    values = [*grandparent.values(), *sibling.values(), *grand_sibling.values()]
    degree = grandparents + modifiers
    graph = graph_with(Kind.head_automaton, degree, values, [grandparents, modifiers, flag])
    check(graph, data.draw(lists(numbers, degree)), own_score)


@modest
@given(st.data(), st.integers(0, 7))
def test_tri_sibling_automaton(data, modifiers):
    triples = list(itertools.combinations(range(modifiers + 2), 3))
    score = dict(zip(triples, data.draw(lists(scores, len(triples))), strict=True))

    def own_score(on):
        positions = path(modifiers, on)
        return sum(score[t] for t in zip(positions, positions[1:], positions[2:], strict=False))

    graph = graph_with(Kind.tri_sibling_automaton, modifiers, list(score.values()), [modifiers])
    check(graph, data.draw(lists(numbers, modifiers)), own_score)


@pytest.mark.parametrize("grandparents", [1, 2, 3, 4, 5, 6, 7, 9])
def test_every_grandparent_has_its_own_best_path(grandparents):
    """All lanes, whatever they are grouped in: each grandparent alone, and then together."""
    random = np.random.default_rng(grandparents)
    modifiers, pairs = 8, 45
    data = random.normal(size=grandparents * (modifiers + pairs) + pairs)
    graph = graph_with(
        Kind.head_automaton, grandparents + modifiers, data, [grandparents, modifiers, 1]
    )
    slots = random.normal(size=grandparents + modifiers)

    def best(slots):
        score, on = maximize(graph, slots)
        assert score == evaluate(graph, on)
        return score + slots[on].sum(), on

    alone = []
    for g in range(grandparents):
        forced = slots.copy()
        forced[:grandparents] = -1e3
        forced[g] = slots[g]
        value, on = best(forced)
        assert on[0] == g
        every = [
            [g, *(grandparents + np.flatnonzero(bits))]
            for bits in itertools.product([0, 1], repeat=modifiers)
        ]
        assert value == pytest.approx(max(evaluate(graph, y) + forced[y].sum() for y in every))
        alone.append(value)
    assert best(slots)[0] == pytest.approx(max(alone))


def test_ties_go_to_the_first_incoming_arc_and_few_modifiers():
    graph = graph_with(Kind.head_automaton, 5, np.zeros(6 + 10), [2, 3, 0])
    assert maximize(graph, np.zeros(5)) == (0.0, [0])
    graph = graph_with(Kind.tri_sibling_automaton, 3, np.zeros(10), [3])
    assert maximize(graph, np.zeros(3)) == (0.0, [])


def test_a_head_automaton_can_be_cut_by_its_scores():
    forbidden = [0.0, -INF, -INF]  # START to the modifier, and no further
    assert maximize(graph_with(Kind.head_automaton, 1, forbidden, [0, 1, 0]), [5.0]) == (-INF, [])
    start_to_end = [0.0, -INF, 2.0]  # for all, for the first and for the second grandparent
    graph = graph_with(Kind.head_automaton, 2, start_to_end, [2, 0, 1])
    assert maximize(graph, [9.0, 1.0]) == (2.0, [1])


@pytest.mark.parametrize(
    ("kind", "degree", "data", "shape", "cause"),
    [
        (Kind.head_automaton, 1, 3, [0, 1], "expected 3 sizes"),
        (Kind.head_automaton, 1, 3, [-1, 2, 0], "negative"),
        (Kind.head_automaton, 1, 3, [0, 1, 2], "flag"),
        (Kind.head_automaton, 1, 6, [0, 1, 1], "need grandparents"),
        (Kind.head_automaton, 2, 3, [0, 1, 0], "expected 1 literals"),
        (Kind.head_automaton, 1, 3, [0, 2**31 - 1, 0], "expected 2147483647 literals"),
        (Kind.head_automaton, 3, 9, [2, 1, 0], "expected 5 scores"),
        (Kind.head_automaton, 3, 5, [2, 1, 1], "expected 11 scores"),
        (Kind.tri_sibling_automaton, 1, 1, [], "expected 1 size"),
        (Kind.tri_sibling_automaton, 1, 1, [-1], "negative"),
        (Kind.tri_sibling_automaton, 1, 1, [2], "expected 2 modifiers"),
        (Kind.tri_sibling_automaton, 3, 9, [3], "expected 10 scores"),
    ],
)
def test_sizes_must_fit(kind, degree, data, shape, cause):
    with pytest.raises(GraphError, match=cause):
        graph_with(kind, degree, np.zeros(data), shape)


@pytest.mark.parametrize("number", [INF, math.nan, 1e101])
def test_scores_must_be_numbers(number):
    with pytest.raises(GraphError, match="scores must be numbers"):
        graph_with(Kind.head_automaton, 1, [0.0, number, 0.0], [0, 1, 0])
    with pytest.raises(GraphError, match="scores must be numbers"):
        graph_with(Kind.tri_sibling_automaton, 1, [number], [1])


# From Python
