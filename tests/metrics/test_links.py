"""Scores of links, against counts made by hand."""

import pytest

from treaty.errors import InputError
from treaty.metrics import Retrieval, compare, confidence_interval, link_scores
from treaty.text import Link, Post, Thread

POSTS = [Post(text) for text in "abcdefghij"]


def thread(*links, **more):
    return Thread(POSTS, [Link(*link) for link in links], **more)


def test_counts_are_added_up_over_threads():
    gold = [thread((1, 0, "Answer"), (2, 0)), thread((9, 0), (0, 1)), thread()]
    system = [thread((1, 0), (3, 2)), thread((9, 0), (8, 1)), thread((5, 1), (5, 1))]
    scores = link_scores(gold, system)
    assert scores.links == Retrieval(2, 4, 5)
    assert scores.by_thread == (Retrieval(1, 2, 2), Retrieval(1, 2, 2), Retrieval(0, 0, 1))
    assert scores.by_distance == {
        "1": Retrieval(1, 1, 2),
        "2 to 3": Retrieval(0, 1, 0),
        "4 to 7": Retrieval(0, 0, 2),
        "8 and more": Retrieval(1, 1, 1),
        "forward": Retrieval(0, 1, 0),
    }


@pytest.mark.parametrize(
    ("distance", "name"),
    [(1, "1"), (2, "2 to 3"), (3, "2 to 3"), (4, "4 to 7"), (7, "4 to 7"), (8, "8 and more")],
)
def test_distances_at_the_ends_of_their_bins(distance, name):
    one = thread((distance, 0))
    assert link_scores([one], [one]).by_distance == {name: Retrieval(1, 1, 1)}


def test_posts_of_the_context_are_not_scored():
    gold = thread((6, 2), (3, 1), annotated_from=5)
    assert link_scores([gold], [thread((2, 1), (6, 3))]).links == Retrieval(0, 1, 1)


def test_the_interval_is_that_of_f1():
    gold = [thread((1, 0), (2, 1))] * 20
    system = [thread((1, 0), (2, 1))] * 10 + [thread((1, 0), (3, 1), (4, 1))] * 10
    scores = link_scores(gold, system)
    interval = scores.interval()
    assert interval == confidence_interval([4] * 10 + [2] * 10, [4] * 10 + [5] * 10)
    assert interval.value == pytest.approx(scores.links.f1)
    assert interval.low < interval.value < interval.high


def test_systems_with_different_numbers_of_links_are_compared():
    gold = [thread((1, 0), (2, 1))] * 40
    good = link_scores(gold, [thread((1, 0))] * 40)
    bad = link_scores(gold, [thread((1, 0), (4, 0), (5, 0))] * 40)
    found = good.compare(bad)
    assert found == compare([2] * 40, [2] * 40, [3] * 40, second_total=[5] * 40)
    assert found.difference.value == pytest.approx(good.links.f1 - bad.links.f1)
    assert found.p_value < 0.01
    assert bad.compare(good).difference.value == pytest.approx(-found.difference.value)
    assert good.compare(good).p_value == 1


def test_a_second_total_that_is_the_first_changes_nothing():
    first, second, total = [3, 5, 4, 2], [2, 5, 5, 1], [4, 5, 5, 4]
    assert compare(first, second, total) == compare(first, second, total, second_total=total)


def test_other_posts_are_refused():
    other = Thread([Post("x")], id="t")
    with pytest.raises(InputError, match=r"thread 2 \(t\): the posts differ"):
        link_scores([thread(), other], [thread(), thread()])
    with pytest.raises(InputError, match="system ends before thread 2"):
        link_scores([thread(), thread()], [thread()])
    with pytest.raises(InputError, match="gold ends before thread 1"):
        link_scores([], [thread()])
