"""Intervals and p-values, against enumeration of all draws and by their properties."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import UsageError
from treaty.metrics import compare, confidence_interval

CORRECT, TOTAL = np.array([1, 4, 3, 2, 9]), np.array([4, 5, 3, 6, 9])


def test_the_interval_is_that_of_all_possible_draws():
    draws = np.array(list(itertools.product(range(5), repeat=5)))
    scores = CORRECT[draws].sum(axis=1) / TOTAL[draws].sum(axis=1)
    interval = confidence_interval(CORRECT, TOTAL, level=0.8, samples=20_000)
    assert interval.value == CORRECT.sum() / TOTAL.sum()
    assert (interval.low, interval.high) == pytest.approx(np.quantile(scores, [0.1, 0.9]), abs=0.01)


def counts(sentences, seed):
    """Counts of each sentence that hardly ever give the same score twice."""
    rng = np.random.default_rng(seed)
    total = rng.integers(1, 1000, sentences)
    return (total * rng.random(sentences)).astype(int), total


def test_the_interval_is_between_the_percentiles_of_the_draws():
    """The same draws, made here: 2000 of seed 0, and the middle 95 % of their scores."""
    correct, total = counts(20, 1)
    draws = np.random.default_rng(0).integers(20, size=(2000, 20))
    scores = correct[draws].sum(axis=1) / total[draws].sum(axis=1)
    interval = confidence_interval(correct, total)
    assert interval.level == 0.95
    assert [interval.low, interval.high] == pytest.approx(
        np.quantile(scores, [0.025, 0.975]), rel=1e-9
    )
    narrow = confidence_interval(correct, total, level=0.8)
    assert [narrow.low, narrow.high] == pytest.approx(np.quantile(scores, [0.1, 0.9]), rel=1e-9)


def difference(a, a_total, b, b_total):
    return a.sum(axis=-1) / a_total.sum(axis=-1) - b.sum(axis=-1) / b_total.sum(axis=-1)


@pytest.mark.parametrize("seed", range(5))
def test_a_comparison_is_made_of_paired_draws_and_swaps(seed):
    (first, first_total), (second, second_total) = counts(9, seed), counts(9, seed + 50)
    found = compare(first, second, first_total, second_total=second_total)
    draws = np.random.default_rng(0).integers(9, size=(2000, 9))
    by = difference(first[draws], first_total[draws], second[draws], second_total[draws])
    interval = found.difference
    assert [interval.low, interval.high] == pytest.approx(np.quantile(by, [0.025, 0.975]), rel=1e-9)
    keep = np.random.default_rng(0).integers(2, size=(2000, 9)).astype(bool)
    swapped = difference(
        np.where(keep, first, second), np.where(keep, first_total, second_total),
        np.where(keep, second, first), np.where(keep, second_total, first_total),
    )  # fmt: skip
    as_far = np.abs(swapped) >= abs(interval.value) - 1e-12
    assert 0.01 < found.p_value < 0.99
    assert found.p_value == pytest.approx((as_far.sum() + 1) / 2001)


def test_draws_in_which_a_system_has_nothing_are_left_out():
    first, total = np.array([3, 2, 4, 1]), np.array([4, 3, 5, 3])
    second, second_total = np.array([1, 0, 0, 0]), np.array([2, 0, 0, 0])
    draws = np.random.default_rng(0).integers(4, size=(2000, 4))
    scored = draws[second_total[draws].sum(axis=1) > 0]
    by = difference(first[scored], total[scored], second[scored], second_total[scored])
    found = compare(first, second, total, second_total=second_total).difference
    assert [found.low, found.high] == pytest.approx(np.quantile(by, [0.025, 0.975]))


def test_the_p_value_is_that_of_all_swaps():
    first, second = np.array([3, 5, 4, 4, 6, 2]), np.array([2, 3, 4, 5, 4, 1])
    difference = first - second
    swaps = np.array(list(itertools.product([1, -1], repeat=6))) @ difference
    exact = (abs(swaps) >= abs(difference.sum())).mean()
    found = compare(first, second, [6] * 6, samples=20_000)
    assert found.p_value == pytest.approx(exact, abs=0.015)
    assert found.difference.value == pytest.approx(difference.sum() / 36)


def test_equal_systems_do_not_differ():
    found = compare(CORRECT, CORRECT, TOTAL)
    assert found.p_value == 1
    assert (found.difference.low, found.difference.high) == (0, 0)


def test_a_system_that_is_always_better_is_found_to_be():
    found = compare(np.full(200, 5), np.full(200, 4), np.full(200, 5))
    assert found.p_value < 0.001
    assert found.difference.low > 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(5, 9)), min_size=1, max_size=20))
@settings(deadline=None, max_examples=50)
def test_intervals_are_ordered_and_repeat(counts):
    correct, total = zip(*counts, strict=True)
    interval = confidence_interval(correct, total, samples=200, seed=3)
    assert 0 <= interval.low <= interval.high <= 1
    assert interval == confidence_interval(correct, total, samples=200, seed=3)
    wider = confidence_interval(correct, total, samples=200, seed=3, level=0.99)
    assert wider.low <= interval.low <= interval.high <= wider.high


def test_draws_do_not_depend_on_how_many_are_in_memory(monkeypatch):
    whole = compare(CORRECT, CORRECT[::-1], TOTAL, samples=100)
    monkeypatch.setattr("treaty.metrics._significance.CELLS", 15)
    assert compare(CORRECT, CORRECT[::-1], TOTAL, samples=100) == whole


def test_sentences_without_a_scored_word_are_no_trouble():
    interval = confidence_interval([0, 3], [0, 4], samples=300)
    assert interval.low == interval.high == interval.value == 0.75


@pytest.mark.parametrize(
    ("arguments", "options", "cause"),
    [
        (([1, 2], [3]), {}, "one count of right answers"),
        (([], []), {}, "nothing to score"),
        (([0], [0]), {}, "nothing to score"),
        (([1], [1]), {"level": 1.0}, "level"),
        (([1], [1]), {"level": 0.0}, "level"),
        (([1], [1]), {"samples": 0}, "samples"),
    ],
)
def test_nonsense_is_refused(arguments, options, cause):
    with pytest.raises(UsageError, match=cause):
        confidence_interval(*arguments, **options)


def test_comparisons_of_nonsense_are_refused():
    with pytest.raises(UsageError, match="counts of the same sentences for both systems"):
        compare([1, 2], [1], [2, 2], second_total=[1])
    with pytest.raises(UsageError, match="level"):
        compare([1], [1], [1], level=2.0)
    with pytest.raises(UsageError, match="samples"):
        compare([1], [1], [1], samples=0)


def test_one_sample_will_do():
    assert confidence_interval([1], [2], samples=1).low == 0.5
    assert compare([1], [1], [2], samples=1).p_value == 1
