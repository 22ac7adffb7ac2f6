"""The oracle of arborescences against enumeration and against simpler algorithms."""

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
    graph_with,
    lists,
    maximize,
    modest,
    numbers,
)

from treaty._native.graph import Kind

TAIL = 200  # so many nodes with one possible head each make the arcs sparse: the heaps' turn


def arborescence(nodes, arcs, single_root=False):
    shape = [nodes, single_root, *itertools.chain(*arcs)]
    return graph_with(Kind.arborescence, len(arcs), [], shape)


def is_tree(nodes, arcs, single_root):
    """Every node but 0 has one head and is reached from 0."""
    heads = dict.fromkeys(range(1, nodes))
    for head, modifier in arcs:
        if heads[modifier] is not None:
            return False
        heads[modifier] = head
    children = {head: [] for head in range(nodes)}
    for head, modifier in arcs:
        children[head].append(modifier)
    reached, todo = 0, [0]
    while todo:
        reached += 1
        todo += children[todo.pop()]
    return reached == nodes and not (single_root and len(children[0]) > 1)


@st.composite
def arc_lists(draw, most_nodes, most_arcs):
    nodes = draw(st.integers(1, most_nodes))
    pairs = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m]
    arcs = draw(st.lists(st.sampled_from(pairs), max_size=most_arcs)) if pairs else []
    return nodes, arcs


@modest
@given(st.data(), arc_lists(4, 9), st.booleans())
def test_arborescence_by_all_sets_of_arcs(data, problem, single_root):
    nodes, arcs = problem

    def own_score(on):
        return 0.0 if is_tree(nodes, [arcs[i] for i in on], single_root) else -INF

    scores = data.draw(lists(numbers, len(arcs)))
    check(arborescence(nodes, arcs, single_root), scores, own_score)


def tree_value(scores, on):
    return math.fsum(scores[i] for i in on)


@modest
@given(st.data(), arc_lists(5, 20), st.booleans(), st.sampled_from([0, TAIL]))
def test_arborescence_by_all_heads(data, problem, single_root, tail):
    nodes, arcs = problem
    scores = data.draw(lists(numbers, len(arcs)))
    choices = [[i for i, (_, m) in enumerate(arcs) if m == node] for node in range(1, nodes)]
    best = -INF
    for on in itertools.product(*choices):
        if is_tree(nodes, [arcs[i] for i in on], single_root):
            best = max(best, tree_value(scores, on))
    hook = nodes - 1
    single_root = single_root and not (tail and hook == 0)  # the tail must not hang on the root
    links = list(itertools.pairwise(range(hook, hook + tail + 1)))
    own, on = maximize(
        arborescence(nodes + tail, arcs + links, single_root), [*scores, *([0.0] * tail)]
    )
    if best == -INF:
        assert (own, on) == (-INF, [])
        return
    chosen = [(arcs + links)[i] for i in on]
    assert own == 0.0
    assert is_tree(nodes + tail, chosen, single_root)
    value = tree_value(scores, [i for i in on if i < len(arcs)])
    assert value == pytest.approx(best, abs=1e-12 + 1e-13 * max(map(abs, scores), default=0.0))


def chu_liu_edmonds(score):
    """The textbook's recursion on a matrix score[head, modifier], written apart from the kernel."""
    n = len(score)
    score = score.copy()
    np.fill_diagonal(score, -INF)
    head = [0] + [int(score[:, m].argmax()) for m in range(1, n)]
    if any(score[head[m], m] == -INF for m in range(1, n)):
        return None
    cycle = find_cycle(head)
    if not cycle:
        return head
    rest = [v for v in range(n) if v not in cycle]
    name = len(rest)  # of the contracted cycle
    small = np.full((name + 1, name + 1), -INF)
    small[:name, :name] = score[np.ix_(rest, rest)]
    lost = score[:, cycle] - score[[head[m] for m in cycle], cycle]
    small[:name, name] = lost[rest].max(axis=1)
    small[name, :name] = score[np.ix_(cycle, rest)].max(axis=0)
    inner = chu_liu_edmonds(small)
    if inner is None:
        return None
    result = list(head)
    for i, v in enumerate(rest[1:], start=1):
        outer = inner[i]
        result[v] = rest[outer] if outer < name else cycle[int(score[cycle, v].argmax())]
    entering = rest[inner[name]]
    result[cycle[int(lost[entering].argmax())]] = entering
    return result


def find_cycle(head):
    for start in range(1, len(head)):
        seen = []
        node = start
        while node != 0 and node not in seen:
            seen.append(node)
            node = head[node]
        if node != 0:
            return seen[seen.index(node) :]
    return []


