"""Tables with a text in each row: CSV, TSV and JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

from treaty._streams import Origin, peek
from treaty.errors import InputError
from treaty.text._lines import Fault, Lines
from treaty.text._records import object_of, records_of
from treaty.text.formats._format import Beginning, Format

__all__ = ["CSV", "Row", "rows_of"]

SEPARATORS = (",", "\t", ";")
LONGEST_CELL = 2**25
"""Maximum number of characters of a cell, and bytes of a line of JSON."""
USUAL_ID = "id"
OnError = Callable[[InputError], object]


class Row(NamedTuple):
    """A row of a table.

    Attributes
    ----------
    number
        Its number, from 1, without the header.
    id
        The value of its id column; None if there is no such column.
    text
        Its text.
    more
        The other fields.
    """

    number: int
    id: str | None
    text: str
    more: dict[str, Any]


def rows_of(
    origin: Origin, field: str, id_field: str | None = None, on_error: OnError | None = None
) -> Iterator[Row]:
    r"""Read the rows of a table one at a time: CSV, TSV, or an object of JSON a line.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed. The
        first row of CSV and TSV has the names of the fields. Cells may be quoted, and have line
        breaks.
    field
        The name of the field with the text.
    id_field
        The name of the field with the ids; by default ``"id"``, if there is one.
    on_error
        Called with the error of an invalid row; the row is skipped and reading continues. By
        default the error is raised.

    Raises
    ------
    InputError
        When there is no such field, with those that there are.

    Examples
    --------
    >>> import io
    >>> table = io.StringIO('id,text\nk1,"It rained,\nand poured."\n')
    >>> [(row.id, row.text) for row in rows_of(table, "text")]
    [('k1', 'It rained,\nand poured.')]
    """
    head, whole = peek(origin, lambda data: b"\n" in data)
    lines = Lines(whole, LONGEST_CELL)
    if Beginning(head).is_object:
        return _objects(lines, field, id_field, on_error)
    return _cells(lines, field, id_field, on_error)


def _objects(
    lines: Lines, field: str, id_field: str | None, on_error: OnError | None
) -> Iterator[Row]:
    numbers = count(1)

    def read(line: str) -> Row:
        number = next(numbers)
        record = object_of(line)
        if field not in record:
            raise Fault(f"there is no field {field!r}: there are {_listed(record)}", line)
        if id_field is not None and id_field not in record:
            raise Fault(f"there is no field {id_field!r}: there are {_listed(record)}", line)
        text = record.pop(field)
        if text is not None and not isinstance(text, str):
            raise Fault(f"the field {field!r} is not a text", json.dumps(text))
        key = record.get(id_field or USUAL_ID)
        return Row(number, None if key is None else str(key), text or "", record)

    return records_of(lines, read, on_error)


def _cells(
    lines: Lines, field: str, id_field: str | None, on_error: OnError | None
) -> Iterator[Row]:
    source = _Source(lines)
    first = next(source, "")
    if not first.strip():
        return
    csv.field_size_limit(LONGEST_CELL)
    names, separator = _header(first, field)
    lines.check([first.rstrip("\n")], 1)
    for name in (field, id_field):
        if name is not None and name not in names:
            message = f"there is no field {name!r}: there are {_listed(names)}"
            raise InputError(message, path=lines.name, line=1)
    key = id_field or (USUAL_ID if USUAL_ID in names else None)
    reader, number = csv.reader(source, delimiter=separator, strict=True), 0
    while True:
        line = source.done + 1
        try:
            if not (cells := next(reader)):
                continue
            number += 1
            lines.check([part for cell in cells for part in cell.split("\n")], line)
            if len(cells) != len(names):
                message = f"expected {len(names)} fields as in the header, found {len(cells)}"
                raise Fault(message, separator.join(cells), line=line)
        except StopIteration:
            return
        except (csv.Error, Fault) as error:
            text = error.text if isinstance(error, Fault) else None
            fault = InputError(str(error), path=lines.name, line=line, text=text)
            if on_error is None:
                raise fault from None
            on_error(fault)
        else:
            record = dict(zip(names, cells, strict=True))
            yield Row(number, record.get(key) if key else None, record.pop(field), record)


class _Source:
    """The lines of a table with their ends, as the reader of CSV takes them, and their number."""

    def __init__(self, lines: Lines) -> None:
        self.done, self._lines = 0, iter(lines)

    def __iter__(self) -> _Source:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.done += 1
        return f"{line}\n"


def _header(line: str, field: str) -> tuple[list[str], str]:
    """Return the names of the fields, and what separates them."""
    headers = []
    for separator in SEPARATORS:
        try:
            names = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            names = [line.rstrip("\n")]
        headers.append((field in names, len(names), names, separator))
    _, _, names, separator = max(headers, key=lambda one: one[:2])
    return names, separator


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names)) or "none"


CSV = Format("csv", "a table (CSV)", suffixes=(".csv",), media_types=("text/csv",))
