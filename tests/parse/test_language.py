"""Texts in other languages are noticed, odd English ones are not."""

import warnings

import pytest
from tests.parse.language_texts import ENGLISH, OTHERS

from treaty.parse import LanguageWarning, Pipeline
from treaty.parse._language import LanguageCheck, Vocabulary, vocabulary_of
from treaty.text import Sentence


@pytest.fixture(scope="module")
def english():
    return Pipeline.load("english")


def verdict(pipeline, *texts):
    check = LanguageCheck(pipeline.vocabulary)
    for text in texts:
        check.see(pipeline.tokenizer.sentences(text))
    check.judge()
    return check.message


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_noticed(english, language):
    assert "not look like" in verdict(english, OTHERS[language])


@pytest.mark.parametrize(
    "text",
    [
        "Das ist ein schöner Tag und wir gehen ins Kino.",
        "Je ne sais pas ce que tu veux dire.",
        "Me gustaría reservar una mesa para dos personas.",
    ],
)
def test_a_sentence_is_enough(english, text):
    assert "not look like" in verdict(english, text)


@pytest.mark.parametrize("text", ENGLISH)
def test_odd_english_is_english(english, text):
    assert verdict(english, text) == ""
    assert verdict(english, *[text] * 8) == ""


def test_all_odd_texts_together_are_english(english):
    assert verdict(english, *ENGLISH) == ""


def test_a_quotation_is_no_language(english):
    text = "We met him at the station in the morning, and he told us what had happened there. " * 3
    assert verdict(english, text + OTHERS["German"][:80]) == ""


def test_the_pipeline_warns_once(english):
    nlp = Pipeline(english.parser, english.tagger, english.tokenizer, {"language": "English"})
    with pytest.warns(LanguageWarning, match="words of the text do not look like English"):
        nlp(OTHERS["German"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp(OTHERS["French"])
    again = Pipeline(english.parser, english.tagger, english.tokenizer)
    with pytest.warns(LanguageWarning, match="letters of the text do not look like the language"):
        list(again.pipe(["Cats sleep.", OTHERS["Greek"]]))


def test_small_vocabularies_know_nothing():
    check = LanguageCheck(None)
    check.see([Sentence.from_words(["der", "Zug", "kommt", "heute"])] * 9)
    check.judge()
    assert not check.message and vocabulary_of(None) is None
    assert not Vocabulary(["the"], ["the"]).is_enough
    check.warn()
