"""Groups against a search by all pairs."""

from itertools import combinations

import pytest
from tests.label.entities.toy import STOP, content, random_messages

from treaty.errors import UsageError
from treaty.label.entities import common_words, group_messages
from treaty.text import ColumnSentence


def components(messages, threshold):
    """Single linkage by hand: spread a mark until nothing changes."""
    mark = list(range(len(messages)))
    for _ in messages:
        for i, j in combinations(range(len(messages)), 2):
            if len(content(messages[i]) & content(messages[j])) > threshold:
                mark[i] = mark[j] = min(mark[i], mark[j])
    return mark


@pytest.mark.parametrize("threshold", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_groups_are_what_links_connect(seed, threshold):
    messages = random_messages(seed)
    groups = group_messages(messages, stop_words=STOP, threshold=threshold, most=99)
    mark = components(messages, threshold)
    assert groups == [[i for i in range(len(messages)) if mark[i] == m] for m in sorted(set(mark))]


def test_no_group_grows_too_large_and_the_most_alike_stay_together():
    messages = [["alpha", "beta"], ["gamma", "delta"], ["alpha", "gamma"], ["alpha", "beta", "x1"]]
    assert group_messages(messages, threshold=0, most=2) == [[0, 3], [1, 2]]
    assert group_messages(messages, threshold=0, most=1) == [[0], [1], [2], [3]]
    assert group_messages([], threshold=0) == []


def test_senseless_settings_are_refused():
    with pytest.raises(UsageError, match="threshold"):
        group_messages([], threshold=-1)


def test_common_words_are_seen_often_and_mostly_no_names():
    rows = [("The", "O"), ("sun", "O"), ("Rome", "B-LOC"), ("sun", "B-ORG"), ("sets", "O")]
    messages = [ColumnSentence(some) for some in (rows, rows[:1] + rows[4:], rows[:1])]
    assert common_words(messages, 2) == {"the", "sets"}
    assert common_words(messages, 3) == {"the"}
    assert common_words([]) == frozenset()
