"""The commands as a whole: their help, and the examples in it."""

import re
import shlex

import pytest
import typer
from tests.cli.conftest import ROOT, commands


@pytest.mark.parametrize("path", [" ".join(path) for path, _ in commands()])
def test_help_is_plain_and_its_examples_can_be_parsed(path):
    command = {" ".join(path): command for path, command in commands()}[path]
    text = command.help.replace("\\\n", " ")
    _, _, rest = text.partition("Examples:\n")
    examples = rest.split("\n\n")[0].splitlines()
    assert examples, path
    assert any(path in line for line in examples)
    if path not in ("treaty", "treaty train"):
        assert "Exit codes: 0 done, 2 usage" in text
    for line in examples:
        for part in re.split(r" \| | && ", line):
            words = shlex.split(part.partition(" > ")[0])
            if words[0] == "treaty":
                parse(words[1:])


def parse(words):
    """Parse a command line as the command does, without running it."""
    if "--help" in words:
        return
    command, context, rest = ROOT, typer.Context(ROOT), words
    while hasattr(command, "commands"):
        _, command, rest = command.resolve_command(context, rest)
        context = typer.Context(command, parent=context)
    command.make_context(words[0], rest, parent=context.parent)


def test_lists_of_commands_are_not_cut_off(run):
    for arguments in (["--help"], ["train", "--help"]):
        lines = run(*arguments)[1].partition("Commands:\n")[2].splitlines()
        assert lines
        assert not [line for line in lines if line.endswith("...")]
