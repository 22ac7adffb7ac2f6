"""Ranges: the types and limits of settings, for users and for files."""

from __future__ import annotations

import math

import pytest

from treaty.errors import ModelError, UsageError
from treaty.learn import Flag, Int, ModelFile, OneOf, Optional, Real, Text, Texts, check_ranges


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        (Int(1, 3), [1, 3], [0, 4, 10**400, 1.0, True, "1", None]),
        (Real(0, 1), [0, 1, 0.5, 1.0], [-1e-9, 1.1, math.nan, math.inf, 10**400, True, "0", None]),
        (Real(-math.inf, math.inf), [1e300], [math.inf, -math.inf, math.nan]),
        (Flag(), [True, False], [0, 1, None, "true"]),
        (OneOf(("a", "b")), ["a"], ["", "c", None, ["a"]]),
        (Text(3), ["", "abc"], ["abcd", 1, None]),
        (Texts(1, 2, Text(3)), [["a"], ["", "abc"]], [[], ["a"] * 3, ["abcd"], [1], "a", None]),
        (Optional(Int(1, 3)), [None, 2], [0, "x"]),
    ],
)
def test_what_is_in_a_range(allowed, inside, outside):
    assert all(value in allowed for value in inside)
    assert not any(value in allowed for value in outside)
    for value in outside:
        with pytest.raises(UsageError, match=r"^x: expected "):
            check_ranges({"x": value}, {"x": allowed})
        with pytest.raises(ModelError, match="x: expected "):
            ModelFile("toy", {"x": value}, {}).value("x", allowed)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([10**5000], "found list"),
        (10**400, "a huge number"),
        ("a" * 99, "…"),
        ([1], "found list"),
        (None, "found None"),
    ],
)
def test_messages_are_short(value, shown):
    with pytest.raises(UsageError, match=shown) as caught:
        check_ranges({"x": value}, {"x": Int(1, 3)})
    assert len(str(caught.value)) < 150


def test_settings_are_exactly_the_declared_ones():
    ranges = {"a": Int(1, 3), "b": Flag()}
    for header in ({"a": 1}, {"a": 1, "b": True, "c": 1}, {"a": 9, "b": True}, None):
        with pytest.raises(ModelError, match="s: "):
            ModelFile("toy", {"s": header}, {}).settings("s", ranges)
    assert ModelFile("toy", {"s": {"a": 1, "b": True}}, {}).settings("s", ranges)["a"] == 1
