"""Decoding: bounds that hold, summaries within their limits, optima where they are asked for."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem, random_scores

from treaty import Status, UsageError, _threads
from treaty.summarize import Rules, broken_rules, decode, extractive_graph, objective_of
from treaty.summarize._decode import METHODS, _Search, first_sentences, or_first_that_fits
from treaty.summarize._nodes import Nodes
from treaty.summarize._rounding import closest_summary

SEEDS = st.integers(0, 10**6)


def best_of_all(problem, concepts, cuts, words, sentences):
    """The best objective by trying every set of tokens."""
    best = 0.0
    for on in itertools.product([False, True], repeat=len(problem.source_of)):
        keep = np.array(on)
        used = len(set(problem.source_of[keep].tolist()))
        if (keep & problem.counts).sum() <= words and (sentences is None or used <= sentences):
            best = max(best, objective_of(problem, keep, concepts, cuts))
    return best


@given(SEEDS, st.integers(0, 6), st.sampled_from([None, 1]), st.booleans())
@settings(deadline=None, max_examples=40)
def test_summaries_against_all_there_are(seed, words, sentences, compressive):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=2, longest=4)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array(random_scores(rng, len(problem.source_of))) if compressive else None
    best = best_of_all(problem, concepts, cuts, words, sentences)
    for method in METHODS:
        found = decode(problem, concepts, cuts, words=words, sentences=sentences, method=method)
        assert found.bound >= best - 1e-6
        assert found.objective <= best + 1e-9
        assert found.objective == pytest.approx(
            objective_of(problem, found.keep, concepts, cuts), abs=1e-9
        )
        assert (found.keep & problem.counts).sum() <= words
        assert broken_rules(problem, found.keep, words=words, sentences=sentences) == []
        if method in ("ilp", "exact") or found.status == "OPTIMAL":
            assert found.objective == pytest.approx(best, abs=1e-5)
            assert found.gap == pytest.approx(0.0, abs=1e-5)


@given(SEEDS, st.integers(1, 20))
@settings(deadline=None, max_examples=30)
@example(585616, 6)
def test_values_of_the_relaxation(seed, words):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=5, longest=6)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array(random_scores(rng, len(problem.source_of)))
    relaxed = decode(problem, concepts, cuts, words=words, rounded=False, iterations=5000)
    assert not relaxed.keep.any()
    assert relaxed.objective == -np.inf
    assert len(relaxed.concept_values) == len(concepts)
    for values in (relaxed.concept_values, relaxed.token_values, relaxed.source_values):
        assert ((values >= -1e-6) & (values <= 1 + 1e-6)).all()
    whole = decode(problem, concepts, cuts, words=words, iterations=5000)
    assert whole.bound == pytest.approx(relaxed.bound, abs=1e-3)
    exact = decode(problem, concepts, cuts, words=words, method="ilp")
    solved = exact.token_values > 0.5  # as good as what was kept, but not the same where they tie
    np.testing.assert_allclose(exact.token_values, solved, atol=1e-6)
    found = objective_of(problem, solved, concepts, cuts)
    assert found == pytest.approx(exact.objective, abs=1e-5)
    said = np.zeros(len(concepts))
    missing = np.concatenate([[0], np.cumsum(problem.is_word & ~solved)])
    concept, _, first, last = problem.occurrences
    said[concept[missing[last + 1] == missing[first]]] = 1
    np.testing.assert_allclose(exact.concept_values, said, atol=1e-6)


@given(SEEDS, st.integers(1, 12), st.sampled_from([None, 2]))
@settings(deadline=None, max_examples=30)
def test_the_rounding_of_the_paper_is_the_summary_closest_to_the_relaxation(seed, words, sentences):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=5, longest=6, rules=rng.choice([None, Rules()]))
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array(random_scores(rng, len(problem.source_of)))
    limits = {"words": words, "sentences": sentences, "iterations": 5000}
    plain = decode(problem, concepts, cuts, **limits, tolerance=1e-9, improved=False)
    better = decode(problem, concepts, cuts, **limits, tolerance=1e-9)
    assert plain.bound == pytest.approx(better.bound, abs=1e-9)
    assert plain.objective <= better.objective + 1e-9
    nodes = Nodes.of(problem, cuts)
    values = np.zeros(len(nodes))
    values[nodes.of_token], values[nodes.of_source[:-1]] = plain.token_values, plain.source_values
    sizes = np.bincount(nodes.of_token, problem.is_word, minlength=len(nodes))
    weights = (sizes + nodes.is_dollar).astype(np.int32)
    closest = closest_summary(nodes, values, weights, words, sentences)[nodes.of_token]
    expected = max(objective_of(problem, closest, concepts, cuts), 0.0)
    assert plain.objective == pytest.approx(expected, abs=1e-9)


def test_a_small_tolerance_takes_more_iterations():
    problem = random_problem(random.Random(3), sentences=8, longest=9)
    concepts, cuts = np.ones(len(problem.concepts)), np.full(len(problem.source_of), 0.1)
    rough, fine = (
        decode(problem, concepts, cuts, words=20, iterations=10**5, tolerance=tolerance)
        for tolerance in (1e-2, 1e-8)
    )
    assert rough.iterations < fine.iterations
    assert fine.bound <= rough.bound


def test_limits_of_nothing_give_nothing():
    problem = random_problem(random.Random(5))
    concepts = np.ones(len(problem.concepts))
    for limits in ({"words": 0}, {"words": 9, "sentences": 0}):
        found = decode(problem, concepts, **limits)
        assert not found.keep.any()
        assert (found.objective, found.status) == (0.0, "OPTIMAL")


def test_no_iterations_still_give_a_valid_bound():
    problem = random_problem(random.Random(3), sentences=6, longest=8)
    concepts = np.ones(len(problem.concepts))
    hasty = decode(problem, concepts, words=8, iterations=0)
    exact = decode(problem, concepts, words=8, method="ilp")
    assert hasty.objective <= exact.objective <= hasty.bound + 1e-6


def test_a_gap_that_is_small_enough_ends_the_search():
    problem = random_problem(random.Random(3), sentences=8, longest=9)
    concepts, cuts = np.ones(len(problem.concepts)), np.full(len(problem.source_of), 0.1)
    for method in ("ad3", "exact"):
        whole = decode(problem, concepts, cuts, words=20, method=method)
        early = decode(problem, concepts, cuts, words=20, method=method, gap=5.0)
        assert whole.gap < early.gap <= 5.0
        assert early.iterations < whole.iterations
    with pytest.raises(UsageError, match="'ilp' has no option 'gap'"):
        decode(problem, concepts, words=20, method="ilp", gap=5.0)


def test_a_sentence_that_is_taken_for_want_of_a_better_one_proves_nothing():
    problem = random_problem(random.Random(3), sentences=6, longest=8)
    scores = np.ones(len(problem.concepts))
    nothing = decode(problem, scores, words=8, rounded=False, iterations=0)
    unproved = replace(nothing.certificate, status=Status.FEASIBLE, objective=0.0)
    found = or_first_that_fits(problem, replace(nothing, certificate=unproved), scores, 8)
    assert found.objective == objective_of(problem, found.keep, scores, None) > 0.0
    assert (found.status, found.bound) == (Status.FEASIBLE, nothing.bound)
    worthless = decode(problem, -scores, words=8)
    assert (worthless.status, worthless.objective) == (Status.OPTIMAL, 0.0)
    assert or_first_that_fits(problem, worthless, -scores, 8).status is Status.FEASIBLE
    assert or_first_that_fits(problem, worthless, 0.0 * scores, 8).status is Status.OPTIMAL
    assert or_first_that_fits(problem, worthless, scores, 0) is worthless


def test_unknown_methods_are_refused():
    problem = random_problem(random.Random(1))
    with pytest.raises(UsageError, match="no method 'magic'"):
        decode(problem, np.ones(len(problem.concepts)), words=5, method="magic")


@pytest.mark.parametrize("seed", range(20))
def test_sentences_are_added_with_what_they_need(seed):
    """From nothing, the first sentence that is worth something comes with all that it needs."""
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=4, longest=5)
    count = len(problem.sources)
    object.__setattr__(problem, "needs", tuple((n, n + 1) for n in range(count - 1)))
    assert problem.needed_by(0) == set(range(1, count))
    concepts = np.abs(random_scores(rng, len(problem.concepts)))
    total = int(problem.words.sum())
    for words in range(total + 1):
        stated = extractive_graph(problem, concepts, words, None)
        search = _Search(problem, stated, concepts, None, words, None)
        search.fill()
        keep = search.best[search.nodes.of_token]
        assert broken_rules(problem, keep, words=words) == []
        assert search.objective == pytest.approx(objective_of(problem, keep, concepts, None))
        tails = [problem.source_of >= n for n in range(count)]  # each with what it needs
        fit = [tail for tail in tails if (tail & problem.counts).sum() <= words]
        best = max([0.0, *(objective_of(problem, tail, concepts, None) for tail in fit)])
        assert search.objective == pytest.approx(best)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_where_no_time_is_left_there_is_an_answer(seed, method, monkeypatch):
    """Whole sentences from the start, without a bound."""
    monkeypatch.setattr(_threads, "GRACE", -1e9)
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=6, longest=6)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array(random_scores(rng, len(problem.source_of)))
    options = {"words": 12, "sentences": 3, "time_limit": 0.0, "method": method}
    for scores in (None, cuts):
        found = decode(problem, concepts, scores, **options)
        assert found.objective <= found.bound
        assert broken_rules(problem, found.keep, words=12, sentences=3) == []
        assert found.objective == pytest.approx(objective_of(problem, found.keep, concepts, scores))


def test_the_first_sentences_are_none_if_they_are_worth_less(monkeypatch):
    rng = random.Random(1)
    problem = random_problem(rng, sentences=3, longest=5)
    concepts = np.full(len(problem.concepts), -1.0)
    found = first_sentences(problem, concepts, 100, None, "ad3")
    assert not found.keep.any()
    assert (found.objective, found.status) == (0.0, Status.FEASIBLE)
