"""One reader of layout: blocks of lines, and the body."""

import pytest

from treaty.languages import get
from treaty.text import Article
from treaty.text.layout import layout_of

TEXT = "Storm hits coast\n\nBy Ann Lee\n\nDear all,\nit rained in Leeds for days.\n\nPhoto: a tree"


def test_what_is_no_sentence_depends_on_the_language():
    english, neutral = layout_of(TEXT, get("en")), layout_of(TEXT)
    assert english.body.text.split() == ["it", "rained", "in", "Leeds", "for", "days."]
    assert neutral.body.text.split() == [
        "Dear",
        "all,",
        "it",
        "rained",
        "in",
        "Leeds",
        "for",
        "days.",
    ]
    assert len(english.body.text) == len(neutral.body.text) == len(TEXT)


def test_lines_and_body_are_of_the_same_text():
    for language in (get("en"), get("und")):
        layout = layout_of(TEXT, language)
        lines = [TEXT[line.start : line.end] for block in layout.blocks() for line in block]
        assert lines == [line for line in TEXT.split("\n") if line]


@pytest.mark.parametrize("lines", ["auto", "wrapped", "sentence", "paragraph"])
def test_lines_mean_what_the_user_says(lines):
    (block,) = layout_of("It rained\nin Leeds.", lines=lines).blocks()
    assert block[1].begins is (lines in ("sentence", "paragraph"))


def test_titles_of_files_are_kept():
    layout = layout_of(Article("It rained. It poured.", "Rain", "2024-03-04"))
    assert (layout.body.title, layout.body.date) == ("Rain", "2024-03-04")
