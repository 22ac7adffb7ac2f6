"""Conditions that the checker's twin does not test: how sentences are read."""

from tests.summarize.cuts.test_rules import parsed

from treaty.summarize.cuts._conditions import CONDITIONS, LISTS, PATTERNS, SWITCHES, Reading
from treaty.summarize.sentences._frames import Frames

MINISTER = parsed("The prime minister slept", "DET:3:det", "ADJ:3:amod", "NOUN:4:nsubj",
                  "VERB:0:root")  # fmt: skip


def test_every_condition_has_one_kind_of_value():
    assert len(CONDITIONS) == len(set(CONDITIONS)) == len(LISTS) + len(PATTERNS) + len(SWITCHES)


def test_phrases_are_read_as_words():
    reading = Reading(MINISTER)
    assert reading.texts[2] == "the prime minister "
    assert LISTS["opens"](reading, 2, frozenset({"the prime"}))
    assert not LISTS["opens"](reading, 2, frozenset({"the pri"}))
    assert LISTS["phrases"](reading, 2, frozenset({"the prime minister"}))


def test_terms_are_those_of_the_frames():
    terms = Frames(terms=frozenset({"prime minister"}))
    assert Reading(MINISTER, frames=terms).is_term(1)
    assert not Reading(MINISTER).is_term(1)
