"""Hashed features of arcs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.summarize.toys import sentences

from treaty.errors import UsageError
from treaty.features import TemplateSet
from treaty.summarize import ArcFeatures
from treaty.text import Sentence

BITS = 16


def test_a_sentence_without_a_tree_has_features_too() -> None:
    made = ArcFeatures(bits=10)([Sentence.from_words(["Cats", "sleep"])])
    assert made.head.tolist() == [-1, -1]
    assert made.places.shape[0] == 2


def test_parts_of_a_table_are_those_of_the_sentences() -> None:
    given = sentences(0, 5)
    features = ArcFeatures(bits=12)
    some, alone = features(given).sentences(np.array([1, 3])), features([given[1], given[3]])
    assert np.array_equal(some.head, alone.head)
    assert np.array_equal(some.begin, alone.begin)
    assert np.array_equal(some.places, alone.places)


def test_scores_add_up_over_templates() -> None:
    weights = np.random.default_rng(0).normal(size=2**BITS)
    given = sentences(0, 4)

    def scores(templates: str) -> np.ndarray:
        return ArcFeatures(TemplateSet.of(templates), BITS)(given).scores(weights, "cut")

    labels, words = scores("m.label"), scores("m.lower")
    np.testing.assert_allclose(scores("m.label\nm.lower"), labels + words)
    tokens = [token for sentence in given for token in sentence]
    for found, attribute in ((labels, "deprel"), (words, "form")):
        values = {getattr(token, attribute) for token in tokens}
        pairs = {(getattr(t, attribute), score) for t, score in zip(tokens, found, strict=True)}
        assert len(pairs) == len(values) == len(set(found))


def test_events_have_features_of_their_own() -> None:
    arcs = ArcFeatures(TemplateSet.of("m.label\nm.lower"), BITS)(sentences(0, 2))
    weights = np.random.default_rng(0).normal(size=2**BITS)
    lift = arcs.scores(weights, "lift")
    weights[arcs.of_event("cut")] = 0.0
    assert not arcs.scores(weights, "cut").any()
    assert np.array_equal(arcs.scores(weights, "lift"), lift)
    assert lift.all()


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no attribute|no column"):
        ArcFeatures(TemplateSet.of("m.color"))
    with pytest.raises(UsageError, match="bits: expected an integer from 1 to 24"):
        ArcFeatures(bits=0)
