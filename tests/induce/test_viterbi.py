"""Dynamic programs against all projective trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import count_tree, flat_counts, random_corpus, trees

from treaty.errors import UsageError
from treaty.induce import Features, Grammar, expected_counts, viterbi

CATALAN_LIKE = [1, 2, 7, 30, 143, 728]


def test_how_many_trees() -> None:
    assert [len(trees(n)) for n in range(1, 7)] == CATALAN_LIKE


def random_weights(seed: int, impossible: float = 0.0) -> Features:
    rng = np.random.default_rng(seed)
    flat = rng.normal(size=3 + 18 + 24)
    flat[rng.random(len(flat)) < impossible] = -np.inf
    return Features.from_flat(flat)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([0.0, 0.2]))
def test_best_tree_and_sum_over_trees(seed: int, n: int, impossible: float) -> None:
    corpus = random_corpus(seed, [n])
    weights = random_weights(seed, impossible)
    (counts,) = flat_counts(corpus)
    with np.errstate(invalid="ignore"):
        scores = np.array([np.where(c > 0, c * weights.flat, 0.0).sum() for c in counts])
    found = viterbi(corpus, weights)
    assert found.score == pytest.approx(scores.max(), abs=1e-9)
    expected, log_sum = expected_counts(corpus, weights)
    if np.isinf(scores.max()):
        assert log_sum == -np.inf
        return
    assert found.counts.flat @ np.where(np.isinf(weights.flat), 0, weights.flat) == pytest.approx(
        scores.max()
    )
    assert np.array_equal(corpus.count(found.heads).flat, found.counts.flat)
    shares = np.exp(scores - scores.max())
    assert log_sum == pytest.approx(scores.max() + np.log(shares.sum()))
    assert expected.flat == pytest.approx(shares @ np.array(counts) / shares.sum(), abs=1e-9)


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=30)
def test_counts_are_those_of_the_definition(seed: int) -> None:
    corpus = random_corpus(seed, [3, 5, 1])
    rng = np.random.default_rng(seed)
    chosen = [trees(n)[rng.integers(len(trees(n)))] for n in (3, 5, 1)]
    by_hand = sum(
        count_tree(s.tolist(), tree, 3).flat for s, tree in zip(corpus, chosen, strict=True)
    )
    assert np.array_equal(corpus.count([h for tree in chosen for h in tree]).flat, by_hand)


def test_ties_are_broken_by_the_seed() -> None:
    corpus = random_corpus(1, [6] * 5)
    uniform = Grammar.uniform(corpus.tags)
    parses = [viterbi(corpus, uniform, seed=seed) for seed in range(20)]
    assert len({p.heads.tobytes() for p in parses}) > 15
    plain = viterbi(corpus, uniform)
    assert np.array_equal(plain.heads, viterbi(corpus, uniform).heads)
    # Trees with more children on one side make fewer choices by decision, so not all are equal.
    assert {round(p.score, 9) for p in parses} == {round(plain.score, 9)}


def test_threads_change_nothing() -> None:
    corpus = random_corpus(3, [7] * 300)
    weights = random_weights(3)
    one, two = (viterbi(corpus, weights, seed=5, threads=t) for t in (1, 2))
    assert np.array_equal(one.heads, two.heads)
    assert one.score == two.score
    soft = [expected_counts(corpus, weights, threads=t) for t in (1, 2)]
    assert np.array_equal(soft[0][0].flat, soft[1][0].flat)
    assert soft[0][1] == soft[1][1]


def test_long_sentence() -> None:
    corpus = random_corpus(4, [200])
    counts, log_sum = expected_counts(corpus, Grammar.random(corpus.tags, 1))
    assert counts.root.sum() == pytest.approx(1.0)
    assert viterbi(corpus, Grammar.random(corpus.tags, 1)).score < log_sum


def test_weights_for_other_tags() -> None:
    with pytest.raises(UsageError, match="for 2"):
        viterbi(random_corpus(1, [3]), Grammar.uniform("AB"))
