"""Scores of entities, counted in another way, and their intervals."""

import math
import random

import numpy as np
import pytest

from treaty.errors import InputError, UsageError
from treaty.metrics import Accuracy, compare_spans, span_scores
from treaty.text import spans_of_labels


def noisy(rng, labels, share):
    every = ["O", "B-X", "I-X", "B-Y", "I-Y"]
    return [rng.choice(every) if rng.random() < share else label for label in labels]


@pytest.fixture
def sentences():
    rng = random.Random(3)
    gold = [noisy(rng, ["O"] * rng.randint(1, 12), 0.5) for _ in range(60)]
    good = [noisy(rng, labels, 0.1) for labels in gold]
    bad = [noisy(rng, labels, 0.5) for labels in gold]
    return gold, good, bad


def test_counts_are_those_of_sets_of_entities(sentences):
    gold, system, _ = sentences
    scores = span_scores(gold, system)
    sides = [
        {(i, *span) for i, labels in enumerate(side) for span in spans_of_labels(labels)}
        for side in (gold, system)
    ]
    right = sides[0] & sides[1]
    assert (scores.all.correct, scores.all.gold, scores.all.system) == (
        len(right),
        *map(len, sides),
    )
    precision, recall = len(right) / len(sides[1]), len(right) / len(sides[0])
    assert scores.micro_f1 == pytest.approx(2 * precision * recall / (precision + recall))
    by_hand = []
    for kind in "XY":
        c, g, s = (len({e for e in side if e[3] == kind}) for side in (right, *sides))
        assert (scores.by_type[kind].correct, scores.by_type[kind].gold) == (c, g)
        by_hand.append(2 * c / (g + s))
    assert scores.macro_f1 == pytest.approx(sum(by_hand) / 2)


def test_intervals_hold_the_score_and_shrink_with_the_level(sentences):
    gold, good, _ = sentences
    scores = span_scores(gold, good)
    for metric in ("micro", "macro"):
        wide, narrow = scores.interval(metric), scores.interval(metric, level=0.5)
        assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
        assert wide == scores.interval(metric)


@pytest.mark.parametrize("metric", ["micro", "macro"])
def test_the_interval_is_between_the_percentiles_of_the_draws(sentences, metric):
    """The same draws, made here: 2000 of seed 0, and the middle 95 % of their scores."""
    gold, good = (side[:12] for side in sentences[:2])
    draws = np.random.default_rng(0).integers(12, size=(2000, 12))
    drawn = []
    for draw in draws[:200]:  # the whole takes long: the first of them must be the same
        scores = span_scores([gold[i] for i in draw], [good[i] for i in draw])
        drawn.append(getattr(scores, f"{metric}_f1"))
    counts = span_scores(gold, good).counts
    times = np.stack([np.bincount(draw, minlength=12) for draw in draws])
    sums = np.tensordot(times, counts, axes=1)
    if metric == "micro":
        sums = sums.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = 2 * sums[..., 0] / (sums[..., 1] + sums[..., 2])
    every = np.nanmean(shares, axis=1)
    assert every[:200] == pytest.approx(drawn)
    interval = span_scores(gold, good).interval(metric)
    assert [interval.low, interval.high] == pytest.approx(np.quantile(every, [0.025, 0.975]))
    assert interval.value == getattr(span_scores(gold, good), f"{metric}_f1")


def test_words_with_the_right_label_are_counted():
    scores = span_scores([["O", "B-X"], ["B-Y", "I-Y"]], [["O", "B-X"], ["B-Y", "B-Y"]])
    assert scores.tokens == Accuracy(3, 4)


