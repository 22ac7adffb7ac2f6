"""Stemmers and stop words: which there are, and that they fit together."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from treaty.errors import UsageError
from treaty.text import stemmer, stop_words
from treaty.text._stop_words import WORDS


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


@pytest.mark.parametrize("language", WORDS)
def test_stop_words_are_in_lower_case_and_named_once(language):
    words = WORDS[language].split()
    assert sorted(words) == sorted(set(words))
    assert [word for word in words if word != word.lower()] == []
    assert len(words) > 70
    stemmer(language)
