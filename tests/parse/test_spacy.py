"""Documents of spaCy: the same text, words, trees and entities."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.parse.documents import TEXT, full, plain
from tests.parse.treebank import treebank
from tests.text.test_spans import documents

from treaty.parse import Document
from treaty.text import Entity, Sentence, Token

pytest.importorskip("spacy")


def test_text_and_words():
    doc = full().to_spacy()
    assert doc.text == TEXT
    assert [token.text for token in doc] == [
        " ", "Ada", "'s", "old", "cat", "did", "n't", "\n ", "see", " ", "Rome", ".", "Oh", ",",
        " ", "du", "vin", "!",
    ]  # fmt: skip
    cat, rome, space = doc[4], doc[10], doc[7]
    assert (cat.lemma_, cat.pos_, cat.tag_, cat.dep_) == ("cat", "NOUN", "NO", "nsubj")
    assert cat.morph.to_dict() == {"Animacy": "Anim", "Number": "Sing"}
    assert (cat.head.text, rome.head.text, cat.idx) == ("see", "see", 11)
    assert (space.pos_, space.is_space, doc[12].tag_) == ("SPACE", True, "")


def test_trees_and_sentences():
    doc = full().to_spacy()
    assert [sentence.text for sentence in doc.sents] == [TEXT[:33], TEXT[34:]]
    roots = [sentence.root for sentence in doc.sents]
    assert [(root.text, root.dep_) for root in roots] == [("see", "ROOT"), ("Oh", "ROOT")]
    du = next(token for token in doc if token.text == "du")  # for "de" and "le"
    assert (du.head.text, du.dep_) == ("vin", "dep")


def test_entities():
    doc = full().to_spacy()
    assert [(entity.text, entity.label_) for entity in doc.ents] == [
        ("Ada", "PER"),
        ("Rome", "LOC"),
    ]
    assert plain().to_spacy().ents == ()
    long = Entity("MISC", TEXT[11:32], 11, 32, 3, 7)
    (entity,) = replace(full(), entities=[long]).to_spacy().ents
    assert entity.text == "cat didn't\n see  Rome"


def test_several_roots_stay_one_sentence_and_other_tags_become_x():
    tokens = [Token("a", upos="NN", head=0, deprel="root"), Token("b", head=0, deprel="root")]
    doc = Document("a b", [Sentence(tokens)]).to_spacy()
    assert [token.pos_ for token in doc] == ["X", ""]
    assert [token.head.text for token in doc] == ["a", "a"]
    assert len(list(doc.sents)) == 1


def test_sentences_without_trees():
    document = Document.from_spans(" Hush! Cats", [[(1, 5), (5, 6)], [(7, 11)]])
    doc = document.to_spacy()
    assert doc.text == document.text
    assert [sentence.text for sentence in doc.sents][-2:] == ["Hush!", "Cats"]
    assert not doc.has_annotation("DEP")


def test_a_vocabulary_can_be_shared():
    from spacy.vocab import Vocab

    vocab = Vocab()
    assert full().to_spacy(vocab).vocab is vocab
    assert Document("", []).to_spacy().text == ""


@settings(deadline=None, max_examples=100)
@given(given=documents())
def test_any_text_stays_the_same(given):
    text, spans = given
    document = Document.from_spans(text, spans)
    doc = document.to_spacy()
    assert doc.text == text
    words = [(token.idx, token.idx + len(token)) for token in doc if not token.text.isspace()]
    assert words == document.spans
    trees = [s.with_tree([0] + [1] * (len(s) - 1)) for s in document.sentences]
    assert Document(text, trees).to_spacy().text == text


def test_trees_are_the_same():
    document = Document.from_sentences(treebank(20))
    doc = document.to_spacy()
    assert len(list(doc.sents)) == 20
    words = [token for token in doc if not token.is_space]
    for word, token in zip(document, words, strict=True):
        head = word if word.head is None else word.head
        assert (token.text, token.head) == (word.form, words[head.index])
