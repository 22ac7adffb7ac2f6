"""The registry: what is installed, by whom, and what happens where that is broken."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.learn.toy_model import EXAMPLES, Toy

import treaty
from treaty import ModelError, UsageError
from treaty.learn import InstalledModel, Model, ModelFile, model_class, model_path, tasks
from treaty.learn import _registry as registry

SHIPPED = ("english", "entities", "summarizer", "threads")
TOY = f"{Toy.__module__}:Toy"


@pytest.fixture(scope="module")
def toy():
    return Toy.train(EXAMPLES, info={"language": "Elvish", "data": "songs", "license": "CC0"})


# What comes with Treaty


@pytest.mark.parametrize("name", SHIPPED)
def test_every_model_that_comes_with_treaty_loads(name):
    model = treaty.load(name)
    assert isinstance(model, model_class(model.task)) and model.task in tasks()
    assert type(treaty.load(model_path(name))) is type(model)


def test_models_are_described_by_their_files():
    found = {model.name: model for model in treaty.models()}
    assert set(found) >= set(SHIPPED)
    assert list(found) == sorted(found)
    english = found["english"]
    assert (english.task, english.language, english.license) == (
        "pipeline", "English", "CC BY-SA 4.0",
    )  # fmt: skip
    assert english.path == model_path("english")
    assert english.size == english.path.stat().st_size
    for model in found.values():
        assert model.task in tasks() and model.license and model.data and model.language
        assert all(0.0 < score < 1.0 for score in model.scores.values()), "scores are shares"
        told = json.loads(json.dumps(model.to_dict()))
        assert told["path"] == str(model.path)
        assert list(told) == [
            "name", "task", "language", "data", "license", "size", "scores", "path"
        ]  # fmt: skip


def test_headers_are_read_without_the_tensors(tmp_path, install):
    """A listing must not read models of gigabytes: a file cut off after its header will do."""
    data = Toy.train(EXAMPLES).to_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    home = install(files={"others": "more_models"})
    (home / "more_models").mkdir()
    (home / "more_models" / "cut.treaty").write_bytes(data[:header])
    assert "cut" in {model.name for model in treaty.models()}
    with pytest.raises(ModelError, match="damaged"):
        treaty.load("cut")


# What other packages add


def test_other_packages_add_classes_and_files(install, toy):
    home = install(classes={"toy": TOY}, files={"others": "more_models"})
    (home / "more_models").mkdir()
    toy.save(home / "more_models" / "elvish.treaty")
    assert "toy" in tasks() and model_class("toy") is Toy
    loaded = treaty.load("elvish")
    assert type(loaded) is Toy and loaded.to_bytes() == toy.to_bytes()
    assert type(treaty.load(io.BytesIO(toy.to_bytes()))) is Toy
    (own,) = (model for model in treaty.models() if model.name == "elvish")
    assert own == InstalledModel(
        "elvish", "toy", "Elvish", "songs", "CC0", len(toy.to_bytes()), {},
        home / "more_models" / "elvish.treaty",
    )  # fmt: skip
    assert treaty.load("english").task == "pipeline"


def test_another_process_finds_them_too(install, toy, tmp_path):
    """Nothing of this test's process helps: an installed package is enough."""
    home = install(name="far", classes={"toy": "far_models:Toy"}, files={"far": "far_models"})
    (home / "far_models").mkdir()
    shutil.copy(Path(__file__).with_name("toy_model.py"), home / "far_models" / "__init__.py")
    toy.save(home / "far_models" / "elvish.treaty")
    code = "import treaty; print(*treaty.load('elvish').predict(['bee']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "label='B'" in done.stdout


def test_a_task_that_two_packages_claim_is_refused(install):
    install(name="one", classes={"toy": TOY, "tagger": TOY})
    install(name="two", classes={"toy": TOY})
    assert model_class("toy") is Toy  # both name the same class
    with pytest.raises(UsageError, match=r"several classes .* 'tagger': .*\(of one\).*uninstall"):
        model_class("tagger")
    assert model_class("parser").task == "parser"


def test_a_name_that_two_files_have_is_refused(install, toy):
    for name in ("one", "two"):
        home = install(name=name, files={name: f"models_{name}"})
        (home / f"models_{name}").mkdir()
        toy.save(home / f"models_{name}" / "elvish.treaty")
    paths = [model.path for model in treaty.models() if model.name == "elvish"]
    assert len(paths) == 2
    with pytest.raises(ModelError, match="several installed models have the name 'elvish'") as told:
        treaty.load("elvish")
    assert all(str(path) in told.value.message for path in paths)
    assert model_path(paths[0]) == paths[0]


