"""``treaty info``: the models that are installed, and all of one."""

import json

import pytest

import treaty
from treaty.learn import ModelFile
from treaty.parse import Tokenizer


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("info") / "words.treaty"
    sample = Tokenizer.sample()
    info = {"language": "en", "license": "CC0-1.0"}
    Tokenizer.train(sample.examples, info=info, **sample.options).save(path)
    return path


def test_installed_models_are_listed(run):
    code, out, err = run("info")
    assert (code, err) == (0, "")
    head, *rows = (line.split() for line in out.partition("\n\n")[0].splitlines())
    assert head == ["name", "task", "language", "size", "license"]
    assert [row[:2] for row in rows] == [[model.name, model.task] for model in treaty.models()]
    for model in treaty.models():
        assert f"\n{model.name}: {model.data}\n" in out
        assert all(name in out for name in model.scores)


def test_installed_models_as_json(run):
    records = json.loads(run("info", "--format", "json")[1])
    assert records == [model.to_dict() for model in treaty.models()]


def test_all_of_one_model(run, model):
    code, out, _ = run("info", model)
    assert code == 0
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["task"] == "tokenizer"
    assert lines["info.language"] == "en"
    assert lines["info.license"] == "CC0-1.0"
    assert lines["templates.1"].endswith(" entries")
    assert lines["tensors.bytes"].endswith("B")
    record = json.loads(run("info", model, "--format", "json")[1])
    assert record["info"]["training"]["seed"] == 1
    assert record["tensors"]["count"] == len(ModelFile.read(model).tensors)


def test_models_go_by_name(run):
    code, out, _ = run("info", "english")
    assert code == 0
    assert "parser.settings.order " in out
    assert max(map(len, out.splitlines())) < 300


def test_results_go_to_a_file(run, tmp_path):
    assert run("info", "-o", tmp_path / "models.txt") == (0, "", "")
    assert (tmp_path / "models.txt").read_text() == run("info")[1]


@pytest.mark.parametrize(
    ("name", "cause"),
    [("nothing", "installed are english"), ("no.treaty", "cannot be read"), (__file__, "damaged")],
)
def test_what_is_not_a_model_is_refused(run, name, cause):
    code, out, err = run("info", name)
    assert (code, out) == (5, "")
    assert cause in err
