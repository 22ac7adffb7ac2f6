"""Sentences of a summary as they are read: their order, their scores, where they stand."""

import random

import numpy as np
import pytest
from tests.summarize.random_problems import random_problem, random_scores

from treaty.summarize import Problem, Source, decode
from treaty.summarize._writing import write_sentence, written_summary
from treaty.text import Article, Sentence


def test_a_sentence_knows_where_it_stands():
    source = Source(1, 4, Sentence.from_words(["the", "old", "cat", "slept"]))
    article = Article("…", id="x", title="Cats", date="2024-05-01", source="a.txt")
    found = write_sentence(source, np.array([True, False, True, True]), 2.5, article)
    assert found.text == "The cat slept."
    assert (found.number, found.document, found.score) == (5, 2, 2.5)
    assert (found.id, found.title, found.date, found.source) == ("x", "Cats", "2024-05-01", "a.txt")
    assert found.tokens == ("the", "old", "cat", "slept")
    assert found.kept == (True, False, True, True)
    assert write_sentence(source, np.ones(4, bool)).title is None


@pytest.mark.parametrize("seed", range(20))
def test_what_sentences_add_sums_up_to_the_objective(seed):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=3)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array([rng.uniform(-1, 1) for _ in problem.source_of])
    articles = [Article("") for _ in range(1 + max(s.document for s in problem.sources))]
    found = decode(problem, concepts, cuts, words=12, method="exact")
    written = written_summary(problem, found.keep, concepts, cuts, articles)
    assert sum(sentence.score for sentence in written) == pytest.approx(found.objective)
    assert len(written) == len(np.unique(problem.source_of[found.keep]))


def test_documents_come_by_date_and_sentences_as_they_stand():
    def source(document, number, word):
        return Source(document, number, Sentence.from_words(["it", word]))

    sources = [source(0, 1, "snowed"), source(0, 0, "rained"), source(1, 0, "poured")]
    problem = Problem.of(sources, stemmer=str)
    keep, scores = np.ones(6, bool), np.zeros(len(problem.concepts))
    for dates, words in (
        (("2024-05-02", "2024-05-01"), ["poured", "rained", "snowed"]),
        (("2024-05-01", "2024-05-02"), ["rained", "snowed", "poured"]),
        ((None, "2024-05-01"), ["rained", "snowed", "poured"]),
    ):
        articles = [Article("", date=date) for date in dates]
        found = written_summary(problem, keep, scores, None, articles)
        assert [sentence.tokens[1] for sentence in found] == words
