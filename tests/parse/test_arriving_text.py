"""Pieces of a text that arrives bit by bit."""

import io
import re

from hypothesis import given
from hypothesis import strategies as st
from tests.live import Script

from treaty.parse._arriving_text import arriving_texts
from treaty.text import read_paragraphs, sentence_from_spans


def find(text):
    """Sentences end with a full stop, words with white space."""
    parts = [m.span() for m in re.finditer(r"[^\s.][^.]*\.?|\.", text)]
    found = []
    for start, end in parts:
        words = [m.span() for m in re.compile(r"\S+").finditer(text, start, end)]
        if words:
            found.append(sentence_from_spans(text, words))
    return found


def pieces(*events):
    return list(arriving_texts(Script(*events).live(), find))


def test_without_pauses_paragraphs_come_whole():
    found = pieces((0, b"One. Two\nthree.\n\nFour.\n"))
    assert found == ["One. Two\nthree.\n\n", "Four.\n"]


def test_a_sentence_comes_when_the_next_one_has_begun_or_nothing_else_does():
    assert pieces((0, b"One. Two"), (1, b" three.\n"), (1, b"Four.\n")) == [
        "",
        "One. Two three.\n",
        "",
        "Four.\n",
    ]


def test_the_last_sentence_waits_while_its_line_goes_on():
    found = pieces((0, b"One. Two\nthree"), (1, b" four. Five.\n"))
    assert found == ["One. ", "", "Two\nthree four. Five.\n"]


def test_steady_input_gives_all_but_the_last_sentence():
    found = pieces(*[(0.125, f"Number {n} is\nhere. ".encode()) for n in range(12)])
    assert "".join(found) == "".join(f"Number {n} is\nhere. " for n in range(12))
    assert len([piece for piece in found if piece]) > 2


def test_faulty_lines_are_told_of_with_their_numbers():
    told = []
    script = Script((0, b"One.\n"), (1, b"\xff\n"), (1, b"Two.\n"))
    assert list(arriving_texts(script.live(), find, told.append)) == ["One.\n", "", "", "Two.\n"]
    assert [error.line for error in told] == [2]


@given(st.lists(st.tuples(st.sampled_from([0, 0.1, 0.2, 1]), st.text("ab. \n", max_size=8))))
def test_nothing_is_lost(events):
    text = "".join(part for _, part in events)
    found = pieces(*[(wait, part.encode()) for wait, part in events if part])
    assert "".join(found) == text == "".join(read_paragraphs(io.StringIO(text)))
