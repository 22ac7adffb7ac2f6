"""Graphs of summaries: contracted ones have the optima of the plain ones, word by word."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.plain_graph import plain_graph
from tests.summarize.random_problems import random_problem, random_scores

from treaty import UsageError
from treaty.summarize import (
    Problem,
    Source,
    compressive_graph,
    extractive_graph,
    objective_of,
)
from treaty.text import Sentence

SEEDS = st.integers(0, 10**6)


def with_scores(rng, problem):
    return (
        np.array(random_scores(rng, len(problem.concepts))),
        np.array(random_scores(rng, len(problem.source_of))),
    )


@given(SEEDS, st.integers(0, 9), st.sampled_from([None, 1, 2]))
@settings(deadline=None, max_examples=60)
def test_contraction_changes_no_optimum(seed, words, sentences):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=3, longest=6)
    concepts, cuts = with_scores(rng, problem)
    small = compressive_graph(problem, concepts, cuts, words, sentences)
    plain = plain_graph(problem, concepts, cuts, words, sentences)
    found, twin = small.graph.solve("ilp"), plain.solve("ilp")
    assert found.objective == pytest.approx(twin.objective, abs=1e-6)
    keep = found.values[small.token_variables] > 0
    assert objective_of(problem, keep, concepts, cuts) == pytest.approx(found.objective, abs=1e-6)
    tokens = twin.values[: len(keep)] > 0
    assert objective_of(problem, tokens, concepts, cuts) == pytest.approx(twin.objective, abs=1e-6)


@given(SEEDS, st.integers(0, 12))
@settings(deadline=None, max_examples=40)
def test_concepts_are_on_where_some_occurrence_is(seed, words):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=4, longest=5)
    concepts, cuts = with_scores(rng, problem)
    stated = compressive_graph(problem, concepts, cuts, words, None)
    values = stated.graph.solve("ilp").values
    keep = values[stated.token_variables] > 0
    _, _, first, last = problem.occurrences
    for concept, variable in enumerate(stated.concept_variables):
        own = [
            all(keep[t] for t in range(first[o], last[o] + 1) if problem.is_word[t])
            for o in np.flatnonzero(problem.occurrences.concept == concept)
        ]
        assert (variable < 0) == (concepts[concept] == 0)
        if variable >= 0:
            assert values[variable] == any(own)


@given(SEEDS, st.integers(0, 12), st.sampled_from([None, 1, 2]))
@settings(deadline=None, max_examples=40)
def test_extracts_are_compressions_without_cuts(seed, words, sentences):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=4, longest=5)
    concepts, cuts = with_scores(rng, problem)
    stated = extractive_graph(problem, concepts, words, sentences)
    never = compressive_graph(problem, concepts, np.full(len(cuts), -np.inf), words, sentences)
    assert len(stated.nodes) == len(problem.sources)
    solution = stated.graph.solve("ilp")
    assert solution.objective == pytest.approx(never.graph.solve("ilp").objective, abs=1e-9)
    chosen = solution.values[stated.source_variables] > 0
    assert problem.words[chosen].sum() <= words
    assert sentences is None or chosen.sum() <= sentences


def test_what_makes_no_sense_is_refused():
    problem = Problem.of([Source(0, 0, Sentence.from_words(["Cats", "sleep"]))])
    for scores, words, sentences in [
        ([1.0, 2.0], 1, None), ([np.nan], 1, None), ([-np.inf], 1, None), ([1.0], -1, None),
        ([1.0], 1, -1),
    ]:  # fmt: skip
        with pytest.raises(UsageError):
            extractive_graph(problem, scores, words, sentences)
    with pytest.raises(UsageError, match="2 scores of cuts"):
        compressive_graph(problem, [1.0], [0.0], 1)
