"""The search by chords: what it needs and what it does not depend on."""

import numpy as np
import pytest
from tests.induce.reference import random_corpus

from treaty.induce import Corpus, Settings, branch_and_bound, sentence_bound, viterbi_em
from treaty.induce._chords import ChordSearch
from treaty.solve import Status


def test_threads_and_repetition_change_nothing() -> None:
    corpus = random_corpus(2, [6, 7, 5, 6, 7, 5])
    runs = [branch_and_bound(corpus, iterations=640, threads=t, seed=4) for t in (1, 2, 1)]
    for run in runs[1:]:
        assert run.objective == runs[0].objective
        assert run.bound == runs[0].bound
        assert run.open_nodes == runs[0].open_nodes
        assert np.array_equal(run.heads, runs[0].heads)


def test_equal_sentences_cost_nothing() -> None:
    once = Corpus.from_tags([["N", "V"], ["A", "N", "V"], ["V", "A", "N"]])
    thrice = Corpus.from_tags([["N", "V"], ["A", "N", "V"], ["V", "A", "N"]] * 3)
    one, three = (branch_and_bound(c, relative_gap=1e-6) for c in (once, thrice))
    assert three.objective == pytest.approx(3 * one.objective)


def test_a_small_memory_is_kept_within() -> None:
    corpus = random_corpus(2, [6, 7, 5, 6, 7])
    seen, at_ease = [], []
    limit = 50_000
    found = branch_and_bound(corpus, relative_gap=0.1, memory=limit, progress=seen.append)
    assert found.status is Status.OPTIMAL
    roomy = branch_and_bound(corpus, relative_gap=0.1, progress=at_ease.append)
    assert (
        max(p.scores["memory"] for p in seen)
        <= 1.2 * limit
        < max(p.scores["memory"] for p in at_ease)
    )
    assert found.objective == pytest.approx(roomy.objective, rel=0.1)
    assert found.bound >= roomy.objective


def test_sentence_bound_holds() -> None:
    for seed in range(10):
        corpus = random_corpus(seed, [3, 3, 2, 3, 2])
        assert sentence_bound(corpus) >= viterbi_em(corpus, restarts=50).objective - 1e-9


def test_whole_sentences_bound_a_search_before_it_begins() -> None:
    corpus = random_corpus(9, [8] * 12)
    assert ChordSearch(corpus, Settings()).bound <= sentence_bound(corpus)
