"""Stemmers and stop words: which there are, and that they fit together."""

import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

from treaty import languages
from treaty.errors import UsageError
from treaty.text import stemmer, stop_words


def test_english_is_stemmed_as_porter_has_it():
    stem = stemmer()
    words = "caresses ponies cats agreed plastered motoring sized relational hopefulness adjustable"
    assert [stem(word) for word in words.split()] == [
        "caress", "poni", "cat", "agre", "plaster", "motor", "size", "relat", "hope", "adjust",
    ]  # fmt: skip


def test_other_languages():
    assert stemmer("fr")("continuellement") == stemmer("fr")("continuelle")
    assert stemmer("de")("Häuser".lower()) == stemmer("de")("haus")
    assert stemmer("el")("σεισμός") == stemmer("el")("σεισμού")


def test_stems_do_not_depend_on_threads():
    words = [f"{start}{end}" for start in ("hop", "plan", "nation") for end in ("ing", "s", "al")]
    words *= 200
    stem = stemmer("nl")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(stem, words))
    assert found == [stem(word) for word in words]


@pytest.mark.parametrize("find", [stemmer, stop_words])
def test_an_unknown_language(find):
    with pytest.raises(UsageError, match=r"language 'xx', only for .*en, es"):
        find("xx")


@pytest.mark.parametrize("code", languages.codes())
def test_languages_have_their_stemmers(code):
    assert isinstance(stemmer(code)("word"), str)


@pytest.mark.parametrize("code", ["de", "el", "en", "es", "fr", "it", "nl", "pt"])
def test_stop_words_are_named_once(code):
    data = tomllib.loads((languages.get(code).folder / "language.toml").read_text(encoding="utf-8"))
    words = data["stop_words"].split()
    assert sorted(words) == sorted(set(words))
