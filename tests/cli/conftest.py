"""What the tests of the command line share."""

import io
import sys

import pytest
import typer
from tests.cli import toy
from tests.cli.data import ENTITIES, TREEBANK, sentence
from tests.learn import packages

from treaty.cli import main
from treaty.cli._app import app
from treaty.text import write_conllu

ROOT = typer.main.get_command(app)


def commands(command=ROOT, path=("treaty",)):
    """All commands with their names, those of tasks without a command of their own included."""
    if hasattr(command, "commands"):
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))
    yield path, command


@pytest.fixture
def run(capfd):
    """Run the command; returns the exit code, stdout and stderr."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Hand some bytes to the command on standard input."""

    def stdin(content):
        data = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return stdin


@pytest.fixture
def toy_folder(monkeypatch, tmp_path):
    """Install a model of another package, and go to a folder with data for it."""
    packages.install(monkeypatch, tmp_path / "site", classes={"toy": f"{toy.__name__}:Toy"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.tsv").write_text("apple\tA\nant\tA\nbee\tB\nboat\tB\ncat\tC\n")
    (tmp_path / "dev.tsv").write_text("apple\tA\nboat\tC\n")
    (tmp_path / "empty.tsv").touch()
    yield tmp_path
    monkeypatch.undo()
    packages.forget()


@pytest.fixture
def toy_model(toy_folder, run):
    """Train that model; gives the name of its file."""
    assert run("train", "toy", "--train", "train.tsv", "-o", "toy.treaty", "-q") == (0, "", "")
    return "toy.treaty"


@pytest.fixture
def tree_files(tmp_path):
    """Write a gold file and a system's, which has a wrong head, label and tag."""
    wrong = sentence(trains={"deprel": "obl:in"}, I={"upos": "NOUN"}, **{".": {"head": 4}})
    sides = {"gold": [sentence(), sentence()], "system": [wrong, sentence()]}
    paths = {name: tmp_path / f"{name}.conllu" for name in sides}
    for name, sentences in sides.items():
        write_conllu(sentences, paths[name])
    return paths


@pytest.fixture(scope="session")
def tag_folder(tmp_path_factory):
    """Write a treebank for taggers, ``train.conllu``; gives its folder."""
    folder = tmp_path_factory.mktemp("tag")
    (folder / "train.conllu").write_text(TREEBANK * 20, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def tag_model(tag_folder):
    """Train a tagger on it; gives the path of its file."""
    path = tag_folder / "m.treaty"
    arguments = ["train", "tagger", "--train", tag_folder / "train.conllu", "-o", path]
    assert main([*map(str, arguments), "--epochs", "3", "--quiet", "--language", "en"]) == 0
    return path


@pytest.fixture(scope="session")
def entity_file(tmp_path_factory):
    """Write sentences with entities, for labelers."""
    path = tmp_path_factory.mktemp("data") / "train.tsv"
    blocks = []
    for *words, labels in ENTITIES * 10:
        rows = zip(words, labels.split(), strict=True)
        blocks.append("".join(f"{word}\t{label}\n" for word, label in rows))
    path.write_text("# id = 1\n" + "\n".join(blocks))
    return path