@pytest.mark.parametrize(
    ("value", "match"),
    [
        (
            "no_such_package:Model",
            r"no_such_package:Model \(of others\).*cannot be imported: No mod",
        ),
        ("treaty.parse:NoSuchClass", "cannot be imported: .*NoSuchClass"),
        ("raising_package:Model", "cannot be imported: not today"),
        ("treaty.text:Sentence", "is not a treaty Model"),
        ("treaty.learn:fit", "is not a treaty Model"),
    ],
)
def test_a_broken_class_is_told_and_breaks_nothing_else(install, toy, tmp_path, value, match):
    home = install(classes={"toy": value})
    (home / "raising_package.py").write_text("raise RuntimeError('not today')\n")
    with pytest.raises(UsageError, match=match):
        model_class("toy")
    toy.save(tmp_path / "elvish.treaty")
    with pytest.raises(ModelError, match=rf"elvish\.treaty: .*{match}"):
        treaty.load(tmp_path / "elvish.treaty")
    assert "toy" in tasks()
    assert model_class("tagger").task == "tagger"


@pytest.mark.parametrize(
    "value", ["no_such", "no_such.models", "raising_package.models", "json.tool"]
)
def test_a_missing_package_of_files_is_left_out_with_a_warning(install, value):
    home = install(files={"others": value})
    (home / "raising_package").mkdir()
    (home / "raising_package" / "__init__.py").write_text("raise RuntimeError('not today')\n")
    with pytest.warns(RuntimeWarning, match=rf"ignoring the models of {value} \(of others\)"):
        assert model_path("english").name == "english.treaty"


def test_a_damaged_file_is_named(install):
    home = install(files={"others": "more_models"})
    (home / "more_models").mkdir()
    (home / "more_models" / "broken.treaty").write_bytes(b"no model")
    with pytest.raises(ModelError, match=r"broken\.treaty"):
        treaty.models()


def test_odd_descriptions_are_left_out(install):
    home = install(files={"others": "more_models"})
    (home / "more_models").mkdir()
    for name, info in (("a", {"language": 3, "scores": [], "data": None}), ("b", "text")):
        path = home / "more_models" / f"{name}.treaty"
        ModelFile("toy", {"info": info}, {}).write(path)
    odd = [model for model in treaty.models() if model.name in "ab"]
    assert [(m.language, m.data, m.license, m.scores) for m in odd] == [(None, None, None, {})] * 2


# What is not there


def test_other_tasks_are_told_with_those_that_are_registered(toy, tmp_path):
    with pytest.raises(UsageError, match=r"no model is registered for the task 'toy': .*, parser,"):
        model_class("toy")
    with pytest.raises(ModelError, match=r"m\.treaty: no model is registered for the task 'toy'"):
        toy.save(tmp_path / "m.treaty")
        treaty.load(tmp_path / "m.treaty")


def test_names_that_are_not_installed_are_told_with_those_that_are(tmp_path, monkeypatch):
    with pytest.raises(ModelError, match=r"there is no model 'elvish': choose one of english, .*,"):
        treaty.load("elvish")
    for odd in ("a\0b", "x" * 5000):
        with pytest.raises(ModelError, match="there is no model '"):
            model_path(odd)
    with pytest.raises(ModelError, match="cannot be read"):
        treaty.load("missing.treaty")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elvish").write_bytes(b"")
    assert model_path("elvish") == Path("elvish")  # a file of that name will do
    assert model_path(Path("english.treaty")) == Path("english.treaty")


def test_a_class_reads_its_own_tasks_alone():
    for name in SHIPPED[1:]:
        with pytest.raises(ModelError, match="expected 'tagger'"):
            model_class("tagger").load(name)


def test_every_registered_class_is_a_model():
    for task in tasks():
        assert issubclass(model_class(task), Model) and model_class(task).task == task


def test_models_in_a_folder_of_the_user_come_first(tmp_path, monkeypatch):
    installed = registry.model_path("threads")
    shutil.copy(installed, tmp_path / "english.treaty")
    shutil.copy(installed, tmp_path / "danish.treaty")
    (tmp_path / "danish.treaty.checkpoint").touch()
    file = ModelFile("toy", {"needs": registry.needs("english")}, {})
    registry.check_needs(file, "english")
    monkeypatch.setenv("TREATY_MODELS", str(tmp_path))
    assert registry.model_path("english") == tmp_path / "english.treaty"
    assert registry.model_path("threads") == installed
    assert {m.name for m in registry.models()} >= {"danish", "english", "threads"}
    with pytest.raises(ModelError, match=r"another version of the model 'english'.*TREATY_MODELS"):
        registry.check_needs(file, "english")
    registry.check_needs(ModelFile("toy", {"needs": registry.needs("english")}, {}), "english")
    monkeypatch.setenv("TREATY_MODELS", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match=r"TREATY_MODELS: .*nowhere: No such file"):
        registry.model_path("english")


def test_without_the_english_models_it_says_how_to_install_them(monkeypatch):
    monkeypatch.setattr(registry, "_files", dict)
    with pytest.raises(ModelError, match=r"no model 'english': install .* 'treaty\[english\]'"):
        treaty.load("english")
    with pytest.raises(ModelError, match=r"no model 'elvish': choose one of \(none\)"):
        treaty.load("elvish")


def test_the_english_models_are_those_that_come_with_treaty():
    assert sorted(registry.ENGLISH) == sorted(SHIPPED)
