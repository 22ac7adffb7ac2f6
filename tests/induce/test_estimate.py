"""Estimates of search trees against their sizes."""

import math

import pytest
from tests.induce.reference import random_corpus

from treaty.errors import UsageError
from treaty.induce import Corpus, branch_and_bound, estimate_tree

FEW = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"]])


def test_estimates_for_chords_are_of_the_right_size() -> None:
    corpus = random_corpus(3, [4, 5, 4, 5])
    found = branch_and_bound(corpus, relative_gap=0.02)
    options = {"relative_gap": 0.02, "samples": 400}
    estimates = [estimate_tree(corpus, seed=seed, **options).nodes for seed in range(3)]
    assert all(found.iterations / 20 < nodes < found.iterations * 20 for nodes in estimates)
    assert len(set(estimates)) == 3


def test_estimates_for_linear_programs_are_near_the_size_on_average() -> None:
    options = {"relaxation": "mccormick", "relative_gap": 0.02, "restarts": 20}
    found = branch_and_bound(FEW, **options)
    estimate = estimate_tree(FEW, samples=400, seed=1, **options)
    assert estimate.samples == 400
    error = 4 * estimate.nodes_deviation / math.sqrt(estimate.samples)
    assert abs(estimate.nodes - found.iterations) <= error
    assert estimate.bounded <= found.iterations  # descents share what they have seen


@pytest.mark.parametrize("relaxation", ["chords", "mccormick"])
def test_one_descent_is_made_whatever_the_time(relaxation: str) -> None:
    estimate = estimate_tree(FEW, relaxation=relaxation, time_limit=0.0)
    assert estimate.samples == 1
    assert estimate.nodes >= estimate.bounded >= 1
    assert estimate.nodes_deviation == 0.0
    assert estimate.seconds == pytest.approx(estimate.nodes * estimate.seconds_per_node, rel=1.0)
    with pytest.raises(UsageError, match="samples"):
        estimate_tree(FEW, samples=0)
