"""Scores of compressions, against counts made by hand."""

import math

import pytest

from treaty.errors import InputError
from treaty.metrics import (
    Accuracy,
    Retrieval,
    compare,
    compression_scores,
    confidence_interval,
)

GOLD = [[1, 1, 0, 1], [0, 1], [True, False, True]]
SYSTEM = [[1, 0, 1, 1], [0, 1], [False, False, True]]


def test_words_kept_are_counted_over_sentences():
    scores = compression_scores(GOLD, SYSTEM)
    assert scores.kept == Retrieval(correct=4, gold=6, system=5)
    assert scores.by_sentence == (Retrieval(2, 3, 3), Retrieval(1, 1, 1), Retrieval(1, 2, 1))
    assert scores.words == Accuracy(6, 9)
    assert scores.sentences == Accuracy(1, 3)
    assert (scores.gold_rate, scores.rate) == (6 / 9, 5 / 9)
    assert scores.mean_f1 == pytest.approx((2 / 3 + 1 + 2 / 3) / 3)
    assert scores.arcs == Retrieval(0, 0, 0)
    assert math.isnan(scores.arc_decisions.value)


def test_an_arc_is_kept_with_both_its_ends():
    heads = [[2, 0, 2, 3], [0, 1], [3, 3, 0]]
    scores = compression_scores(GOLD, SYSTEM, heads)
    # gold keeps 1<-2 and root->2; nothing, as the root is gone; 1<-3 and root->3
    # the system: 3->4, no root; nothing; root->3
    assert scores.arcs == Retrieval(correct=1, gold=4, system=2)
    assert scores.arc_decisions == Accuracy(5, 9)


def test_compressions_that_keep_nothing():
    scores = compression_scores([[0, 0], [1, 0]], [[0, 0], [0, 0]])
    assert scores.mean_f1 == 0.5
    assert scores.sentences == Accuracy(1, 2)
    assert (scores.kept.recall, scores.rate) == (0, 0)


def test_the_interval_and_the_comparison_are_of_f1():
    scores = compression_scores(GOLD * 20, SYSTEM * 20)
    perfect = compression_scores(GOLD * 20, GOLD * 20)
    interval = scores.interval()
    assert interval == confidence_interval([4, 2, 2] * 20, [6, 2, 3] * 20)
    assert interval.value == pytest.approx(scores.kept.f1)
    assert interval.low < interval.value < interval.high
    found = perfect.compare(scores)
    assert found == compare(
        [6, 2, 4] * 20, [4, 2, 2] * 20, [6, 2, 4] * 20, second_total=[6, 2, 3] * 20
    )
    assert found.difference.value == pytest.approx(1 - scores.kept.f1)
    assert found.p_value < 0.01


@pytest.mark.parametrize(
    ("gold", "system", "heads", "cause"),
    [
        ([[1]], [[1, 0]], None, "sentence 1: gold has 1 words, system has 2 words"),
        ([[1], [1]], [[1]], None, "sentence 2: gold has 1 words, system has no sentence"),
        ([[1]], [[1]], [[0, 1]], "sentence 1: gold has 1 words, .* the tree has 2 words"),
        ([[1]], [[1]], [], "sentence 1: .* the tree has no sentence"),
    ],
)
def test_sentences_must_match(gold, system, heads, cause):
    with pytest.raises(InputError, match=cause):
        compression_scores(gold, system, heads)


def test_no_sentences():
    assert math.isnan(compression_scores([], []).mean_f1)
