"""Splitting texts in any language by rules."""

import pytest

from treaty.summarize._split import split_sentences, split_text
from treaty.text import text_of


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Il pleut. Il neige.", ["Il pleut.", "Il neige."]),
        ("M. Petit dort. Dr. Grand aussi.", ["M. Petit dort.", "Dr. Grand aussi."]),
        ("Il a dit : « Non ! » Puis il dort.", ["Il a dit : « Non ! »", "Puis il dort."]),
        ("Environ 3.5 km. 12 personnes.", ["Environ 3.5 km.", "12 personnes."]),
        ("Was? Ja… Nein", ["Was?", "Ja…", "Nein"]),
        ("Τι είναι; Είναι νερό.", ["Τι είναι;", "Είναι νερό."]),
        ("यह पानी है। वह आग है।", ["यह पानी है।", "वह आग है।"]),
        ("One\n\nTwo", ["One", "Two"]),
        (" \n\n ", []),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_are_split(text, sentences):
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_tokens_of_any_script_are_whole_words():
    (sentence,) = split_text("यह पानी है।")
    assert sentence.words == ["यह", "पानी", "है", "।"]
    text = "L'eau, c'est bleu... non ?"
    assert text_of(split_text(text)) == text


def test_a_text_without_blanks_is_cut():
    text = "x" * 5000
    assert [end - start for start, end in split_sentences(text)] == [2000, 2000, 1000]
