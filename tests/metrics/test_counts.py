"""Counts and the ratios made of them."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.metrics._counts import Accuracy, Retrieval, f1_sums


@st.composite
def retrievals(draw):
    correct = draw(st.integers(0, 50))
    return Retrieval(
        correct, correct + draw(st.integers(0, 50)), correct + draw(st.integers(0, 50))
    )


@given(counts=retrievals())
def test_f1_is_the_harmonic_mean_of_precision_and_recall(counts):
    if not counts.correct:
        assert counts.f1 == 0.0 if counts.gold + counts.system else math.isnan(counts.f1)
        return
    recall = Fraction(counts.correct, counts.gold)
    precision = Fraction(counts.correct, counts.system)
    assert (counts.recall, counts.precision) == (float(recall), float(precision))
    assert counts.f1 == pytest.approx(float(2 / (1 / recall + 1 / precision)))


def test_nothing_to_judge_is_not_a_number():
    assert math.isnan(Accuracy(0, 0).value)
    assert Accuracy(0, 3).value == 0.0 and Accuracy(3, 4).value == 0.75
    nothing_found, nothing_gold = Retrieval(0, 5, 0), Retrieval(0, 0, 5)
    assert math.isnan(nothing_found.precision) and nothing_found.recall == 0.0
    assert math.isnan(nothing_gold.recall) and nothing_gold.precision == 0.0
    assert nothing_found.f1 == nothing_gold.f1 == 0.0


@given(parts=st.lists(retrievals(), max_size=6))
def test_sums_of_parts_give_the_f1_of_the_whole(parts):
    above, below = f1_sums(iter(parts))
    whole = Retrieval(
        sum(p.correct for p in parts), sum(p.gold for p in parts), sum(p.system for p in parts)
    )
    assert len(above) == len(below) == len(parts)
    if sum(below):
        assert sum(above) / sum(below) == whole.f1
