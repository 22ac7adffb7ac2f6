"""Scopes of operators, and events."""

import pytest
from tests.summarize.cuts.test_rules import RULES, parsed

from treaty.summarize.cuts._arcs import Arcs
from treaty.summarize.sentences._meaning import Meaning


def meaning_of(sentence, **fine):
    for token in sentence:
        token.xpos = fine.get(token.form, "_")
    return Meaning(Arcs(sentence), RULES.scope)


COLUMNS = ("PROPN:3:nsubj", "ADV:3:advmod", "VERB:0:root", "ADP:5:case", "PROPN:3:obl")


@pytest.mark.parametrize(
    ("word", "is_operator"),
    [("never", True), ("only", True), ("rarely", True), ("gladly", False), ("almost", True)],
)
def test_operators_have_their_clause_in_scope(word, is_operator):
    meaning = meaning_of(parsed(f"Ann {word} slept in Rome", *COLUMNS))
    assert meaning.in_scope(4) == is_operator
    assert not meaning.in_scope(1)  # the word itself


def test_an_operator_in_the_phrase_does_not_count():
    sentence = parsed(
        "Ann +, who never slept +, sang", "PROPN:7:nsubj", "PUNCT:5:punct", "PRON:5:nsubj",
        "ADV:5:advmod", "VERB:1:acl:relcl", "PUNCT:5:punct", "VERB:0:root",
    )  # fmt: skip
    assert not meaning_of(sentence).in_scope(4)


def test_quantifiers_have_their_phrase_in_scope():
    columns = (
        "DET:2:det",
        "NOUN:5:nsubj",
        "ADP:4:case",
        "NOUN:2:nmod",
        "VERB:0:root",
        "ADV:5:advmod",
    )
    every = meaning_of(parsed("Every man with money slept soundly", *columns))
    the = meaning_of(parsed("The man with money slept soundly", *columns))
    assert every.in_scope(3) and not the.in_scope(3)
    assert not every.in_scope(5)


def test_a_little_house_is_no_little_money():
    house = parsed("A little house in Rome burned", "DET:3:det", "ADJ:3:amod", "NOUN:6:nsubj",
                   "ADP:5:case", "PROPN:3:nmod", "VERB:0:root")  # fmt: skip
    assert not meaning_of(house).in_scope(4)
    more = parsed("More than 20 men left today", "ADJ:3:advmod", "ADP:1:fixed", "NUM:4:nummod",
                  "NOUN:5:nsubj", "VERB:0:root", "NOUN:5:obl")  # fmt: skip
    assert not meaning_of(more).in_scope(5)


def test_verbs_have_their_complements_in_scope():
    bans = parsed("They ban red cars quickly", "PRON:2:nsubj", "VERB:0:root", "ADJ:4:amod",
                  "NOUN:2:obj", "ADV:2:advmod")  # fmt: skip
    assert meaning_of(bans).in_scope(2) and not meaning_of(bans).in_scope(4)


def test_questions():
    who = parsed("Who slept today ?", "PRON:2:nsubj", "VERB:0:root", "NOUN:2:obl", "PUNCT:2:punct")
    assert meaning_of(who).in_scope(2)


@pytest.mark.parametrize(
    ("helper", "verb", "tags", "is_event"),
    [
        ("has", "slept", {"has": "VBZ", "slept": "VBN"}, True),
        ("was", "sleeping", {"was": "VBD", "sleeping": "VBG"}, True),
        ("is", "sleeping", {"is": "VBZ", "sleeping": "VBG"}, False),
        ("will", "sleep", {"will": "MD", "sleep": "VB"}, False),
        ("would", "have", {"would": "MD"}, False),
        ("to", "sleep", {"sleep": "VB"}, False),
    ],
)
def test_events_have_happened(helper, verb, tags, is_event):
    columns = ("PROPN:3:nsubj", "AUX:3:aux", "VERB:0:root", "NOUN:3:obl")
    meaning = meaning_of(parsed(f"Ann {helper} {verb} today", *columns), **tags)
    assert meaning.is_event(3) == is_event


def test_participles_belong_to_the_event_of_their_clause():
    sentence = parsed(
        "Ann sang +, waving gladly", "PROPN:2:nsubj", "VERB:0:root", "PUNCT:4:punct",
        "VERB:2:advcl", "ADV:4:advmod",
    )  # fmt: skip
    assert meaning_of(sentence, sang="VBD", waving="VBG").is_event(4)
    assert not meaning_of(sentence, sang="VBZ", waving="VBG").is_event(4)
