"""Model files: the same bytes twice, and every damage told."""

import io
import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from treaty import ModelError, UsageError
from treaty.learn import ModelFile, describe, load_model, pack_weights, save_model
from treaty.learn._packing import Unpackable, unpack_codes

HEADER = {"language": "xx", "tags": ["A", "B"], "scores": {"upos": 0.5}}


@pytest.fixture(scope="module")
def weights():
    rng = np.random.default_rng(7)
    values = rng.standard_t(2.5, 2**12).astype(np.float32)
    values[rng.random(2**12) < 0.4] = 0
    return values


@pytest.fixture
def path(tmp_path, weights):
    tensors = {**pack_weights("table", weights), "ids": np.arange(5, dtype=np.int32)}
    save_model(tmp_path / "m.treaty", task="toy", header=HEADER, tensors=tensors)
    return tmp_path / "m.treaty"


def use(origin):
    """All that a loader of this model would do."""
    model = load_model(origin, task="toy")
    model.weights("table", 2**12)
    model.tensor("ids", np.int32, 5)
    model.texts(model.value("tags", list), "tags")
    return model


def refused(data, match):
    with pytest.raises(ModelError, match=match) as caught:
        use(io.BytesIO(data))
    assert caught.value.message.startswith("<stream>: ")


def written(header, **tensors):
    return save(tensors, {"treaty": header if isinstance(header, str) else json.dumps(header)})


GOOD = {"format": 1, "treaty": "0", "task": "toy", "tags": []}


def test_what_is_written_is_read(path, weights):
    model = use(path)
    assert model.header["tags"] == ["A", "B"]
    assert model.header["format"] == 1
    assert model.tensors["ids"].tolist() == [0, 1, 2, 3, 4]
    error = np.abs(model.weights("table") - weights)
    assert error.max() <= np.abs(weights).max() / 127
    assert (model.weights("table")[weights == 0] == 0).all()


def test_the_same_model_gives_the_same_bytes(path, tmp_path):
    model = load_model(path)
    again = tmp_path / "again"
    backwards = dict(reversed(model.tensors.items()))
    header = {key: model.header[key] for key in reversed(list(HEADER))}
    save_model(again, task="toy", header=header, tensors=backwards)
    assert again.read_bytes() == path.read_bytes()


def packed_and_unpacked(values):
    codes, level = unpack_codes(pack_weights("w", values), "w")
    return level[codes]


def test_packing_what_was_unpacked_changes_nothing(weights):
    once = packed_and_unpacked(weights)
    assert np.array_equal(packed_and_unpacked(once), once)


@pytest.mark.parametrize("size", [0, 1, 2**18, 2**18 + 1])
def test_tables_of_any_size(size):
    values = np.linspace(-1, 1, size).astype(np.float32)
    assert np.allclose(packed_and_unpacked(values), values, atol=0.02)


def test_tensors_cannot_be_written_to(path):
    with pytest.raises(ValueError, match="read-only"):
        load_model(path).tensors["ids"][0] = 1


def test_weights_that_are_not_finite_are_not_packed():
    with pytest.raises(ValueError, match="finite"):
        pack_weights("w", np.array([np.nan]))


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_damaged_files_are_refused_or_mean_the_same_kind_of_thing(data, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    if not path.exists():
        values = np.linspace(-1, 1, 2**12).astype(np.float32)
        tensors = {**pack_weights("table", values), "ids": np.arange(5, dtype=np.int32)}
        save_model(path, task="toy", header=HEADER, tensors=tensors)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        kind = data.draw(st.sampled_from(["flip", "cut", "double", "drop"]))
        if kind == "flip":
            raw[place] ^= 1 << data.draw(st.integers(0, 7))
        elif kind == "cut":
            raw = raw[: place + 1]
        elif kind == "double":
            raw[place:place] = raw[place : place + 9]
        else:
            del raw[place]
        raw = raw or bytearray(b"x")
    try:
        model = use(io.BytesIO(bytes(raw)))
    except ModelError:
        return
    assert np.isfinite(model.weights("table")).all()


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 100, 500])
def test_truncated_files_are_refused(path, size):
    refused(path.read_bytes()[:size], "damaged")


