"""Packed weights: the same twice, near what was packed, and refused where they are damaged."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treaty import UsageError
from treaty.learn import pack_weights
from treaty.learn._packing import (
    BLOCK,
    MOST_LEVELS,
    MOST_WEIGHT,
    Unpackable,
    rows_to_keep,
    unpack_codes,
)

FLOATS = st.floats(-1e9, 1e9, width=32)


def packed_and_unpacked(values, levels=MOST_LEVELS):
    codes, level = unpack_codes(pack_weights("w", values, levels=levels), "w")
    return level[codes]


@given(
    values=arrays(np.float32, st.integers(0, 40), elements=FLOATS),
    levels=st.sampled_from([1, 2, 10, 127]),
)
def test_every_weight_becomes_the_nearest_level(values, levels):
    found = packed_and_unpacked(values, levels)
    top = np.abs(values).max(initial=0.0)
    # The definition: a level for each whole number from -levels to levels, by a square law.
    steps = np.arange(-levels, levels + 1) / levels
    level = np.sign(steps) * steps**2 * np.float64(top)
    nearest = np.abs(values[:, None].astype(float) - level[None, :]).min(axis=1, initial=np.inf)
    assert np.abs(found - values.astype(float)) == pytest.approx(nearest, abs=1e-6 * float(top))
    assert (found[values == 0] == 0).all()
    assert (np.sign(found) * np.sign(values) >= 0).all()
    assert (found[np.abs(values) == top] == values[np.abs(values) == top]).all()


def test_packing_what_was_unpacked_changes_nothing():
    rng = np.random.default_rng(7)
    values = rng.standard_t(2.5, 2**12).astype(np.float32)
    values[rng.random(2**12) < 0.4] = 0
    once = packed_and_unpacked(values)
    assert np.array_equal(packed_and_unpacked(once), once)
    first, again = pack_weights("w", values), pack_weights("w", values)
    assert all(np.array_equal(first[name], again[name]) for name in first)


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1])
def test_tables_of_any_size(size):
    values = np.linspace(-1, 1, size).astype(np.float32)
    found = packed_and_unpacked(values)
    assert (found.shape, found.dtype) == (values.shape, np.float32)
    assert np.allclose(found, values, atol=0.02)


@given(
    rows=arrays(np.float32, st.tuples(st.integers(0, 6), st.integers(1, 3)), elements=FLOATS),
    least=st.sampled_from([0.0, 1e-6, 1e-3, 0.5, 1.0, 1e9]),
)
def test_rows_are_kept_whose_largest_weight_is_rounded_to_no_less(rows, least):
    kept = rows_to_keep(rows, least)
    assert kept.shape == (len(rows),) and kept.dtype == bool
    top = float(np.abs(rows).max(initial=0.0))
    steps = np.arange(-MOST_LEVELS, MOST_LEVELS + 1) / MOST_LEVELS
    level = (np.sign(steps) * top * steps**2).astype(np.float32)
    for row, keeps in zip(rows, kept, strict=True):
        largest = float(np.abs(row).max())
        rounded, limit = (level[np.abs(level - min(x, top)).argmin()] for x in (largest, least))
        if not np.isclose(rounded, limit, rtol=1e-4):  # else the nearest level may be a tie
            assert keeps == (rounded > limit and rounded > 0.0)
        if largest == 0.0:
            assert not keeps


@given(
    rows=arrays(np.float32, (5, 2), elements=st.floats(-4, 4, width=32)),
    least=st.sampled_from([0.0, 0.01, 0.5]),
)
def test_the_same_rows_are_kept_again(rows, least):
    kept = rows_to_keep(rows, least)
    again = packed_and_unpacked(rows[kept].ravel()).reshape(-1, 2)
    assert rows_to_keep(again, least).all()


def test_rows_by_hand():
    rows = np.array([[0.0, 0.0], [1e-9, 0.0], [0.0, -1e-3], [-1.0, 0.0]], np.float32)
    assert rows_to_keep(rows, 0.0).tolist() == [False, False, True, True]
    assert rows_to_keep(rows, 1e-3).tolist() == [False, False, True, True]
    assert rows_to_keep(rows, 0.5).tolist() == [False, False, False, True]
    assert rows_to_keep(rows, 1.0).tolist() == [False, False, False, True]
    assert rows_to_keep(rows[:0], 0.5).tolist() == []
    assert not rows_to_keep(np.zeros((2, 2), np.float32), 0.0).any()


def test_zeros_are_small():
    tensors = pack_weights("w", np.zeros(2**16, np.float32))
    assert tensors["w.codes"].nbytes < 2**14


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 2 * MOST_WEIGHT])
def test_weights_of_a_training_that_diverged_are_not_packed(value):
    with pytest.raises(UsageError, match="'w' are not all finite, or beyond 1e"):
        pack_weights("w", np.array([1.0, value]))
    assert packed_and_unpacked(np.array([MOST_WEIGHT], np.float32)) == [np.float32(MOST_WEIGHT)]


@pytest.mark.parametrize("levels", [0, -1, 128, 1000])
def test_levels_must_fit_a_byte(levels):
    with pytest.raises(UsageError, match="levels: expected 1 to 127"):
        pack_weights("w", np.ones(3), levels=levels)


def packed(**changes):
    good = pack_weights("w", np.ones(100, np.float32))
    tensors = {**good, **{f"w.{name}": value for name, value in changes.items()}}
    return {name: value for name, value in tensors.items() if value is not None}


def deflated(data):
    return np.frombuffer(zlib.compress(data), np.uint8)


@pytest.mark.parametrize(
    ("tensors", "match"),
    [
        (packed(size=np.array([2**40])), "not the size"),
        (packed(size=np.array([-1])), "not the size"),
        (packed(size=np.array([100, 100])), "not the size"),
        (packed(size=np.array([101])), "not the 101 codes"),
        (packed(size=np.array([99])), "not the 99 codes"),
        (packed(size=None), "no tensor w.size"),
        (packed(size=np.array([100], np.int32)), "w.size: expected a list of int64"),
        (packed(levels=np.zeros(256, np.float32)), "at most 255"),
        (packed(levels=np.full(255, np.nan, np.float32)), "at most 255 finite"),
        (packed(levels=np.full(255, 2e9, np.float32)), "none beyond 1e"),
        (packed(levels=np.full(255, -2e9, np.float32)), "none beyond 1e"),
        (packed(levels=np.zeros(255)), "w.levels: expected a list of float32"),
        (packed(levels=np.zeros((255, 1), np.float32)), "w.levels: expected a list of float32"),
        (packed(levels=np.zeros(254, np.float32)), "a code without a level"),
        (packed(levels=np.zeros(0, np.float32)), "a code without a level"),
        ({**pack_weights("w", np.ones(1)), "w.levels": np.zeros(0, np.float32)}, "without a level"),
        (packed(codes=np.zeros(9, np.uint8)), "damaged"),
        (packed(codes=deflated(b"\0" * 100)[:-1]), "not the 100 codes"),
        (packed(codes=np.append(deflated(b"\0" * 100), np.uint8(0))), "not the 100 codes"),
        (packed(codes=deflated(b"\0" * 2**24)), "not the 100 codes"),
    ],
)
def test_packed_tables_that_are_refused(tensors, match):
    with pytest.raises(Unpackable, match=match):
        unpack_codes(tensors, "w")


def test_no_more_is_allocated_than_the_codes_can_fill():
    """A deflated byte stands for 1032 bytes at most."""
    codes = deflated(b"\0" * 2**20)
    most = 1032 * len(codes)
    with pytest.raises(Unpackable, match=f"not the {most} codes"):
        unpack_codes(packed(codes=codes, size=np.array([most])), "w")
    with pytest.raises(Unpackable, match="not the size"):
        unpack_codes(packed(codes=codes, size=np.array([most + 1])), "w")


def test_empty_tables_need_no_levels():
    none = {**pack_weights("w", np.zeros(0)), "w.levels": np.zeros(0, np.float32)}
    codes, level = unpack_codes(none, "w")
    assert len(codes) == len(level) == 0
