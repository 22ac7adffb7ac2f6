"""JSON objects, one per line, read and validated field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

from treaty.errors import InputError
from treaty.text._data import parse_json
from treaty.text._lines import Fault, Lines

__all__ = [
    "checked",
    "identity",
    "object_of",
    "optional",
    "read_records",
    "records_of",
    "shown",
]

Value = TypeVar("Value")
NAMES = {str: "a string", int: "an integer", list: "a list", dict: "an object"}


def read_records(
    origin: str | Path | IO[Any],
    make: Callable[[dict[str, Any]], Value],
    *,
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[Value]:
    r"""Read JSON objects, one per line, and convert each of them.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8; gzip and xz are
        decompressed. Blank lines are skipped.
    make
        Called with the dictionary of each line; `dict` leaves it unchanged. If it raises
        ``KeyError``, ``IndexError``, ``TypeError`` or ``ValueError``, this becomes an `InputError`
        with the line.
    on_error
        Called with the error of an invalid line; the line is skipped and reading continues. By
        default the error is raised.

    Raises
    ------
    InputError
        When a line is not a JSON object, or `make` rejects it.

    Examples
    --------
    >>> import io
    >>> list(read_records(io.StringIO('{"n": 1}\n\n{"n": 2}\n'), lambda record: record["n"]))
    [1, 2]
    """

    def read(line: str) -> Value:
        try:
            return make(object_of(line))
        except KeyError as error:
            raise Fault(f"the field {error} is missing", line) from error
        except (IndexError, TypeError, ValueError) as error:
            raise Fault(f"not a valid record: {error}", line) from error

    return records_of(Lines(origin), read, on_error)


def records_of(
    lines: Lines, read: Callable[[str], Value], on_error: Callable[[InputError], object] | None
) -> Iterator[Value]:
    """Read every line that is not blank; raise the errors of invalid lines, or pass them on."""
    for number, line in enumerate(lines, 1):
        if not line or line.isspace():
            continue
        try:
            lines.check([line], number)
            value = read(line)
        except Fault as fault:
            error = InputError(fault.message, path=lines.name, line=number, text=fault.text)
            if on_error is None:
                raise error from None
            on_error(error)
        else:
            yield value


def object_of(line: str) -> dict[str, Any]:
    """Parse a JSON object; the caller may modify the dictionary."""
    return checked(parse_json(line), dict, "a line")


def identity(record: dict[str, Any], what: str, name: str = "id") -> str | int | None:
    """Remove and return the id of a record: a string or an integer, or None if it is missing."""
    value = record.pop(name, None)
    return value if value is None or type(value) is int else checked(value, str, what)


def optional(record: dict[str, Any], name: str, what: str) -> str | None:
    """Remove and return a string field of a record, or None if it is missing."""
    value = record.pop(name, None)
    return None if value is None else checked(value, str, what)


def checked(value: object, kind: type[Value], what: str) -> Value:
    """Return the value, or raise `Fault` if it is of another type."""
    if type(value) is not kind:
        raise Fault(f"{what}: expected {NAMES[kind]}", shown(value))
    return value


def shown(value: object) -> str:
    """Format a value as in the file."""
    return json.dumps(value, ensure_ascii=False)
