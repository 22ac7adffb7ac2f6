"""Summaries in the terminal, as pages and as JSON."""

import json
from dataclasses import replace

import pytest

from treaty.show import (
    compressed_json,
    cuts_terminal,
    cuts_text,
    summary_html,
    summary_json,
    summary_note,
)
from treaty.solve import Certificate, Status
from treaty.summarize import CompressedSentence, Digest

SENTENCE = CompressedSentence(
    text="Cats sleep.",
    tokens=("Cats", ",", "<b>", ",", "sleep", "."),
    spaces=("", " ", "", " ", "", ""),
    kept=(True, False, False, False, True, True),
    score=1.5,
    number=3,
    title="News & more",
    date="2024-05-01",
)
DIGEST = Digest(
    sentences=(SENTENCE,),
    words=2,
    limit=5,
    mode="compressive",
    method="ad3",
    certificate=Certificate(Status.FRACTIONAL, 1.5, 2.0, iterations=10, seconds=0.123),
    documents=1,
    id="cats",
)


def test_cuts_are_in_brackets_where_there_is_no_color():
    assert cuts_text(SENTENCE) == "Cats[, <b>,] sleep."
    assert "".join(piece for piece, _ in SENTENCE.pieces) == "Cats, <b>, sleep."


def test_cuts_are_dim_in_a_terminal():
    text = cuts_terminal([SENTENCE])
    assert text.plain == ("Cats, <b>, sleep.\n  News & more, 2024-05-01: sentence 3, score 1.5\n")
    assert next(text.plain[span.start : span.end] for span in text.spans) == ", <b>, "
    assert "score" not in cuts_terminal([SENTENCE], origins=False).plain


def test_a_page_shows_cuts_sources_and_the_certificate():
    page = summary_html([DIGEST, replace(DIGEST, sentences=(), id=None, words=0)])
    assert "<p>Cats<del>, &lt;b&gt;, </del>sleep.</p>" in page
    assert "News &amp; more, 2024-05-01: sentence 3" in page
    assert "objective 1.5, bound 2, gap 0.5 (25.00%)" in page
    assert "Nothing fits within the limits." in page
    assert "<b>" not in page
    assert "prefers-color-scheme: dark" in page


@pytest.mark.parametrize("status", ["OPTIMAL", "FRACTIONAL", "FEASIBLE", "UNKNOWN"])
def test_a_note_says_what_a_summary_is_worth(status):
    note = summary_note(replace(DIGEST, certificate=Certificate(Status(status), 1.5, 2.0)))
    assert status in note
    assert "2 of 5 words, from 1 document, compressive" in note


def test_json_is_read_by_evaluation():
    record = json.loads(summary_json(DIGEST))
    assert (record["topic"], record["summary"]) == ("cats", ["Cats sleep."])
    assert record["certificate"] == DIGEST.certificate.to_dict()
    assert record["sentences"][0]["kept"] == [1, 0, 0, 0, 1, 1]
    assert json.loads(compressed_json(SENTENCE))["sentence"] == 3
