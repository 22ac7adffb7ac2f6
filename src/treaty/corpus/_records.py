"""Objects of JSON, one a line: read, and checked field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

from treaty.corpus._lines import Fault, Lines
from treaty.errors import InputError

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
NAMES = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


def read_records(
    origin: str | Path | IO[Any],
    make: Callable[[dict[str, Any]], Value],
    *,
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[Value]:
    r"""Read objects of JSON, one a line, and make something of each.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8. What is compressed with
        gzip or xz is decompressed. Blank lines are skipped.
    make
        Called with the dictionary of each line; `dict` leaves it as it is. Where it raises
        ``KeyError``, ``IndexError``, ``TypeError`` or ``ValueError``, an `InputError` names the
        line.
    on_error
        What to call with the error of a faulty line; the line is skipped and reading goes on. By
        default the error is raised.

    Raises
    ------
    InputError
        When a line is no object of JSON, or `make` refuses it.

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
            raise Fault(f"not what was expected: {error}", line) from error

    return records_of(Lines(origin), read, on_error)


def records_of(
    lines: Lines, read: Callable[[str], Value], on_error: Callable[[InputError], object] | None
) -> Iterator[Value]:
    """Read every line that is not blank; raise the errors of faulty ones, or hand them over."""
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
    """Read an object of JSON; the dictionary is the caller's to take apart."""
    try:
        record = json.loads(line, parse_constant=_no_constant)
        if "\\ud" in line.lower():  # half a character, that no file can hold
            shown(record).encode()
    except UnicodeEncodeError:
        raise Fault("half of a surrogate pair: no character", line) from None
    except json.JSONDecodeError as error:
        raise Fault(f"no JSON: {error.msg} at column {error.colno}", line) from None
    except (ValueError, RecursionError) as error:  # a number of a million digits, endless brackets
        raise Fault(f"JSON that cannot be read: {error}", line) from None
    return checked(record, dict, "a line")


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON's")


def identity(record: dict[str, Any], what: str, name: str = "id") -> str | int | None:
    """Take the identity out of a record: a text or a whole number, if it is there."""
    value = record.pop(name, None)
    return value if value is None or type(value) is int else checked(value, str, what)


def optional(record: dict[str, Any], name: str, what: str) -> str | None:
    """Take a text out of a record, if it is there."""
    value = record.pop(name, None)
    return None if value is None else checked(value, str, what)


def checked(value: object, kind: type[Value], what: str) -> Value:
    """Refuse what is of another kind."""
    if type(value) is not kind:
        raise Fault(f"{what}: expected {NAMES[kind]}", shown(value))
    return value


def shown(value: object) -> str:
    """Show a value as it stands in the file."""
    return json.dumps(value, ensure_ascii=False)
