"""Batches of instances: what is added, and what is refused."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.label.reference import all_scores, random_forest

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


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_evidence_is_added_to_all_labelings(seed):
    crf, instances, vertices, factors = random_forest(
        seed, vertices=random.Random(seed).randint(1, 4)
    )
    rng, count = random.Random(seed), len(crf.labels)
    evidence = {
        (rng.randrange(vertices), rng.randrange(count)): rng.choice([1.5, -2.0, -math.inf])
        for _ in range(3)
    }
    places, scores = list(evidence), list(evidence.values())
    instances.add_evidence([v for v, _ in places], [y for _, y in places], scores)
    expected = {
        labels: score + sum(x for (v, y), x in evidence.items() if labels[v] == y)
        for labels, score in all_scores(crf, vertices, factors).items()
    }
    best = max(expected.values())
    for method in ("auto", "ad3"):
        if best == -math.inf:
            continue
        (found,) = crf.decode(instances, method=method)
        assert found.objective == pytest.approx(best, abs=1e-4)
        assert expected[tuple(found.labels.tolist())] == pytest.approx(best, abs=1e-4)
    labels = rng.choice(list(expected))
    assert crf.scores(instances, labels)[0] == pytest.approx(expected[labels], abs=1e-4)


def test_evidence_that_is_not_possible_is_refused():
    instances = Instances(KINDS)
    with pytest.raises(UsageError, match="start an instance"):
        instances.add_evidence([0], [0], [1.0])
    instances.start(1)
    for arguments, cause in (
        (([1], [0], [1.0]), "vertex that is not there"),
        (([0], [-1], [1.0]), "label that is not there"),
        (([0], [2**31 - 1], [1.0]), "label that is not there"),
        (([0], [0], [math.inf]), "must be finite"),
        (([0], [0], [math.nan]), "must be finite"),
        (([0], [0, 1], [1.0]), "a vertex, a label and a score"),
    ):
        with pytest.raises(UsageError, match=cause):
            instances.add_evidence(*arguments)
    instances.add_evidence([0], [2], [1.0])
    with pytest.raises(ValueError, match="label that is not there"):
        PatternCrf(["a", "b"], KINDS).bind(instances)


def test_equal_evidence_has_equal_digests():
    digests = set()
    for score in (1.0, 1.0, 2.0):
        instances = Instances(KINDS)
        instances.start(1)
        instances.add_evidence([0], [1], [score])
        digests.add(instances.digest)
    assert len(digests) == 2
