"""Summaries to read and to hand on."""

import json
from dataclasses import replace

from treaty import Certificate, Status
from treaty.summarize import CompressedSentence, Cut, Digest
from treaty.summarize.cuts._second_look import Look

SENTENCE = CompressedSentence(
    "It rained.", ("It", "really", "rained", "."), (" ", " ", "", ""), (True, False, True, True),
    1.23456789, 3, 2, title="Rain", cuts=(Cut("really", "comments"),),
    look=Look(True, (), 0.9, 0.95),
)  # fmt: skip
DIGEST = Digest(
    (SENTENCE, replace(SENTENCE, text="It poured.")), 4, 9, "compressive", "ad3",
    Certificate(Status.FEASIBLE, 2.0, 2.5), 7, "topic-1",
)  # fmt: skip


def test_pieces_are_the_sentence_as_it_stood():
    assert SENTENCE.pieces == [("It ", "kept"), ("really ", "cut"), ("rained.", "kept")]
    assert "".join(piece for piece, _ in SENTENCE.pieces) == "It really rained."
    nothing = replace(SENTENCE, tokens=(), spaces=(), kept=())
    assert nothing.pieces == []


def test_a_sentence_as_a_dict():
    told = json.loads(json.dumps(SENTENCE.to_dict()))
    assert told == {
        "text": "It rained.", "document": 2, "title": "Rain", "sentence": 3, "score": 1.234568,
        "tokens": ["It", "really", "rained", "."], "kept": [1, 0, 1, 1],
        "cuts": [{"text": "really", "kind": "comments"}],
        "second_look": {"same": True, "changed": [], "confidence": [0.9, 0.95]},
    }  # fmt: skip
    alone = replace(SENTENCE, certificate=Certificate.exact(1.0)).to_dict()
    assert alone["certificate"]["status"] == "OPTIMAL"


def test_a_summary_as_text_and_as_a_dict():
    assert DIGEST.text == "It rained. It poured."
    told = json.loads(json.dumps(DIGEST.to_dict()))
    assert told["summary"] == ["It rained.", "It poured."]
    assert (told["topic"], told["words"], told["limit"], told["documents"]) == ("topic-1", 4, 9, 7)
    assert (told["mode"], told["method"]) == ("compressive", "ad3")
    assert told["certificate"]["gap"] == 0.5
    assert [sentence["text"] for sentence in told["sentences"]] == told["summary"]
    assert (DIGEST.status, DIGEST.gap) == (Status.FEASIBLE, 0.5)


def test_words_are_counted_as_limits_count_them():
    assert (SENTENCE.words, SENTENCE.source_words) == (2, 3)
