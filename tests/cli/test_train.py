"""``treaty train TASK``, for a model of another package."""

import pytest
from tests.cli import toy

from treaty.learn import model_class


def test_the_task_has_a_command(toy_folder, run):
    assert "toy" in run("train", "--help")[1]
    code, out, _ = run("train", "toy", "--help")
    assert code == 0
    assert "treaty train toy --train FILE" in out
    assert "--set OPTION=VALUE" in out


def test_training(toy_folder, run):
    code, out, err = run(
        "train", "toy", "--train", "train.tsv", "--train", "dev.tsv", "--dev", "dev.tsv",
        "-o", "toy.treaty", "--seed", 7, "--set", "epochs=2", "--info", "data=words",
        "--license", "CC0",
    )  # fmt: skip
    assert (code, out) == (0, "")
    assert [line.partition(": accuracy")[0] for line in err.splitlines()] == [
        "treaty: note: words, epoch 1 of 2",
        "treaty: note: words, epoch 2 of 2",
        "treaty: note: toy.treaty",
    ]
    info = model_class("toy").load("toy.treaty").info
    assert info["training"] == {"epochs": 2, "seed": 7}
    assert (info["data"], info["license"]) == ("words", "CC0")
    assert {path.name for path in toy_folder.iterdir()} == {
        "site", "train.tsv", "dev.tsv", "empty.tsv", "toy.treaty",
    }  # fmt: skip


def test_an_interrupted_training_is_resumed(toy_folder, run, toy_model, monkeypatch):
    arguments = ("train", "toy", "--train", "train.tsv", "-o", "again.treaty", "-q")
    with monkeypatch.context() as patch:
        patch.setattr(toy.Toy, "save", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert run(*arguments)[0] == 130
    assert (toy_folder / "again.treaty.checkpoint").exists()
    assert run(*arguments, "--resume")[0] == 0
    assert (toy_folder / "again.treaty").read_bytes() == (toy_folder / toy_model).read_bytes()
    assert not list(toy_folder.glob("*.checkpoint*"))


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["train", "toy", "-o", "x"], 2, "Missing option '--train'"),
        (["train", "toy", "--train", "train.tsv"], 2, "Missing option '--output'"),
        (["train", "toy", "--train", "train.tsv", "-o", "-"], 2, "must be written to a file"),
        (["train", "toy", "--train", "none.tsv", "-o", "x"], 3, "none.tsv: cannot be read"),
        (["train", "toy", "--train", "empty.tsv", "-o", "x"], 3, "there are no examples in it"),
        (["train", "toy", "--train", "train.tsv", "-o", "no/x"], 3, "there is no directory no"),
        (["train", "toy", "--train", "train.tsv", "-o", "x", "--set", "epoch=3"], 2,
         "--set epoch: the model has no such option"),
        (["train", "toy", "--train", "train.tsv", "-o", "x", "--info", "data"], 2, "a name and"),
        (["train", "toi", "--train", "train.tsv", "-o", "x"], 2, "No such command 'toi'"),
    ],
)  # fmt: skip
def test_mistakes(run, toy_folder, arguments, code, cause):
    found, out, err = run(*arguments)
    assert (found, out) == (code, "")
    assert cause in err
    assert not list(toy_folder.glob("*.treaty*"))


def test_a_task_of_the_registry_goes_by_one_name(run):
    for task, command in {"pipeline": "parser", "entities": "labeler", "threads": "linker"}.items():
        code, _, err = run("train", task)
        assert code == 2
        assert f"'treaty train {command}' trains models for {task}" in err
