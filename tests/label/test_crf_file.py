"""CRFs in files: what is written is read, and what is damaged is refused."""

import copy
import pickle

import numpy as np
import pytest
from tests.label.reference import rows_of
from tests.label.test_training import KINDS, LABELS, right, toy

from treaty.errors import ModelError
from treaty.label import PatternCrf, PatternKind
from treaty.learn import ModelFile


@pytest.fixture(scope="module")
def trained():
    instances, gold = toy()
    crf = PatternCrf(LABELS, KINDS)
    crf.train(instances, gold, epochs=10)
    return crf, instances, gold


def changed(crf, header=None, tensors=None):
    """Read what was written, with some of it replaced."""
    file = crf.to_file()
    data = ModelFile(
        file.task, {**file.header, **(header or {})}, {**file.tensors, **(tensors or {})}
    ).to_bytes()
    return PatternCrf.from_file(ModelFile.from_bytes(data))


@pytest.mark.parametrize(
    "again", [changed, copy.deepcopy, lambda crf: pickle.loads(pickle.dumps(crf))]
)
def test_what_is_written_is_read(trained, again):
    crf, instances, gold = trained
    made = again(crf)
    assert (made.labels, made.kinds) == (crf.labels, crf.kinds)
    assert right(made, instances, gold) == right(crf, instances, gold) == 1.0
    before, after = rows_of(crf), rows_of(made)
    top = max(np.abs(row).max() for row in before.values())
    for key, row in before.items():
        # 127 levels on each side of zero, wider apart the farther from it.
        assert np.abs(row - after.get(key, 0.0)).max() <= top / 100
    assert again(made).to_file().to_bytes() == made.to_file().to_bytes()


def test_rows_of_small_weights_are_left_out_and_no_others_later(trained):
    crf, *_ = trained
    made = copy.deepcopy(crf)
    features = made.native.features(0).tolist()
    word, _ = made.weights()
    word[:] = 10.0
    # Levels around here are 0, 0.00062 and 0.0025: 0.0011 is rounded to less than the least weight.
    word[:5] = [[0.0, 0.0], [2e-4, -2e-4], [0.0011, 0.0], [-0.0011, 1e-5], [0.5, 0.0]]
    once = PatternCrf.from_file(made.to_file())
    assert once.native.features(0).tolist() == features[2:]
    assert np.abs(once.weights()[0][0]).max() < 1e-3
    again = PatternCrf.from_file(once.to_file())
    assert again.native.features(0).tolist() == features[2:]


def test_tied_patterns_have_one_weight_in_the_file():
    kinds = [*KINDS, PatternKind("same", ((0, 0), (1, 1)), tied=True)]
    instances, gold = toy(kinds=kinds)
    crf = PatternCrf(LABELS, kinds)
    crf.train(instances, gold, epochs=3)
    made = changed(crf)
    assert made.kinds == tuple(kinds)
    assert made.weights()[2].shape == crf.weights()[2].shape == (1, 1)


KIND = PatternCrf(LABELS, KINDS).to_file().header["kinds"]


@pytest.mark.parametrize(
    "header",
    [
        {"labels": None},
        {"labels": []},
        {"labels": ["a", "a"]},
        {"labels": ["a"]},
        {"labels": [1, 2]},
        {"kinds": None},
        {"kinds": [KIND[0]] * 2},
        {"kinds": [KIND[0], 3]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, 7]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, -1]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, 2**40]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, 1], [0]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, 1], [0, 1]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [[0, "1"]]}]},
        {"kinds": [KIND[0], {**KIND[1], "patterns": [], "forbidden": []}]},
        {"kinds": [KIND[0], {**KIND[1], "name": "other"}]},
        {"kinds": [KIND[0], {**KIND[1], "forbidden": "no"}]},
        {"kinds": [KIND[0], {**KIND[1], "tied": 1}]},
        {"kinds": [KIND[0], {**KIND[1], "tied": True}]},
    ],
)
def test_hostile_headers_are_refused(trained, header):
    with pytest.raises(ModelError):
        changed(trained[0], header=header)


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("word.features", np.zeros(20, np.uint64)),
        ("word.features", np.arange(3, dtype=np.uint64)),
        ("word.features", np.arange(20, dtype=np.int64)),
        ("word.weights.codes", np.zeros(4, np.uint8)),
        ("word.weights.levels", np.array([1e30], np.float32)),
        ("word.weights.size", np.array([2**60], np.int64)),
        ("word.weights.size", np.array([-1], np.int64)),
    ],
)
def test_hostile_tensors_are_refused(trained, name, tensor):
    assert name in trained[0].to_file().tensors
    with pytest.raises(ModelError):
        changed(trained[0], tensors={name: tensor})
