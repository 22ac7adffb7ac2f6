"""Edit scripts: they make the lemma they come from, and fit other words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import ModelError
from treaty.learn import ModelFile
from treaty.parse.tags._edit_scripts import LONGEST, SAME, apply_script, read_script, script_of

WORDS = st.text(st.sampled_from("aAbBßİǆé-'1"), min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_a_script_makes_the_lemma_it_comes_from(form, lemma):
    assert apply_script(script_of(form, lemma), form) == lemma


@given(WORDS, WORDS)
def test_scripts_are_read_as_they_were_written(form, lemma):
    script = script_of(form, lemma)
    assert read_script(as_json(script), ModelFile("toy", {}, {})) == script


def as_json(value):
    return [as_json(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("form", "lemma", "other", "made"),
    [
        ("dogs", "dog", "CATS", "cat"),
        ("parties", "party", "cities", "city"),
        ("gesagt", "sagen", "gefragt", "fragen"),
        ("Paris", "Paris", "Rome", "Rome"),
        ("PARIS", "Paris", "rome", "Rome"),
        ("usa", "USA", "uk", "UK"),
        ("12,000", "12000", "47,500", "47500"),
        ("sings", "sing", "sang", None),
        ("dogs", "dog", "s", None),
        ("dogs", "dog", "", None),
    ],
)
def test_scripts_fit_other_words(form, lemma, other, made):
    assert apply_script(script_of(form, lemma), other) == made


def test_no_change_is_the_same_for_all_words():
    assert [script_of(form, form) for form in ("cat", "Paris")] == list(SAME)
    assert script_of("Cat", "cat") == SAME[0]


def test_very_long_words_are_not_compared():
    form, lemma = "ab" * LONGEST, "ba" * LONGEST
    assert script_of(form, lemma) == ("lower", (form, lemma))
    assert script_of(form.upper(), form) == SAME[0]
    assert apply_script(script_of("dogs", "dog"), "x" * 100_000 + "s") == "x" * 100_000


def nested(depth):
    tree = None
    for _ in range(depth):
        tree = [1, 0, None, tree]
    return tree


@pytest.mark.parametrize(
    "value",
    [
        None,
        "lower",
        ["lower"],
        ["wavy", None],
        [["lower"], None],
        ["lower", "s"],
        ["lower", ["a", 1]],
        ["lower", ["a", "b\n"]],
        ["lower", [-1, 0, None, None]],
        ["lower", [0, 1.5, None, None]],
        ["lower", [0, 1, None]],
        ["lower", [0, 1, None, "s"]],
        ["lower", nested(900)],
    ],
)
def test_faulty_scripts_are_refused(value):
    with pytest.raises(ModelError, match="not a valid edit"):
        read_script(value, ModelFile("toy", {}, {}))
