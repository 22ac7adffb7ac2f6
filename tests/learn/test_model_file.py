"""Model files: the same bytes twice, every damage told, and models within models."""

from __future__ import annotations

import io
import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from treaty import ModelError, OutputError, UsageError, __version__
from treaty.learn import ModelFile, pack_weights, string_tensor
from treaty.learn._model_bytes import FORMAT, read_header

HEADER = {"language": "xx", "tags": ["A", "B"], "scores": {"upos": 0.5}, "info": {}}
VALUES = np.linspace(-1, 1, 2**10).astype(np.float32)
TENSORS = {**pack_weights("table", VALUES), "ids": np.arange(5, dtype=np.int32)}
FILE = ModelFile("toy", HEADER, TENSORS)
GOOD = {"format": FORMAT, "treaty": "0", "task": "toy", "tags": []}


def use(data):
    """All that a loader of this model would do."""
    file = ModelFile.read(io.BytesIO(data), task="toy")
    file.weights("table", 2**10)
    file.tensor("ids", np.int32, 5)
    file.strings("tags")
    return file


def refused(data, match):
    with pytest.raises(ModelError, match=match) as caught:
        use(data)
    assert caught.value.message.startswith("<stream>: ")


def written(header, **tensors):
    return save(tensors, {"treaty": header if isinstance(header, str) else json.dumps(header)})


# Round trips


def test_what_is_written_is_read(tmp_path):
    FILE.write(tmp_path / "m.treaty")
    file = ModelFile.read(tmp_path / "m.treaty")
    assert (file.task, file.header, file.name) == ("toy", HEADER, str(tmp_path / "m.treaty"))
    assert set(file.tensors) == set(TENSORS)
    assert all(np.array_equal(file.tensors[name], TENSORS[name]) for name in TENSORS)
    assert all(file.tensors[name].dtype == TENSORS[name].dtype for name in TENSORS)
    assert np.abs(file.weights("table") - VALUES).max() <= 1 / 127
    assert file.to_bytes() == FILE.to_bytes() == (tmp_path / "m.treaty").read_bytes()


def test_the_order_of_entries_does_not_matter():
    backwards = ModelFile("toy", dict(reversed(HEADER.items())), dict(reversed(TENSORS.items())))
    assert backwards.to_bytes() == FILE.to_bytes()


def test_shapes_and_types_are_kept():
    types = (np.uint8, np.int8, np.int32, np.int64, np.uint64, np.float32, np.float64)
    tensors = {kind.__name__: np.arange(6).reshape(2, 3).astype(kind) for kind in types}
    tensors["turned"] = tensors["int32"].T
    tensors["empty"] = np.zeros((0, 3))
    read = ModelFile.from_bytes(ModelFile("toy", {}, tensors).to_bytes()).tensors
    for name, tensor in tensors.items():
        assert read[name].dtype == tensor.dtype
        assert read[name].tolist() == tensor.tolist()


def test_headers_hold_any_json():
    header = {"a": [1, 2.5, None, True, {"ü": "\U0001f600"}], "": {}}
    assert ModelFile.from_bytes(ModelFile("toy", header, {}).to_bytes()).header == header


def test_tensors_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        ModelFile.from_bytes(FILE.to_bytes()).tensors["ids"][0] = 1


def test_files_are_not_compared_by_their_arrays():
    again = ModelFile("toy", HEADER, TENSORS)
    assert again != FILE  # and nothing is raised
    assert len({FILE, again}) == 2


# Headers alone


def test_a_header_is_read_alone(tmp_path):
    FILE.write(tmp_path / "m.treaty")
    found = read_header(tmp_path / "m.treaty")
    assert found == {**HEADER, "task": "toy", "format": FORMAT, "treaty": __version__}
    data = FILE.to_bytes()
    for end in (0, 4, 8, 100):
        (tmp_path / "cut.treaty").write_bytes(data[:end])
        with pytest.raises(ModelError, match=r"cut\.treaty: not a model file"):
            read_header(tmp_path / "cut.treaty")
    with pytest.raises(ModelError, match="cannot be read"):
        read_header(tmp_path / "missing.treaty")
    with pytest.raises(ModelError, match="cannot be read"):
        read_header(tmp_path)


# What is refused


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_damaged_files_are_refused_or_mean_the_same_kind_of_thing(data):
    raw = bytearray(FILE.to_bytes())
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
        file = use(bytes(raw))
    except ModelError:
        return
    assert np.isfinite(file.weights("table")).all()


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 100, 500])
def test_truncated_files_are_refused(size):
    refused(FILE.to_bytes()[:size], "damaged")


