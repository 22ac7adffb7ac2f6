"""Scores of concepts and cuts."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from tests.summarize.toys import sentences

from treaty.summarize import ArcFeatures, CoverageFeatures, LinearScorer, Problem, Source
from treaty.summarize._scorers import DOCUMENT, TASKS, WORTH
from treaty.text import Sentence

BITS = 12


def scorer() -> LinearScorer:
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=2**BITS) for name in TASKS}
    return LinearScorer(CoverageFeatures(bits=BITS), ArcFeatures(bits=BITS), weights)


def test_each_task_is_scored_by_its_own_weights() -> None:
    made = scorer()
    weights = made.weights
    parsed = [Source(n, 0, s) for n, s in enumerate(sentences(1, 3))]
    bare = [Source(n, 0, Sentence.from_words(s.sentence.words)) for n, s in enumerate(parsed)]
    trees, words = Problem.of(parsed), Problem.of(bare)
    alone = Problem.of(parsed, concepts=lambda _: [])
    coverage = made.coverage(trees)
    assert np.array_equal(made.concept_scores(trees), coverage.scores(weights["compressive"]))
    assert np.array_equal(made.concept_scores(words), coverage.scores(weights["extractive"]))
    arcs = made.arcs([source.sentence for source in parsed])
    assert np.array_equal(made.cut_scores(trees), arcs.scores(weights["compressive"], "cut"))
    assert np.array_equal(made.cut_scores(alone), arcs.scores(weights["compression"], "cut"))


def test_scorers_pickle_by_what_a_file_holds() -> None:
    made = scorer()
    again = pickle.loads(pickle.dumps(made))
    assert again.arcs.templates == made.arcs.templates
    assert again.coverage.templates == made.coverage.templates
    problem = Problem.of([Source(0, n, s) for n, s in enumerate(sentences(1, 3))])
    np.testing.assert_allclose(again.cut_scores(problem), made.cut_scores(problem), atol=0.5)
    twice = pickle.loads(pickle.dumps(again))
    assert np.array_equal(twice.cut_scores(problem), again.cut_scores(problem))


def test_summaries_of_a_single_document_are_filled() -> None:
    texts = [["Cats", "sleep", "soundly"], ["Dogs", "bark"], ["Birds", "sing"]]
    weights = dict.fromkeys(TASKS, np.linspace(-1.0, 1.0, 2**10))
    scorer = LinearScorer(CoverageFeatures(bits=10), ArcFeatures(bits=10), weights)

    def added(documents: list[tuple[int, int]]) -> list[float]:
        given = zip(documents, texts, strict=True)
        sources = [Source(d, n, Sentence.from_words(w)) for (d, n), w in given]
        problem = Problem.of(sources, stop_words=frozenset(), reduce_to=None)
        plain = scorer.coverage(problem).scores(weights["extractive"])
        return ((scorer.concept_scores(problem) - plain) / plain.std()).tolist()

    assert added([(0, 0), (0, 1), (0, 2)]) == pytest.approx([0.5] * 4)
    assert added([(0, 0), (1, 0), (2, 0)]) == [0.0] * 4


def test_single_documents_are_scored_by_their_own_weights_if_there_are_any() -> None:
    made = scorer()
    own = {**made.weights, DOCUMENT: np.random.default_rng(1).normal(size=2**BITS)}
    learned = replace(made, weights=own)
    sources = [Source(0, n, s) for n, s in enumerate(sentences(1, 3))]
    one = Problem.of(sources)
    plain = made.coverage(one).scores(own[DOCUMENT])
    found = learned.concept_scores(one)
    np.testing.assert_allclose(found, plain + WORTH * plain.std())
    assert not np.allclose(found, made.concept_scores(one))
    many = Problem.of([replace(source, document=n) for n, source in enumerate(sources)])
    assert np.array_equal(learned.concept_scores(many), made.concept_scores(many))
    assert DOCUMENT in pickle.loads(pickle.dumps(learned)).weights
    assert DOCUMENT not in pickle.loads(pickle.dumps(made)).weights
