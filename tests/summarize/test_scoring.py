"""Scores of a summarizer, against the measures themselves."""

import numpy as np
import pytest

from treaty.solve import Certificate
from treaty.summarize._digest import CompressedSentence, Digest
from treaty.summarize._scoring import METRICS, scores_of_compressions, scores_of_digests
from treaty.text import Article, Collection, Compression, Sentence


def digest(text):
    words = tuple(text.split())
    sentence = CompressedSentence(text, words, (" ",) * len(words), (True,) * len(words), 0.0, 1)
    return Digest((sentence,), len(words), 100, "extractive", "ad3", Certificate.exact(0.0), 1)


def test_recall_is_that_of_stems():
    gold = [Collection([Article("x")], ["big boats sank"])]
    scores = scores_of_digests(gold, [digest("big boat sank slowly")], "en")
    assert list(scores) == [f"{metric} recall" for metric in METRICS]
    assert scores["ROUGE-1 recall"] == 1.0
    assert scores_of_digests(gold, [digest("big ships sank")], "en")["ROUGE-1 recall"] == 2 / 3


def test_compressions_are_scored_by_the_words_kept():
    gold = [Compression(Sentence.from_words(["a", "b", "c"]), [True, True, False])]
    found = [np.array([True, False, False])]
    assert scores_of_compressions(gold, found) == {"compression F1": pytest.approx(2 / 3)}


def test_there_are_no_scores_without_examples():
    assert scores_of_digests([], [], "en") == scores_of_compressions([], []) == {}
