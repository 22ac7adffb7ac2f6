"""Accuracy with and without directions, by hand."""

import pytest

from treaty.errors import InputError
from treaty.metrics import dependency_accuracy
from treaty.text import Sentence

WORDS = Sentence.from_words(["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("gold", "system", "directed", "undirected"),
    [
        ([2, 0, 2, 3], [2, 0, 2, 3], 4, 4),
        ([2, 0, 2, 3], [0, 1, 2, 3], 2, 3),
        ([2, 3, 4, 0], [0, 1, 2, 3], 0, 3),
        ([0, 1, 1, 1], [4, 4, 4, 0], 0, 1),
        ([2, 0, 2, 1], [0, 3, 1, 3], 0, 1),  # a root is no arc from the last word
    ],
)
def test_arcs_by_hand(gold, system, directed, undirected):
    found = dependency_accuracy([WORDS.with_tree(gold)], [WORDS.with_tree(system)])
    assert (found.directed.correct, found.undirected.correct) == (directed, undirected)
    assert found.directed.total == 4


def test_other_words_are_refused():
    with pytest.raises(InputError, match="token 1"):
        dependency_accuracy([WORDS], [Sentence.from_words(["x", "b", "c", "d"])])
