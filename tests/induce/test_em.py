"""Local search: it climbs, from every start, to what no single step betters."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import all_counts, best_likelihood, likelihoods, random_corpus

from treaty.errors import LimitError, UsageError
from treaty.induce import (
    Corpus,
    EdgeConstraint,
    Grammar,
    _em,
    em,
    expected_counts,
    harmonic_grammar,
    viterbi,
    viterbi_em,
)
from treaty.solve import Status


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["uniform", "harmonic", "random"]))
def test_viterbi_em_is_at_a_local_optimum_below_the_best(seed: int, start: str) -> None:
    corpus = random_corpus(seed, [3, 4, 2])
    for smoothing in (0.0, 0.5):
        found = viterbi_em(corpus, start=start, restarts=3, smoothing=smoothing, seed=seed)
        assert found.objective == pytest.approx(corpus.log_likelihood(found.heads, smoothing))
        assert found.objective <= best_likelihood(corpus, smoothing) + 1e-9
        again = viterbi(corpus, found.grammar)  # equal trees, but for ties
        assert again.score == pytest.approx(found.grammar.score(found.counts))


def test_restarts_find_the_optimum_of_a_small_corpus() -> None:
    corpus = random_corpus(7, [4, 4, 3])
    found = viterbi_em(corpus, restarts=300, seed=1)
    assert found.objective == pytest.approx(best_likelihood(corpus))


def test_threads_and_seeds() -> None:
    corpus = random_corpus(5, [6] * 30)
    runs = [viterbi_em(corpus, restarts=20, seed=s, threads=t) for s, t in ((1, 1), (1, 2), (2, 1))]
    assert np.array_equal(runs[0].heads, runs[1].heads)
    assert runs[0].objective == runs[1].objective
    assert not np.array_equal(runs[0].heads, runs[2].heads)


@pytest.mark.parametrize("start", ["uniform", "harmonic", "random"])
def test_restarts_differ(start: str) -> None:
    corpus = random_corpus(5, [7] * 30)
    one, many = (viterbi_em(corpus, start=start, restarts=n, seed=1) for n in (1, 40))
    assert many.objective > one.objective
    again = viterbi_em(corpus, start=many.grammar, restarts=1)
    assert again.objective >= many.objective - 1e-9


def test_equal_sentences_have_equal_trees() -> None:
    corpus = Corpus.from_tags([["N", "V", "N"], ["V", "N"], ["N", "V", "N"]])
    first, _, last = corpus.trees(viterbi_em(corpus, seed=4).heads)
    assert np.array_equal(first, last)


def test_constraints_are_met_where_they_can_be() -> None:
    corpus = random_corpus(4, [5, 4, 6, 3])
    free = viterbi_em(corpus, restarts=20, seed=1)
    rule = EdgeConstraint([("V", "N"), ("N", "A"), ("A", "V")], share=0.5)
    bound = viterbi_em(corpus, restarts=20, seed=1, constraint=rule)
    assert rule.met(bound.counts, corpus.tags) >= 0.5
    assert rule.met(free.counts, corpus.tags) < 0.5
    impossible = viterbi_em(corpus, constraint=EdgeConstraint([("ROOT", "V")], share=1.0))
    assert impossible.status is Status.UNKNOWN
    assert impossible.grammar is None
    assert impossible.objective == -math.inf


def test_constrained_objective_against_enumeration() -> None:
    corpus = random_corpus(2, [3, 3, 3])
    rule = EdgeConstraint([("N", "A"), ("ROOT", "A"), ("A", "V")], share=0.4)
    counts = all_counts(corpus)
    met = counts @ rule.kinds(corpus.tags).flat >= rule.least(corpus)
    allowed = likelihoods(counts[met])
    found = viterbi_em(corpus, restarts=200, constraint=rule, seed=1)
    assert np.median(allowed) <= found.objective <= allowed.max() + 1e-9


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6))
def test_em_climbs_the_likelihood(seed: int) -> None:
    corpus = random_corpus(seed, [4, 5, 3, 2])
    found = em(corpus, start="random", seed=seed, steps=30)
    steps = [moment.objective for moment in found.trace]
    assert all(b >= a - 1e-9 for a, b in itertools.pairwise(steps))
    assert expected_counts(corpus, found.grammar)[1] == pytest.approx(found.objective)


def test_harmonic_grammar_prefers_neighbors() -> None:
    corpus = Corpus.from_tags([["A", "B", "C", "D", "E"]])
    grammar = harmonic_grammar(corpus)
    right = np.exp(grammar.child[0, 1])
    assert right[1] > right[2] > right[4]
    assert np.exp(grammar.root) == pytest.approx(0.2, abs=1e-3)


def test_limits_and_bad_arguments() -> None:
    corpus = random_corpus(1, [4, 4])
    assert viterbi_em(corpus, restarts=None, time_limit=0.01).iterations > 0
    with pytest.raises(UsageError, match="time limit"):
        viterbi_em(corpus, restarts=None)
    with pytest.raises(UsageError, match="unknown start"):
        viterbi_em(corpus, start="cold")
    with pytest.raises(UsageError, match="for 2"):
        em(corpus, start=Grammar.uniform("AB"))


def test_without_time_every_word_hangs_on_the_one_before(monkeypatch) -> None:
    def late(*_, **__):
        raise LimitError("the time limit was reached")

    monkeypatch.setattr(_em.native, "restarts", late)
    monkeypatch.setattr(_em, "expected_counts", late)
    corpus = random_corpus(3, [4, 1, 3])
    found = viterbi_em(corpus, time_limit=0.0, restarts=10_000)
    assert found.heads.tolist() == [0, 1, 2, 3, 0, 0, 1, 2]
    assert found.status is Status.FEASIBLE
    assert best_likelihood(corpus, 0.0) <= found.bound == 0.0
    assert found.objective == corpus.log_likelihood(found.heads)
    rule = EdgeConstraint((("ROOT", corpus.tags[0]),), 1.0)
    none = viterbi_em(corpus, time_limit=0.0, constraint=rule)
    assert (none.status, none.objective) == (Status.UNKNOWN, -math.inf)
    with pytest.raises(LimitError):
        em(corpus, time_limit=0.0)


def test_em_leaves_time_for_its_trees() -> None:
    corpus = random_corpus(3, [6] * 40)
    found = em(corpus, time_limit=0.0, steps=1000, tolerance=0.0)
    assert len(found.heads) == len(corpus.tokens)
    assert len(found.trace) == 1
