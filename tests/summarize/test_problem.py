"""Problems: concepts and where they stand, what is said of them, and which sentences are left."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem

from treaty import UsageError
from treaty.summarize import (
    Problem,
    Rules,
    Source,
    sources_of,
)
from treaty.text import Sentence

DOCUMENTS = [
    ["Rain fell on the town of Lisbon today .", "The mayor slept all day , said his wife ."],
    ["The rains fell on Lisbon .", "Nobody was hurt in the town .", "Rain fell on the town ."],
]


def problem_of(documents=DOCUMENTS, **options):
    sentences = [[Sentence.from_words(text.split()) for text in texts] for texts in documents]
    return Problem.of(sources_of(sentences), **options)


def test_bigrams_are_stemmed_and_see_no_punctuation():
    problem = problem_of(reduce_to=None)
    assert "rain fell" in problem.concepts
    assert "dai said" in problem.concepts
    assert not any("," in concept for concept in problem.concepts)
    assert "on the" not in problem.concepts  # stop words alone


def test_documents_leads_and_places_are_counted_in_the_whole_text():
    problem = problem_of(reduce_to=None)
    rain = problem.concepts.index("rain fell")
    assert (problem.document_counts[rain], problem.lead_counts[rain]) == (2, 2)
    town = problem.concepts.index("the town")
    assert (problem.document_counts[town], problem.lead_counts[town]) == (2, 1)
    assert problem.earliest[town] == 0
    few = problem.only([0])
    town = few.concepts.index("the town")
    assert (few.document_counts[town], few.lead_counts[town]) == (2, 1)
    assert len(few.occurrences.concept) < len(problem.occurrences.concept)


@given(st.integers(0, 10**6), st.data())
@settings(deadline=None, max_examples=50)
def test_part_of_a_problem_is_the_problem_of_the_part(seed, data):
    problem = random_problem(random.Random(seed), sentences=5, longest=6)
    kept = sorted(data.draw(st.sets(st.integers(0, len(problem.sources) - 1))))
    part = problem.only(kept)
    alone = Problem.of(
        [problem.sources[n] for n in kept], stemmer=str, stop_words=frozenset(), reduce_to=None
    )
    names = [alone.concepts.index(concept) for concept in part.concepts]
    assert sorted(part.concepts) == sorted(alone.concepts)
    for own, other in zip(part.occurrences[1:], alone.occurrences[1:], strict=True):
        np.testing.assert_array_equal(own, other)
    np.testing.assert_array_equal(
        np.array(names, int)[part.occurrences.concept], alone.occurrences.concept
    )
    np.testing.assert_array_equal(part.heads, alone.heads)
    np.testing.assert_array_equal(part.cuttable, alone.cuttable)


def test_trees_come_later():
    given = problem_of([["Cats sleep soundly every day ."]])
    problem = replace(given, rules=Rules.of_structure())
    assert not problem.cuttable.any()
    words = problem.sources[0].sentence
    labels = ["nsubj", "root", "advmod", "det", "obl", "punct"]
    parsed = problem.with_trees([Source(0, 0, words.with_tree([2, 0, 2, 5, 2, 2], labels))])
    assert parsed.cuttable.tolist() == [False, False, True, False, True, False]
    assert parsed.heads.tolist() == [1, -1, 1, 4, 1, 1]
    with pytest.raises(UsageError, match="same sentences"):
        problem.with_trees([])