@pytest.mark.parametrize(
    ("header", "match"),
    [
        ({**GOOD, "format": 1}, "format 1; Treaty .* reads format 2: install"),
        ({**GOOD, "format": 3}, "format 3; Treaty .* reads format 2: install"),
        ({**GOOD, "format": True}, "does not give its format"),
        ({**GOOD, "format": "2"}, "does not give its format"),
        ({**GOOD, "task": "other"}, "a model for the task 'other'; expected 'toy'"),
        ({**GOOD, "task": 3}, "does not give its task and version"),
        ({**GOOD, "treaty": None}, "does not give its task and version"),
        ([], "does not give its format"),
        ("{", "Treaty header is missing or damaged"),
        ("[" * 100_000, "Treaty header is missing or damaged"),
        ('{"format": NaN}', "Treaty header is missing or damaged"),
        ('{"format": 2, "x": Infinity}', "Treaty header is missing or damaged"),
        ({**GOOD}, "no tensor table.codes"),
    ],
)
def test_headers_that_are_refused(header, match):
    refused(written(header), match)


def test_safetensors_of_others_are_refused():
    refused(save({"w": np.zeros(3)}), "Treaty header is missing")
    refused(save({"w": np.zeros(3)}, {"format": "pt"}), "Treaty header is missing")


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_numbers_must_be_finite(number, kind):
    refused(written(GOOD, w=np.array([1, number], kind)), "'w' has values that are not finite")


def test_types_that_are_refused():
    refused(written(GOOD, w=np.zeros(3, np.float16)), "'w' has the invalid type F16")
    with pytest.raises(UsageError, match="cannot store the type of the tensor 'w'"):
        ModelFile("toy", {}, {"w": np.zeros(1, bool)}).to_bytes()
    with pytest.raises(UsageError, match="cannot store the type of the tensor 'w'"):
        ModelFile("toy", {}, {"w": np.zeros(1, ">i4")}).to_bytes()


def test_a_header_that_claims_gigabytes_is_refused():
    refused(struct.pack("<Q", 2**40) + b"{}" * 50, "damaged")
    entry = {"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}
    text = json.dumps(entry).encode()
    refused(struct.pack("<Q", len(text)) + text, "damaged")


@pytest.mark.parametrize("shape", [[2**63, 0], [0, 2**62, 2**62], [1] * 70])
def test_shapes_that_no_array_has_are_refused(shape):
    data = b"" if 0 in shape else bytes(4)
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, len(data)]}
    text = json.dumps({"__metadata__": {"treaty": json.dumps(GOOD)}, "w": entry}).encode()
    refused(struct.pack("<Q", len(text)) + text + data, "'w' has an invalid shape")


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(
        ModelError, match=r"nowhere: cannot be read: No such file.*; check the path"
    ):
        ModelFile.read("nowhere")
    for path in ("a\0b", tmp_path, "x" * 5000):
        with pytest.raises(ModelError, match="cannot be read"):
            ModelFile.read(path)
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(ModelError, match="cannot be read: I/O operation on closed file"):
        ModelFile.read(closed)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), "\ud800", object(), {1: 0, "a": 0}, {"\udcff": 1}]
)
def test_what_is_not_json_is_not_written(tmp_path, value):
    (tmp_path / "m").write_bytes(b"old")
    with pytest.raises(UsageError, match="the header of a model file must be JSON"):
        ModelFile("toy", {"x": value}, {}).write(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(OutputError, match="cannot write"):
        FILE.write(tmp_path / "no" / "m")
    assert list(tmp_path.iterdir()) == []


# What is in it, checked


def test_entries_of_other_kinds_are_refused():
    file = ModelFile("m", {"n": True, "tags": ["a", 1], "info": []}, {})
    for asked, match in (
        (lambda: file.value("n", int), "n: expected int, found bool"),
        (lambda: file.value("missing", str), "missing: expected str, found NoneType"),
        (lambda: file.strings("tags"), "tags: expected a list of strings .*"),
        (lambda: file.strings("n"), "n: expected a list of strings .*, found True"),
        (lambda: file.checked_strings("abc", "x"), "x: expected a list of strings .*, found 'abc'"),
        (file.info, "info: expected dict, found list"),
    ):
        with pytest.raises(ModelError, match=f"<model>: {match}; download the file again"):
            asked()
    assert ModelFile("m", {"info": {"a": 1}}, {}).info() == {"a": 1}
    assert ModelFile("m", {"n": 3}, {}).value("n", int) == 3
    assert FILE.strings("tags") == FILE.checked_strings(["A", "B"], "x") == ["A", "B"]
    assert use(FILE.to_bytes()).task == "toy"


def test_tensors_of_other_kinds_are_refused():
    tensors = {"w": np.zeros((2, 2), np.int32), "v": np.arange(3, dtype=np.int32)}
    file = ModelFile("m", {}, tensors)
    assert file.tensor("v", np.int32) is file.tensor("v", np.int32, 3) is tensors["v"]
    for name, kind, size, match in (
        ("w", np.int32, 4, "w: expected a vector of 4 int32"),
        ("w", np.int32, None, "w: expected a vector of int32"),
        ("v", np.int64, 3, "v: expected a vector of 3 int64"),
        ("v", np.int32, 2, "v: expected a vector of 2 int32"),
        ("v", np.int32, 0, "v: expected a vector of 0 int32"),
        ("u", np.int32, None, "there is no tensor u"),
    ):
        with pytest.raises(ModelError, match=match):
            file.tensor(name, kind, size)


def test_weights_must_be_as_many_as_expected():
    assert len(FILE.weights("table")) == len(FILE.weights("table", 2**10)) == 2**10
    codes, levels = FILE.codes("table")
    assert np.array_equal(levels[codes], FILE.weights("table"))
    with pytest.raises(ModelError, match="table: expected 5 weights, found 1024"):
        FILE.weights("table", 5)
    with pytest.raises(ModelError, match=r"<model>: there is no tensor other\.codes"):
        FILE.weights("other")


@given(strings=st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))))
def test_strings_survive_a_tensor(strings):
    assert ModelFile("m", {}, {"s": string_tensor(strings)}).string_list("s") == strings


