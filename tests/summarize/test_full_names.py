"""Names in full at first mention."""

import numpy as np
import pytest
from tests.summarize.test_rules import parsed

from treaty.corpus import Sentence
from treaty.summarize import Source
from treaty.summarize._full_names import full_names, fuller_form, sender_names

TEXT = ["Ruth Keller sang .", "Then Keller left New Ulm .", "Ann Lee and Bo Lee met John F. Hall ."]
SENTENCES = [Sentence.from_words(line.split()) for line in TEXT]
SANG = parsed("Keller sang", "PROPN:2:nsubj", "VERB:0:root")
OLD = parsed("Old Keller sang", "ADJ:2:amod", "PROPN:3:nsubj", "VERB:0:root")
HIM = parsed("Bo saw Keller", "PROPN:2:nsubj", "VERB:0:root", "PROPN:2:obj")


@pytest.mark.parametrize(
    ("name", "full"),
    [("Keller", "Ruth Keller"), ("Lee", None), ("Ulm", None), ("Hall", "John F. Hall")],
)
def test_fuller_forms(name, full):
    assert fuller_form(name, SENTENCES, frozenset(["then"])) == full


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
    for document, keep in ((1, np.ones(2, bool)), (0, np.zeros(2, bool))):
        given = [Source(document, 0, SANG)]
        assert full_names(given, [keep], {0: SENTENCES}, frozenset(), 9) == [{}]


def test_senders_are_named_before_what_they_say():
    i, we, it = (
        Sentence.from_words(line.split()) for line in ("I slept", "Then we ate", "It fell")
    )
    places = [(0, i), (0, we), (1, i), (0, it), (0, i), (2, i)]
    taken = [Source(d, n, sentence) for n, (d, sentence) in enumerate(places)]
    found = sender_names(taken, ["Ann Lee", "Bo", None], 9)
    assert found == [{0: "Ann Lee:"}, {}, {0: "Bo:"}, {}, {0: "Ann Lee:"}, {}]
    assert sender_names(taken, ["Ann Lee", "Bo", None], 2) == [{0: "Ann Lee:"}] + [{}] * 5
    assert sender_names(taken, ["Ann Lee", None, None], 9) == [{}] * 6  # nobody else writes
