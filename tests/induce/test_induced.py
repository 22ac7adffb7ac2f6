"""Results: made of trees, and worth what these are worth."""

import math

import numpy as np
import pytest

from treaty.induce import Corpus
from treaty.induce._induced import induced
from treaty.solve import Status

CORPUS = Corpus.from_tags([["N", "V"], ["N", "V", "N"]], [[2, 0], [2, 0, 2]])


def make(heads, bound=math.inf):
    trees = np.array(heads, np.int32)
    return induced(
        CORPUS, trees, 0.5, Status.FEASIBLE, bound=bound, iterations=1, seconds=0.0, method="m"
    )


def test_a_result_is_counted_again_from_its_trees():
    found = make([2, 0, 2, 0, 1])
    assert np.array_equal(found.counts.flat, CORPUS.count([2, 0, 2, 0, 1]).flat)
    assert found.objective == CORPUS.log_likelihood([2, 0, 2, 0, 1], 0.5)
    assert found.grammar.score(found.counts) < 0.0
    assert found.accuracy(CORPUS) == pytest.approx(0.8)


def test_a_bound_is_never_below_the_answer():
    found = make([2, 0, 2, 0, 2], bound=-1e9)
    assert found.bound == found.objective
    assert found.relative_gap == 0.0
    assert make([2, 0, 2, 0, 2]).gap == math.inf


def test_without_trees_there_is_no_answer():
    found = make([])
    assert found.grammar is None and found.counts is None
    assert found.objective == -math.inf
    assert found.accuracy(CORPUS) is None