@pytest.mark.parametrize("string", ["a\nb", "\n", "\ud800", "ü\udfff"])
def test_strings_that_no_tensor_holds(string):
    with pytest.raises(UsageError, match="model files cannot store the string"):
        string_tensor(["fine", string])


@pytest.mark.parametrize(
    ("data", "match"), [(b"\xff\n", "not valid UTF-8"), (b"a\nb", "is truncated")]
)
def test_damaged_strings_are_refused(data, match):
    file = ModelFile("m", {}, {"s": np.frombuffer(data, np.uint8)})
    with pytest.raises(ModelError, match=f"s: .*{match}"):
        file.string_list("s")


# Models within models


def test_a_part_is_the_model_that_was_added():
    inner = ModelFile("tagger", {"tags": ["A"]}, {"w": np.ones(2), "shared.x": np.ones(1)})
    middle = ModelFile("pipeline", {"info": {}}, {"own": np.ones(3)}).with_part("tagger", inner)
    assert set(middle.tensors) == {"own", "tagger.w", "tagger.shared.x"}
    whole = ModelFile.from_bytes(ModelFile("all", {}, {}).with_part("p", middle).to_bytes(), "f")
    found = whole.part("p", "pipeline").part("tagger")
    assert (found.task, found.header, found.name) == ("tagger", inner.header, "f")
    assert set(found.tensors) == {"w", "shared.x"}
    assert whole.part("p").task == "p"
    with pytest.raises(ModelError, match="f: parser: expected dict, found NoneType"):
        whole.part("parser")


def test_shared_tensors_are_kept_once():
    shared = {"clusters.words": np.ones(1)}
    one = ModelFile("one", {}, {"w": np.zeros(1), **shared})
    two = ModelFile("two", {}, {"v": np.zeros(1), **shared})
    whole = ModelFile("both", {}, {})
    whole = whole.with_part("one", one, ["clusters."]).with_part("two", two, ["clusters."])
    assert set(whole.tensors) == {"one.w", "two.v", "clusters.words"}
    assert set(whole.part("one", shared=["clusters."]).tensors) == {"w", "clusters.words"}
    assert set(whole.part("two").tensors) == {"v"}


def test_parts_whose_names_begin_alike_are_told_apart():
    whole = ModelFile("m", {"a": {}, "ab": {}}, {"a.w": np.ones(1), "ab.w": np.ones(2)})
    assert len(whole.part("a").tensors["w"]) == 1
    assert list(whole.part("ab").tensors) == ["w"]