def twin_value(score, single_root):
    if not single_root:
        heads = chu_liu_edmonds(score)
        return -INF if heads is None else sum(score[h, m] for m, h in enumerate(heads) if m)
    values = []
    for only in range(1, len(score)):
        restricted = score.copy()
        restricted[0] = -INF
        restricted[0, only] = score[0, only]
        values.append(twin_value(restricted, False))
    return max(values)


@pytest.mark.parametrize("tail", [0, TAIL])
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize(
    ("nodes", "density"), [(7, 0.4), (12, 1.0), (24, 0.1), (40, 1.0), (40, 0.06)]
)
def test_arborescence_by_the_textbook(nodes, density, single_root, tail):
    rng = np.random.default_rng(nodes)
    links = list(itertools.pairwise(range(nodes - 1, nodes + tail)))
    for trial in range(4):
        score = rng.normal(size=(nodes, nodes))
        if trial % 2:
            score = score.round()
        kept = rng.random((nodes, nodes)) < density
        ring = np.roll(np.arange(1, nodes), 1)  # keeps every node within reach, by many cycles
        kept[ring, np.arange(1, nodes)] = True
        kept[0, 1] = True
        score[~kept] = -INF
        arcs = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m and kept[h, m]]
        weights = [score[arc] for arc in arcs] + [0.0] * tail
        own, on = maximize(arborescence(nodes + tail, arcs + links, single_root), weights)
        assert own == 0.0
        assert is_tree(nodes + tail, [(arcs + links)[i] for i in on], single_root)
        assert tree_value(weights, on) == pytest.approx(twin_value(score, single_root), abs=1e-9)


@pytest.mark.parametrize("nodes", [3, 60, 5001])
def test_nested_cycles_on_a_line(nodes):
    """A line with arcs both ways has one tree per root child: prefix sums give the optimum."""
    rng = np.random.default_rng(nodes)
    n = nodes - 1
    right, left = rng.integers(-9, 9, size=(2, n - 1)).astype(float)  # i -> i+1 and i+1 -> i
    root = rng.integers(-9, 9, size=n).astype(float)
    forward = [(i, i + 1) for i in range(1, n)]
    arcs = forward + [(b, a) for a, b in forward] + [(0, i) for i in range(1, nodes)]
    scores = np.concatenate([right, left, root])
    own, on = maximize(arborescence(nodes, arcs, single_root=True), scores)
    after = right.sum() - np.concatenate([[0.0], right.cumsum()])
    before = np.concatenate([[0.0], left.cumsum()])
    assert own == 0.0
    assert scores[on].sum() == (root + after + before).max()
    assert evaluate(arborescence(nodes, arcs, single_root=True), on) == 0.0


@pytest.mark.parametrize("tail", [0, TAIL])
def test_the_best_of_parallel_arcs(tail):
    """Ties go to the first."""

    def chosen(arcs, scores):
        hook = max(m for _, m in arcs)
        links = list(itertools.pairwise(range(hook, hook + tail + 1)))
        graph = arborescence(hook + tail + 1, arcs + links)
        return [i for i in maximize(graph, scores + [0.0] * tail)[1] if i < len(arcs)]

    assert chosen([(0, 1)] * 3, [1.0, 2.0, 2.0]) == [1]
    ring = [(0, 1), (1, 2), (1, 2), (2, 1), (2, 1), (0, 2), (0, 2)]
    assert chosen(ring, [0.0, 5.0, 5.0, 9.0, 9.0, 1.0, 1.0]) == [3, 5]
    assert chosen(ring, [5.0, 4.0, 7.0, 8.0, 9.0, 1.0, 1.0]) == [0, 2]


def test_only_the_root():
    for single_root in (False, True):
        graph = arborescence(1, [], single_root)
        assert maximize(graph, []) == (0.0, [])
        assert evaluate(graph, []) == 0.0


def test_single_root_is_exact_where_a_large_constant_is_not():
    """Two root arcs beat one by 2e15: only an exact method keeps the third decimal apart."""
    arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
    scores = [1e15, 1e15, -1e15 + 0.125, -1e15 + 0.25]
    assert maximize(arborescence(3, arcs), scores) == (0.0, [0, 1])
    assert maximize(arborescence(3, arcs, single_root=True), scores) == (0.0, [1, 3])
    assert maximize(arborescence(3, arcs[:2], single_root=True), scores[:2]) == (-INF, [])


@pytest.mark.parametrize("huge", [1e9, 1e300])
def test_huge_scores_of_arcs(huge):
    scores = [huge, -huge, -huge, huge]
    arcs = [(0, 1), (1, 2), (2, 1), (0, 2)]
    assert maximize(arborescence(3, arcs), scores) == (0.0, [0, 3])
    assert maximize(arborescence(3, arcs, single_root=True), scores)[0] == 0.0
