"""Lists of names: what is found, against a search by all phrases."""

import io
import random

import numpy as np
import pytest

from treaty.errors import InputError, ModelError, UsageError
from treaty.label.entities import Gazetteers
from treaty.learn import ModelFile


def marks_by_hand(lists, words):
    """From left to right, the longest phrase of each list; no overlaps within a list."""
    lower = [word.lower().removeprefix("#") for word in words]
    found = []
    for name, phrases in lists.items():
        at = 0
        while at < len(words):
            sizes = [n for n in range(len(words) - at, 0, -1) if lower[at : at + n] in phrases]
            if not sizes:
                at += 1
                continue
            n = sizes[0]
            marks = ["S"] if n == 1 else ["B", *"I" * (n - 2), "E"]
            found += [(at + i, name, mark) for i, mark in enumerate(marks)]
            at += n
    return sorted(found)


@pytest.mark.parametrize("seed", range(10))
def test_longest_matches_are_those_of_a_search_by_hand(seed):
    rng = random.Random(seed)
    phrases = [[rng.choices("abc", k=rng.randint(1, 4)) for _ in range(6)] for _ in range(3)]
    lists = {f"list{i}": some for i, some in enumerate(phrases)}
    gazetteers = Gazetteers({k: [" ".join(p).upper() for p in v] for k, v in lists.items()})
    words = [word if rng.random() < 0.8 else f"#{word}" for word in rng.choices("abcdA", k=30)]
    assert sorted(gazetteers.marks([words])) == marks_by_hand(lists, words)


def test_matches_do_not_cross_messages_and_words_count_on():
    lists = Gazetteers({"city": ["New York"]})
    assert lists.marks([["New"], ["York", "New", "York"]]) == [(2, "city", "B"), (3, "city", "E")]
    assert lists.marks([[], []]) == []
    assert Gazetteers().marks([["Rome"]]) == []


def test_many_phrases_grow_the_table():
    lists = Gazetteers({"n": [f"{i} {i + 1}" for i in range(5000)]})
    found = lists.marks([["77", "78", "x", "4999", "5000", "5001"]])
    assert found == [(0, "n", "B"), (1, "n", "E"), (3, "n", "B"), (4, "n", "E")]


def test_lists_survive_a_model_file():
    made = Gazetteers({"city": ["New York", "Rome"], "name": ["Rome"]})
    file = ModelFile("m", {}, made.tensors("g."))
    read = Gazetteers.from_file(file, "g.", made.names)
    assert read.marks([["New", "York", "Rome"]]) == made.marks([["New", "York", "Rome"]])
    with pytest.raises(ModelError, match=r"g.lists: expected numbers from"):
        Gazetteers.from_file(file, "g.", ["city"])
    tensors = made.tensors("g.")
    bad = {**tensors, "g.keys": np.zeros_like(tensors["g.keys"])}
    with pytest.raises(ModelError, match=r"g.keys: expected numbers from 1"):
        Gazetteers.from_file(ModelFile("m", {}, bad), "g.", made.names)


def test_too_many_lists_are_refused():
    with pytest.raises(UsageError, match="at most 64 lists"):
        Gazetteers({str(i): ["x"] for i in range(65)})


@pytest.mark.parametrize("text", ["city Rome\n", "\tRome\n", "city\t \n"])
def test_faulty_lists_are_told_with_their_line(text):
    with pytest.raises(InputError, match="<stream>:2: expected the name of a list"):
        Gazetteers.read(io.StringIO(f"city\tParis\n{text}"))
