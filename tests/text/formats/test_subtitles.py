"""Subtitles: what is said is kept, in order; numbers, times and marks are not."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.text import read_article, recognize
from treaty.text.formats import format_named
from treaty.text.formats._subtitles import is_subtitles, text_of_subtitles

VTT = """WEBVTT - News

STYLE
::cue { color: red }

NOTE nobody reads this

intro
00:01.000 --> 00:02.500 align:start
<v Ann>Rain fell &amp; fell,

00:02.500 --> 00:04.000
<00:02.600><c>all</c> day
all day

00:09.000 --> 00:11.000
<v Bo>[thunder]
<v Bo>♪ Yes ♪
"""


def subrip(*lines, gap=0.1):
    return "\n".join(
        f"{n}\n00:00:{n * (1 + gap):06.3f} --> 00:00:{n * (1 + gap) + 1:06.3f}\n{line}\n".replace(
            ".", ",", 2
        )
        for n, line in enumerate(lines, 1)
    )


def test_web_subtitles():
    assert text_of_subtitles(VTT) == "Ann: Rain fell & fell, all day\n\nBo: Yes"


def test_sentences_go_on_in_the_next_subtitle():
    text = subrip("A ferry ran aground", "near the island. {\\an8}No", "one was hurt.")
    assert text_of_subtitles(text) == "A ferry ran aground near the island. No one was hurt."


def test_numbers_may_be_said():
    assert text_of_subtitles(subrip("How many?\n7", "8", "I see.")) == "How many? 7 8 I see."


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    text = subrip("- Where?\n- Here!", "(sighs)", "Go.").replace("\n", end)
    assert text_of_subtitles(text) == "Where?\nHere! Go."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1\n2\n3\n",
        "WEBVTTs are files.",
        "At 00:01.000 --> 00:02.000 she",
        "12:30 --> 13:00 lunch",
    ],
)
def test_other_texts(text):
    assert not is_subtitles(text)


@pytest.mark.parametrize("text", [VTT, subrip("Hi."), "\ufeff" + subrip("Hi."), "WEBVTT"])
def test_subtitles_are_recognized(text):
    assert is_subtitles(text)
    assert recognize(io.StringIO(text)).format is format_named("subtitles")


def test_a_file_of_subtitles_is_an_article(tmp_path):
    for name in ("news.srt", "news.txt", "news.vtt"):
        (tmp_path / name).write_text(subrip("It rained", "all day."), encoding="utf-8")
        assert read_article(tmp_path / name).text == "It rained all day."
    damaged = tmp_path / "damaged.srt"
    damaged.write_text("Hi.\n\n" + subrip("It rained."), encoding="utf-8")
    assert recognize(damaged).format is format_named("subtitles")
    assert read_article(damaged).text == "It rained."


@given(st.lists(st.text("ab .,-[]<>&1\n♪", max_size=20), max_size=5))
def test_anything_may_be_said(lines):
    said = text_of_subtitles(subrip(*lines))
    assert "00:00" not in said
    assert said == said.strip()
