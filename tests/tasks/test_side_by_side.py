"""The options of command, HTTP and Python side by side, and the one table of their differences."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import NamedTuple

from treaty.cli import _app
from treaty.cli._task import command_of
from treaty.tasks import TASKS
from treaty.web._operations import OPERATIONS

PAGE = Path(__file__).parents[2] / "docs/reference/tasks.md"
FRONT_ENDS = ("command", "http", "python")


class Row(NamedTuple):
    """How each front end has an option: ``yes``, ``no``, or ``other`` for another meaning."""

    command: str
    http: str
    python: str


def side_by_side():
    """Return a row for every option of every task."""
    return {
        (name, option): Row(*(_has(task, option, front) for front in FRONT_ENDS))
        for name, task in TASKS.items()
        for option in sorted(set().union(*(_options(task, front) for front in FRONT_ENDS)))
    }


def differences():
    """Return the rows of options that are not the same everywhere."""
    return {key: row for key, row in side_by_side().items() if set(row) != {"yes"}}


def _options(task, front):
    """Names of options, as the front end itself has them."""
    if front == "command":
        command = _app.OF_TASKS.get(task.name) or command_of(task)
        return set(inspect.signature(command).parameters)
    if front == "http":
        return set(OPERATIONS[task.name].request.model_fields)
    return {one.name for one in task.asks.parameters()}


def _has(task, option, front):
    if option not in _options(task, front):
        return "no"
    fields = {one.name: one for one in task.asks.parameters()}
    here = {one.name: one for one in task.asks.parameters("http" if front == "http" else None)}
    if option not in fields:
        return "yes"
    if front == "command" and option not in {o.name for o in task.asks.parameters("command")}:
        return "other"  # an option of the command alone, by the same name
    return "yes" if front == "python" or here.get(option) == fields[option] else "other"


def listed():
    """The rows of the table, with their reasons."""
    section = PAGE.read_text(encoding="utf-8").partition("\n## Front ends\n")[2]
    found = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if line.startswith("| `"):
            option, tasks, *front_ends, reason = cells
            for task in tasks.split(", "):
                assert (task, option.strip("`")) not in found
                found[task, option.strip("`")] = Row(*front_ends), reason
    return found


def test_the_table_lists_every_difference_with_a_reason():
    rows = listed()
    assert {key: row for key, (row, _) in rows.items()} == differences()
    assert all(reason for _, reason in rows.values())


def test_a_field_that_names_a_file_is_none_over_http_or_another():
    rows, files = side_by_side(), 0
    for name, task in TASKS.items():
        for one in task.asks.parameters():
            if one.option.metavar in ("FILE", "DIR", "MODEL", "KIND", "GOLD", "SYSTEM"):
                files += 1
                is_model = one.name in ("parser", "entity_model")  # the shelf knows only names
                assert rows[name, one.name].http in ("no", "other") or is_model, one.name
    assert files > 20
