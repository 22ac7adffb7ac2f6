"""Scorers: by their definitions, and gradients by finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.learn.test_structure import PARTS, Things

from treaty import ModelError, UsageError
from treaty.learn import Dense, HashedLinear, ModelFile, SparseVector
from treaty.learn._scorers import scorer_of_file

SCORERS = [HashedLinear(8), Dense(4), Dense(5, hidden=3), Dense(1, hidden=1)]


@settings(deadline=None)
@given(PARTS)
def test_hashed_scores_are_sums_of_weights(parts):
    weights = np.random.default_rng(1).normal(size=256)
    scores = HashedLinear(8).scores(parts, weights)
    expected = np.zeros(len(parts))
    for part, features in parts.features:
        for row, place, value in zip(*features.entries(), strict=True):
            expected[part.start + row] += weights[place] * value
    assert scores == pytest.approx(expected / parts.scale)


@pytest.mark.parametrize("scorer", SCORERS, ids=str)
@settings(deadline=None)
@given(parts=PARTS, seed=st.integers(0, 99))
def test_gradients_are_finite_differences(scorer, parts, seed):
    rng = np.random.default_rng(seed)
    weights, gradient = rng.normal(size=scorer.size), rng.normal(size=len(parts))
    slope = scorer.backward(parts, weights, gradient)
    if isinstance(slope, SparseVector):
        slope = np.bincount(slope.places, slope.values, scorer.size)
    way = rng.normal(size=scorer.size)
    step = 1e-5
    ahead, behind = (scorer.scores(parts, weights + s * step * way) for s in (1, -1))
    assert (ahead - behind) @ gradient / (2 * step) == pytest.approx(slope @ way, abs=1e-4)


@pytest.mark.parametrize("scorer", SCORERS, ids=str)
def test_parts_without_features_score_zero_and_learn_nothing(scorer):
    parts, weights = Things([], []), np.ones(scorer.size)
    assert scorer.scores(parts, weights).tolist() == [0, 0]
    slope = scorer.backward(parts, weights, np.ones(2))
    assert not np.any(slope.values if isinstance(slope, SparseVector) else slope)


@pytest.mark.parametrize("scorer", SCORERS, ids=str)
def test_initial_weights(scorer):
    weights = scorer.initial(3)
    assert weights.shape == (scorer.size,)
    assert weights.tobytes() == scorer.initial(3).tobytes()
    assert bool(weights.any()) == (getattr(scorer, "hidden", 0) > 0)


@pytest.mark.parametrize("scorer", SCORERS, ids=str)
def test_headers(scorer):
    assert scorer_of_file(ModelFile("toy", {}, {}), scorer.to_header()) == scorer


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"scorer": "neural"},
        {"scorer": "dense"},
        {"scorer": "dense", "width": 0, "hidden": 0},
        {"scorer": "dense", "width": 4, "hidden": "2"},
        {"scorer": "hashed", "bits": 99},
        {"scorer": "hashed", "bits": 9, "width": 1},
    ],
)
def test_headers_that_make_no_sense_are_refused(header):
    with pytest.raises(ModelError, match="scorer"):
        scorer_of_file(ModelFile("toy", {}, {}), header)


@pytest.mark.parametrize(("width", "hidden"), [(0, 0), (4, -1), (2**13, 0)])
def test_sizes_that_make_no_sense_are_refused(width, hidden):
    with pytest.raises(UsageError, match="an integer from"):
        Dense(width, hidden)
