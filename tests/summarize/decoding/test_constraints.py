"""Constraints on summaries, against all summaries that obey."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem, random_scores

from treaty.errors import SolverError, UsageError
from treaty.summarize import (
    SimpleScorer,
    Summarizer,
    SummaryConstraints,
    decode,
    objective_of,
)
from treaty.summarize.cuts._text import surface_of

TEXT = "Cats sleep all day. Dogs sleep all night. Cats and dogs sleep all day and all night."


def random_wishes(rng, problem):
    """Some sentences to take, some words to keep or to cut."""
    take, keep, cut = set(), set(), set()
    for source in problem.sources:
        place = source.document + 1, source.number + 1
        if rng.random() < 0.3:
            take.add(place)
        for word in range(1, len(surface_of(source.sentence)) + 1):
            if rng.random() < 0.15:
                rng.choice([keep, cut]).add((*place, word))
    return SummaryConstraints(*map(frozenset, (take, (), keep, cut)))


def obeys(problem, wishes, keep):
    for n, source in enumerate(problem.sources):
        place = source.document + 1, source.number + 1
        begin, end = int(problem.begin[n]), int(problem.begin[n + 1])
        taken = keep[begin:end].any()
        if place in wishes.take and not taken:
            return False
        for number, word in enumerate(surface_of(source.sentence), 1):
            own = [t for t in range(begin + word.begin, begin + word.end) if problem.is_word[t]]
            if (*place, number) in wishes.cut and keep[own].any():
                return False
            if (*place, number) in wishes.keep and taken and not keep[own].all():
                return False
    return True


def best_that_obeys(problem, concepts, cuts, words, wishes):
    best = -math.inf
    for on in itertools.product([False, True], repeat=len(problem.source_of)):
        keep = np.array(on)
        if (keep & problem.counts).sum() <= words and obeys(problem, wishes, keep):
            best = max(best, objective_of(problem, keep, concepts, cuts))
    return best


@given(st.integers(0, 10**6), st.integers(0, 6), st.booleans())
@settings(deadline=None, max_examples=60)
def test_summaries_against_all_that_obey(seed, words, compressive):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=2, longest=4)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array(random_scores(rng, len(problem.source_of))) if compressive else None
    wishes = random_wishes(rng, problem)
    best = best_that_obeys(problem, concepts, cuts, words, wishes)
    asked, prized, cut_scores, prize = wishes.applied(problem, concepts, cuts)
    found = decode(asked, prized, cut_scores, words=words, method="exact")
    if best == -math.inf:
        with pytest.raises(SolverError, match="obeys the constraints"):
            wishes.judged(problem, found, prize)
        return
    judged = wishes.judged(problem, found, prize)
    assert obeys(problem, wishes, judged.keep)
    assert judged.objective == pytest.approx(best, abs=1e-6)
    assert judged.bound >= best - 1e-6


@pytest.fixture(scope="module")
def summarizer():
    return Summarizer(SimpleScorer(), parser=None)


def text(summarizer, words, **wishes):
    wanted = SummaryConstraints(**{name: frozenset(some) for name, some in wishes.items()})
    return summarizer.summarize(TEXT, words=words, constraints=wanted).text


def test_sentences_are_taken_and_left(summarizer):
    assert text(summarizer, 4, take={(1, 2)}) == "Dogs sleep all night."
    assert "Cats and dogs" in text(summarizer, 12)
    assert "Cats and dogs" not in text(summarizer, 12, leave={(1, 3)})


def test_without_wishes_nothing_changes(summarizer):
    free = summarizer.summarize(TEXT, words=10)
    same = summarizer.summarize(TEXT, words=10, constraints=SummaryConstraints())
    assert same.text == free.text
    assert same.certificate.bound == free.certificate.bound


@pytest.mark.parametrize(
    "wishes",
    [
        {"take": {(1, 1)}, "leave": {(1, 1)}},
        {"keep": {(1, 1, 1)}, "cut": {(1, 1, 1)}},
        {"take": {(1, 9)}},
        {"leave": {(2, 1)}},
        {"take": {(1, 1)}, "cut": {(1, 1, 99)}},
    ],
)
def test_wishes_that_make_no_sense(summarizer, wishes):
    with pytest.raises(UsageError):
        text(summarizer, 10, **wishes)


def test_wishes_that_do_not_fit(summarizer):
    with pytest.raises(SolverError, match="allow more words, or remove one"):
        text(summarizer, 3, take={(1, 3)})
