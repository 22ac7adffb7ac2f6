"""Models in files: what is saved is loaded, and what is damaged is refused."""

import json

import numpy as np
import pytest
from tests.label.test_training import KINDS, LABELS, right, toy

from treaty.errors import ModelError
from treaty.label import PatternCrf
from treaty.learn import load_model, save_model


@pytest.fixture(scope="module")
def trained():
    instances, gold = toy()
    crf = PatternCrf(LABELS, KINDS)
    crf.train(instances, gold, epochs=10)
    return crf, instances, gold


def saved(crf, path, header=None, tensors=None):
    packed = {**crf.tensors("toy."), **(tensors or {})}
    save_model(path, task="toy", header={**crf.header(), **(header or {})}, tensors=packed)
    file = load_model(path, task="toy")
    return PatternCrf.from_tensors(file, file.header, "toy.")


def test_a_saved_model_labels_as_before(trained, tmp_path):
    crf, instances, gold = trained
    loaded = saved(crf, tmp_path / "model")
    assert (loaded.labels, loaded.kinds) == (crf.labels, crf.kinds)
    assert right(loaded, instances, gold) == right(crf, instances, gold) == 1.0


def test_the_same_model_gives_the_same_bytes(trained, tmp_path):
    crf, *_ = trained
    one, two = tmp_path / "one", tmp_path / "two"
    saved(crf, one)
    saved(crf, two)
    assert one.read_bytes() == two.read_bytes()


def test_rows_of_small_weights_are_left_out(trained):
    crf, *_ = trained
    tensors = crf.tensors(least=1.0)
    assert 0 < len(tensors["word.features"]) < len(crf.native.features(0))


KIND = json.loads(json.dumps(PatternCrf(LABELS, KINDS).header()["kinds"]))


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
    ],
)
def test_hostile_headers_are_refused(trained, tmp_path, header):
    with pytest.raises(ModelError):
        saved(trained[0], tmp_path / "model", header=header)


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
def test_hostile_tensors_are_refused(trained, tmp_path, name, tensor):
    with pytest.raises(ModelError):
        saved(trained[0], tmp_path / "model", tensors={f"toy.{name}": tensor})
