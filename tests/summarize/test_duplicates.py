"""Sentences that say the same."""

import pytest

from treaty.summarize import Source
from treaty.summarize._duplicates import duplicates, normal_words, told_headlines
from treaty.text import Sentence, stemmer, stop_words


def pairs(*lines):
    sources = [Source(n, 0, Sentence.from_words(line.split())) for n, line in enumerate(lines)]
    return duplicates(sources, stemmer("en"), stop_words("en"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Twelve people died in the fire", "In the fire 12 people died .", True),
        ("The town paid 1,200 dollars for roses", "The town paid $1200 for roses .", True),
        ("Muammar Gaddafi met the king in Tunis", "Moammar Qaddafi met the king in Tunis", True),
        ("Prices rose four percent in May", "Prices rose 4 per cent in May", True),
        ("Twelve people died in the fire", "In the fire 13 people died .", False),
        ("Ann Lee sang in Ulm on Monday", "Bo Kim sang in Ulm on Monday", False),
        ("It rained .", "It rained .", False),  # too short to tell
        ("Prices rose four percent in May", "Prices rose 4 percent in May as the union "
         "of the dock workers ended its long strike at the port of Harlow", False),
    ],
)  # fmt: skip
def test_same_sentences(one, other, same):
    assert pairs(one, other) == ([(0, 1)] if same else [])


def test_numbers_are_digits():
    found = normal_words(Sentence.from_words(["Two", "of", "3,000"]), str, frozenset(["of"]))
    assert found == {"2", "3000"}


def test_a_headline_is_spared_if_a_sentence_tells_it():
    texts = ["Strike at the Port Ends", "Workers at the port ended their strike", "It rained"]
    sources = [Source(0, n - 1, Sentence.from_words(t.split())) for n, t in enumerate(texts)]
    assert told_headlines(sources, stemmer("en")) == {0}
    assert told_headlines([sources[0], sources[2]], stemmer("en")) == set()
    assert told_headlines(sources[1:], stemmer("en")) == set()
