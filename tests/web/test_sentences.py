import io

import pytest

from treaty.errors import InputError, SolverError, UsageError
from treaty.parse import Attach
from treaty.text import read_conllu
from treaty.web import _sentences
from treaty.web._context import Context
from treaty.web._requests import CompressRequest, ParseRequest, TagRequest
from treaty.web._stop import Stop

SAW = "She saw the man with the telescope."


def parse(context, **asked):
    return list(_sentences.parse(ParseRequest.model_validate(asked), context))


def test_a_text_is_parsed_as_by_the_library(shelf, context):
    (mine,) = parse(context, text=SAW, confidences=True)
    (other,) = shelf.pipeline("english").parse_text(SAW, confidences=True)
    assert mine.to_dict() == other.to_dict()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Cats sleep .\n", "tokens"),
        ("<html><p>Cats sleep.</p></html>", "html"),
        ("1\n00:00:01,000 --> 00:00:02,000\nCats sleep.\n", "subtitles"),
        ("Subject: Pets\n\nCats sleep.\n", "email"),
        ("1\tCats\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsleep\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "conllu"),
        ("1\tCats\t_\tN\tN\t_\t2\tX\t2\tX\n2\tsleep\t_\tV\tV\t_\t0\tX\t0\tX\n\n", "conllx"),
    ],
)
def test_every_input_format(context, text, kind):
    (found,) = parse(context, text=text, input_format=kind)
    assert found.sentence.words[:2] == ["Cats", "sleep"]
    assert found.sentence.heads[:2] == [2, 0]


def test_faulty_sentences_are_skipped_and_told(context):
    text = "1\tCats\n\n1\tHush\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    (found,) = parse(context, text=text, input_format="conllu")
    assert found.sentence.words == ["Hush"]
    assert context.faults == 1
    assert context.notes[0].startswith("skipped: ")


def test_a_forced_head_is_obeyed_with_the_certificate_of_the_parser(shelf, context):
    for head in (2, 4):
        wish = {"kind": "attach", "word": 7, "head": head}
        (mine,) = parse(context, text=SAW, constraints=[wish])
        assert mine.sentence.heads[6] == head
        pipeline = shelf.pipeline("english")
        (tagged,) = pipeline.tagger.predict(pipeline.tokenizer.sentences(SAW))
        (twin,) = pipeline.parser.predict([tagged], constraints=[Attach(7, head)])
        assert mine.sentence.heads == twin.sentence.heads
        assert mine.certificate.objective == pytest.approx(twin.certificate.objective)
        assert mine.certificate.status == "OPTIMAL"


def test_constraints_are_of_one_sentence(context):
    text = f"{SAW} {SAW}"
    wish = {"kind": "attach", "word": 7, "head": 2, "sentence": 2}
    first, second = parse(context, text=text, constraints=[wish])
    assert (first.sentence.heads[6], second.sentence.heads[6]) == (4, 2)
    with pytest.raises(UsageError, match="a constraint names sentence 9; the text has 2"):
        parse(context, text=text, constraints=[{**wish, "sentence": 9}])


def test_constraints_that_contradict_each_other(context):
    both = [{"kind": "root", "word": 1}, {"kind": "root", "word": 2}]
    with pytest.raises(SolverError, match="contradict each other"):
        parse(context, text=SAW, constraints=both)


def test_tags_are_forced_and_forbidden(context):
    text = "They can fish."
    free = [t.upos for t in parse(context, text=text)[0].sentence.tokens]
    wish = {"kind": "tag", "word": 2, "upos": "VERB"}
    (forced,) = parse(context, text=text, constraints=[wish])
    assert forced.sentence.tokens[1].upos == "VERB"
    assert forced.sentence.tokens[1].lemma == "can"
    assert free[1] == "AUX"
    (other,) = parse(context, text=text, constraints=[{**wish, "kind": "not_tag", "upos": "AUX"}])
    assert other.sentence.tokens[1].upos != "AUX"
    with pytest.raises(UsageError, match="no tag is left for word 2"):
        parse(context, text=text, constraints=[{**wish, "upos": "NONSENSE"}])


def test_alternatives_are_probable_heads(context):
    (record,) = parse(context, text=SAW, alternatives=3)
    found = record["tokens"][6]["alternatives"]
    assert {one["head"] for one in found} >= {2, 4}
    assert sum(one["probability"] for one in found) <= 1.001


def test_names_are_marked(context):
    (found,) = parse(context, text="Ada Lovelace slept in London.", entities=True)
    assert found.to_dict()["tokens"][0]["misc"].startswith("NER=B-PER|NERConfidence=")


def test_at_the_limit_the_rest_is_left_out(shelf):
    context = Context(shelf, Stop(1e-6))
    found = parse(context, text="Cats sleep. " * 40)
    assert len(found) == _sentences.AT_ONCE
    assert context.left_out == 40 - _sentences.AT_ONCE


def test_tags_and_lemmas(context):
    (found,) = _sentences.tag(TagRequest(text="Cats sleep.", confidences=True), context)
    assert [t.lemma for t in found] == ["cat", "sleep", "."]
    assert "TagConfidence=" in found.tokens[0].misc


def test_a_compressed_sentence(shelf, context):
    text = "Engineers said on Wednesday that the walls of the tower are safe."
    (mine,) = _sentences.compress(CompressRequest(text=text), context)
    (twin,) = shelf.summarizer("summarizer").compress(text)
    assert mine.text == twin.text
    assert mine.text != text


def test_words_without_a_tokenizer(shelf, context):
    with pytest.raises(UsageError, match="cannot find the words"):
        list(_sentences.sentences_of(TagRequest(text="a b"), None, context))


def test_bad_html(context):
    with pytest.raises(InputError):
        parse(context, text="<html></html>", input_format="html")


def test_written_trees_can_be_read(context):
    (found,) = parse(context, text=SAW)
    (again,) = read_conllu(io.StringIO(found.sentence.to_conllu()))
    assert again.heads == found.sentence.heads
