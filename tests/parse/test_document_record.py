"""Documents as JSON and back: nothing is lost, and what is wrong is told."""

import copy
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.documents import full, plain, second
from tests.text.test_spans import documents

from treaty.errors import InputError
from treaty.parse import Document, Parse
from treaty.solve import Certificate, Status
from treaty.text import Sentence, Token


@pytest.mark.parametrize("document", [full(), plain(), Document("", []), Document(" \n", [])])
def test_nothing_is_lost(document):
    record = document.to_dict()
    assert Document.from_dict(record) == document
    assert Document.from_json(document.to_json()) == document
    assert json.loads(document.to_json()) == record
    assert Document.from_dict(record).to_json() == document.to_json()


@settings(deadline=None, max_examples=50)
@given(given=documents(), objective=st.floats(allow_nan=False), bound=st.floats(allow_nan=False))
def test_no_text_and_no_score_is_lost(given, objective, bound):
    text, spans = given
    plain = Document.from_spans(text, spans)
    status = Status.FEASIBLE if objective <= bound else Status.INFEASIBLE
    lost = math.inf if status is Status.FEASIBLE else -math.inf
    worth = Certificate(
        status,
        objective if math.isfinite(objective) else -math.inf,
        bound if math.isfinite(bound) else lost,
    )
    document = Document(text, plain.sentences, certificates=[worth] * len(spans))
    assert Document.from_json(document.to_json()) == document


def test_the_record_is_made_to_be_read():
    record = full().to_dict()
    first, second_one = record["sentences"]
    assert (first["text"], first["start"], first["end"]) == (
        *("Ada's old cat didn't\n see  Rome.", 1, 33),
    )
    assert first["tokens"][3] == {
        "id": 4, "form": "cat", "start": 11, "end": 14, "lemma": "cat", "upos": "NOUN",
        "xpos": "NO", "feats": "Animacy=Anim|Number=Sing", "head": 7, "deprel": "nsubj",
    }  # fmt: skip
    rome = first["tokens"][7]
    assert (rome["tag_confidence"], rome["arc_confidence"]) == (0.875, 0.5)
    assert first["other_tokens"] == [
        {"id": "1-2", "form": "Ada's", "start": 1, "end": 6},
        {"id": "4.1", "form": "cat", "lemma": "cat"},
        {"id": "5-6", "form": "didn't", "start": 15, "end": 21, "misc": r"SpacesAfter=\n\s"},
    ]
    assert second_one["other_tokens"] == [{"id": "3-4", "form": "du", "start": 39, "end": 41}]
    assert "comments" not in second_one
    assert list(first["certificate"]) == list(Certificate.exact(0.0).to_dict())
    assert first["certificate"]["objective"] == 1 / 3 and first["certificate"]["gap"] == 0.333333
    assert second_one["certificate"]["bound"] is None
    assert record["entities"][1]["confidence"] == 0.123456789012345
    assert "entities" not in plain().to_dict()


def test_the_record_of_a_parse_is_a_document_of_its_own():
    certificate = Certificate.exact(2.5)
    record = Parse(second(), certificate).to_dict()
    assert record == Document.from_dict(record).to_dict()["sentences"][0]
    document = Document.from_dict(record)
    assert document.text == record["text"] == "Oh , du vin !"
    assert (document.sentences, document.certificates) == ([second()], [certificate])


def test_a_text_of_other_words_is_not_that_of_a_parse():
    odd = Sentence([Token("Cats"), Token("sleep")], ["# text = Dogs bark"])
    record = Parse(odd, Certificate.exact(0.0)).to_dict()
    assert record["text"] == "Cats sleep"
    assert Document.from_dict(record).sentences == [odd]
    wrong = Sentence([Token("Cats", misc="SpacesAfter=x"), Token("sleep")])
    assert Parse(wrong, Certificate.exact(0.0)).to_dict()["text"] == "Cats sleep"
    before = Sentence([Token("Cats", misc=r"SpacesBefore=\s|SpacesInToken=Ca\tts")])
    record = Parse(before, Certificate.exact(0.0)).to_dict()
    assert (record["text"], record["start"], record["tokens"][0]["end"]) == ("Ca\tts", 0, 5)
    spaced = Sentence([Token("Cats"), Token(".")], ["# text = Cats."])
    assert Parse(spaced, Certificate.exact(0.0)).to_dict()["tokens"][1]["start"] == 4


