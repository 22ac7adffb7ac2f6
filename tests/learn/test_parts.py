"""Candidate parts: their numbers, their groups, and what does not fit."""

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.learn import Parts


def test_parts_that_do_not_fit_are_refused():
    parts = Parts().add("a", ["x", "y"], {"n": [1, 2]})
    assert ("x" in parts, "z" in parts, parts.number("y"), len(parts)) == (True, False, 1, 2)
    for action, message in (
        (lambda: parts.add("a", ["z"]), "'a' was already added"),
        (lambda: parts.add("b", ["x"]), "already a part 'x'"),
        (lambda: parts.add("c", ["v", "w"], {"n": [1]}), "expected 2 values of 'n', one per part"),
        (lambda: parts.join("d", [("x", "q")]), "there is no part 'q'"),
        (lambda: parts.join("d", [("x",)]), "groups of at least two parts"),
        (lambda: parts.join("d", [("x", "y"), ("x", "y", "x")]), "all of the same size"),
        (lambda: parts.join("d", [("x", "v")]), "parts of one kind"),
        (lambda: parts.join("a", []), "'a' was already added"),
    ):
        with pytest.raises(UsageError, match=message):
            action()


def test_parts_are_numbered_as_they_are_added():
    parts = Parts().add("a", "xy", {"n": [1, 2]}).add("b", [3, (4, 5)], numbers={"w": [0.5, 1.5]})
    assert parts.keys == ["x", "y", 3, (4, 5)]
    assert [parts.number(key) for key in parts.keys] == [0, 1, 2, 3]
    assert (parts.kinds["a"].begin, parts.kinds["a"].end) == (0, 2)
    assert (parts.kinds["b"].begin, parts.kinds["b"].end) == (2, 4)
    assert parts.kinds["a"].codes == {"n": [1, 2]} and parts.kinds["a"].numbers == {}
    assert parts.kinds["b"].numbers == {"w": [0.5, 1.5]}
    with pytest.raises(UsageError, match="there is no part 'z'"):
        parts.number("z")


def test_groups_know_their_kind_and_their_variables():
    parts = Parts().add("a", "x").add("b", "uvw")
    parts.join("pairs", [("u", "w"), ("v", "u")]).join("triples", [("w", "v", "u")])
    assert parts.groups["pairs"].of is parts.kinds["b"]
    assert np.array_equal(parts.groups["pairs"].members, [[1, 3], [2, 1]])
    assert parts.groups["triples"].members.shape == (1, 3)


def test_no_parts_and_no_groups():
    parts = Parts().add("a", []).join("pairs", [])
    assert len(parts) == 0 and parts.groups["pairs"].members.shape == (0, 2)


def test_vectors_are_a_row_for_each_part():
    parts = Parts().add("word", "ab", vectors=[[1, 2, 3], [4, 5, 6]])
    assert parts.kinds["word"].vectors.tolist() == [[1, 2, 3], [4, 5, 6]]
    for wrong in ([[1, 2]], [1, 2], [[1, np.nan], [1, 2]], [[[1]], [[2]]]):
        with pytest.raises(UsageError, match="a row of finite numbers for each of 2 parts"):
            Parts().add("word", "ab", vectors=wrong)
