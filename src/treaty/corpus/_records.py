"""Objects of JSON, one a line: read, and checked field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from treaty.corpus._lines import Fault, Lines
from treaty.errors import InputError

__all__ = ["checked", "identity", "object_of", "optional", "records_of", "shown"]

Value = TypeVar("Value")
NAMES = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


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
