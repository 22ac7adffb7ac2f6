"""Answers are those of the commands, byte for byte."""

import json

import pytest

from treaty.cli import main
from treaty.cli._app import COMMANDS
from treaty.errors import InputError, ModelError, SolverError
from treaty.label import EntityLabeler, ThreadLinker
from treaty.parse import Pipeline, Tagger
from treaty.summarize import Summarizer
from treaty.tasks import TASKS
from treaty.web._operations import OPERATIONS, describe, status_of
from treaty.web._shelf import UnknownModelError

TEXT = "Ada Lovelace saw the man with the telescope. It was in London."
THREAD = json.dumps({"posts": [{"author": "ann", "text": "tea?"}, {"author": "b", "text": "yes"}]})
LONG = "Engineers said on Wednesday that the walls of the old tower are safe."
GRAPH = "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n"


@pytest.fixture
def command(shelf, monkeypatch, capfd, tmp_path):
    """Run a command with the models of the shelf; returns what it prints."""
    for kind in (Pipeline, Tagger, EntityLabeler, ThreadLinker):
        load = classmethod(lambda cls, name=None, kind=kind: shelf.load(kind, name or cls.shipped))
        monkeypatch.setattr(kind, "load", load)
    summarizer = shelf.with_parser(shelf.load(Summarizer, "summarizer"), None)
    monkeypatch.setattr(Summarizer, "load", classmethod(lambda *_: summarizer))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        assert main([*arguments, "--quiet"]) == 0
        return capfd.readouterr()[0]

    return run


def lines(context, name, kind="lines", **asked):
    operation = OPERATIONS[name]
    return "".join(operation.texts(operation.request.model_validate(asked), context, kind))


def timeless(text):
    records = [json.loads(line) for line in text.splitlines()]
    for record in records:
        if "certificate" in record:
            record["certificate"]["seconds"] = 0
    return records


def test_parse(command, context):
    json_options = "--format", "json", "--confidences"
    assert lines(context, "parse", text=TEXT, confidences=True) == command(
        "parse", TEXT, *json_options
    )
    assert lines(context, "parse", "conllu", text=TEXT) == command("parse", TEXT)


def test_tag(command, context):
    assert lines(context, "tag", text=TEXT) == command("tag", TEXT, "--format", "json")
    assert lines(context, "tag", "conllu", text=TEXT) == command("tag", TEXT)


def test_label(command, context):
    found = command("label", TEXT, "--format", "json")
    assert timeless(lines(context, "label", text=TEXT)) == timeless(found)


def test_link(command, context):
    found = command("link", THREAD, "--format", "json")
    assert timeless(lines(context, "link", text=THREAD)) == timeless(found)


def test_summarize_and_compress(command, context):
    found = command("summarize", LONG, "--format", "json", "--words", "20")
    assert timeless(lines(context, "summarize", text=LONG, words=20)) == timeless(found)
    found = command("compress", LONG, "--format", "json")
    assert timeless(lines(context, "compress", text=LONG)) == timeless(found)


def test_solve_and_induce(command, context, tmp_path):
    (tmp_path / "a.fg").write_text(GRAPH)
    (tmp_path / "a.tags").write_text("N V\nN V N\n")
    found = command("solve", "a.fg", "--format", "json")
    assert timeless(lines(context, "solve", text=GRAPH, input_format="fg"))[-1:] == timeless(found)
    found = command("induce", "a.tags", "--input-format", "tags", "--format", "json")
    (last,) = timeless(lines(context, "induce", text="N V\nN V N\n").splitlines()[-1])
    assert [last] == timeless(found)


def test_evaluate(command, context, tmp_path):
    gold = "1\tHush\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_text(gold)
    found = command("evaluate", "a.conllu", "a.conllu", "--format", "json")
    (mine,) = timeless(lines(context, "evaluate", gold=gold, system=gold))
    assert [mine] == timeless(found)


def test_operations_are_commands_with_their_options():
    commands = {module.__name__.rpartition("._")[2] for module in COMMANDS}
    assert set(OPERATIONS) | {"info", "serve"} == commands | set(TASKS)


def test_a_whole_answer_holds_the_lines(context):
    request = OPERATIONS["tag"].request.model_validate({"text": TEXT})
    whole = json.loads(OPERATIONS["tag"].whole(request, context))
    assert [json.dumps(r) for r in whole["results"]] == [
        json.dumps(json.loads(line)) for line in lines(context, "tag", text=TEXT).splitlines()
    ]
    assert set(whole) == {"results"}


def test_nothing_but_faults_is_an_error(context):
    request = OPERATIONS["tag"].request.model_validate({"text": "1\tx\n", "input_format": "conllu"})
    with pytest.raises(InputError, match="expected 10 columns"):
        OPERATIONS["tag"].whole(request, context)


def test_statuses_and_descriptions_of_errors():
    assert status_of(UnknownModelError("x")) == 404
    assert status_of(SolverError("x")) == 422
    assert status_of(ModelError("x")) == status_of(KeyError("x")) == 500
    assert describe(InputError("bad")) == {"kind": "InputError", "message": "bad"}
    assert describe(MemoryError())["kind"] == "MemoryError"
    assert describe(KeyError("secret")) is None
