"""A document: its text, and what its file says about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Article", "Section"]


class Section(NamedTuple):
    """A part of a document with a title, such as a chapter.

    Attributes
    ----------
    title
        As in the table of contents.
    start
        Where it begins in the text, in characters. It ends where the next one begins.
    """

    title: str
    start: int


@dataclass(slots=True)
class Article:
    """A published text.

    Attributes
    ----------
    text
        The body, with blank lines between paragraphs; it does not include the title.
    title, date
        As given, or None.
    id
        Its id in the collection.
    source
        Where it comes from, such as a file.
    more
        All other fields that were read.
    author
        Who wrote it, as given, or None.
    sections
        Its chapters, if the file has a table of contents.

    Examples
    --------
    >>> Article("It rained.", title="Weather", date="2024-05-01").title
    'Weather'
    """

    text: str
    title: str | None = None
    date: str | None = None
    id: str | int | None = None
    source: str | None = None
    more: dict[str, Any] = field(default_factory=dict)
    author: str | None = None
    sections: tuple[Section, ...] = ()
