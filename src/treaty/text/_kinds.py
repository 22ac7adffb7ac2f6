"""Detection of the kind of a file from its content."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from treaty._streams import Origin, Unreadable, name_of, peek
from treaty.errors import InputError
from treaty.text._articles import BEGINNINGS
from treaty.text._collection import LONGEST_LINE
from treaty.text._data import parse_json
from treaty.text._lines import Fault
from treaty.text._subtitles import is_subtitles

__all__ = ["FileKind", "KnownFile", "recognize"]


class FileKind(StrEnum):
    """Kinds of files; the values are used in messages."""

    CONLLU = "CoNLL-U"
    CONLLX = "CoNLL-X"
    COLUMNS = "columns with labels"
    THREADS = "threads (JSON lines)"
    COLLECTIONS = "collections of documents (JSON lines)"
    SUMMARIES = "summaries (JSON lines)"
    COMPRESSIONS = "compressed sentences (JSON lines)"
    JSON = "JSON lines of an unknown kind"
    HTML = "HTML"
    SUBTITLES = "subtitles"
    EMAIL = "e-mail"
    OFFICE = "a word processor's file"
    PDF = "PDF"
    TEXT = "plain text"
    EMPTY = "nothing"


class KnownFile(NamedTuple):
    """A file with its kind.

    Attributes
    ----------
    kind
        The kind of the file.
    origin
        What to read it from: for a file that can be read only once, such as standard input, a
        stream that replaces it.
    """

    kind: FileKind
    origin: Origin


LISTS = {
    "posts": FileKind.THREADS,
    "source_tokens": FileKind.COMPRESSIONS,
    "kept": FileKind.COMPRESSIONS,
    "documents": FileKind.COLLECTIONS,
}
"""Keys of lists in the objects of each kind."""
ROW = re.compile(r"[1-9]\d*([-.]\d+)?(\t[^\t]+){9}")
"""A line of CoNLL-U or CoNLL-X."""
PROJECTIVE_HEAD = re.compile(r"([^\t]*\t){8}\d+\t[^\t]*")
"""A line of CoNLL-X, whose ninth column is a head."""
WHOLE_LINE = re.compile(rb"^(?!#)[^\S\n]*+[^\s][^\n]*+\n", re.MULTILINE)
"""A line that is neither blank nor a comment, with its end."""
BINARY = {b"PK\x03\x04": FileKind.OFFICE, b"%PDF-": FileKind.PDF}
"""How files begin that are no text; word processors' are ZIP archives."""
LABEL = re.compile(r"O|[BIESLUM]-\S+")
SUFFIXES = {
    FileKind.CONLLU: (".conllu", ".conll"),
    FileKind.COLUMNS: (".tsv", ".bio", ".iob", ".iob2", ".bioes", ".bilou", ".col", ".columns"),
    FileKind.JSON: (".jsonl",),
    FileKind.SUBTITLES: (".srt", ".vtt"),
    FileKind.EMAIL: (".eml",),
}
"""Kinds by file name, for files whose first lines are inconclusive: damaged or without labels."""


def recognize(origin: Origin) -> KnownFile:
    r"""Detect the kind of a file from its first lines, or else from its name.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.

    Returns
    -------
    KnownFile
        Its kind, and what to read it from.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> import io
    >>> file = recognize(io.StringIO("Rome\tB-LOC\nsleeps\tO\n"))
    >>> file.kind.name, file.origin.read()
    ('COLUMNS', b'Rome\tB-LOC\nsleeps\tO\n')
    """
    try:
        head, whole = peek(origin, _is_enough)
    except Unreadable as error:
        raise InputError(error.message, path=name_of(origin)) from error
    kind = _kind_of(head)
    if kind is FileKind.TEXT:
        name = re.sub(r"\.(gz|xz)$", "", name_of(origin).lower())
        kind = next((known for known, ends in SUFFIXES.items() if name.endswith(ends)), kind)
    return KnownFile(kind, whole)


def _is_enough(head: bytes) -> bool:
    """Return whether there is a complete line that is neither blank nor a comment."""
    return len(head) > LONGEST_LINE or WHOLE_LINE.search(head) is not None


def _kind_of(head: bytes) -> FileKind:
    for beginning, kind in BINARY.items():
        if head.startswith(beginning):
            return kind
    text = head.decode("utf-8-sig", errors="replace")
    whole, newline, _ = text.rpartition("\n")  # the last line may be truncated
    lines = [line.rstrip("\r") for line in (whole if newline else text).split("\n")]
    filled = [line for line in lines if line.strip()]
    tokens = [line for line in filled if not line.startswith("#") or "\t" in line]
    if not filled:
        return FileKind.EMPTY
    if tokens and ROW.fullmatch(tokens[0]):
        is_x = len(tokens) == len(filled) and all(map(PROJECTIVE_HEAD.fullmatch, tokens))
        return FileKind.CONLLX if is_x else FileKind.CONLLU
    if filled[0].lstrip().startswith("{"):
        return _kind_of_object(filled[0])
    if filled[0].lstrip().lower().startswith(BEGINNINGS):
        return FileKind.HTML
    if is_subtitles(text):
        return FileKind.SUBTITLES
    return FileKind.COLUMNS if tokens and all(map(_is_labeled, tokens)) else FileKind.TEXT


def _kind_of_object(line: str) -> FileKind:
    try:
        record = parse_json(line)
    except Fault:
        return FileKind.JSON
    for name, kind in LISTS.items():
        if isinstance(record.get(name), list):
            return kind
    if "summary" in record:
        return FileKind.SUMMARIES
    return FileKind.COLLECTIONS if "sentences" in record else FileKind.JSON


def _is_labeled(line: str) -> bool:
    cells = line.split("\t") if "\t" in line else line.split()
    return len(cells) > 1 and LABEL.fullmatch(cells[-1]) is not None
