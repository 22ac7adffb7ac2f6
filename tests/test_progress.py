"""Progress: shares and time left, also of stages with nothing in them."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty import Progress

COUNTS = st.integers(0, 10**12)


@given(done=COUNTS, more=COUNTS, seconds=st.floats(0.0, 1e6))
def test_the_time_left_is_in_proportion_to_the_work_left(done, more, seconds):
    event = Progress("trees", done, done + more, seconds=seconds)
    assert 0.0 <= event.share <= 1.0
    if done + more:
        assert event.share == pytest.approx(done / (done + more))
    if done and seconds:
        assert event.seconds_left == pytest.approx(seconds * more / done, abs=1e-5, rel=1e-6)
    elif more:
        assert event.seconds_left is None


def test_nothing_to_do_is_done():
    event = Progress("trees", 0, 0, seconds=1.0)
    assert (event.share, event.seconds_left) == (1.0, 0.0)


def test_more_than_was_promised_is_all_of_it():
    event = Progress("trees", 12, 10, seconds=1.0)
    assert (event.share, event.seconds_left) == (1.0, 0.0)


def test_without_a_total_nobody_knows():
    event = Progress("search", 12, seconds=1.0)
    assert (event.share, event.seconds_left) == (None, None)


def test_events_cannot_be_changed_and_have_no_scores_of_others():
    one, two = Progress("a", 1), Progress("b", 1)
    assert one.scores == {} and one.scores is not two.scores
    assert (one.epoch, one.epochs, one.seconds) == (None, None, 0.0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.done = 2
