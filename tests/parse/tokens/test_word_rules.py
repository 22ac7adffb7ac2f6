"""What is one word by rule."""

import pytest

from treaty.languages import get
from treaty.parse.tokens._word_rules import cut_places, one_word

ENGLISH, NEUTRAL = get("en"), get("und")


@pytest.mark.parametrize("word", ["w/", "w/o", "Eto'o", "Hawai’i", "'til", "’Cause", "goin'"])
def test_contractions_and_names_with_apostrophes_are_one_word(word):
    assert one_word(ENGLISH).fullmatch(word)
    assert not one_word(NEUTRAL).fullmatch(word)


@pytest.mark.parametrize("words", ["l'a", "it's", "we'd", "o'clock's", "cabin'", "and/or", "w/w"])
def test_what_may_be_cut_is_left_to_the_model(words):
    assert not one_word(ENGLISH).search(words)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("late—dogs", [4, 5]),
        ("£30", [1]),
        ("’twas", [2]),
        ("n'tis", []),
        ("(€m)", [1]),
        ("f(x)", []),
        ("(-:", []),
    ],
)
def test_tokens_start_at_dashes_amounts_brackets_and_verbs(text, places):
    assert [match.start() for match in cut_places(ENGLISH).finditer(text)] == places


@pytest.mark.parametrize("word", ["https://a.b/c", "ann@a.org", ":-)", "#rain", "C++", "&amp;"])
def test_addresses_and_the_like_are_one_word_in_any_language(word):
    assert one_word(ENGLISH).fullmatch(word)
    assert one_word(NEUTRAL).fullmatch(word)
