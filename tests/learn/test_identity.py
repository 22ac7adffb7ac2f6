"""Hashes of data and settings: by content, the same in every process."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np
import pytest

from treaty import __version__
from treaty.learn._identity import differences, digest, identity
from treaty.parse import Clusters
from treaty.text import Sentence


@dataclass
class Post:
    text: str
    words: set[str]
    cache: list[int] = field(default_factory=list, compare=False)


ITEMS = [
    "a", 1, 1.5, None, True, {"a": 1}, {1: "a", "b": 2}, ["a", ["b"]], np.arange(3),
    np.arange(3, dtype=np.int32), np.float64(2.0), Post("a", {"b", "c"}), Post("b", {"b", "c"}),
    Sentence.from_words(["a", "b"]), Sentence.from_words(["a", "c"]), Clusters({"a": "01"}),
    Clusters({"a": "00"}), "\ud800", float("nan"), {"x", "y"},
]  # fmt: skip


def test_different_content_has_different_hashes():
    assert len({digest([item]) for item in ITEMS}) == len(ITEMS)


def test_equal_content_has_equal_hashes():
    assert digest([Post("a", {"b", "c"}, [1])]) == digest([Post("a", {"c", "b"}, [2])])
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest(np.arange(6)[::2]) == digest(np.array([0, 2, 4]))
    assert digest([print]) == digest([print])


def test_hashes_do_not_depend_on_the_process():
    text = "from treaty.learn._identity import digest; print(digest([{'x', 'y', 'z'}, 'a']))"
    found = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True
    ).stdout
    assert found.strip() == digest([{"x", "y", "z"}, "a"])


def test_short_settings_are_kept_and_the_rest_is_hashed():
    made = identity(batch=4, name="x" * 100, data=["a"])
    assert made["batch"] == 4 and made["version"] == __version__
    assert len(made["name"]) == len(made["data"]) == 32


@pytest.mark.parametrize(
    ("saved", "now", "named"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["a (1, not 2)"]),
        ({"a": 1}, {"a": True}, ["a (1, not True)"]),
        ({}, {"a": 1}, ["a (None, not 1)"]),
        ({"b": 1}, {}, ["b"]),
        ({"a": digest("x")}, {"a": digest("y")}, ["a"]),
        ({"a": ["x" * 1000]}, {"a": 1}, ["a"]),
    ],
)
def test_differences_are_named(saved, now, named):
    assert differences(saved, now) == named
