"""Names in full at first mention."""

import numpy as np
import pytest
from tests.summarize.test_rules import parsed

from treaty.summarize import Source
from treaty.summarize._body import Body
from treaty.summarize._full_names import full_names, fuller_forms, sender_names, senders_of
from treaty.text import Sentence

TEXT = ["Ruth Keller sang .", "Then Keller left New Ulm .", "Ann Lee and Bo Lee met John F. Hall ."]
SENTENCES = [Sentence.from_words(line.split()) for line in TEXT]
SANG = parsed("Keller sang", "PROPN:2:nsubj", "VERB:0:root")
OLD = parsed("Old Keller sang", "ADJ:2:amod", "PROPN:3:nsubj", "VERB:0:root")
HIM = parsed("Bo saw Keller", "PROPN:2:nsubj", "VERB:0:root", "PROPN:2:obj")


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Keller", ["Ruth Keller"]),
        ("Lee", ["Ann Lee", "Bo Lee"]),
        ("Ulm", []),
        ("Hall", ["John F. Hall"]),
    ],
)
def test_fuller_forms(name, full):
    assert fuller_forms(name, SENTENCES, frozenset(["then"])) == full


def added(sentences, room=9, stops=frozenset(["then"])):
    sources = [Source(0, n, sentence) for n, sentence in enumerate(sentences)]
    kept = [np.ones(len(sentence), bool) for sentence in sentences]
    return full_names(sources, kept, {0: SENTENCES}, stops, room)


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        ([SANG, SANG], [{0: "Ruth"}, {}]),  # only the first time
        ([OLD], [{}]),
        ([HIM, SANG], [{}, {}]),  # objects may be places; now the name is known
    ],
)
def test_names_are_given_in_full(sentences, found):
    assert added(sentences) == found


def test_limits_and_stop_words():
    assert added([SANG], room=0) == [{}]
    assert added([SANG], stops=frozenset(["ruth", "then"])) == [{}]
    given = [Source(0, 0, SANG)]
    assert full_names(given, [np.zeros(2, bool)], {0: SENTENCES}, frozenset(), 9) == [{}]


def test_other_documents_know_names_too():
    given, keep = [Source(1, 0, SANG)], [np.ones(2, bool)]
    later = [Sentence.from_words(["Keller", "sang"])]
    documents = {0: SENTENCES, 1: later}
    assert full_names(given, keep, documents, frozenset(["then"]), 9) == [{0: "Ruth"}]
    both = {0: SENTENCES, 1: later, 2: [Sentence.from_words(["Max", "Keller", "ate", "."])]}
    assert full_names(given, keep, both, frozenset(["then"]), 9) == [{}]  # which one?
    own = {0: SENTENCES, 1: [*later, *both[2]]}
    assert full_names(given, keep, own, frozenset(["then"]), 9) == [{0: "Max"}]


def test_senders_are_named_before_what_they_say():
    i, we, it = (
        Sentence.from_words(line.split()) for line in ("I slept", "Then we ate", "It fell")
    )
    people = {"A": "Ann Lee", "B": "Bo", "-": None}
    senders = [people[letter] for letter in "AABAA-"]
    taken = [Source(0, n, sentence) for n, sentence in enumerate([i, we, i, it, i, i])]
    found = sender_names(taken, senders, 9)
    assert found == [{0: "Ann Lee:"}, {}, {0: "Bo:"}, {0: "Ann:"}, {}, {}]
    assert sender_names(taken, senders, 2) == [{0: "Ann Lee:"}] + [{}] * 5
    assert sender_names(taken, senders, 1) == [{0: "Ann:"}] + [{}] * 5
    assert sender_names(taken[3:], senders[3:], 9) == [{}, {0: "Ann Lee:"}, {}]
    turn = Source(0, 3, it, is_turn=True)
    assert sender_names([turn], ["Bo"], 9) == [{0: "Bo:"}]


def test_senders_are_those_of_the_place():
    thread = Body("", senders=((0, "Ann"), (50, ""), (90, "Bo")))
    taken = [Source(0, n, SANG, (place, place + 5)) for n, place in enumerate((10, 60, 90))]
    assert senders_of(taken, [thread]) == ["Ann", "", "Bo"]
    assert senders_of(taken, [Body("", senders=((0, "Ann"),))]) == [None] * 3
