"""Compression: rates, words, and sentences that stay longer than requested."""

import pytest

from treaty.summarize import Summarizer
from treaty.tasks import CompressRequest, Run, Text
from treaty.tasks._compress import USUAL_RATE, Compressing, models_of, summarizer_of

TEXT = "Engineers said on Wednesday that the walls of the tower are safe."


def test_a_sentence_is_compressed_as_by_the_library(perform, models):
    (mine,) = perform("compress", TEXT)
    (twin,) = models.load(Summarizer, "summarizer").compress(TEXT)
    assert mine.text == twin.text != TEXT


def test_bold_cuts_have_a_usual_rate(perform, models):
    (mine,) = perform("compress", TEXT, short=True)
    summarizer = models.load(Summarizer, "summarizer")
    (twin,) = summarizer.compress(TEXT, cuts="short", rate=USUAL_RATE)
    assert mine.text == twin.text


@pytest.mark.parametrize(
    ("fields", "longer"), [({}, 0), ({"words": 1}, 1), ({"rate": 0.0}, 1), ({"words": 99}, 0)]
)
def test_sentences_that_are_longer_than_requested_are_counted(perform, run, fields, longer):
    perform("compress", TEXT, run=run, **fields)
    assert run.tally["longer"] == longer
    assert Compressing.falls_short(run) == bool(longer)
    notes = list(Compressing.ending(CompressRequest.from_dict(fields), run))
    assert len(notes) == longer
    assert all("--short cuts more" in note for note in notes)
    bold = CompressRequest.from_dict({**fields, "short": True})
    assert all("the rules forbid more" in note for note in Compressing.ending(bold, run))


def test_formats(run):
    task = Compressing(CompressRequest(show_cuts=True), run)
    shown = "".join(task.written(task.read([Text(TEXT)]), "text"))
    assert shown.count("\n") == 1
    run.on_terminal = True
    assert "".join(task.written(task.read([Text(TEXT)]), "text")).strip()
    plain = Compressing(CompressRequest(), Run(run.models))
    assert "".join(plain.written(plain.read([Text(TEXT)]), "text")).startswith("Engineers")


def test_models_and_rules(models, tmp_path):
    assert models_of("simple", None) == ["english"]
    assert models_of("summarizer", "other") == ["summarizer", "other"]
    path = tmp_path / "rules.toml"
    path.write_text("")
    assert summarizer_of(models, "simple", None, None).rules is None
    assert summarizer_of(models, "simple", None, str(path)).rules is not None
    assert summarizer_of(models, "simple", "english", None).parser == "english"
