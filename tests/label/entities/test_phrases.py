"""Identical phrases against a search by all stretches of words."""

from itertools import combinations, pairwise

import pytest
from tests.label.entities.toy import STOP, content, random_messages

from treaty.label.entities import phrase_pairs


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
