"""Summaries with a second look at their sentences."""

import random

import numpy as np
import pytest
from tests.summarize.random_problems import random_problem, random_scores
from tests.summarize.test_rules import STRUCTURE

from treaty.errors import LimitError
from treaty.summarize import decode, objective_of
from treaty.summarize._faithful import decode_faithfully
from treaty.summarize._second_look import Look, cuts_of


@pytest.mark.parametrize("seed", range(15))
def test_refused_cuts_are_forbidden_and_the_rest_is_the_best(seed):
    """The twin decodes once, without the cuts that have been refused."""
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=3, longest=8, rules=STRUCTURE)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array([rng.uniform(-1, 2) for _ in problem.source_of])
    bad = {rng.randrange(len(cuts)) for _ in range(4)}
    begin = {id(source): int(b) for source, b in zip(problem.sources, problem.begin, strict=False)}

    def look(given):
        return [
            Look(all(keep[b - begin[id(s)]] for b in bad if 0 <= b - begin[id(s)] < len(keep)))
            for s, keep in given
        ]

    options = {"words": 9, "method": "ilp"}
    found, looks, scores = decode_faithfully(problem, concepts, cuts, look, **options)
    assert all(one.is_same for one in looks.values())
    for n in looks:
        assert not bad & set(cuts_of(problem, found.keep, n))
    twin = decode(problem, concepts, scores, **options)
    assert found.objective == pytest.approx(twin.objective)
    assert objective_of(problem, found.keep, concepts, scores) == pytest.approx(found.objective)


def test_cuts_that_there_is_no_time_to_look_at_are_not_made():
    rng = random.Random(2)
    problem = random_problem(rng, sentences=3, longest=8, rules=STRUCTURE)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array([rng.uniform(0, 2) for _ in problem.source_of])

    def look(_):
        raise LimitError("the time limit was reached")

    found, looks, scores = decode_faithfully(problem, concepts, cuts, look, words=9)
    taken = np.add.reduceat(found.keep, problem.begin[:-1])
    assert set(taken[taken > 0]) <= set(np.diff(problem.begin)[taken > 0])
    assert not looks and np.isneginf(scores).all()
    assert found.objective == objective_of(problem, found.keep, concepts, None)
