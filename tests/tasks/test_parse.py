"""Parsing: sentences of every format, constraints, alternatives, names."""

import io

import pytest
from tests.tasks.conftest import Looks

from treaty.errors import InputError, SolverError, UsageError
from treaty.parse import Attach, Pipeline
from treaty.tasks import ParseRequest, Run, Text
from treaty.tasks._parse import Parsing
from treaty.text import read_conllu

SAW = "She saw the man with the telescope."


def test_a_text_is_parsed_as_by_the_library(perform, models):
    (mine,) = perform("parse", SAW, confidences=True)
    (other,) = models.load(Pipeline, "english").parse_text(SAW, confidences=True)
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
def test_every_input_format(perform, text, kind):
    (parse,) = perform("parse", text, input_format=kind)
    assert parse.sentence.words[:2] == ["Cats", "sleep"]
    assert parse.sentence.heads[:2] == [2, 0]


def test_faulty_sentences_are_skipped_and_kept_as_faults(perform, run):
    text = "1\tCats\n\n1\tHush\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    (parse,) = perform("parse", text, input_format="conllu", run=run)
    assert parse.sentence.words == ["Hush"]
    assert len(run.faults) == 1
    with pytest.raises(InputError):
        perform("parse", text, input_format="conllu")


def test_a_forced_head_is_obeyed_with_the_certificate_of_the_parser(perform, models):
    pipeline = models.load(Pipeline, "english")
    for head in (2, 4):
        (mine,) = perform("parse", SAW, constraints=[{"kind": "attach", "word": 7, "head": head}])
        assert mine.sentence.heads[6] == head
        (tagged,) = pipeline.tagger.predict(pipeline.tokenizer.sentences(SAW))
        (twin,) = pipeline.parser.predict([tagged], constraints=[Attach(7, head)])
        assert mine.sentence.heads == twin.sentence.heads
        assert mine.certificate.objective == pytest.approx(twin.certificate.objective)
        assert mine.certificate.status == "OPTIMAL"


def test_constraints_are_of_one_sentence(perform):
    text = f"{SAW} {SAW}"
    wish = {"kind": "attach", "word": 7, "head": 2, "sentence": 2}
    first, second = perform("parse", text, constraints=[wish])
    assert (first.sentence.heads[6], second.sentence.heads[6]) == (4, 2)
    with pytest.raises(UsageError, match="a constraint names sentence 9; the text has 2"):
        perform("parse", text, constraints=[{**wish, "sentence": 9}])
    with pytest.raises(UsageError, match="projective"):
        perform("parse", text, constraints=[wish], projective=True)


def test_constraints_that_contradict_each_other(perform):
    both = [{"kind": "root", "word": 1}, {"kind": "root", "word": 2}]
    with pytest.raises(SolverError, match="contradict each other"):
        perform("parse", SAW, constraints=both)


def test_tags_are_forced_and_forbidden(perform):
    text = "They can fish."
    free = [t.upos for t in perform("parse", text)[0].sentence.tokens]
    wish = {"kind": "tag", "word": 2, "upos": "VERB"}
    (forced,) = perform("parse", text, constraints=[wish])
    assert forced.sentence.tokens[1].upos == "VERB"
    assert forced.sentence.tokens[1].lemma == "can"
    assert free[1] == "AUX"
    (other,) = perform("parse", text, constraints=[{**wish, "kind": "not_tag", "upos": "AUX"}])
    assert other.sentence.tokens[1].upos != "AUX"
    with pytest.raises(UsageError, match="no tag is left for word 2"):
        perform("parse", text, constraints=[{**wish, "upos": "NONSENSE"}])


def test_alternatives_are_probable_heads(perform):
    (record,) = perform("parse", SAW, alternatives=3)
    alternatives = record["tokens"][6]["alternatives"]
    assert {one["head"] for one in alternatives} >= {2, 4}
    assert sum(one["probability"] for one in alternatives) <= 1.001
    with pytest.raises(UsageError, match="no place in CoNLL-U"):
        Parsing.check(ParseRequest(alternatives=3), "conllu")


def test_names_are_marked(perform):
    (parse,) = perform("parse", "Ada Lovelace slept in London.", entities=True)
    assert parse.to_dict()["tokens"][0]["misc"].startswith("NER=B-PER|NERConfidence=")


@pytest.mark.parametrize("constraints", [[], [{"kind": "root", "word": 2}]])
def test_names_are_looked_for_in_the_whole_text_also_with_a_deadline(models, constraints):
    text = "Ada Lovelace met Babbage. " * 9 + "She slept. " * 30
    fields = {"entities": True, "constraints": constraints}
    request, calls = ParseRequest.from_dict(fields), []
    task = Parsing(request, Run(models, Looks(100)))
    mark = task.finder.mark
    task.finder.mark = lambda labeler, parses, *more, **options: (
        calls.append(len(parses)),
        mark(labeler, parses, *more, **options),
    )[1]
    mine = [parse.sentence.to_conllu() for parse in task([Text(text)])]
    assert calls == [39]
    every = Parsing(request, Run(models))([Text(text)])
    assert mine == [parse.sentence.to_conllu() for parse in every]


def test_at_the_deadline_the_rest_is_left_out(perform, models):
    run = Run(models, Looks(1))
    done = perform("parse", "Cats sleep. " * 60, run=run)
    assert 0 < len(done) < 60
    assert run.left_out == 60 - len(done)


def test_bad_html(perform):
    with pytest.raises(InputError):
        perform("parse", "<html></html>", input_format="html")


def test_written_trees_can_be_read(run):
    task = Parsing(ParseRequest(), run)
    written = "".join(task.written(task.read([Text(SAW)]), "conllu"))
    (again,) = read_conllu(io.StringIO(written))
    assert len(again.heads) == 8
    assert "".join(task.written(iter([]), "svg")) == ""
    drawn = "".join(task.written(task.read([Text(SAW)]), "tree"))
    assert "telescope" in drawn


def test_sentences_of_many_words_are_counted(perform, run):
    perform("parse", "a b c d e f\n", input_format="tokens", longest=3, run=run)
    assert list(Parsing.ending(ParseRequest(longest=3), run)) == [
        "1 sentence of more than 3 words: parsed in parts (--longest)"
    ]


def test_models_files_and_formats():
    assert Parsing.models(ParseRequest(entities=True)) == ["english", "entities"]
    assert Parsing.files(ParseRequest(abbreviations="a.txt")) == ["english", "entities", "a.txt"]
    assert Parsing.at_once(ParseRequest()) is None
    assert Parsing.at_once(ParseRequest(entities=True)) == 512
    for name in ("svg", "html", "docx"):
        with pytest.raises(UsageError):
            Parsing.check(ParseRequest(entities=True), name)
