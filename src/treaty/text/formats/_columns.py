"""Column files: one token per line, its label in the last column, blank lines between sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from treaty._streams import writing
from treaty.errors import InputError, UsageError
from treaty.text._lines import Fault, Lines
from treaty.text.formats._format import Format

__all__ = ["COLUMNS", "ColumnSentence", "read_columns", "write_columns"]

LABEL = re.compile(r"O|[BIESLUM]-\S+")
SEPARATORS = {"tab": "\t", "space": None}


@dataclass(slots=True)
class ColumnSentence:
    """The rows of a sentence in a column file.

    Attributes
    ----------
    rows
        The cells of each token: the word, any other columns, and the label.
    comments
        The comment lines before the first token, with their ``#``.

    Examples
    --------
    >>> sentence = ColumnSentence([("Cats", "NNS", "O"), ("sleep", "VBP", "O")])
    >>> sentence.words, sentence.labels, sentence.column(1)
    (['Cats', 'sleep'], ['O', 'O'], ['NNS', 'VBP'])
    """

    rows: list[tuple[str, ...]]
    comments: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def words(self) -> list[str]:
        """The first column."""
        return [row[0] for row in self.rows]

    @property
    def labels(self) -> list[str]:
        """The last column."""
        return [row[-1] for row in self.rows]

    def column(self, number: int) -> list[str]:
        """Return a column, counted from 0."""
        return [row[number] for row in self.rows]

    def with_labels(self, labels: Sequence[str]) -> ColumnSentence:
        """Replace the last column with other labels, or append them if there are only words."""
        rows = [
            (*(row[:-1] if len(row) > 1 else row), label)
            for row, label in zip(self.rows, labels, strict=True)
        ]
        return ColumnSentence(rows, list(self.comments))

    def to_text(self, separator: str = "tab") -> str:
        r"""Write the sentence as lines of a column file, with the final blank line.

        Examples
        --------
        >>> ColumnSentence([("Rome", "B-LOC")]).to_text("space")
        'Rome B-LOC\n\n'
        """
        if separator not in SEPARATORS:
            raise UsageError(f"separator must be 'tab' or 'space', not {separator!r}")
        if separator == "tab":
            lines = [*self.comments, *("\t".join(row) for row in self.rows)]
            return "".join(f"{line}\n" for line in [*lines, ""])
        for cell in (cell for row in self.rows for cell in row):
            if len(cell.split()) != 1:
                raise UsageError(f"{cell!r} contains spaces: use separator='tab'")
        return "".join(f"{' '.join(row)}\n" for row in self.rows) + "\n"


def read_columns(
    origin: str | Path | IO[Any],
    *,
    separator: str | None = None,
    columns: int | None = None,
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[ColumnSentence]:
    r"""Read the sentences of a column file one at a time, however large the file is.

    Every line is a token; its cells are separated by one tab, or by white space. In files separated
    by tabs, a line that starts with ``#`` and has no tab is a comment (tokens may start with ``#``,
    too). Blank lines end a sentence.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    separator
        ``"tab"`` or ``"space"``; by default tabs if the first lines contain any.
    columns
        Number of cells per line; by default that of the first line.
    on_error
        Called with the error of an invalid sentence; the sentence is skipped and reading continues.
        By default the error is raised.

    Raises
    ------
    InputError
        With file, line, cause and the offending text.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO("# id = 1\nCats\tO\n#cute\tO\n\nRome\tB-LOC\n")
    >>> for sentence in read_columns(file):
    ...     print(sentence.words, sentence.labels, sentence.comments)
    ['Cats', '#cute'] ['O', 'O'] ['# id = 1']
    ['Rome'] ['B-LOC'] []
    """
    if separator is not None and separator not in SEPARATORS:
        raise UsageError(f"separator must be 'tab' or 'space', not {separator!r}")
    return _sentences(Lines(origin), separator, columns, on_error)


def _sentences(
    lines: Lines,
    separator: str | None,
    columns: int | None,
    on_error: Callable[[InputError], object] | None,
) -> Iterator[ColumnSentence]:
    for first, block in lines.blocks():
        if not block:  # a pause
            yield ColumnSentence([])
            continue
        if separator is None:
            separator = "tab" if any("\t" in line for line in block) else "space"
        try:
            lines.check(block, first)
            sentence = _sentence(block, first, separator, columns)
        except Fault as fault:
            error = InputError(fault.message, path=lines.name, line=fault.line, text=fault.text)
            if on_error is None:
                raise error from None
            on_error(error)
        else:
            if sentence.rows:
                columns = columns or len(sentence.rows[0])
            if sentence.rows or sentence.comments:
                yield sentence


def _sentence(block: list[str], first: int, separator: str, columns: int | None) -> ColumnSentence:
    sentence = ColumnSentence([])
    for number, line in enumerate(block, first):
        cells = tuple(line.split(SEPARATORS[separator]))
        if separator == "tab" and len(cells) == 1 and columns != 1:
            if not line.startswith("#"):
                raise Fault(
                    "no tab: expected a token, a tab and a label, or a comment that starts with #",
                    line,
                    line=number,
                )
            sentence.comments.append(line)
            continue
        columns = columns or len(cells)
        if len(cells) != columns:
            raise Fault(f"expected {columns} columns, found {len(cells)}", line, line=number)
        if not all(cells):
            raise Fault("a cell is empty; write _ for an empty value", line, line=number)
        sentence.rows.append(cells)
    return sentence


def write_columns(
    sentences: Iterable[ColumnSentence], target: str | Path | IO[str], *, separator: str = "tab"
) -> None:
    r"""Write sentences as they arrive.

    Parameters
    ----------
    sentences
        The sentences, possibly from a generator.
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
    separator
        ``"tab"``, or ``"space"``, which does not allow comments or spaces in cells.

    Examples
    --------
    >>> import sys
    >>> write_columns([ColumnSentence([("Rome", "B-LOC")])], sys.stdout, separator="space")
    Rome B-LOC
    <BLANKLINE>
    """
    with writing(target) as write:
        for sentence in sentences:
            write(sentence.to_text(separator))


def _is_labeled(line: str) -> bool:
    cells = line.split("\t") if "\t" in line else line.split()
    return len(cells) > 1 and LABEL.fullmatch(cells[-1]) is not None


COLUMNS = Format(
    "columns",
    "columns with labels",
    suffixes=(".tsv", ".bio", ".iob", ".iob2", ".bioes", ".bilou", ".col", ".columns"),
    media_types=("text/tab-separated-values",),
    matches=lambda beginning: bool(beginning.rows) and all(map(_is_labeled, beginning.rows)),
)
