"""Entities in documents and in MISC."""

import io
from dataclasses import replace
from types import SimpleNamespace

import pytest
from tests.parse.treebank import small_pipeline

from treaty.errors import UsageError
from treaty.parse import Document
from treaty.parse._document_entities import EntityFinder, entities_in_misc, marked
from treaty.solve import Certificate, Status
from treaty.text import Entity, Sentence, Token, read_conllu

NAMES = {"red", "bird", "Bob"}


class Labeler:
    """Takes some words for persons; those in a row are one."""

    task = "entities"

    def __init__(self):
        self.info, self.asked = {}, []

    def predict(self, inputs, *, document=False, threads=1):
        sentences = list(inputs)
        self.asked.append((sentences, document))
        for words in sentences:
            found, start = [], None
            for place, word in enumerate([*words, "end"]):
                if word in NAMES:
                    start = place if start is None else start
                elif start is not None:
                    text = " ".join(words[start:place])
                    found.append(Entity("PER", text, 0, 0, start, place - 1, 0.75))
                    start = None
            yield SimpleNamespace(entities=found, certificate=Certificate(Status.OPTIMAL, 1.0, 1.0))


@pytest.fixture(scope="module")
def nlp():
    return small_pipeline(order="first")


def test_one_call_from_text_to_entities(nlp):
    text = "The cat sees a red   bird.\n\nThe dog likes the bird."
    labeler = Labeler()
    document = nlp(text, entities=labeler)
    assert labeler.asked[0][1]  # sentences of a text belong together
    assert [(e.type, e.text) for e in document.entities] == [
        ("PER", "red   bird"),
        ("PER", "bird"),
    ]
    for entity in document.entities:
        assert text[entity.start : entity.end] == entity.text
        assert document.words[entity.first].start == entity.start
    assert "# entities_status = OPTIMAL" in document.sentences[0].comments
    assert Document.from_json(document.to_json()) == document
    assert not nlp(text).entities


def test_a_stream_of_texts_has_entities_of_its_own(nlp):
    texts = ["The bird sees a dog.", "", "The cat likes the red garden."]
    found = list(nlp.pipe(texts, entities=Labeler(), threads=2))
    assert [[e.text for e in d.entities] for d in found] == [["bird"], [], ["red"]]


def test_entities_are_in_conllu_and_come_back(nlp):
    document = nlp("The cat sees a red bird. Every bird likes a dog.", entities=Labeler())
    conllu = document.to_conllu()
    marks = [line.split("NER=")[1] for line in conllu.splitlines() if "NER=" in line]
    assert marks == ["B-PER|NERConfidence=0.75", "I-PER", "B-PER|NERConfidence=0.75"]
    assert "NERConfidence" not in document.to_conllu(confidences=False)
    again = Document.from_sentences(read_conllu(io.StringIO(conllu)))
    assert [e.text for e in again.entities] == ["red bird", "bird"]
    assert [e.confidence for e in again.entities] == [0.75, 0.75]


def test_marks_replace_those_before():
    ada = Sentence([Token("Ada", misc="NER=B-LOC|NERConfidence=0.1|Gloss=x"), Token("ran")])
    assert [t.misc for t in marked(ada, [])] == ["Gloss=x", "_"]
    bob = Entity("PER", "Ada", 0, 3, 0, 0)
    assert [t.misc for t in marked(ada, [bob], True)] == ["Gloss=x|NER=B-PER", "_"]
    (found,) = entities_in_misc([Sentence([Token("ran", misc="NER=O")])])
    assert found == []


def test_entities_stay_within_a_sentence():
    document = Document.from_spans("Hush! Cats.", [[(0, 4), (4, 5)], [(6, 11)]])
    with pytest.raises(UsageError, match="not within a sentence"):
        replace(document, entities=[Entity("PER", "! Cats.", 4, 11, 1, 2)])


def test_what_finds_entities_must_be_able_to(nlp, tmp_path):
    nlp.save(tmp_path / "toy.treaty")
    with pytest.raises(UsageError, match="model for pipeline, not for entities"):
        nlp("the cat", entities=str(tmp_path / "toy.treaty"))
    for given in (3, nlp, ["x"]):
        with pytest.raises(UsageError, match="entities must be True, the name"):
            nlp("the cat", entities=given)
    labeler = Labeler()
    assert EntityFinder().model(labeler) is labeler
