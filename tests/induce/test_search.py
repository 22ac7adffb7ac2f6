"""Branch and bound finds the optimum, and its bounds hold."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import all_counts, best_likelihood, likelihoods, random_corpus

from treaty.errors import UsageError
from treaty.induce import (
    Corpus,
    EdgeConstraint,
    Grammar,
    branch_and_bound,
    estimate_nodes,
    sentence_bound,
    viterbi_em,
)
from treaty.induce._constraints import native_form
from treaty.solve import Status


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 1.0]), st.integers(1, 3))
def test_optimum_against_enumeration(seed: int, smoothing: float, n_tags: int) -> None:
    rng = np.random.default_rng(seed)
    corpus = random_corpus(seed, rng.integers(1, 5, size=3).tolist(), n_tags)
    found = branch_and_bound(corpus, epsilon=0.0, smoothing=smoothing, restarts=seed % 3)
    assert found.status is Status.OPTIMAL
    assert found.objective == pytest.approx(best_likelihood(corpus, smoothing), abs=1e-7)
    assert found.bound >= found.objective
    assert found.objective == corpus.log_likelihood(found.heads, smoothing)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.floats(0.2, 0.9))
def test_constrained_optimum_against_enumeration(seed: int, share: float) -> None:
    corpus = random_corpus(seed, [3, 4, 2])
    rule = EdgeConstraint([("N", "A"), ("ROOT", "A"), ("A", "V"), ("N", "V")], share=share)
    others, most = native_form(rule, corpus)
    parses = all_counts(corpus)
    allowed = parses[parses @ others <= most + 1e-9]
    found = branch_and_bound(corpus, epsilon=0.01, constraint=rule, node_limit=3000)
    if not len(allowed):
        assert found.status is Status.INFEASIBLE
        assert found.grammar is None
        return
    best = likelihoods(allowed).max()
    assert found.bound >= best - 1e-9
    if found.status is not Status.UNKNOWN:
        assert rule.met(found.counts, corpus.tags) >= share - 1e-9
        assert found.objective <= best + 1e-9
    if found.status is Status.OPTIMAL:
        assert found.objective >= best - 0.01 * abs(best) - 1e-9


@pytest.mark.parametrize("sentences", [5, 8])
def test_synthetic_corpora_are_solved(sentences: int) -> None:
    for seed in range(20):
        corpus = Corpus.sample(Grammar.example(), sentences, seed=seed, max_length=8)
        found = branch_and_bound(corpus, epsilon=0.01, seed=seed)
        assert found.status is Status.OPTIMAL
        assert found.gap <= 0.01
        local = viterbi_em(corpus, restarts=50, seed=seed)
        assert local.objective <= found.bound + 1e-9


def test_bounds_only_fall_and_never_below_what_is_known() -> None:
    corpus = random_corpus(11, [5, 6, 5, 4, 6, 5, 3])
    found = branch_and_bound(corpus, epsilon=0.001, node_limit=3000)
    bounds = [moment.bound for moment in found.trace]
    objectives = [moment.objective for moment in found.trace]
    assert bounds == sorted(bounds, reverse=True)
    assert objectives == sorted(objectives)
    assert all(b >= o for b, o in zip(bounds, objectives, strict=True))
    better = viterbi_em(corpus, restarts=500, seed=3)
    assert better.objective <= bounds[-1]


def test_threads_and_repetition_change_nothing() -> None:
    corpus = random_corpus(2, [6, 7, 5, 6, 7, 5])
    runs = [branch_and_bound(corpus, node_limit=640, threads=t, seed=4) for t in (1, 2, 1)]
    for run in runs[1:]:
        assert run.objective == runs[0].objective
        assert run.bound == runs[0].bound
        assert run.open_nodes == runs[0].open_nodes
        assert np.array_equal(run.heads, runs[0].heads)


def test_equal_sentences_cost_nothing() -> None:
    once = Corpus.from_tags([["N", "V"], ["A", "N", "V"], ["V", "A", "N"]])
    thrice = Corpus.from_tags([["N", "V"], ["A", "N", "V"], ["V", "A", "N"]] * 3)
    one, three = (branch_and_bound(c, epsilon=1e-6) for c in (once, thrice))
    assert three.objective == pytest.approx(3 * one.objective)


def test_a_small_memory_is_kept_within() -> None:
    corpus = random_corpus(2, [6, 7, 5, 6, 7])
    seen, at_ease = [], []
    limit = 50_000
    found = branch_and_bound(corpus, epsilon=0.1, memory=limit, progress=seen.append)
    assert found.status is Status.OPTIMAL
    roomy = branch_and_bound(corpus, epsilon=0.1, progress=at_ease.append)
    assert max(p.memory for p in seen) <= 1.2 * limit < max(p.memory for p in at_ease)
    assert found.objective == pytest.approx(roomy.objective, rel=0.1)
    assert found.bound >= roomy.objective


def test_limits_are_kept() -> None:
    corpus = random_corpus(9, [8] * 12)
    found = branch_and_bound(corpus, node_limit=100)
    assert found.status is Status.FEASIBLE
    assert 100 <= found.nodes < 200  # a round is brought to its end
    assert math.isfinite(found.gap)
    timed = branch_and_bound(corpus, time_limit=0.2)
    assert timed.status is Status.FEASIBLE
    assert timed.seconds >= 0.2


def test_interrupting_gives_what_there_is() -> None:
    def interrupt(progress) -> None:
        if progress.nodes > 100:
            raise KeyboardInterrupt

    found = branch_and_bound(random_corpus(9, [8] * 12), progress=interrupt)
    assert found.status is Status.FEASIBLE
    assert found.grammar is not None


def test_sentence_bound_holds() -> None:
    for seed in range(10):
        corpus = random_corpus(seed, [3, 3, 2, 3, 2])
        assert sentence_bound(corpus) >= viterbi_em(corpus, restarts=50).objective - 1e-9


def test_tree_size_estimates() -> None:
    corpus = random_corpus(3, [4, 5, 4, 5])
    found = branch_and_bound(corpus, epsilon=0.02)
    estimates = [estimate_nodes(corpus, epsilon=0.02, probes=400, seed=s) for s in range(3)]
    assert all(found.nodes / 20 < e < found.nodes * 20 for e in estimates)
    assert len(set(estimates)) == 3


def test_bad_arguments() -> None:
    corpus = random_corpus(1, [3])
    for bad in ({"epsilon": -1.0}, {"smoothing": -1.0}, {"checkpoint": "a", "resume": "b"}):
        with pytest.raises(UsageError):
            branch_and_bound(corpus, **bad)
    assert list(itertools.islice(corpus, 1))
