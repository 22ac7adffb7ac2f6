"""Commands made from tasks: what cannot be read is refused before a model is loaded."""

from __future__ import annotations

import pytest

from treaty.cli._task import command_of
from treaty.learn import ModelFile
from treaty.tasks import TASKS


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").mkdir()
    return tmp_path


@pytest.mark.parametrize("command", ["parse", "tag", "label", "link", "compress", "predict"])
@pytest.mark.parametrize("source", ["word", "none.txt", "", "more"])
def test_no_model_is_loaded_for_nothing(run, monkeypatch, command, source):
    monkeypatch.setattr(ModelFile, "read", lambda *_: pytest.fail("a model was loaded"))
    code, out, err = run(command, source, *(["--model", "m"] if command == "predict" else []))
    assert (code, out, err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("command", ["parse", "tag", "label", "compress", "summarize"])
def test_standard_input_is_read_once(run, command):
    code, _, err = run(command, "-", "-")
    assert (code, "read only once" in err) == (2, True)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_an_option_for_every_field(task):
    names = list(command_of(task).__signature__.parameters)
    assert {parameter.name for parameter in task.asks.parameters("command")} <= set(names)
    assert len(names) == len(set(names))


DANISH = (
    "I dag mødtes ministeren med borgmesteren i byen. Det regnede hele dagen, og mange veje var "
    "lukkede. I går sagde han, at regningen ikke var betalt, men man ventede på et svar.\n"
)
ENGLISH = "It rained for days in the north, and many of the roads were closed. Nobody was hurt.\n"


@pytest.mark.parametrize("command", ["parse", "tag", "label", "summarize", "compress"])
def test_every_command_tells_of_another_language_once(run, tmp_path, command):
    danish, english = tmp_path / "danish.txt", tmp_path / "english.txt"
    danish.write_text(DANISH, encoding="utf-8")
    english.write_text(ENGLISH, encoding="utf-8")
    notes = run(command, danish)[2]
    assert notes.count("treaty: note: the words of the text do not look like ") == 1
    assert "look like" not in run(command, danish, "--quiet")[2]
    assert "look like" not in run(command, english)[2]


def test_texts_in_a_language_that_is_given_are_not_doubted(run, tmp_path):
    danish = tmp_path / "danish.txt"
    danish.write_text(DANISH, encoding="utf-8")
    code, out, notes = run("summarize", danish, "--language", "da")
    assert (code, notes) == (0, "")
    assert out.startswith("I dag")
