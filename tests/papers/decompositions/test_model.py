"""The model that all decompositions share: scores of trees, and what makes no sense."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from tests.papers.decompositions.random_models import SEEDS, feasible, random_model
from tests.parse.enumeration import TREES

from treaty.errors import UsageError
from treaty.papers.decompositions import SiblingModel

INF = math.inf


def test_score_of_a_tree():
    siblings = np.zeros((5, 5, 6))
    siblings[2, 2, 1], siblings[2, 1, 0] = 1, 2  # START, 1, END on the left of 2
    siblings[2, 2, 3], siblings[2, 3, 4], siblings[2, 4, 5] = 4, 8, 16  # and 3, 4 on the right
    siblings[0, 0, 2], siblings[0, 2, 5] = 32, 64
    siblings[1, 1, 0], siblings[1, 1, 5] = 128, 256  # a word without modifiers
    siblings[2, 2, 4] = siblings[2, 1, 3] = siblings[0, 0, 0] = 1000  # of no part of the tree
    above = np.zeros((5, 5, 5))
    above[0, 2, 1], above[2, 0, 1] = 512, 1000
    model = SiblingModel(np.zeros((5, 5)), siblings, above)
    assert model.score([-1, 2, 0, 2, 2]) == 1023


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0],), r"arcs: expected shape \(1, 1\), got \(1,\)"),
        ((np.zeros((2, 2)), np.zeros((2, 2, 2))), r"siblings: expected shape \(2, 2, 3\)"),
        ((np.full((2, 2), INF),), "arcs: expected finite numbers"),
        ((np.zeros((2, 2)), None, np.full((2, 2, 2), -INF)), "grandparents: expected finite"),
        (([[0, 0, -INF], [0, 0, -INF], [0, 0, 0]],), "word 2 has no candidate head"),
        (([[0, -INF, -INF], [0, 0, 0], [0, 0, 0]],), "the root has no candidate modifier"),
    ],
)
def test_models_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(UsageError, match=message):
        SiblingModel(*arguments)


def test_nearly_all_models_have_a_tree():
    assert sum(map(feasible, SEEDS)) >= 17


@pytest.mark.parametrize("seed", SEEDS[:8])
def test_a_score_is_the_sum_over_the_sides_of_all_heads(seed):
    """The sides, from which the decompositions are made, against `score`."""
    model = random_model(seed, grandparents=True)
    trees = TREES[model.words, model.single_root]
    for heads in random.Random(seed).sample(trees, min(10, len(trees))):
        arcs = {(h, m) for m, h in enumerate(heads) if m}
        if not arcs <= set(model.candidates):
            assert model.score(heads) == -INF
            continue
        total = sum(model.arcs[arc] for arc in arcs)
        for side in model.sides():
            on = [i for i, m in enumerate(side.modifiers, 1) if (side.head, m) in arcs]
            path = [0, *on, len(side.modifiers) + 1]
            total += sum(side.siblings[a, b - 1] for a, b in pairwise(path))
            above = [i for i, g in enumerate(side.grandparents) if (g, side.head) in arcs]
            total += sum(side.grandparent_scores[g, i - 1] for g in above for i in on)
        assert model.score(heads) == pytest.approx(total)
