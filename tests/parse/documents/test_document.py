"""Documents: the words in their text, noun chunks, drawings, certificates."""

import io
import pickle
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.parse.sample_documents import TEXT, first, full, second
from tests.parse.treebank import small_pipeline
from tests.text.test_spans import documents

from treaty.errors import InputError, UsageError
from treaty.parse import Document, Parse, certified
from treaty.parse.documents._document_entities import marked
from treaty.solve import Certificate, Status
from treaty.text import Entity, Sentence, Token, read_conllu


def test_words_have_their_place_in_the_text():
    document = full()
    assert [(word.form, word.text, word.start) for word in document.words] == [
        ("Ada", "Ada", 1), ("'s", "'s", 4), ("old", "old", 7), ("cat", "cat", 11),
        ("did", "did", 15), ("n't", "n't", 18), ("see", "see", 23), ("Rome", "Rome", 28),
        (".", ".", 32), ("Oh", "Oh", 34), (",", ",", 36), ("de", "du", 39), ("le", "du", 39),
        ("vin", "vin", 42), ("!", "!", 45),
    ]  # fmt: skip
    assert document.sentence_spans == [(1, 33), (34, 46)]
    assert len(document) == len(document.words) == 15


@settings(deadline=None, max_examples=100)
@given(given=documents())
def test_spans_are_found_again_in_any_text(given):
    text, sentences = given
    document = Document.from_spans(text, sentences)
    assert document.spans == [span for spans in sentences for span in spans]
    assert Document.from_sentences(document.sentences) == document


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("Cats nap", [["Cats", "sleep"]], "'sleep' of sentence 1 is not at character 5.* 'nap'"),
        ("Cats", [["Cats", "sleep"]], "'sleep' of sentence 1 is not at character 4"),
        ("Hush! Cats", [["Hush"], ["Cats"]], "'Cats' of sentence 2 is not at character 4"),
        ("Hush! Cats", [["Hush", "!"]], "'Cats' at character 5 is in no sentence"),
        ("Hush!", [], "'Hush!' at character 0 is in no sentence"),
        ("Hush!", [["Hush", "!"], []], "sentence 2 has no words; leave it out"),
    ],
)
def test_words_of_another_text_are_refused(text, words, told):
    with pytest.raises(UsageError, match=told):
        Document(text, [Sentence.from_words(own) for own in words])


@pytest.mark.parametrize(
    "entity",
    [
        Entity("PER", "Ada", 2, 5, 0, 0),
        Entity("PER", "Ada", 1, 4, 0, 15),
        Entity("PER", "Ada", 1, 4, -1, 0),
        Entity("PER", "Ada", 1, 4, 1, 0),
    ],
)
def test_entities_of_another_text_are_refused(entity):
    with pytest.raises(UsageError, match="is not in the text and its 15 words"):
        replace(full(), entities=[entity])


def test_there_is_a_certificate_for_each_sentence_or_none():
    with pytest.raises(UsageError, match="each of 2 sentences, or none, got 1"):
        Document(TEXT, [first(), second()], certificates=[Certificate.exact(1.0)])


def test_noun_chunks_are_phrases_of_the_document():
    document = full()
    first_chunk, second_chunk = document.noun_chunks
    assert (first_chunk.text, first_chunk.root.form) == ("Ada's old cat", "cat")
    assert [word.form for word in first_chunk.words] == ["Ada", "'s", "old", "cat"]
    assert (second_chunk.text, second_chunk.start, second_chunk.end) == ("Rome", 28, 32)
    later = Sentence([Token("Cats", upos="NOUN", head=0)])
    assert Document.from_sentences([first(), later]).noun_chunks[-1].root.index == 9


def test_documents_pickle():
    document = full()
    again = pickle.loads(pickle.dumps(document))
    assert again == document
    assert again.words[3].children == [again.words[0], again.words[2]]


# CoNLL-U and certificates


def test_conllu_has_all_lines_and_the_certificates(tmp_path):
    document = full()
    (tmp_path / "out.conllu").write_text(document.to_conllu(), encoding="utf-8")
    again = list(read_conllu(tmp_path / "out.conllu"))
    assert again[0].comments == [*first().comments, "# status = FRACTIONAL", "# gap = 0.333333"]
    assert again[1].comments == ["# status = INFEASIBLE", "# gap = 0"]
    bare = [replace(sentence, comments=[]) for sentence in again]
    named = [(t.form, t.misc) for s in bare for t in s if "NER=" in t.misc]
    assert [form for form, _ in named] == [
        document.words[i].form for e in document.entities for i in range(e.first, e.last + 1)
    ]
    assert [marked(s, []) for s in bare] == [replace(first(), comments=[]), second()]
    assert document.sentences[1].comments == []  # what is given stays as it is


def test_certificates_replace_older_ones():
    once = certified(Parse(second(), Certificate(Status.FEASIBLE, 1.0, 2.0)))
    twice = certified(Parse(once, Certificate.exact(3.0)))
    assert once.comments == ["# status = FEASIBLE", "# gap = 1"]
    assert twice.comments == ["# status = OPTIMAL", "# gap = 0"]


def test_conllu_without_certificates():
    document = Document.from_sentences([first(), second()])
    assert document.to_conllu() == first().to_conllu() + second().to_conllu()


def test_without_spacy_the_error_tells_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"pip install 'treaty\[spacy\]'"):
        full().to_spacy()


# Notebooks


def test_notebooks_draw_the_trees():
    html = full()._repr_html_()
    assert html.count('class="tree"') == 2
    assert "FRACTIONAL" in html and "<mark>Rome <small>LOC</small></mark>" in html


def test_parsed_text_is_a_document():
    document = small_pipeline(order="first")("The cat sees\n\n a dog.")
    assert "".join(document.text[a:b] for a, b in document.spans) == "Thecatseesadog."
    assert Document.from_json(document.to_json()) == document


def test_documents_know_their_names():
    hush = Document.from_spans("Hush! Cats.", [[(0, 4), (4, 5)], [(6, 11)]])
    named = replace(hush, name="a/b.txt")
    assert hush.name is None
    assert "document" not in hush.to_dict()
    assert named.to_conllu() == "# newdoc id = a/b.txt\n" + hush.to_conllu()
    assert named.to_dict()["document"] == "a/b.txt"
    assert Document.from_dict(named.to_dict()) == named
    assert Document.from_json(named.to_json()).name == "a/b.txt"
    read = Document.from_sentences(read_conllu(io.StringIO(named.to_conllu())))
    assert read.name == "a/b.txt"
    assert read.to_conllu() == named.to_conllu()


def test_the_name_must_be_a_text():
    with pytest.raises(InputError, match="document: expected a string"):
        Document.from_dict({"text": "", "sentences": [], "document": 3})
