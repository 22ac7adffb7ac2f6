"""Concepts of every kind."""

import pytest
from tests.summarize.test_problem import problem_of

from treaty import UsageError
from treaty.summarize import Source, k_grams, phrases
from treaty.text import Sentence


def test_concepts_of_any_kind():
    assert len(problem_of(concepts="unigrams").concepts[0].split()) == 1
    assert len(problem_of(concepts=3).concepts[0].split()) == 3
    found = problem_of(concepts=phrases(["town of Lisbon", "mayors"], k_grams_stem))
    assert sorted(found.concepts) == ["mayor", "town of lisbon"]
    own = problem_of(concepts=lambda source: [("first", 0, 0)])
    assert own.concepts == ("first",)
    for wrong in (0, "quadgrams", True, 1.5):
        with pytest.raises(UsageError, match="concepts must be"):
            problem_of(concepts=wrong)
    with pytest.raises(UsageError, match="at least one phrase"):
        phrases([" "], str)


def k_grams_stem(word):
    return word.removesuffix("s")


def test_phrases_at_the_end_are_found_once():
    source = Source(0, 0, Sentence.from_words(["Big", "cats", "big"]))
    assert list(phrases(["big", "big cats"], str)(source)) == [
        ("big", 0, 0), ("big cats", 0, 1), ("big", 2, 2),
    ]  # fmt: skip
    assert list(k_grams(4, str)(source)) == []
