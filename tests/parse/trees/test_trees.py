"""Marginals and best trees against the enumeration of all trees."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.enumeration import TREES, crosses, is_tree

from treaty.errors import UsageError
from treaty.parse import best_tree, projective_tree, tree_marginals

INF = math.inf
modest = settings(deadline=None, max_examples=80)
roots = pytest.mark.parametrize("single_root", [True, False])


def score_of(heads: tuple[int, ...], scores: np.ndarray) -> float:
    return sum(scores[h, m] for m, h in enumerate(heads) if m)


def enumerated_marginals(scores: np.ndarray, single_root: bool) -> tuple[np.ndarray, float]:
    trees = TREES[len(scores) - 1, single_root]
    values = np.array([score_of(heads, scores) for heads in trees])
    marginals = np.zeros_like(scores)
    if values.max() == -INF:
        return marginals, -INF
    log_partition = values.max() + math.log(np.exp(values - values.max()).sum())
    for heads, value in zip(trees, values, strict=True):
        for modifier, head in enumerate(heads[1:], 1):
            marginals[head, modifier] += math.exp(value - log_partition)
    return marginals, log_partition


def matrices(numbers: st.SearchStrategy[float], largest: int = 5) -> st.SearchStrategy[np.ndarray]:
    def matrix(words: int) -> st.SearchStrategy[np.ndarray]:
        row = st.lists(numbers, min_size=words + 1, max_size=words + 1)
        return st.lists(row, min_size=words + 1, max_size=words + 1).map(np.array)

    return st.integers(0, largest).flatmap(matrix)


forbidding = st.one_of(st.integers(-2, 2).map(float), st.floats(-3, 3), st.just(-INF))
extreme = st.one_of(
    st.floats(-3, 3), st.sampled_from([-INF, 800.0, 300.0, 40.0, -250.0, -1500.0, 5000.0])
)


@roots
@modest
@given(scores=matrices(st.one_of(forbidding, extreme)))
def test_marginals(scores, single_root):
    marginals, log_partition = tree_marginals(scores, single_root=single_root)
    expected, expected_log = enumerated_marginals(scores, single_root)
    np.testing.assert_allclose(marginals, expected, rtol=1e-9, atol=1e-11)
    assert log_partition == pytest.approx(expected_log, rel=1e-12, abs=1e-9)


@roots
@pytest.mark.parametrize("weak", [-30.0, -300.0, -3000.0])
def test_cycles_that_are_hard_to_leave(weak, single_root):
    """Words prefer each other in pairs and triples; the textbook formula loses all digits here."""
    rng = np.random.default_rng(int(-weak))
    scores = weak + rng.normal(size=(6, 6))
    for head, modifier in [(1, 2), (2, 1), (3, 4), (4, 5), (5, 3)]:
        scores[head, modifier] = rng.normal()
    marginals, log_partition = tree_marginals(scores, single_root=single_root)
    expected, expected_log = enumerated_marginals(scores, single_root)
    np.testing.assert_allclose(marginals, expected, rtol=1e-8, atol=1e-12)
    assert log_partition == pytest.approx(expected_log, rel=1e-12)


def test_two_roots_that_are_far_more_likely_than_one():
    """With doubles alone, trees with two roots would still count for 4e-8."""
    scores = np.array(
        [
            [0, 493.58040167, -130.68139433, -221.45750326, 871.86021373],
            [0, 0, 111.72445655, -INF, -475.60800316],
            [0, -INF, 0, 561.81075985, -500.75416447],
            [0, 369.81575585, -INF, 0, 658.82350398],
            [0, -INF, -85.22135371, -INF, 0],
        ]
    )
    marginals, _ = tree_marginals(scores, single_root=True)
    expected, _ = enumerated_marginals(scores, single_root=True)
    np.testing.assert_allclose(marginals, expected, rtol=1e-9, atol=1e-12)


@roots
@pytest.mark.parametrize("words", [7, 40, 61, 150])
@pytest.mark.parametrize("scale", [1.0, 100.0, 3000.0])
def test_marginals_of_long_sentences(words, scale, single_root):
    rng = np.random.default_rng(words)
    scores = scale * rng.normal(size=(words + 1, words + 1))
    marginals, log_partition = tree_marginals(scores, single_root=single_root)
    assert (marginals >= 0).all() and not marginals[:, 0].any() and not marginals.diagonal().any()
    np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1, rtol=1e-12)
    root_arcs = marginals[0].sum()
    assert root_arcs == pytest.approx(1, abs=1e-7) if single_root else root_arcs >= 1 - 1e-9
    best, score = best_tree(scores, single_root=single_root)
    assert score <= log_partition + 1e-9 * abs(score)
    if scale == 3000.0:  # nearly all of the mass is on one tree
        np.testing.assert_array_equal(marginals[:, 1:].argmax(axis=0), best[1:])


@pytest.mark.parametrize("words", [3, 30])
def test_marginals_are_derivatives_of_the_log_partition(words):
    """The textbook way: numerically, and by the determinant, for scores that it can bear."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(words + 1, words + 1))
    weights = np.exp(scores)
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights[:, 1:].sum(axis=0)) - weights[1:, 1:]
    marginals, log_partition = tree_marginals(scores, single_root=False)
    assert log_partition == pytest.approx(np.linalg.slogdet(laplacian)[1])
    for head, modifier in [(0, 1), (2, 3), (3, 1)]:
        nudged = scores.copy()
        nudged[head, modifier] += 1e-5
        slope = (tree_marginals(nudged, single_root=False)[1] - log_partition) / 1e-5
        assert marginals[head, modifier] == pytest.approx(slope, abs=1e-5)


