"""Decoders of general graphs against enumeration and each other."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.label.reference import all_scores, random_graph

from treaty.errors import UsageError
from treaty.label import Instances, PatternCrf, PatternKind
from treaty.solve import METHODS, Status

GENERAL = [m for m in METHODS if m != "exhaustive"]


@pytest.mark.parametrize("method", ["auto", *GENERAL])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_bounds_hold_and_certified_answers_are_best(method, seed):
    crf, instances, vertices, factors = random_graph(seed)
    scores = all_scores(crf, vertices, factors)
    best = max(scores.values())
    [found] = crf.decode(instances, method=method)
    if best == -math.inf:
        assert found.score == -math.inf
        return
    assert found.bound >= best - 1e-5
    assert scores[tuple(found.labels.tolist())] == pytest.approx(found.score, abs=1e-5)
    assert found.gap == pytest.approx(found.bound - found.score)
    if found.status is Status.OPTIMAL or method in ("ilp", "exact"):
        assert found.score == pytest.approx(best, abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_the_graph_is_the_instance(seed):
    crf, instances, vertices, factors = random_graph(seed, vertices=3, labels=2)
    best = max(all_scores(crf, vertices, factors).values())
    graph = crf.graph(instances, 0)
    assert [len(c) for c in graph.categoricals] == [2] * 3
    assert graph.solve("exhaustive").objective == pytest.approx(best, abs=1e-5)


def test_forbidden_patterns_of_any_size_never_come_out():
    for size in (1, 2, 3, 4):
        wanted, other = (1,) * size, (0,) * size
        kinds = [
            PatternKind.every("word", 2, 1),
            PatternKind("ban", patterns=(other,), forbidden=(wanted,)),
        ]
        instances = Instances(kinds)
        instances.start(5)
        instances.add("word", [[v] for v in range(5)], [[1]] * 5)
        instances.add(
            "ban", [list(range(v, v + size)) for v in range(6 - size)], [[2]] * (6 - size)
        )
        crf = PatternCrf(["a", "b"], kinds)
        crf.native.index(instances.native)
        crf.weights()[0][:] = [[0.0, 1.0]]
        for method in ("auto", *METHODS):
            [found] = crf.decode(instances, method=method)
            labels = tuple(found.labels.tolist())
            assert wanted not in [labels[v : v + size] for v in range(6 - size)]
            assert found.score == pytest.approx(5 - 5 // size)


def test_threads_change_nothing():
    crf, instances, _, _ = random_graph(5)
    one, two = (crf.decode(instances, method="ad3", threads=t)[0] for t in (1, 2))
    assert one.labels.tolist() == two.labels.tolist() and one.bound == two.bound


def test_unknown_methods_and_numbers_are_refused():
    crf, instances, _, _ = random_graph(1)
    with pytest.raises(UsageError, match="no method 'magic'"):
        crf.decode(instances, method="magic")
    with pytest.raises(UsageError, match="no instance 7"):
        crf.graph(instances, 7)
    with pytest.raises(UsageError, match="expected a label for each of 4 vertices"):
        crf.scores(instances, [0])
    with pytest.raises(UsageError, match="label numbers"):
        crf.scores(instances, [0, 1, 2, 3])


def test_the_edges_that_forbid_are_kept_when_a_tree_answers():
    """A cycle of skip edges and a chain that forbids: the solver gets no time to find anything."""
    kinds = [
        PatternKind.every("word", 2, 1),
        PatternKind.every("next", 2, 2, forbidden=((0, 0), (1, 1))),
        PatternKind.every("skip", 2, 2),
    ]
    instances = Instances(kinds)
    instances.start(6)
    instances.add("word", [[v] for v in range(6)], [[1]] * 6)
    instances.add("skip", [[u, v] for u in range(4) for v in range(u + 2, 6)], [[3]] * 10)
    instances.add("next", [[v, v + 1] for v in range(5)], [[2]] * 5)
    crf = PatternCrf(["a", "b"], kinds)
    crf.native.index(instances.native)
    crf.native.weights.values[:] = [0.0, 1.0, *[0.0] * 4, 3.0, -1.0, -1.0, 3.0]
    [found] = crf.decode(instances, method="ad3", iterations=1)
    assert found.labels.tolist() in ([0, 1] * 3, [1, 0] * 3)
    assert found.score == pytest.approx(crf.scores(instances, found.labels)[0])
