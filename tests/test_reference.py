"""What the reference and CONTRIBUTING list, against the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from tests.test_imports import ORDER

from treaty import errors
from treaty.cli._app import app
from treaty.solve import METHODS, options_of
from treaty.text.formats import DOCUMENTS, FORMATS

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
OPTION = re.compile(r"`(--[a-z-]+)")
ANY_TASK = "treaty train TASK"


def leaves(command, path):
    """Every command by its full name; those of tasks without an own section as ``TASK``."""
    if not hasattr(command, "list_commands"):
        return [(path, command)]
    found, context = [], typer.Context(command)
    for name in command.list_commands(context):
        own = name in command.commands
        found += leaves(command.get_command(context, name), f"{path} {name}" if own else ANY_TASK)
    return found


def rows(text):
    """The cells of the tables of a page, but for their headings."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


COMMANDS = leaves(typer.main.get_command(app), "treaty")
PAGE = (REFERENCE / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^##+ ([^\n]*)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
COMMON = {option for row in rows(SECTIONS["Common options"]) for option in OPTION.findall(row[0])}


def test_every_command_has_a_section():
    described = {name for name in SECTIONS if name.startswith("treaty ")}
    assert described == {path for path, _ in COMMANDS} | {"treaty train"}
    for name in described:
        if name.count(" ") == 1:
            assert f"](#{name.replace(' ', '-')})" in PAGE


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_every_option_of_a_command_is_listed(path, command):
    section = SECTIONS[path]
    own = {option for row in rows(section) for option in OPTION.findall(row[0])}
    common = set(OPTION.findall(section[section.index("Common options:") :]))
    assert common <= COMMON
    assert not own & common
    options = {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    }
    assert own | common == options


def test_common_options_are_those_that_commands_have():
    assert {option for path, _ in COMMANDS for option in OPTION.findall(SECTIONS[path])} >= COMMON


@pytest.mark.parametrize("method", METHODS)
def test_the_options_of_a_solver_are_listed(method):
    page = (REFERENCE / "solvers.md").read_text(encoding="utf-8")
    table = page[page.index("## Options by method") :]
    heading, *body = [line.split("|") for line in table.splitlines() if line.startswith("| ")]
    column = [cell.strip() for cell in heading].index(f"`{method}`")
    ticked = [line[1] for line in body if len(line) == len(heading) and line[column].strip() == "✓"]
    listed = {name for cell in ticked for name in re.findall("`([a-z_]+)`", cell)}
    assert listed == set(options_of(method)) - {"cancel"}


def test_every_error_is_listed_with_its_exit_code():
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    listed = {row[0].strip("`"): row[1] for row in rows(page)[1:] if row[0].startswith("`")}
    assert listed == {name: str(getattr(errors, name).exit_code) for name in errors.__all__}


def test_files_that_contributing_names_exist():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tops = ("src", "native", "tests", "docs", "scripts", "examples", "research")
    named = [path for path in re.findall(r"`([\w./-]+)`", page) if path.split("/")[0] in tops]
    assert len(named) > 30
    made = "src/treaty/_native/"  # by the build
    assert [path for path in named if path != made and not (ROOT / path).exists()] == []


def test_the_map_of_contributing_lists_every_package_and_folder():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = re.search(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    parts = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    entries = {part.split()[0]: re.findall(r"^  (\S+)", part, re.MULTILINE) for part in parts[1:]}
    packages = {path.parent.name for path in ROOT.glob("src/treaty/*/__init__.py")}
    assert set(entries["src/treaty/"]) == packages | {"shipped"}
    assert set(entries["native/"]) == {path.name for path in (ROOT / "native").iterdir()}
    order = [name for name in entries["src/treaty/"] if name in packages]
    assert order == [name for name in ORDER if name in packages]


def test_the_table_of_formats_lists_all():
    page = (REFERENCE / "text.md").read_text(encoding="utf-8")
    section = page.split("## File formats\n")[1].split("\n## ")[0]
    cells = [row for row in rows(section) if row[0].startswith("`")]
    listed = {name.strip("`"): tuple(re.findall(r"`([^`]+)`", ends)) for name, ends, _ in cells}
    assert listed == {one.name: one.suffixes for one in DOCUMENTS}
    for one in set(FORMATS) - set(DOCUMENTS):
        assert all(f"`{suffix}`" in section for suffix in one.suffixes)
