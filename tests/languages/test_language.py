"""Languages: what their folders hold, and that nothing of one leaks into another."""

import pickle
import re
import tomllib
from copy import deepcopy
from dataclasses import fields
from pathlib import Path

import pytest

import treaty
from treaty import languages
from treaty.languages import Layout, Pronouns, codes, default_model, get, guess
from treaty.summarize import Rules
from treaty.text import stop_words

SECTIONS = ("pronouns", "discourse", "grammar", "names", "writing", "posts", "calendar", "layout")
FOLDER = Path(languages.__file__).parent


@pytest.mark.parametrize("code", [*codes(), "und"])
def test_every_folder_is_sound(code):
    language = get(code)
    assert (language.code, language.folder) == (code, FOLDER / code)
    assert get(language.name) is get(code.upper()) is language
    for section in SECTIONS:
        assert getattr(language, section) is getattr(language, section)
    for one in fields(Layout):
        re.compile(getattr(language.layout, one.name))
    for pattern in (*language.writing.one_word, *language.writing.cuts):
        re.compile(pattern)
    assert Rules.load(language=code).never


@pytest.mark.parametrize("code", codes())
def test_words_are_in_lower_case(code):
    language = get(code)
    for section in SECTIONS[:4]:
        own = getattr(language, section)
        for one in fields(own):
            words = getattr(own, one.name)
            assert words == {word.lower() for word in words}


def test_files_have_no_other_keys():
    known = {"name", "stemmer", "stop_words", "models", *SECTIONS[:-1]}
    for file in FOLDER.glob("*/language.toml"):
        assert tomllib.loads(file.read_text(encoding="utf-8")).keys() <= known
    with pytest.raises(ValueError, match="Pronouns has no speeking"):
        languages._language._section(Pronouns, {"speeking": "i"})


@pytest.mark.parametrize("code", ["da", "xx", "und"])
def test_what_a_language_lacks_is_not_english(code):
    language, english = get(code), get("en")
    assert "i" in english.pronouns.speaking
    assert not language.pronouns.speaking
    assert not language.discourse.openers
    assert language.abbreviations is None
    assert language.layout == get("und").layout != english.layout
    assert language.rules == get("und").rules
    assert set(language.rules[1:]) < set(english.rules)
    assert default_model("pipeline", code) is None


def test_languages_without_a_folder_keep_their_code():
    assert (get("xx").code, get("xx").name, get("xx").stop_words) == ("xx", "xx", frozenset())
    assert get(None) is get("") is get("und")


@pytest.mark.parametrize("code", ["en", "da", "und", "xx"])
def test_there_is_one_object_of_a_language(code):
    language = get(code)
    assert pickle.loads(pickle.dumps(language)) is deepcopy(language) is language


def test_models_have_the_languages_that_name_them():
    assert default_model("pipeline") == "english"
    assert default_model("parser") is None
    assert default_model("pipeline", "xx") is None


@pytest.mark.parametrize("code", ["de", "el", "en", "es", "fr", "it", "nl", "pt"])
def test_texts_of_stop_words_are_recognized(code):
    assert guess(" ".join(sorted(stop_words(code)))).code == code


@pytest.mark.parametrize("text", ["", "42", "Xyzzy plugh!", "in"])
def test_what_is_no_language_in_particular(text):
    assert guess(text).code == "und"


def test_no_module_names_a_list_of_another_language():
    """Words of a language are loaded by its code; only the package knows where they are."""
    source = Path(treaty.__file__).parent
    for path in source.rglob("*.py"):
        if path.is_relative_to(FOLDER):
            continue
        assert not re.search(r"languages\.(en|da|de|und)\b", path.read_text(encoding="utf-8"))
