"""Viterbi, forward-backward, n-best lists and solvers of general graphs against enumeration."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.label.reference import all_scores, random_forest, random_graph

from treaty._native import label as native
from treaty.errors import UsageError
from treaty.label import Instances, PatternCrf, PatternKind
from treaty.solve import METHODS, Status

examples = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 10**6)
GENERAL = [m for m in METHODS if m != "exhaustive"]


@examples
@given(seeds)
def test_the_best_labeling_is_found(seed):
    crf, instances, vertices, factors = random_forest(seed)
    scores = all_scores(crf, vertices, factors)
    [found] = crf.decode(instances)
    best = max(scores.values())
    assert found.objective == pytest.approx(best, abs=1e-5)
    if math.isfinite(best):
        assert scores[tuple(found.labels.tolist())] == pytest.approx(best, abs=1e-5)
        assert found.status is Status.OPTIMAL
        assert found.bound == found.objective and found.gap == 0.0
    else:
        assert found.status is Status.INFEASIBLE


def marginals_of(scores, vertices, labels):
    top = max(scores.values())
    weight = {y: math.exp(s - top) for y, s in scores.items()}
    total = sum(weight.values())
    table = np.zeros((vertices, labels))
    for y, w in weight.items():
        for v, a in enumerate(y):
            table[v, a] += w / total
    return table


@examples
@given(seeds, st.sampled_from([0.01, 1.0, 10.0, 300.0]))
def test_marginals_are_shares_of_all_labelings(seed, scale):
    crf, instances, vertices, factors = random_forest(seed, scale=scale)
    scores = all_scores(crf, vertices, factors)
    if max(scores.values()) == -math.inf:
        with pytest.raises(UsageError, match="forbidden"):
            crf.marginals(instances)
        return
    [found] = crf.marginals(instances)
    expected = marginals_of(scores, vertices, len(crf.labels))
    np.testing.assert_allclose(found, expected, atol=1e-4 * max(scale, 1))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-9)


def test_marginals_survive_scores_that_vanish_when_scaled():
    kinds = [PatternKind.every("word", 2, 1), PatternKind.every("next", 2, 2, forbidden=((0, 0),))]
    instances = Instances(kinds)
    instances.start(2)
    instances.add("word", [[0], [1]], [[1], [1]])
    instances.add("next", [[0, 1]], [[2]])
    crf = PatternCrf(["a", "b"], kinds)
    crf.native.index(instances.native)
    word, following = crf.weights()
    word[:] = [[2000.0, 0.0]]
    following[:] = [[0.0, -3000.0, -3000.0, 0.0]]
    [found] = crf.marginals(instances)
    # (0, 1) and (1, 0) score -1000 each, (1, 1) scores 0 and takes it all.
    np.testing.assert_allclose(found, [[0, 1], [0, 1]], atol=1e-12)
    following[:] = [[0.0, -800.0, -800.0, 0.0]]
    [found] = crf.marginals(instances)
    np.testing.assert_allclose(found, [[0.5, 0.5], [0.5, 0.5]], atol=1e-9)


@examples
@given(seeds, st.integers(1, 12))
def test_the_n_best_labelings_come_in_their_order(seed, n):
    crf, instances, vertices, factors = random_forest(seed)
    scores = all_scores(crf, vertices, factors)
    [found] = crf.n_best(instances, n)
    expected = sorted((s for s in scores.values() if s > -math.inf), reverse=True)[:n]
    assert [f.objective for f in found] == pytest.approx(expected, abs=1e-5)
    answers = [tuple(f.labels.tolist()) for f in found]
    assert len(set(answers)) == len(answers)
    assert [scores[y] for y in answers] == pytest.approx(expected, abs=1e-5)


def test_nothing_to_label():
    kinds = [PatternKind.every("word", 1, 1)]
    crf, instances = PatternCrf(["only"], kinds), Instances(kinds)
    assert crf.decode(instances) == []
    instances.start(0)
    instances.start(1)
    empty, single = crf.decode(instances)
    assert empty.labels.tolist() == [] and empty.objective == 0.0
    assert single.labels.tolist() == [0]
    assert [m.tolist() for m in crf.marginals(instances)] == [[], [[1.0]]]
    assert [len(some) for some in crf.n_best(instances, 3)] == [1, 1]


def test_cycles_are_refused_where_trees_are_needed():
    kinds = [PatternKind.every("pair", 2, 2)]
    crf, instances = PatternCrf(["a", "b"], kinds), Instances(kinds)
    instances.start(3)
    instances.add("pair", [[0, 1], [1, 2], [2, 0]], [[1], [1], [1]])
    with pytest.raises(UsageError, match="chains or trees"):
        crf.marginals(instances)
    with pytest.raises(UsageError, match="chains or trees"):
        crf.n_best(instances, 2)


def test_exponentials_and_logarithms_are_right_to_the_last_digits():
    special = [0.0, -1e-300, -1e-9, -0.3465, -0.3466, -1.0, -20.5, -230.25, -699.9]
    for x in [*special, *(-np.geomspace(1e-6, 700, 500)).tolist()]:
        assert native.exponential(x) == pytest.approx(math.exp(x), rel=1e-15)
    assert [native.exponential(x) for x in (0.0, -701.0, -math.inf)] == [1.0, 0.0, 0.0]
    special = [1e-300, 0.5, 0.7071, 0.7072, 1 - 1e-16, 1.0, 1 + 1e-15, 2.0, 22.0, 1e300]
    for x in [*special, *np.geomspace(1e-9, 1e9, 500).tolist()]:
        assert native.logarithm(x) == pytest.approx(math.log(x), rel=4e-16, abs=1e-17)


@pytest.mark.parametrize("method", ["auto", *GENERAL])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_bounds_hold_and_certified_answers_are_best(method, seed):
    crf, instances, vertices, factors = random_graph(seed)
    scores = all_scores(crf, vertices, factors)
    best = max(scores.values())
    [found] = crf.decode(instances, method=method)
    if best == -math.inf:
        assert found.objective == -math.inf
        return
    assert found.bound >= best - 1e-5
    assert scores[tuple(found.labels.tolist())] == pytest.approx(found.objective, abs=1e-5)
    assert found.bound >= found.objective
    if found.status is Status.OPTIMAL or method in ("ilp", "exact"):
        assert found.objective == pytest.approx(best, abs=1e-4)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_the_graph_is_the_instance(seed):
    crf, instances, vertices, factors = random_graph(seed, vertices=3, labels=2)
    best = max(all_scores(crf, vertices, factors).values())
    graph = crf.graph(instances, 0)
    (same,) = crf.graphs(instances)
    assert same.solve("exhaustive").objective == graph.solve("exhaustive").objective
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
            assert found.objective == pytest.approx(5 - 5 // size)


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
    assert found.objective == pytest.approx(crf.scores(instances, found.labels)[0])


def test_arrays_of_weights_outlive_the_table():
    """Only sanitizers see for sure that the memory is still there."""
    kinds = [PatternKind.every("word", 2, 1)]
    instances = Instances(kinds)
    instances.start(2)
    instances.add("word", [[0], [1]], [[1], [2]])
    crf = PatternCrf(["a", "b"], kinds)
    crf.native.index(instances.native)
    [before] = crf.weights()
    before[:] = 1.0
    crf.native.index(instances.native)
    [after] = crf.weights()
    before += 2.0
    assert after.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert before.tolist() == [[3.0, 3.0], [3.0, 3.0]]


@examples
@given(seeds)
def test_without_time_a_labeling_is_that_of_a_spanning_tree(seed):
    crf, instances, vertices, factors = random_graph(seed)
    scores = all_scores(crf, vertices, factors)
    [found] = crf.decode(instances, time_limit=0.0)
    assert found.bound >= max(scores.values()) - 1e-6
    if found.status is not Status.INFEASIBLE and math.isfinite(found.objective):
        assert found.objective == pytest.approx(scores[tuple(found.labels.tolist())], abs=1e-5)
