"""Batches of instances: what is added, and what is refused."""

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.label import Instances, PatternCrf, PatternKind

KINDS = [PatternKind.every("word", 2, 1), PatternKind.every("pair", 2, 2)]


def test_features_may_be_rows_or_one_list():
    rows, flat = Instances(KINDS), Instances(KINDS)
    for instances in (rows, flat):
        instances.start(2)
    rows.add("word", [[0], [1]], [[1, 2], [3, 4]])
    flat.add("word", [0, 1], [1, 2, 3, 4], begin=[0, 2, 4], values=[1.0] * 4)
    crf = PatternCrf(["a", "b"], KINDS)
    crf.native.index(rows.native)
    crf.native.weights.values[:] = range(8)
    assert crf.scores(rows, [0, 1]).tolist() == crf.scores(flat, [0, 1]).tolist() == [14.0]


def test_instances_are_split_as_they_were_begun():
    instances = Instances(KINDS)
    for vertices in (2, 0, 3):
        instances.start(vertices)
    parts = instances.split(np.arange(5))
    assert [part.tolist() for part in parts] == [[0, 1], [], [2, 3, 4]]
    assert list(Instances(KINDS).split(np.zeros(0))) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("line", [[0]], [[1]]), "no kind 'line'"),
        (("word", [[2]], [[1]]), "vertex of a factor is out of range"),
        (("word", [[-1]], [[1]]), "vertex of a factor is out of range"),
        (("pair", [[0, 0]], [[1]]), "same vertex twice"),
        (("pair", [0], [1]), "every factor"),
        (("word", [[0]], [[-1]]), "add"),
        (("word", [["x"]], [[1]]), "add"),
        (("word", [[0], [1]], [1, 2, 3]), "not a valid partition"),
        (("word", [[0]], [1, 2], [0, 1]), "not a valid partition"),
        (("word", [[0], [1]], [1, 2], [0, 2, 1]), "not a valid partition"),
        (("word", [[0]], [1, 2], [0, 2], [1.0]), "value for every feature"),
        (("word", [[0]], [1], [0, 1], [float("inf")]), "finite"),
    ],
)
def test_factors_that_make_no_sense_are_refused(arguments, message):
    instances = Instances(KINDS)
    instances.start(2)
    with pytest.raises(UsageError, match=message):
        instances.add(*arguments)


def test_an_instance_comes_before_its_factors():
    with pytest.raises(UsageError, match="start an instance first"):
        Instances(KINDS).add("word", [[0]], [[1]])
    with pytest.raises(UsageError, match="must be at least 0, not -1"):
        Instances(KINDS).start(-1)


def test_names_of_kinds_are_unique():
    with pytest.raises(UsageError, match="same name"):
        Instances([KINDS[0], KINDS[0]])