@roots
@modest
@given(scores=matrices(st.one_of(forbidding, st.sampled_from([1e9, -1e9]))))
def test_best_tree(scores, single_root):
    heads, score = best_tree(scores, single_root=single_root)
    assert_best(heads, score, scores, TREES[len(scores) - 1, single_root])


@roots
@modest
@given(scores=matrices(st.one_of(forbidding, st.sampled_from([1e9, -1e9]))))
def test_projective_tree(scores, single_root):
    heads, score = projective_tree(scores, single_root=single_root)
    trees = [h for h in TREES[len(scores) - 1, single_root] if not crosses(h)]
    assert_best(heads, score, scores, trees)


def assert_best(heads, score, scores, trees):
    best = max(score_of(tree, scores) for tree in trees)
    tolerance = 1e-6 if np.abs(scores[np.isfinite(scores)]).max(initial=0) > 1e6 else 1e-9
    assert score == pytest.approx(best, rel=1e-9, abs=tolerance)
    if best == -INF:
        assert (heads == -1).all()
    else:
        assert tuple(heads.tolist()) in trees
        assert score_of(heads.tolist(), scores) == pytest.approx(best, rel=1e-9, abs=tolerance)


@roots
def test_projective_trees_of_long_sentences_do_not_cross(single_root):
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(31, 31))
    heads, score = projective_tree(scores, single_root=single_root)
    assert is_tree(tuple(heads.tolist())) and not crosses(tuple(heads.tolist()))
    assert score == pytest.approx(score_of(heads.tolist(), scores))
    assert score < best_tree(scores, single_root=single_root)[1]
    assert (heads[1:] == 0).sum() == 1 or not single_root


@roots
def test_ties_are_broken_the_same_way_every_time(single_root):
    scores = np.zeros((8, 8))
    first = projective_tree(scores, single_root=single_root)[0].tolist()
    assert first == projective_tree(scores, single_root=single_root)[0].tolist()


@pytest.mark.parametrize("function", [tree_marginals, best_tree, projective_tree])
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, 2.0], "got an array of shape"),
        ([[1.0, 2.0]], "got an array of shape"),
        (np.zeros((0, 0)), "got an array of shape"),
        ([["a"]], "expected numbers"),
        ([[0, math.nan], [0, 0]], "got nan for head 0 and modifier 1"),
        ([[0, INF], [0, 0]], "got inf for head 0 and modifier 1"),
        ([[0, 0, 0], [0, 0, 0], [0, -1e300, 0]], "for head 2 and modifier 1"),
    ],
)
def test_scores_that_make_no_sense_are_refused(function, scores, message):
    with pytest.raises(UsageError, match=message):
        function(scores)


@pytest.mark.parametrize("function", [tree_marginals, best_tree, projective_tree])
def test_what_is_in_no_arc_does_not_matter(function):
    scores = np.random.default_rng(2).normal(size=(5, 5))
    noisy = scores.copy()
    noisy[:, 0] = math.nan
    np.fill_diagonal(noisy, INF)
    for one, other in zip(function(scores), function(noisy), strict=True):
        np.testing.assert_array_equal(one, other)
