"""Relaxed answers become grammars and trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import best_likelihood, random_corpus, random_tree
from tests.papers.relaxations.points import feasible_point

from treaty.errors import UsageError
from treaty.induce import EdgeConstraint
from treaty.papers.relaxations._program import build_program
from treaty.papers.relaxations._projection import (
    Projector,
    normalized,
    on_simplex,
    project_parameters,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=1, max_size=6), st.integers(0, 1000))
def test_the_nearest_distribution_is_nearer_than_others(values, seed):
    point = np.array(values)
    nearest = on_simplex(point)
    assert nearest.sum() == pytest.approx(1.0) and nearest.min() >= 0
    others = np.random.default_rng(seed).dirichlet(np.ones(len(values)), 20)
    distances = np.linalg.norm(others - point, axis=1)
    assert np.all(np.linalg.norm(nearest - point) <= distances + 1e-9)


def test_distributions_are_projected_one_by_one():
    distribution = np.array([0, 0, 1, 1, 1])
    values = np.array([0.5, 1.5, 0.0, 0.0, 0.0])
    assert project_parameters(values, distribution, "normalize", 0.0).tolist() == [
        0.25, 0.75, 1 / 3, 1 / 3, 1 / 3,
    ]  # fmt: skip
    assert project_parameters(values, distribution, "simplex", 0.0)[:2].tolist() == [0.0, 1.0]
    assert normalized(np.array([2.0, 2.0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "options", [{}, {"method": "simplex", "before": 0.01}, {"steps": 0}, {"smoothing": 1.0}]
)
@pytest.mark.parametrize("share", [None, 0.4])
def test_answers_are_trees_that_climb_and_are_allowed(options, share):
    corpus = random_corpus(2, [3, 4, 2])
    rule = None if share is None else EdgeConstraint([("N", "A"), ("A", "V"), ("V", "N")], share)
    program = build_program(3, corpus)
    random = np.random.default_rng(3)
    found = 0
    for _ in range(10):
        x = feasible_point(program, random) * random.uniform(0.5, 1.0)  # no longer integral
        for answer in Projector(corpus, program, rule, **options)(x):
            found += 1
            assert answer.objective == corpus.log_likelihood(answer.heads)
            assert answer.objective <= best_likelihood(corpus) + 1e-9
            assert rule is None or rule.allows(corpus.count(answer.heads), corpus)
    assert found >= 10


def test_a_climb_only_rises():
    corpus = random_corpus(5, [5, 6, 4])
    project = Projector(corpus, build_program(3, corpus), steps=9)
    values = [answer.objective for answer in project.climb(np.array([0, 1, 2, 3, 4] * 3, np.int32))]
    assert len(values) > 1
    assert values == sorted(values)


def test_smoothing_changes_the_grammars_on_the_way_and_not_the_objective():
    differ = 0
    for seed in range(10):
        corpus, ends = random_corpus(seed, [5, 6, 4, 6]), set()
        random = np.random.default_rng(seed)
        heads = np.concatenate([random_tree(len(s), random) for s in corpus]).astype(np.int32)
        for smoothing in (None, 1.0):
            project = Projector(corpus, build_program(3, corpus), steps=9, smoothing=smoothing)
            *_, last = project.climb(heads)
            assert last.objective == corpus.log_likelihood(last.heads)
            ends.add(last.objective)
        differ += len(ends) > 1
    assert differ


def test_unknown_projections_are_refused():
    corpus = random_corpus(1, [2])
    with pytest.raises(UsageError, match="normalize or simplex"):
        Projector(corpus, build_program(3, corpus), method="best")


def test_parses_that_are_known_are_not_climbed_from_again():
    corpus = random_corpus(4, [3, 4, 2])
    program = build_program(3, corpus)
    project = Projector(corpus, program)
    x = feasible_point(program, np.random.default_rng(1))
    first, again = list(project(x)), list(project(x))
    assert first and not again
    assert [a.objective for a in first] == [a.objective for a in Projector(corpus, program)(x)]
