"""Results by document: each gets its own, with its name and places that are those of its text."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.treebank import treebank

from treaty.parse import Document
from treaty.tasks._by_document import (
    RANGE,
    by_document,
    conllu_of,
    document_from,
    heading,
    lines_of,
)
from treaty.tasks._documents import InputDocument
from treaty.text import Article, MultiwordToken, Sentence, Token, read_conllu, sentence_from_spans
from treaty.text._data import parse_json
from treaty.text._spaces import misc_value, raw_form


def in_groups(size):
    """Work that reads ahead, as models do."""

    def work(items):
        while group := [item for _, item in zip(range(size), items, strict=False)]:
            yield from (item * 2 for item in group)

    return work


@given(st.lists(st.lists(st.integers(), max_size=4)), st.integers(1, 6))
def test_every_document_gets_its_results(lists, size):
    documents = [(InputDocument(str(n), "f", "text"), items) for n, items in enumerate(lists)]
    found = [(one.id, items, got) for one, items, got in by_document(documents, in_groups(size))]
    assert found == [(str(n), items, [2 * i for i in items]) for n, items in enumerate(lists)]


def test_documents_are_not_all_read_before_the_first_result():
    seen = []

    def documents():
        for number in range(1000):
            seen.append(number)
            yield InputDocument(str(number), "f", "text"), [number]

    found = by_document(documents(), in_groups(10))
    next(found)
    assert len(seen) <= 11


TEXT = "\n Cats\tsleep.  Dogs don't.\n\n\nBirds sing"


def document(name="a b/c.txt"):
    sentences = [
        sentence_from_spans(TEXT, [(2, 6), (7, 12), (12, 13)]),
        sentence_from_spans(TEXT, [(15, 19), (20, 25), (25, 26)]),
        sentence_from_spans(TEXT, [(29, 34), (35, 39)]),
    ]
    dogs = sentences[1]
    dogs.tokens[1:2] = [Token("do"), Token("n't")]
    dogs.other_lines.append((1, "\t".join(["2-3", "don't", *["_"] * 7, "SpaceAfter=No"])))
    given_ = InputDocument(name, "f.zip", "text", Article(TEXT))
    return given_, document_from(given_, sentences)


def ranges(text):
    """The surface tokens of each sentence of CoNLL-U, with the places that MISC tells."""
    for sentence in read_conllu(io.StringIO(text)):
        for form, misc in sentence.surface():
            start, end = map(int, misc_value(misc, RANGE).split(":"))
            yield raw_form(form, misc), start, end


def test_conllu_tells_names_and_places():
    given_, made = document()
    text = "".join(conllu_of(given_, made))
    sentences = list(read_conllu(io.StringIO(text)))
    assert text.startswith(
        "# newdoc id = a b/c.txt\n# sent_id = a_b:c.txt-1\n# text = Cats sleep.\n"
    )
    assert text.count("# newdoc") == 1
    assert [s.comment("sent_id") for s in sentences] == [f"a_b:c.txt-{n}" for n in (1, 2, 3)]
    found = list(ranges(text))
    assert len(found) == 8
    assert all(TEXT[start:end] == form for form, start, end in found)
    assert sentences[1].multiword_tokens == [
        MultiwordToken(2, 3, "don't", "SpaceAfter=No|TokenRange=20:25")
    ]
    assert [token.misc for token in sentences[1].tokens[1:3]] == ["_", "_"]


def test_json_tells_names_and_places():
    given_, made = document()
    records = [parse_json(line) for line in lines_of(given_, made)]
    assert [(r["source"], r["document"]) for r in records] == [("f.zip", "a b/c.txt")] * 3
    for record in records:
        assert TEXT[record["start"] : record["end"]] == record["text"]
        for token in record["tokens"]:
            assert TEXT[token["start"] : token["end"]] in (token["form"], "don't")


def test_a_line_of_json_is_a_document():
    given_ = InputDocument("a.txt", "f.zip", "text", Article("It rains. Ada ran."))
    spans = [[(0, 2), (3, 8), (8, 9)], [(10, 13), (14, 17), (17, 18)]]
    sentences = [sentence_from_spans(given_.text, sentence) for sentence in spans]
    sentences[1].tokens[0].misc = "NER=B-PER"
    made = document_from(given_, sentences)
    assert [(entity.start, entity.text) for entity in made.entities] == [(10, "Ada")]
    _, second = map(parse_json, lines_of(given_, made))
    assert second["entities"][0]["start"] == 10
    one = Document.from_dict(second)
    assert (one.name, one.source, one.text) == ("a.txt", "f.zip", "Ada ran.")
    assert [(entity.start, entity.text) for entity in one.entities] == [(0, "Ada")]
    assert Document.from_dict(made.to_dict()) == made


def test_ids_of_conllu_are_kept():
    first = Sentence([Token("Hush")], ["# newdoc id = mine", "# newpar", "# text = Hush"])
    second = Sentence([Token("Hush")], ["# newpar", "# sent_id = s2"])
    third = Sentence([Token("Hush")], ["# newpar"])
    given_ = InputDocument("x", "x", "conllu")
    made = document_from(given_, [first, second, third])
    comments = [s.comments for s in read_conllu(io.StringIO("".join(conllu_of(given_, made))))]
    assert comments == [
        ["# newdoc id = mine", "# newpar", "# sent_id = x-1", "# text = Hush"],
        ["# newpar", "# sent_id = s2"],
        ["# newpar", "# sent_id = x-3"],
    ]


@pytest.mark.parametrize("number", range(4))
def test_places_in_treebanks_are_those_of_their_text(number):
    sentences = list(treebank(number + 1))
    given_ = InputDocument("x", "x", "conllu")
    made = document_from(given_, sentences)
    text = "".join(conllu_of(given_, made))
    assert all(made.text[start:end] == form for form, start, end in ranges(text))


def test_white_space_in_misc_that_is_wrong():
    sentence = Sentence([Token("Cats", misc="SpacesAfter=x"), Token("sleep")])
    made = document_from(InputDocument("x", "x", "conllu"), [sentence])
    assert [(word.text, word.start) for word in made] == [("Cats", 0), ("sleep", 5)]


def test_a_document_without_sentences():
    given_ = InputDocument("x", "x", "text", Article(" \n"))
    made = document_from(given_, [])
    assert (made.name, made.source, list(conllu_of(given_, made))) == ("x", "x", [])
    assert heading(given_) == "# newdoc id = x\n"
