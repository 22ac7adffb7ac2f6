"""One vocabulary: options mean the same in every command, and the examples of help are right."""

import re
import shlex

import pytest
import typer

from treaty.cli import _options as options
from treaty.cli._app import app
from treaty.corpus import SCHEMES
from treaty.errors import UsageError
from treaty.parse import ORDERS

ROOT = typer.main.get_command(app)
# The same name, and more to say: what it is for here.
OTHER_HELP = {("solve", "--threads"), ("evaluate", "--model"), ("evaluate", "--train")}
OFTEN = {
    "--format", "--output", "--input-format", "--method", "--iterations", "--time-limit", "--gap",
    "--relative-gap", "--model", "--threads", "--seed", "--quiet", "--resume", "--order",
    "--language", "--license", "--parser", "--rules", "--scheme", "--train", "--dev", "--plot",
    "--clusters", "--epochs", "--info", "--set",
}  # fmt: skip


def commands(command=ROOT, path=("treaty",)):
    """All commands with their names, those of tasks without a command of their own included."""
    if hasattr(command, "commands"):
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))
    yield path, command


LEAVES = [(path, command) for path, command in commands() if not hasattr(command, "commands")]


def test_options_have_one_help_text():
    texts = {}
    for path, command in LEAVES:
        for parameter in command.params:
            for name in parameter.opts:
                if name in OFTEN and (path[-1], name) not in OTHER_HELP:
                    texts.setdefault(name, {}).setdefault(parameter.help, []).append(path)
    assert {name: helps for name, helps in texts.items() if len(helps) > 1} == {}
    assert texts.keys() == OFTEN


def test_no_option_goes_by_an_old_or_a_second_name():
    names = {name for _, command in LEAVES for p in command.params for name in p.opts}
    refused = {
        "--to", "--out", "--input", "--solver", "--max-iterations", "--node-limit", "--epsilon",
        "--kin", "--licence", "--task",
    }  # fmt: skip
    assert names & refused == set()
    assert {name for name in names if re.fullmatch("-[a-z]", name)} == {"-o", "-q"}


def test_every_result_can_go_to_a_file_and_every_command_can_be_quiet():
    for path, command in LEAVES:
        names = {name for parameter in command.params for name in parameter.opts}
        assert "--output" in names, path
        assert "--quiet" in names or path[-1] == "info", path


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


def test_choices_are_those_of_the_library():
    from treaty.label.threads._models import ORDERS as THREAD_ORDERS

    assert list(options.ParserOrder) == list(ORDERS)
    assert list(options.SchemeName) == list(SCHEMES)
    assert list(options.ThreadOrder) == list(THREAD_ORDERS)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("epochs=3", {"epochs": 3}),
        ("parser-bits=12", {"parser_bits": 12}),
        ('columns=["upos", "xpos"]', {"columns": ["upos", "xpos"]}),
        ("order=second+", {"order": "second+"}),
        ("name=a=b", {"name": "a=b"}),
        ("empty=", {"empty": ""}),
    ],
)
def test_settings_are_json_or_strings(given, found):
    assert options.settings_of([given]) == found


@pytest.mark.parametrize("given", ["epochs", "=3", ""])
def test_settings_have_names_and_values(given):
    with pytest.raises(UsageError, match="a name and a value"):
        options.settings_of([given])
