"""The rows of a sentence have the projective trees for integral points."""

import numpy as np
import pytest
from tests.induce.reference import trees
from tests.papers.relaxations.points import sentence_point

from treaty.papers.relaxations._sentence import sentence_rows


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_the_integral_points_of_the_parse_rows_are_the_projective_trees(words):
    parses = sentence_rows(words)
    listed = set(trees(words))
    for bits in range(2**parses.arcs if parses.arcs <= 9 else 0):
        on = np.array([bits >> a & 1 for a in range(parses.arcs)], dtype=bool)
        heads = heads_of(parses, on)
        assert (heads in listed) == (heads is not None and is_feasible(parses, heads))
    for heads in listed:
        assert is_feasible(parses, heads)


def heads_of(parses, on):
    heads = [0] * parses.words
    for head, child in zip(parses.head[on], parses.child[on], strict=True):
        heads[child - 1] = int(head)
    one_each = np.all(np.bincount(parses.child[on], minlength=parses.words + 1)[1:] == 1)
    return tuple(heads) if one_each else None


def is_feasible(parses, heads):
    try:
        x = sentence_point(parses, heads)
    except RecursionError:  # a cycle has no flow
        return False
    equal = np.bincount(
        parses.equal.row, parses.equal.value * x[parses.equal.column], len(parses.equal.right)
    )
    at_most = np.bincount(
        parses.at_most.row, parses.at_most.value * x[parses.at_most.column],
        len(parses.at_most.right),
    )  # fmt: skip
    return np.allclose(equal, parses.equal.right) and np.all(
        at_most <= parses.at_most.right + 1e-12
    )
