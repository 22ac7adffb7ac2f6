"""Words that lean on the sentence before theirs."""

import pytest
from tests.summarize.test_rules import parsed

from treaty.summarize import Source
from treaty.summarize._openers import opener_of, openers, speaker_of
from treaty.text import Sentence


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("However , it rained", [0]),
        ("But it rained", [0]),
        ("In addition , it rained", [0, 1]),
        ("On the other hand , it rained", [0, 1, 2, 3]),
        ("“ And it rained", [1]),
        ("In Ulm it rained", []),
        ("Then it rained", [0]),
        ("Then , it rained", [0]),
        ("Then - mayor Bo slept", []),
        ("Until then it rained", [0, 1]),
        ("No talks were held", []),
        ("It rained , however", []),
        ("", []),
    ],
)
def test_openers(text, found):
    assert opener_of(Sentence.from_words(text.split())) == found


def test_what_openers_lean_on():
    ann = parsed("Ann slept", "PROPN:2:nsubj", "VERB:0:root")
    but = parsed("In fact Bo sang", "ADP:2:case", "NOUN:4:obl", "PROPN:4:nsubj", "VERB:0:root")
    given = [Source(0, 0, ann), Source(0, 1, but), Source(0, 3, but), Source(1, 0, but)]
    assert openers(given, [0, 2, 6, 10]) == [(3, 0), (7, -1)]


def test_openers_of_a_chat_follow_the_speaker():
    then = parsed("Bo : Then we go", "PROPN:5:vocative", "PUNCT:1:punct", "ADV:5:advmod",
                  "PRON:5:nsubj", "VERB:0:root")  # fmt: skip
    given = [Source(0, n, then, is_turn=True) for n in range(2)]
    assert openers(given, [0, 5]) == [(7, 0)]
    assert [speaker_of(one) for one in given] == [2, 2]
    assert openers([Source(0, 0, then), Source(0, 1, then)], [0, 5]) == []  # no chat
