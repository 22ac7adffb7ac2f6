"""What the tests of the command line share."""

import io
import sys

import pytest
import typer
from tests.cli import toy
from tests.learn import packages

from treaty.cli import main
from treaty.cli._app import app

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