# What is wrong

CHANGES = [
    (("text",), 3, "the text of a document: expected a string"),
    (("text",), "Ada's old dog", "do not agree: 'cat' of sentence 1 is not at"),
    (("sentences",), None, "the sentences of a document: expected a list"),
    (("sentences", 0), [], "sentence 1: expected an object"),
    (("sentences", 0, "tokens"), [], "sentence 1: expected the id 1"),
    (("sentences", 0, "tokens"), {}, "sentence 1: tokens: expected a list"),
    (("sentences", 0, "tokens", 0), "Ada", "sentence 1: token 1: expected an object"),
    (("sentences", 0, "tokens", 0, "id"), 2, "sentence 1: expected the id 1"),
    (("sentences", 0, "tokens", 0, "head"), 99, "sentence 1: the head is not in the sentence"),
    (("sentences", 0, "tokens", 0, "head"), 1.5, "token 1: head: expected a string"),
    (("sentences", 0, "tokens", 0, "form"), None, "token 1: form: expected a string"),
    (("sentences", 0, "tokens", 0, "form"), "", "token 1: form: expected text on one line"),
    (("sentences", 0, "tokens", 0, "misc"), "a\tb", "token 1: misc: expected text on one line"),
    (("sentences", 0, "tokens", 0, "misc"), "a\nb", "token 1: misc: expected text on one line"),
    (("sentences", 0, "comments", 0), "newpar", "comments of one line that starts with #"),
    (("sentences", 0, "comments", 0), "# a\n# b", "comments of one line that starts with #"),
    (("sentences", 0, "comments", 0), 1, "a comment: expected a string"),
    (("sentences", 0, "other_tokens", 0, "id"), "x", "expected an id such as 2-3"),
    (("sentences", 0, "other_tokens", 0, "id"), "x-y", "expected an id such as 2-3"),
    (("sentences", 0, "other_tokens", 0, "id"), "1-99", "extends beyond the last id"),
    (("sentences", 0, "other_tokens", 0, "id"), "77-78", "expected the id 10"),
    (("sentences", 0, "certificate"), "OPTIMAL", "a certificate: expected an object"),
    (("sentences", 0, "certificate", "status"), "BEST", "unknown status; expected one of OPTIMAL"),
    (("sentences", 0, "certificate", "bound"), "2", "bound: expected a number"),
    (("sentences", 0, "certificate", "objective"), True, "objective: expected a number"),
    (("sentences", 0, "certificate", "iterations"), 1.5, "iterations: expected an integer"),
    (("entities",), {}, "entities: expected a list"),
    (("entities", 0), 1, "entity 1: expected an object"),
    (("entities", 0, "type"), None, "entity 1: type: expected a string"),
    (("entities", 0, "first"), 1.0, "entity 1: first: expected an integer"),
    (("entities", 0, "start"), 2, "do not agree: .*is not in the text"),
    (("entities", 0, "confidence"), "sure", "entity 1: confidence: expected a number"),
]


@pytest.mark.parametrize(("path", "value", "told"), CHANGES)
def test_what_is_wrong_is_told(path, value, told):
    record = copy.deepcopy(full().to_dict())
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(InputError, match=told):
        Document.from_dict(record)


def test_all_sentences_have_certificates_or_none():
    record = full().to_dict()
    del record["sentences"][1]["certificate"]
    with pytest.raises(InputError, match="each of 2 sentences, or none, got 1"):
        Document.from_dict(record)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not valid JSON"),
        ("[]", "a document: expected an object"),
        ("{}", "the text of a document: expected a string"),
        ('{"text": "", "tokens": []}', "sentence 1: a sentence without tokens"),
        ('{"text": "", "sentences": [{}]}', "sentence 1: tokens: expected a list"),
    ],
)
def test_text_that_is_no_document(text, told):
    with pytest.raises(InputError, match=told):
        Document.from_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)


@settings(deadline=None, max_examples=100)
@given(value=JSON, data=st.data())
def test_any_change_gives_a_document_or_an_error(value, data):
    record = copy.deepcopy(full().to_dict())
    place = record
    while True:
        key = data.draw(
            st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place)))
        )
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            place[key] = value
            break
        place = place[key]
    try:
        made = Document.from_dict(record)
    except InputError:
        return
    assert Document.from_dict(made.to_dict()) == made
