"""Summaries: articles, folders, collections, languages, constraints."""

import json

import pytest
from tests.tasks.conftest import KEPT, Strict

from treaty.errors import InputError, SolverError, UsageError
from treaty.parse import Pipeline
from treaty.summarize import Summarizer
from treaty.tasks import Run, SummarizeRequest, Text
from treaty.tasks._run import Models
from treaty.tasks._summarize import Summarizing

NEWS = [
    "Lightning struck the old clock tower of Aldermere on Monday evening and set it on fire.",
    "Engineers said on Wednesday that the walls of the clock tower in Aldermere are safe.",
    "The town of Aldermere has started a collection to repair its clock tower.",
]
ARTICLES = [{"text": text} for text in NEWS]


class Served(Models):
    """Models of a server: shared, and requests name no files."""

    reads_files = False

    def load(self, kind, name):
        return KEPT.load(kind, name)


def test_summaries_are_those_of_the_library(perform, models):
    (digest,) = perform("summarize", articles=ARTICLES, words=20)
    mine = digest.to_dict()
    twin = models.load(Summarizer, "summarizer").summarize(NEWS, words=20).to_dict()
    del mine["certificate"]["seconds"], twin["certificate"]["seconds"]
    assert mine == twin
    assert mine["words"] <= 20


def test_constraints_are_obeyed(perform):
    (free,) = perform("summarize", articles=ARTICLES, words=20)
    wish = {"kind": "take", "document": 3, "sentence": 1}
    (taken,) = perform("summarize", articles=ARTICLES, words=20, constraints=[wish])
    assert 3 in {s.document for s in taken.sentences}
    assert 3 not in {s.document for s in free.sentences}
    with pytest.raises(SolverError, match="obeys the constraints"):
        perform("summarize", articles=ARTICLES, words=2, constraints=[wish])


def test_other_inputs(perform, run, tmp_path):
    topic = json.dumps({"id": 7, "documents": [{"text": NEWS[0]}]}) + "\n"
    (digest,) = perform("summarize", topic, input_format="json", words=20, model="simple")
    assert digest.id == 7
    page = f"<html><p>{NEWS[0]}</p></html>"
    assert perform("summarize", page, input_format="html", words=20)[0].words > 5
    assert perform("summarize", NEWS[0], words=20, mode="extractive")[0].mode == "extractive"
    for number, text in enumerate(NEWS):
        (tmp_path / f"{number}.txt").write_text(text)
    (of_folder,) = Summarizing(SummarizeRequest(words=20), run)([str(tmp_path)])
    assert of_folder.text == perform("summarize", articles=ARTICLES, words=20)[0].text
    with pytest.raises(UsageError, match="articles are plain texts"):
        Summarizing.check(
            SummarizeRequest.from_dict({"articles": ARTICLES, "input_format": "html"}), "json"
        )


def test_other_languages_are_not_parsed_as_english(perform):
    text = "Il a plu lundi à Lisbonne toute la journée. Le maire de Lisbonne dort, dit-on."
    for run in (None, Strict(Served())):
        (digest,) = perform("summarize", text, language="fr", words=10, model="simple", run=run)
        assert (digest.mode, digest.words) == ("extractive", 9)


def test_sentences_of_all_documents_are_listed_with_their_places(perform):
    (record,) = perform("summarize", articles=ARTICLES, words=20, sources=True)
    assert [(s["document"], s["sentence"]) for s in record["sources"]] == [(1, 1), (2, 1), (3, 1)]
    begin, end = record["sources"][0]["span"]
    assert NEWS[0][begin:end] == NEWS[0]
    assert {tuple(s["span"]) for s in record["sentences"]} <= {
        tuple(s["span"]) for s in record["sources"]
    }


def test_an_empty_summary_falls_short(perform, run):
    (digest,) = perform("summarize", NEWS[0], words=1, run=run)
    assert digest.sentences == () or list(digest.sentences) == []
    assert Summarizing.falls_short(run)
    assert run.notes == ["no sentence fits within 1 words: the summary is empty"]
    assert not Summarizing.falls_short(Run())


def test_a_server_reads_no_file_of_concepts(tmp_path, perform):
    path = tmp_path / "phrases.txt"
    path.write_text("clock tower\n")
    assert perform("summarize", NEWS[0], words=20, concepts=str(path))[0].words > 5
    with pytest.raises(UsageError, match="concepts must be one of"):
        perform("summarize", NEWS[0], concepts=str(path), run=Strict(Served()))
    path.write_text("")
    with pytest.raises(InputError, match="the file is empty"):
        perform("summarize", NEWS[0], words=20, concepts=str(path))


def test_lines_of_a_server_do_not_change_its_models(perform, models):
    shared = models.load(Pipeline, "english").tokenizer.lines
    text = "Lightning struck the tower\nThe tower burned"
    fields = {"words": 3, "lines": "sentence", "parser": "english"}

    class Shares(Served):
        def with_parser(self, summarizer, parser):
            from dataclasses import replace

            return replace(summarizer, parser=models.load(Pipeline, "english"))

    (digest,) = perform("summarize", text, run=Strict(Shares()), **fields)
    assert digest.words <= 3
    assert models.load(Pipeline, "english").tokenizer.lines == shared


def test_what_is_written(run):
    task = Summarizing(SummarizeRequest(words=20, show_cuts=True), run)
    digests = list(task([Text(NEWS[0])]))
    text = "".join(task.texts(iter(digests * 2), "text"))
    assert text.count("\n\n") >= 2
    assert "".join(task.texts(iter(digests), "html")).lower().startswith("<!doctype")
    assert "".join(task.texts(iter([]), "html")) == ""
    plain = Summarizing(SummarizeRequest(words=20), run)
    assert "".join(plain.texts(iter(digests * 2), "text")) == "\n".join(
        f"{digest.text}\n" for digest in digests * 2
    )
