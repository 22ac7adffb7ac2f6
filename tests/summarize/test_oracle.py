"""Oracles: references are counted, and no summary has more of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.summarize.test_topic import topic

from treaty.summarize import Problem, Source, k_grams
from treaty.summarize._oracle import reference_counts
from treaty.text import Sentence


def test_references_are_counted_once_each() -> None:
    stated = Problem.of([Source(0, 0, Sentence.from_words(["big", "cats", "sleep"]))], stemmer=str)
    reference = [Sentence.from_words(["Big", "cats", "and", "big", "cats"])]
    other = [Sentence.from_words(["cats", "sleep"]), Sentence.from_words(["big", "cats"])]
    assert reference_counts(stated, [reference, other], k_grams(2, str)).tolist() == [2.0, 1.0]


@pytest.mark.parametrize("seed", range(4))
def test_oracle_extracts_have_the_highest_recall(seed: int) -> None:
    given = topic(seed)
    stated = given.problem
    best = 0.0
    for chosen in itertools.product([False, True], repeat=len(stated.sources)):
        if stated.words[list(chosen)].sum() <= given.words:
            inside = np.array(chosen)[stated.occurrences.source]
            said = np.unique(stated.occurrences.concept[inside])
            best = max(best, given.counts[said].sum())
    assert given.counts @ given.best_extract.concept_values == pytest.approx(best)
    more = given.counts @ given.best_compression.concept_values
    assert more >= best - 1e-6 - 0.05 * len(stated.source_of)
