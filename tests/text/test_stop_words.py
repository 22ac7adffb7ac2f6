"""Stop words: lists by language."""

import pytest

from treaty.errors import UsageError
from treaty.text import stop_words


@pytest.mark.parametrize("language", ["de", "el", "en", "es", "fr", "it", "nl", "pt"])
def test_every_list_is_of_many_words_in_lower_case(language):
    words = stop_words(language)
    assert len(words) > 80
    assert words == {word.lower() for word in words}
    assert not any(word.isspace() or not word for word in words)


def test_english_is_the_default():
    assert stop_words() == stop_words("en") >= {"the", "of", "and"}
    assert "treaty" not in stop_words()


def test_other_languages_are_told_with_those_there_are():
    with pytest.raises(UsageError, match="no stop words for the language 'xx', only for de, el"):
        stop_words("xx")