@pytest.mark.parametrize(
    ("header", "match"),
    [
        ({**GOOD, "format": 2}, "format 2, this Treaty .* reads 1; install"),
        ({**GOOD, "format": True}, "does not say its format"),
        ({**GOOD, "task": "other"}, "a model for 'other'; expected one for 'toy'"),
        ({**GOOD, "task": 3}, "task and version"),
        ([], "does not say its format"),
        ("{", "no header"),
        ("[" * 100_000, "no header"),
        ('{"format": NaN}', "no header"),
        ({**GOOD}, "no tensor table.codes"),
    ],
)
def test_headers_that_are_refused(header, match):
    refused(written(header), match)


def test_safetensors_of_others_are_refused():
    refused(save({"w": np.zeros(3)}), "no header of Treaty's")
    refused(save({"w": np.zeros(3)}, {"format": "pt"}), "no header of Treaty's")


def test_numbers_must_be_finite():
    refused(written(GOOD, w=np.array([1, np.inf])), "'w' has numbers that are not finite")


def test_types_that_are_refused():
    refused(written(GOOD, w=np.zeros(3, np.float16)), "'w' is of type F16")


def test_entries_of_other_kinds_are_refused():
    model = ModelFile("m", {"n": True, "tags": ["a", 1]}, {"w": np.zeros((2, 2), np.int32)})
    with pytest.raises(ModelError, match="n: expected int, found bool"):
        model.value("n", int)
    with pytest.raises(ModelError, match="missing: expected str, found NoneType"):
        model.value("missing", str)
    with pytest.raises(ModelError, match="tags: expected a list of texts"):
        model.texts(model.value("tags", list), "tags")
    with pytest.raises(ModelError, match="w: expected a list of 4 int32"):
        model.tensor("w", np.int32, 4)
    with pytest.raises(ModelError, match="no tensor v"):
        model.tensor("v", np.int32)


def packed(**changes):
    good = pack_weights("w", np.ones(100, np.float32))
    tensors = {**good, **{f"w.{name}": value for name, value in changes.items()}}
    return {name: value for name, value in tensors.items() if value is not None}


def deflated(data):
    return np.frombuffer(zlib.compress(data), np.uint8)


@pytest.mark.parametrize(
    ("tensors", "match"),
    [
        (packed(size=np.array([2**40])), "not the size"),
        (packed(size=np.array([-1])), "not the size"),
        (packed(size=np.array([100, 100])), "not the size"),
        (packed(size=np.array([101])), "not the 101 codes"),
        (packed(size=np.array([99])), "not the 99 codes"),
        (packed(size=None), "no tensor w.size"),
        (packed(levels=np.zeros(300, np.float32)), "at most 255"),
        (packed(levels=np.full(255, np.nan, np.float32)), "at most 255 finite"),
        (packed(levels=np.zeros(255)), "w.levels: expected a list of float32"),
        (packed(levels=np.zeros(3, np.float32)), "damaged"),
        (packed(codes=np.zeros(9, np.uint8)), "damaged"),
        (packed(codes=deflated(b"\0" * 100)[:-1]), "not the 100 codes"),
        (packed(codes=np.append(deflated(b"\0" * 100), np.uint8(0))), "not the 100 codes"),
        (packed(codes=deflated(b"\0" * 2**24)), "not the 100 codes"),
    ],
)
def test_packed_tables_that_are_refused(tensors, match):
    with pytest.raises(Unpackable, match=match):
        unpack_codes(tensors, "w")


def test_a_header_that_claims_gigabytes_is_refused():
    refused(struct.pack("<Q", 2**40) + b"{}" * 50, "damaged")
    entry = {"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}
    text = json.dumps(entry).encode()
    refused(struct.pack("<Q", len(text)) + text, "damaged")


def test_files_that_are_not_there():
    with pytest.raises(
        ModelError, match=r"nowhere: cannot be read: No such file.*; check the path"
    ):
        load_model("nowhere")
    with pytest.raises(ModelError, match="cannot be read"):
        load_model("a\0b")


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(UsageError, match="cannot write"):
        save_model(tmp_path / "no" / "m", task="toy", header={}, tensors={})
    with pytest.raises(UsageError, match="type that model files do not hold"):
        save_model(tmp_path / "m", task="toy", header={}, tensors={"w": np.zeros(1, bool)})
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_file(path):
    old = path.read_bytes()
    with pytest.raises(ValueError, match="JSON"):
        save_model(path, task="toy", header={"score": float("nan")}, tensors={})
    assert path.read_bytes() == old
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_descriptions_are_short(path):
    told = describe(load_model(path))
    assert told["task"] == "toy"
    assert told["tags"] == ["A", "B"]
    assert told["tensors"] == 4