@pytest.mark.parametrize("metric", ["micro", "macro"])
def test_a_comparison_is_made_of_paired_draws_and_swaps(sentences, metric):
    gold, good, bad = (side[:10] for side in sentences)
    first, second = span_scores(gold, good), span_scores(gold, bad)
    assert list(first.by_type) == list(second.by_type)

    def f1(counts):
        sums = counts.sum(axis=-2, keepdims=True) if metric == "micro" else counts
        whole = sums[..., 1] + sums[..., 2]
        with np.errstate(invalid="ignore"):
            return np.nanmean(np.where(whole > 0, 2 * sums[..., 0] / whole, np.nan), axis=-1)

    draws = np.random.default_rng(0).integers(10, size=(2000, 10))
    times = np.stack([np.bincount(draw, minlength=10) for draw in draws])
    by = np.subtract(*(f1(np.tensordot(times, s.counts, axes=1)) for s in (first, second)))
    found = compare_spans(first, second, metric)
    interval = found.difference
    assert [interval.low, interval.high] == pytest.approx(np.quantile(by, [0.025, 0.975]))
    swap = np.random.default_rng(0).integers(2, size=(2000, 10)).astype(bool)[:, :, None, None]
    ours = np.where(swap, second.counts, first.counts).sum(axis=1)
    theirs = np.where(swap, first.counts, second.counts).sum(axis=1)
    as_far = abs(f1(ours) - f1(theirs)) >= abs(interval.value) - 1e-12
    assert found.p_value == pytest.approx((as_far.sum() + 1) / 2001)


def test_swaps_that_differ_as_much_count():
    """With one sentence, to swap it or not makes the same difference."""
    one, other = span_scores([["B-X"]], [["B-X"]]), span_scores([["B-X"]], [["O"]])
    assert compare_spans(one, other, samples=50).p_value == 1


def test_levels_and_samples_are_checked():
    scores = span_scores([["B-X"]], [["B-X"]])
    for options in ({"level": 1.5}, {"level": 0.0}, {"samples": 0}):
        with pytest.raises(UsageError, match=r"level|samples"):
            compare_spans(scores, scores, **options)
        with pytest.raises(UsageError, match=r"level|samples"):
            scores.interval(**options)


def test_without_sentences_there_is_nothing_to_compare():
    nothing = span_scores([], [])
    with pytest.raises(UsageError, match="there are no sentences to score"):
        nothing.interval()
    with pytest.raises(UsageError, match="there are no sentences to score"):
        compare_spans(nothing, nothing)


def test_comparisons_repeat_with_the_usual_draws(sentences):
    gold, good, bad = sentences
    scores = span_scores(gold, good), span_scores(gold, bad)
    usual = compare_spans(*scores)
    assert usual == compare_spans(*scores, "micro", level=0.95, samples=2000, seed=0)
    assert usual != compare_spans(*scores, seed=1)


def test_a_better_system_is_told_from_a_worse_one_and_a_system_from_itself_is_not(sentences):
    gold, good, bad = sentences
    scores = [span_scores(gold, system) for system in (good, bad)]
    for metric in ("micro", "macro"):
        found = compare_spans(*scores, metric)
        assert found.difference.low > 0
        assert found.p_value < 0.01
        back = compare_spans(*scores[::-1], metric)
        assert back.difference.value == pytest.approx(-found.difference.value)
        same = compare_spans(scores[0], scores[0], metric)
        assert (same.difference.value, same.p_value) == (0, 1)


def test_a_type_that_one_system_alone_has_counts():
    gold = [["B-X"], ["B-X"]]
    first, second = span_scores(gold, gold), span_scores(gold, [["B-X"], ["B-Z"]])
    assert second.by_type["Z"].f1 == 0
    assert second.macro_f1 == pytest.approx((2 / 3 + 0) / 2)
    assert compare_spans(first, second, "macro").difference.value == pytest.approx(1 - 1 / 3)


def test_nothing_to_find_has_no_score():
    scores = span_scores([["O"]], [["O"]])
    assert math.isnan(scores.micro_f1)
    assert math.isnan(scores.macro_f1)
    with pytest.raises(UsageError, match="no entities to score"):
        scores.interval()


@pytest.mark.parametrize(
    ("system", "cause"),
    [
        ([["O"]], "sentence 2: gold has 1 labels, system no sentence"),
        ([["O", "O"], ["O"]], "2 lab"),
    ],
)
def test_other_sentences_are_refused(system, cause):
    with pytest.raises(InputError, match=cause):
        span_scores([["O"], ["O"]], system)


def test_comparisons_of_other_data_are_refused():
    one, other = span_scores([["B-X"]], [["B-X"]]), span_scores([["B-Y"]], [["B-X"]])
    with pytest.raises(UsageError, match="different gold"):
        compare_spans(one, other)
    with pytest.raises(UsageError, match="different sentences"):
        compare_spans(one, span_scores([["O"]] * 2, [["O"]] * 2))
    with pytest.raises(UsageError, match="'micro' or 'macro'"):
        one.interval("mean")
