"""``treaty train``, ``predict`` and ``evaluate`` run a model that is not Treaty's."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli import toy
from tests.learn import packages

from treaty.learn import model_class, remove_checkpoints
from treaty.solve import Certificate

WORDS = "apple\tA\nant\tA\nbee\tB\nboat\tB\ncat\tC\n"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Install the model, and go to a folder with some data."""
    packages.install(monkeypatch, tmp_path / "site", classes={"toy": f"{toy.__name__}:Toy"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.tsv").write_text(WORDS)
    (tmp_path / "dev.tsv").write_text("apple\tA\nboat\tC\n")
    yield tmp_path
    monkeypatch.undo()
    packages.forget()


@pytest.fixture
def model(folder, run):
    assert run("train", "toy", "--train", "train.tsv", "-o", "toy.treaty", "-q") == (0, "", "")
    return "toy.treaty"


def test_the_task_has_a_command(folder, run):
    assert "toy" in run("train", "--help")[1]
    code, out, _ = run("train", "toy", "--help")
    assert code == 0
    assert "treaty train toy --train FILE" in out
    assert "--set OPTION=VALUE" in out


def test_training(folder, run):
    code, out, err = run(
        "train", "toy", "--train", "train.tsv", "--train", "dev.tsv", "--dev", "dev.tsv",
        "-o", "toy.treaty", "--seed", 7, "--set", "epochs=2", "--info", "data=words",
        "--license", "CC0",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert [line.partition(": accuracy")[0] for line in err.splitlines()] == [
        "treaty: note: words, epoch 1 of 2",
        "treaty: note: words, epoch 2 of 2",
    ]
    info = model_class("toy").load("toy.treaty").info
    assert info["training"] == {"epochs": 2, "seed": 7}
    assert (info["data"], info["license"]) == ("words", "CC0")
    assert {path.name for path in folder.iterdir()} == {
        "site", "train.tsv", "dev.tsv", "toy.treaty",
    }  # fmt: skip


def test_an_interrupted_training_is_resumed(folder, run, model, monkeypatch):
    arguments = ("train", "toy", "--train", "train.tsv", "-o", "again.treaty", "-q")
    with monkeypatch.context() as patch:
        patch.setattr(toy.Toy, "save", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert run(*arguments)[0] == 130
    assert (folder / "again.treaty.checkpoint").exists()
    assert run(*arguments, "--resume")[0] == 0
    assert (folder / "again.treaty").read_bytes() == (folder / model).read_bytes()
    assert not list(folder.glob("*.checkpoint*"))
    remove_checkpoints(folder / "again.treaty.checkpoint")


def test_results_are_lines_of_json_with_certificates(model, run, stdin):
    code, out, err = run("predict", "dev.tsv", "--model", model, "--format", "json")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["label"] for record in records] == ["A", "B"]
    assert list(records[0]["certificate"]) == list(Certificate.exact(0.0).to_dict())
    stdin("bus\ncow\n")
    assert [json.loads(x)["label"] for x in run("predict", "--model", model)[1].splitlines()] == [
        "B", "C",
    ]  # fmt: skip
    assert run("predict", "dev.tsv", "--model", model, "-o", "out.jsonl")[:2] == (0, "")
    assert Path("out.jsonl").read_text() == out


def test_options_of_the_model_are_set(model, run):
    _, plain, _ = run("predict", "dev.tsv", "--model", model)
    _, other, _ = run("predict", "dev.tsv", "--model", model, "--set", "backwards=true")
    assert plain != other


def test_faulty_files_are_told_and_the_rest_goes_on(model, run, folder):
    (folder / "bad.tsv").write_text("bee\ntwo words\n")
    code, out, err = run(
        "predict", "bad.tsv", "none.tsv", "dev.tsv", "ant and bee", "--model", model
    )
    assert code == 3
    assert len(out.splitlines()) == 3
    assert "none.tsv: there is no such file" in err
    assert "bad.tsv:2: one word too many (found 'two words')" in err
    assert "error: one word too many (found 'ant and bee')" in err
    assert "3 faulty parts of the input skipped" in err


def test_a_model_is_scored(model, run):
    assert run("evaluate", "dev.tsv", "--model", model) == (0, "accuracy  50.00 %\n", "")
    _, out, _ = run("evaluate", "dev.tsv", "--model", model, "--format", "json", "--threads", 2)
    assert json.loads(out) == {
        "model": model, "task": "toy", "examples": 2, "scores": {"accuracy": 0.5},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["train", "toy", "-o", "x"], 2, "Missing option '--train'"),
        (["train", "toy", "--train", "train.tsv"], 2, "Missing option '--output'"),
        (["train", "toy", "--train", "train.tsv", "-o", "-"], 2, "a model goes to a file"),
        (["train", "toy", "--train", "none.tsv", "-o", "x"], 3, "none.tsv: cannot be read"),
        (["train", "toy", "--train", "empty.tsv", "-o", "x"], 3, "there are no examples in it"),
        (["train", "toy", "--train", "train.tsv", "-o", "no/x"], 3, "there is no directory no"),
        (["train", "toy", "--train", "train.tsv", "-o", "x", "--set", "epoch=3"], 2,
         "--set epoch: the model has no such option"),
        (["train", "toy", "--train", "train.tsv", "-o", "x", "--info", "data"], 2, "a name and"),
        (["train", "toi", "--train", "train.tsv", "-o", "x"], 2, "No such command 'toi'"),
        (["predict", "dev.tsv"], 2, "Missing option '--model'"),
        (["predict", "dev.tsv", "--model", "none"], 5, "there is no model 'none'"),
        (["predict", "dev.tsv", "--model", "MODEL", "--set", "loud=1"], 2, "no such option"),
        (["predict", "dev.tsv", "--model", "MODEL", "--format", "xml"], 2, "'--format'"),
        (["evaluate", "dev.tsv", "dev.tsv", "--model", "MODEL"], 2, "leave out SYSTEM"),
        (["evaluate", "empty.tsv", "--model", "MODEL"], 3, "there are no examples in it"),
    ],
)  # fmt: skip
def test_mistakes(run, model, folder, arguments, code, cause):
    (folder / "empty.tsv").touch()
    found, out, err = run(*(model if a == "MODEL" else a for a in arguments))
    assert (found, out) == (code, "")
    assert cause in err


def test_a_file_without_its_package_is_refused(run, model):
    packages.forget()
    path = [entry for entry in sys.path if not entry.endswith("site/others")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", path)
        code, _, err = run("predict", "dev.tsv", "--model", model)
    packages.forget()
    assert code == 5
    assert "no model is registered for the task 'toy'" in err


def test_nothing_in_nothing_out(run, model, folder):
    (folder / "empty.tsv").touch()
    assert run("predict", "empty.tsv", "--model", model) == (
        0, "", "treaty: note: nothing to predict: the input is empty\n",
    )  # fmt: skip
