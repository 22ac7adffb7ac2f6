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
