"""What a file format is: its names, how files of it are recognized, and how a document is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.text._article import Article
from treaty.text._data import parse_json
from treaty.text._lines import Fault, read_text

__all__ = ["Beginning", "Cut", "Format", "never", "some_text"]

Cut = Literal["whole", "lines", "blocks", "paragraphs"]
"""Where a file may be cut: nowhere, after any line, after blank lines, between paragraphs."""


class Beginning:
    r"""The beginning of a file, in the forms by which formats are recognized.

    Parameters
    ----------
    data
        The first bytes, decompressed; all of a short file.

    Examples
    --------
    >>> Beginning(b"# a comment\n\nIt rained.\n").rows
    ['It rained.']
    """

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def text(self) -> str:
        """The text; what is not UTF-8 is replaced."""
        return self.data.decode("utf-8-sig", errors="replace")

    @cached_property
    def filled(self) -> list[str]:
        """The lines that are not blank, without the last one, which may be cut off."""
        whole, newline, _ = self.text.rpartition("\n")
        lines = (line.rstrip("\r") for line in (whole if newline else self.text).split("\n"))
        return [line for line in lines if line.strip()]

    @cached_property
    def rows(self) -> list[str]:
        """The lines that are neither blank nor comments."""
        return [line for line in self.filled if not line.startswith("#") or "\t" in line]

    @cached_property
    def is_object(self) -> bool:
        """Whether the first line begins as an object of JSON does."""
        return bool(self.filled) and self.filled[0].lstrip().startswith("{")

    @cached_property
    def record(self) -> dict[str, Any]:
        """The object of JSON in the first line; empty if there is none."""
        try:
            found = parse_json(self.filled[0]) if self.is_object else {}
        except Fault:
            return {}
        return found if isinstance(found, dict) else {}


def never(_: Beginning) -> bool:
    """Recognize nothing: files of such a format are known by their names alone."""
    return False


@dataclass(frozen=True, eq=False)
class Format:
    """A file format.

    Attributes
    ----------
    name
        The name in options, such as ``html``.
    title
        The name in messages and help, such as HTML.
    suffixes
        How names of files end. They count where the content says nothing.
    media_types
        The names in HTTP.
    matches
        Tells by the beginning of a file whether it has this format.
    article
        Reads a document: text, title, author, date. None for data of other kinds.
    magic
        The first bytes of all files, for formats that are no text.
    cut
        Where a large file can be divided so that its parts are read as in the whole.

    Examples
    --------
    >>> from treaty.text.formats import format_named
    >>> html = format_named("html")
    >>> html.title, html.suffixes, html.is_document
    ('HTML', ('.htm', '.html', '.xhtml'), True)
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    matches: Callable[[Beginning], bool] = never
    article: Callable[[Origin], Article] | None = None
    magic: bytes = b""
    cut: Cut = "whole"

    def __str__(self) -> str:
        """Return the title."""
        return self.title

    @property
    def is_document(self) -> bool:
        """Whether files hold text whose sentences and words are to be found."""
        return self.article is not None

    @property
    def is_text(self) -> bool:
        """Whether files are text, and no archive."""
        return not self.magic


def some_text(origin: Origin) -> str:
    """Read a whole file of text.

    Raises
    ------
    InputError
        When it cannot be read, or is empty.
    """
    text = read_text(origin)
    if not text:
        raise InputError("the file is empty: expected an article", path=name_of(origin))
    return text
