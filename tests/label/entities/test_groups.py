"""Groups against a search by all pairs, and phrases against a search by all stretches."""

import random
from itertools import combinations, pairwise

import pytest

from treaty.corpus import ColumnSentence
from treaty.errors import UsageError
from treaty.label.entities import common_words, group_messages, phrase_pairs

WORDS = ["Rome", "rome", "#Rome", "eclipse", "the", "The", "@ann", "http://t.co/x", "9", "Sun", "a"]
STOP = frozenset({"the", "a"})


def random_messages(seed, count=12):
    rng = random.Random(seed)
    return [rng.choices(WORDS, k=rng.randint(0, 6)) for _ in range(count)]


def content(words):
    """What the rule says: words and hash tags of two letters and more, no function words."""
    return {w.lower() for w in words if w.lower() in ("rome", "#rome", "eclipse", "sun")}


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


def pairs_by_hand(messages, longest, most_all):
    words = [(word, i) for i, message in enumerate(messages) for word in message]
    places = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            stretch = words[start:end]
            if len({i for _, i in stretch}) == 1 and all(content([w]) for w, _ in stretch):
                places.setdefault(tuple(w.lower() for w, _ in stretch), []).append(start)
    found = set()
    for phrase, at in places.items():
        n = len(phrase)
        if any(all(w[0].isupper() or w[0] == "#" for w, _ in words[a : a + n]) for a in at):
            pairs = combinations(at, 2) if len(at) <= most_all else pairwise(at)
            found |= {(a, b, n) for a, b in pairs if a + n <= b}
    return found


@pytest.mark.parametrize("seed", range(8))
def test_identical_phrases_are_paired(seed):
    messages = [message for message in random_messages(seed) if message]
    found = phrase_pairs(messages, stop_words=STOP, longest=3, most_all=3)
    assert {tuple(pair) for pair in found} == pairs_by_hand(messages, 3, 3)
    assert len(set(found)) == len(found)


def test_a_frequent_phrase_gives_a_linear_number_of_pairs():
    assert len(phrase_pairs([["Rome", "burns"]] * 200, longest=1)) == 199
