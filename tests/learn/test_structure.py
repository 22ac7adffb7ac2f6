"""Structures and lists of parts: what all of them have."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import Certificate, Status, UsageError
from treaty.features import PartFeatures, RaggedFeatures
from treaty.learn import Decoding, PartList, Structure
from treaty.learn._structure import check_scores


class Things(PartList):
    """Parts with any features; the last kind has none."""

    def __init__(self, rows, ragged, scale=1.0):
        self.scale = scale
        ends = np.cumsum([0, len(rows), len(ragged), 2]).tolist()
        names = ("even", "ragged", "bare")
        self.kinds = {n: slice(a, b) for n, a, b in zip(names, ends[:-1], ends[1:], strict=True)}
        begin = np.cumsum([0, *map(len, ragged)])
        flat = np.array([place for row in ragged for place in row], np.int32)
        self._features = [
            (self.kinds["even"], PartFeatures(np.array(rows, np.int32).reshape(len(rows), 2))),
            (self.kinds["ragged"], RaggedFeatures(begin, flat)),
        ]

    @property
    def features(self):
        return self._features


class Any(Structure):
    """Takes the parts that score above 0."""

    bits = 8

    def parts(self, given):
        return given

    def gold(self, parts, example):
        return np.zeros(len(parts))

    def decode(self, parts, scores, **limits):
        on = (scores > 0).astype(float)
        return Decoding(on, Certificate.exact(float(scores @ on)))

    def read(self, parts, decoding):
        return decoding.amounts.tolist()


places = st.integers(0, 255)
PARTS = st.builds(
    Things,
    st.lists(st.tuples(places, places), max_size=4),
    st.lists(st.lists(places, max_size=3), max_size=4),
    st.sampled_from([1.0, 4.0]),
)


@settings(deadline=None)
@given(PARTS, st.sampled_from([1, 2, 8, 300]))
def test_dense_rows_are_signed_projections(parts, width):
    rows, has = parts.dense(width)
    assert rows.shape == (len(parts), width)
    assert not has[parts.kinds["bare"]].any()
    for part, features in parts.features:
        where, place, value = features.entries()
        for row in range(len(features)):
            expected = np.zeros(width)
            for p, v in zip(place[where == row], value[where == row], strict=True):
                expected[p % width] += v * (-1) ** (p // width)
            assert has[part.start + row] == bool((where == row).any())
            expected /= max(1.0, math.sqrt(expected @ expected)) * parts.scale
            assert rows[part.start + row] == pytest.approx(expected)


@settings(deadline=None)
@given(PARTS)
def test_kinds_cover_the_parts(parts):
    assert sum(part.stop - part.start for part in parts.kinds.values()) == len(parts)


def test_defaults():
    parts, structure = Things([(1, 2)], [[3]]), Any()
    assert structure.takes(parts)
    assert structure.costs(parts, np.array([1.0, 0, 0, 1])).tolist() == [-1, 1, 1, -1]
    both = structure.decode_all([parts, parts], [np.ones(4), -np.ones(4)], threads=3)
    assert [structure.read(parts, one) for one in both] == [[1] * 4, [0] * 4]
    assert structure.fused(parts) is None
    assert structure.fixed_score(parts, both[0].amounts) == 0.0
    for action in (structure.graph, structure.marginals, structure.of_solution):
        with pytest.raises(UsageError, match=r"^Any: "):
            action(parts, np.zeros(4))
    with pytest.raises(UsageError, match="not decoded by a factor graph"):
        structure.k_best(parts, np.zeros(4), 2)


def test_no_answer():
    none = Decoding.none(3, Certificate(Status.UNKNOWN, -math.inf, math.inf))
    assert not none.is_answer
    assert none.amounts.tolist() == [0, 0, 0]
    assert none.status is Status.UNKNOWN


@pytest.mark.parametrize("scores", [[1.0], [[1.0] * 4], [math.nan] * 4, [1, 1, 1, math.inf]])
def test_scores_that_make_no_sense_are_refused(scores):
    with pytest.raises(UsageError, match="scores"):
        check_scores(Things([(1, 2)], [[3]]), scores)


def test_scores_may_forbid():
    scores = check_scores(Things([(1, 2)], [[3]]), [0, 1, -math.inf, 2])
    assert scores.dtype == np.float64
