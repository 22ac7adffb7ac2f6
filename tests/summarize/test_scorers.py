"""Scores of concepts and cuts."""

from __future__ import annotations

import pickle

import numpy as np
from tests.summarize.toys import sentences

from treaty.corpus import Sentence
from treaty.summarize import ArcFeatures, CoverageFeatures, LinearScorer, Problem, Source
from treaty.summarize._scorers import TASKS

BITS = 12


def scorer() -> LinearScorer:
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=2**BITS) for name in TASKS}
    return LinearScorer(CoverageFeatures(bits=BITS), ArcFeatures(bits=BITS), weights)


def test_each_task_is_scored_by_its_own_weights() -> None:
    made = scorer()
    weights = made.weights
    parsed = [Source(0, n, s) for n, s in enumerate(sentences(1, 3))]
    bare = [Source(0, n, Sentence.from_words(s.sentence.words)) for n, s in enumerate(parsed)]
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
