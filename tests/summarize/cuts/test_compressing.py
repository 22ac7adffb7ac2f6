"""Sentences compressed one by one, against all compressions there are."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.cuts.test_rules import parsed
from tests.summarize.random_problems import random_problem, random_scores

from treaty import Status
from treaty.summarize import Rules, objective_of
from treaty.summarize.cuts._compressing import best_compressions, compressed, write_compressed
from treaty.summarize.decoding._problem import Problem

LOOSE = Rules(Rules.load().never)
"""Random trees have no predicates to speak of, and would be left alone."""


def best_of_all(problem, cuts, words):
    """The best score by trying every set of tokens; the root is kept, whatever the limit."""
    found = {}
    for on in itertools.product([False, True], repeat=len(problem.source_of)):
        keep = np.array(on)
        score = objective_of(problem, keep, np.zeros(len(problem.concepts)), cuts)
        if keep.any() and score > -np.inf:
            length = int((keep & problem.counts).sum())
            found[length] = max(score, found.get(length, -np.inf))
    limit = max(words, min(found))
    return max(score for length, score in found.items() if length <= limit)


@given(st.integers(0, 10**6), st.integers(0, 8), st.booleans())
@settings(deadline=None, max_examples=60)
def test_compressions_are_the_best_within_their_limits(seed, words, coarse):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=1, longest=8, rules=LOOSE)
    cuts = np.array(random_scores(rng, len(problem.source_of)))
    best = best_of_all(problem, cuts, words)
    with pytest.MonkeyPatch.context() as patched:
        if coarse:
            patched.setattr("treaty.summarize.decoding._rounding.MOST_CELLS", 8)
        [(_, keep, certificate)] = best_compressions(problem, cuts, words)
    score = objective_of(problem, keep, np.zeros(len(problem.concepts)), cuts)
    assert certificate.objective == pytest.approx(score, abs=1e-9)
    assert certificate.objective <= best + 1e-9
    assert certificate.bound >= best - 1e-9
    if certificate.status is Status.OPTIMAL:
        assert certificate.objective == pytest.approx(best, abs=1e-9)
    else:
        assert coarse


def test_a_rate_is_a_share_of_the_words():
    problem = random_problem(random.Random(11), sentences=5, longest=8, rules=LOOSE)
    cuts = np.full(len(problem.source_of), -1.0)
    found = list(best_compressions(problem, cuts, rate=0.5))
    assert not all(keep.all() for _, keep, _ in found)
    for n, (source, keep, _) in enumerate(found):
        alone = problem.only([n])
        own = cuts[: len(source)]
        [(_, same, _)] = best_compressions(alone, own, words=round(0.5 * source.words))
        assert keep.tolist() == same.tolist()


def test_a_line_without_a_final_mark_stays_as_it_is_unless_something_is_cut():
    line = parsed("the ( big cat", "DET:4:det", "PUNCT:4:punct", "ADJ:4:amod", "NOUN:0:root")
    problem = Problem.of_sentences([line], LOOSE)
    for score, text, kept in [
        (-1.0, "the ( big cat", (1, 1, 1, 1)),
        (1.0, "The cat.", (1, 0, 0, 1)),
    ]:
        cuts = np.where([False, False, True, False], score, -1.0)
        [found] = compressed(problem, cuts)
        written = write_compressed(problem, found)
        assert (written.text, written.kept) == (text, kept)
