"""One vocabulary: options mean the same in every command."""

import re
from typing import get_args

import pytest
from tests.cli.conftest import commands

from treaty.cli import _options as options
from treaty.errors import UsageError
from treaty.parse import ORDERS
from treaty.text import SCHEMES

# The same name, and more to say: what it is for here.
DOCUMENTS = ("parse", "tag", "label", "summarize", "compress")
OTHER_HELP = {
    ("evaluate", "--train"),
    ("label", "--rules"),
    *((command, "--output") for command in DOCUMENTS),  # also a folder
}
OFTEN = {
    "--format", "--output", "--input-format", "--method", "--iterations", "--time-limit", "--gap",
    "--relative-gap", "--model", "--threads", "--seed", "--quiet", "--resume", "--order",
    "--language", "--license", "--parser", "--rules", "--scheme", "--train", "--dev", "--plot",
    "--clusters", "--epochs", "--info", "--set", "--lines", "--abbreviations",
}  # fmt: skip


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
        assert "--output" in names or path[-1] == "serve", path
        assert "--quiet" in names or path[-1] == "info", path


def test_choices_are_those_of_the_library():
    from treaty.label.threads._models import ORDERS as THREAD_ORDERS

    assert get_args(options.ParserOrder) == tuple(ORDERS)
    assert get_args(options.Scheme) == tuple(SCHEMES)
    assert get_args(options.ThreadOrder) == tuple(THREAD_ORDERS)


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
