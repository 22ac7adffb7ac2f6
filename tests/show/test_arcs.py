"""Arcs to draw, and words that are safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.show.drawn import sentence, trees

from treaty import Certificate, InputError, Status
from treaty.show._arcs import (
    LONGEST,
    MOST_DRAWN,
    Arc,
    arcs_of,
    certificate_line,
    drawn_parts,
    reads_from_the_right,
    shown,
    tag_of,
)
from treaty.text import Token


def test_ends_of_an_arc():
    assert Arc(5, 2, "x", True).ends == (2, 5)


@given(trees())
def test_arcs_are_those_of_the_tree_and_cross_by_definition(heads):
    arcs = arcs_of(sentence(heads))
    assert [(arc.head, arc.word, arc.label) for arc in arcs] == [
        (head, word, f"r{word}") for word, head in enumerate(heads, 1)
    ]

    def reached(word, head):
        while word and word != head:
            word = heads[word - 1]
        return word == head

    for arc in arcs:
        first, last = arc.ends
        assert arc.projective == all(reached(w, arc.head) for w in range(first + 1, last))


def test_words_without_heads_have_no_arcs():
    assert [arc.word for arc in arcs_of(sentence([-1, 0, -1]))] == [2]


@pytest.mark.parametrize(
    ("heads", "cause"),
    [
        ([0, 3], r"token 2 \('w2'\) has head 3, which is not in the sentence"),
        ([1], r"token 1 .*its own head"),
    ],
)
def test_heads_that_cannot_be_drawn(heads, cause):
    with pytest.raises(InputError, match=cause):
        arcs_of(sentence(heads))


@given(text=st.text(), longest=st.integers(1, 40))
def test_what_is_shown_is_short_and_acts_on_nothing(text, longest):
    found = shown(text, longest)
    assert len(found) <= longest
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn") for c in found)
    assert not set(found) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    if text.isascii() and text.isprintable() and len(text) <= longest:
        assert found == text


def test_long_words_are_cut():
    assert shown("x" * 99) == "x" * (LONGEST - 1) + "…"
    assert shown("x" * LONGEST) == "x" * LONGEST


def test_the_coarse_tag_comes_first():
    assert tag_of(Token("a", upos="NOUN", xpos="NN")) == "NOUN"
    assert tag_of(Token("a", xpos="NN")) == "NN"
    assert tag_of(Token("a")) == ""


@pytest.mark.parametrize(
    ("forms", "right"),
    [(["שלום"], True), (["مرحبا", "a"], True), (["hello"], False), (["שa"], False), ([], False)],
)
def test_the_direction_of_most_letters_counts(forms, right):
    assert reads_from_the_right(forms) is right


def test_what_a_tree_is_worth_in_a_line():
    certificate = Certificate(Status.FRACTIONAL, 3.0, 3.25)
    assert certificate_line(certificate) == "FRACTIONAL · bound 3.25 · gap 0.25"
    assert certificate_line(Certificate.exact(-0.0)) == "OPTIMAL · bound 0 · gap 0"


def test_long_sentences_are_drawn_in_parts():
    long = sentence(list(range(2 * MOST_DRAWN + 1)))
    parts = drawn_parts(long)
    assert [len(part) for part in parts] == [MOST_DRAWN, MOST_DRAWN, 1]
    assert parts[1].heads == list(range(MOST_DRAWN))
    assert parts[1].tokens[0].deprel == f"r{MOST_DRAWN + 1} ← {MOST_DRAWN} w{MOST_DRAWN}"
    assert long.heads[MOST_DRAWN] == MOST_DRAWN
    short = sentence([0])
    assert drawn_parts(short) == [short]


def test_long_sentences_have_their_heads_in_them():
    with pytest.raises(InputError):
        drawn_parts(sentence([9999] * (MOST_DRAWN + 1)))
