"""Trees in the terminal, as a reader would follow their lines."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from treaty import InputError
from treaty.show import tree_text
from treaty.text import Sentence, Token

UP = set("│╰├┶┾┕┝")
DOWN = set("│╭├┮┾┍┝")


@dataclass
class Worth:
    status: str = "FRACTIONAL"
    bound: float = 3.5
    gap: float = 0.25


def sentence(heads, words=None):
    words = words or [f"w{i}" for i in range(1, len(heads) + 1)]
    return Sentence([Token(w, head=h, deprel="x") for w, h in zip(words, heads, strict=True)])


def read_back(drawing):
    """Follow the lines: from each word to the left, past lines in front, to the line it ends at."""
    heads = []
    for row, line in enumerate(drawing):
        own = next((i for i, sign in enumerate(line) if sign in "┶┮┾┕┍┝"), None)
        join = [i for i, sign in enumerate(line) if sign in "╭╰├" and (own is None or i < own)]
        heads.append(follow(drawing, row, join[-1]) if join else 0)
    return heads


def follow(drawing, row, column):
    """Go up and down a vertical line to the word that it belongs to."""
    for step, leads in ((-1, UP), (1, DOWN)):
        at = row
        while drawing[at][column] in leads:
            at += step
            if drawing[at][column] in "┶┮┾┕┍┝":
                return at + 1
    raise AssertionError("a line that leads nowhere")


@st.composite
def trees(draw, most=10):
    order = draw(st.permutations(range(1, draw(st.integers(1, most)) + 1)))
    heads = [0] * len(order)
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return heads


@given(trees())
@settings(deadline=None, max_examples=100)
def test_the_drawing_can_be_read_back(heads):
    lines = tree_text(sentence(heads)).splitlines()
    assert read_back([line.split(" w")[0] for line in lines]) == heads


def test_a_tree_that_is_not_projective():
    words = ["A", "hearing", "is", "scheduled", "on", "it", "today"]
    assert tree_text(sentence([2, 4, 4, 0, 6, 2, 4], words)).splitlines() == [
        "  ╭─── A          x",
        "╭─┾━━━ hearing    x",
        "├─│─── is         x",
        "┝━│━━━ scheduled  x",
        "│ │ ╭─ on         x",
        "│ ╰─┶━ it         x",
        "╰───── today      x",
    ]


def test_plain_characters_where_others_cannot_be_written():
    drawn = tree_text(sentence([2, 0, 2], ["é", "b", "c"]), encoding="ascii", certificate=Worth())
    assert drawn == "+- ?  x\n+= b  x\n+- c  x\n\nFRACTIONAL ; bound 3.5 ; gap 0.25\n"
    assert tree_text(sentence([0], ["é"]), encoding="latin-1") == "-- é  x\n"
    assert tree_text(sentence([0], ["é"]), encoding="no-such-encoding") == "-- ?  x\n"


def test_columns_are_aligned_in_cells():
    tokens = [Token("租車", upos="NOUN", head=2), Token("a\u0301", xpos="X", head=0)]
    lines = tree_text(Sentence(tokens)).splitlines()
    assert cell_len(lines[0].partition("NOUN")[0]) == cell_len(lines[1].partition("X")[0])
    assert "NOUN" not in tree_text(Sentence(tokens), tags=False)


def test_nothing_acts_on_the_terminal():
    drawn = tree_text(sentence([0, 1, 1], ["\x1b[2J", "a\nb", "\u202e"]))
    assert drawn.count("\n") == 3
    assert not set(drawn) & {"\x1b", "\u202e", "\r"}


def test_words_without_heads_and_cycles_are_shown():
    assert tree_text(Sentence()) == ""
    assert tree_text(sentence([-1, -1])) == "── w1  x\n── w2  x\n"
    assert tree_text(sentence([2, 3, 1])).count("\n") == 3
    with pytest.raises(InputError, match="not in the sentence"):
        tree_text(sentence([9]))
