"""What follows from the contract of a model: files, streams, bytes, pickles, its description."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
from tests.learn.toy_model import EXAMPLES, Toy

from treaty import ModelError, OutputError, UsageError
from treaty.learn import Model, ModelFile, Sample


@pytest.fixture(scope="module")
def toy():
    return Toy.train(EXAMPLES, info={"language": "Elvish", "data": "songs"})


def test_the_abstract_class_cannot_be_made():
    missing = "evaluate', 'from_file', 'predict', 'read', 'sample', 'to_file', 'train"
    with pytest.raises(TypeError, match="abstract") as told:
        Model()
    assert str(told.value).endswith(missing + "'") or missing.replace("'", "") in str(told.value)


def test_models_are_read_from_paths_streams_and_bytes(toy, tmp_path):
    path = tmp_path / "m.treaty"
    toy.save(path)
    with path.open("rb") as stream:
        loaded = [Toy.load(path), Toy.load(str(path)), Toy.load(stream)]
    loaded += [Toy.from_bytes(path.read_bytes()), Toy.load(io.BytesIO(path.read_bytes()))]
    for model in loaded:
        assert (model.weights == toy.weights).all()
        assert (model.labels, model.info) == (toy.labels, toy.info)


def test_without_an_origin_the_shipped_model_is_loaded(toy, tmp_path):
    class Shipped(Toy):
        shipped = str(tmp_path / "m.treaty")

    toy.save(tmp_path / "m.treaty")
    assert Shipped.load().labels == toy.labels
    with pytest.raises(UsageError, match="no toy comes with Treaty: name a file, or train one"):
        Toy.load()


def test_an_empty_name_is_not_the_shipped_model():
    class Shipped(Toy):
        shipped = "english"

    with pytest.raises(ModelError, match=r"\.: cannot be read"):
        Shipped.load("")


def test_files_of_other_tasks_are_refused_unless_they_are_read_too(toy):
    class Other(Toy):
        task = "other"

    class Both(Other):
        also_reads = ("toy",)

    message = "<bytes>: a model for the task 'toy'; expected 'other'"
    with pytest.raises(ModelError, match=message):
        Other.from_bytes(toy.to_bytes())
    assert type(Both.from_bytes(toy.to_bytes())) is Both


def test_a_name_beyond_the_registry_is_told():
    with pytest.raises(ModelError, match="there is no model 'nonsense'"):
        Toy.load("nonsense")


def test_saving_replaces_a_file_or_leaves_it(toy, tmp_path):
    path = tmp_path / "m.treaty"
    path.write_bytes(b"old")
    broken = Toy(["A"], {"score": float("nan")})
    with pytest.raises(UsageError, match="must be JSON"):
        broken.save(path)
    assert path.read_bytes() == b"old"
    toy.save(path)
    assert path.read_bytes() == toy.to_bytes()
    with pytest.raises(OutputError, match="cannot write"):
        toy.save(tmp_path / "missing" / "m.treaty")


def test_pickles_are_the_bytes_of_the_file(toy):
    kind, (data,) = toy.__reduce__()
    assert kind.__func__ is Model.from_bytes.__func__ and data == toy.to_bytes()
    for made in (pickle.loads(pickle.dumps(toy)), copy.deepcopy(toy), copy.copy(toy)):
        assert made is not toy and made.to_bytes() == toy.to_bytes()


@pytest.mark.parametrize(
    ("info", "told"),
    [
        ({}, "<Toy>"),
        ({"language": "Elvish"}, "<Toy: Elvish>"),
        ({"data": "songs", "license": "CC0", "language": "Elvish"}, "<Toy: Elvish, songs>"),
        ({"data": 3}, "<Toy: 3>"),
    ],
)
def test_a_repr_names_language_and_data(info, told):
    assert repr(Toy(["A"], info)) == told


def test_samples_need_no_options():
    assert Sample([1], [2]).options == {}


def test_a_toy_learns(toy):
    assert [answer.label for answer in toy.predict(["ant", "bus", "cap"])] == ["A", "B", "C"]
    assert toy.evaluate([*EXAMPLES, ("bee", "C"), ("bee", "A")]) == {"accuracy": 0.75}
    assert ModelFile.from_bytes(toy.to_bytes()).task == "toy"
