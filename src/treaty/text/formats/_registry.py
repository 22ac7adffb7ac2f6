"""The formats of files: a line each, and how they are told apart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from treaty._streams import Origin, Unreadable, name_of, peek
from treaty.errors import InputError, UsageError
from treaty.text.formats._collections import COLLECTIONS, LONGEST_LINE
from treaty.text.formats._columns import COLUMNS
from treaty.text.formats._compressions import COMPRESSIONS
from treaty.text.formats._conllu import CONLLU, CONLLX
from treaty.text.formats._email import EMAIL
from treaty.text.formats._epub import EPUB
from treaty.text.formats._format import Beginning, Format
from treaty.text.formats._html import HTML
from treaty.text.formats._mbox import MBOX
from treaty.text.formats._office import OFFICE
from treaty.text.formats._pdf import PDF
from treaty.text.formats._plain import TEXT
from treaty.text.formats._subtitles import SUBTITLES
from treaty.text.formats._summaries import SUMMARIES
from treaty.text.formats._tables import CSV
from treaty.text.formats._threads import THREADS

__all__ = [
    "DOCUMENTS",
    "EMPTY",
    "FORMATS",
    "JSON",
    "KnownFile",
    "document_format",
    "format_named",
    "recognize",
    "suffix_of",
]

JSON = Format(
    "json",
    "JSON lines of an unknown kind",
    suffixes=(".jsonl",),
    matches=lambda beginning: beginning.is_object,
    cut="lines",
)
EMPTY = Format("empty", "nothing", matches=lambda beginning: not beginning.filled)
FORMATS = (
    TEXT,  # what matches nothing else
    HTML,
    SUBTITLES,
    EMAIL,
    MBOX,
    EPUB,
    OFFICE,
    PDF,
    CONLLX,
    CONLLU,
    THREADS,
    COMPRESSIONS,
    COLLECTIONS,
    SUMMARIES,
    JSON,
    CSV,
    COLUMNS,
    EMPTY,
)
"""All formats. The first one of those behind text that matches is taken."""
DOCUMENTS = tuple(one for one in FORMATS if one.is_document)
"""Those of documents."""
PACKED = (".gz", ".xz")
WHOLE_LINE = re.compile(rb"^(?!#)[^\S\n]*+[^\s][^\n]*+\n", re.MULTILINE)
"""A line that is neither blank nor a comment, with its end."""
ENOUGH = 1000
"""Bytes by which documents are told apart."""


class KnownFile(NamedTuple):
    """A file whose format is known.

    Attributes
    ----------
    format
        Its format.
    origin
        What to read it from: for a file that can be read only once, such as standard input, a
        stream that replaces it.
    """

    format: Format
    origin: Origin


def format_named(name: str) -> Format:
    """Return the format of a name.

    Raises
    ------
    UsageError
        When there is none.

    Examples
    --------
    >>> format_named("subtitles").suffixes
    ('.srt', '.vtt')
    """
    for one in FORMATS:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in FORMATS)
    raise UsageError(f"there is no format {name!r}: there are {names}")


def recognize(origin: Origin) -> KnownFile:
    r"""Tell the format of a file by its first lines, or else by its name.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.

    Returns
    -------
    KnownFile
        Its format, and what to read it from.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> import io
    >>> file = recognize(io.StringIO("Rome\tB-LOC\nsleeps\tO\n"))
    >>> file.format.name, file.origin.read()
    ('columns', b'Rome\tB-LOC\nsleeps\tO\n')
    """
    try:
        head, whole = peek(origin, _is_enough)
    except Unreadable as error:
        raise InputError(error.message, path=name_of(origin)) from error
    beginning = Beginning(head)
    found = next((one for one in FORMATS[1:] if one.matches(beginning)), TEXT)
    named = _named(name_of(origin), FORMATS)
    if named is not None and named.magic == found.magic and (found is TEXT or found.magic):
        found = named  # the content says nothing, or only that it is an archive
    return KnownFile(found, whole)


def document_format(origin: Origin) -> KnownFile:
    """Tell how to read a document: by its name, or else by its content.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> import io
    >>> document_format(io.StringIO("<p>It rained.")).format.name
    'html'
    """
    named = _named(name_of(origin), DOCUMENTS)
    if named is not None and named is not TEXT:
        return KnownFile(named, origin)
    try:
        head, whole = peek(origin, lambda data: len(data) >= ENOUGH)
    except Unreadable as error:
        raise InputError(error.message, path=name_of(origin)) from error
    beginning = Beginning(head)
    found = (one for one in DOCUMENTS[1:] if one.matches(beginning))
    return KnownFile(next(found, TEXT), whole)


def suffix_of(name: str) -> str:
    """Return the suffix of a file name, in lower case, without that of its compression.

    >>> suffix_of("a.TXT.gz")
    '.txt'
    """
    path = Path(name.lower())
    return (path.with_suffix("") if path.suffix in PACKED else path).suffix


def _named(name: str, formats: tuple[Format, ...]) -> Format | None:
    suffix = suffix_of(name)
    return next((one for one in formats if suffix in one.suffixes), None)


def _is_enough(head: bytes) -> bool:
    """Return whether there is a complete line that is neither blank nor a comment."""
    return len(head) > LONGEST_LINE or WHOLE_LINE.search(head) is not None
