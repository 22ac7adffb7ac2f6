"""The text of word processors' files: .docx (Office Open XML) and .odt (OpenDocument)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.text._article import Article
from treaty.text.formats._format import Format

__all__ = ["OFFICE", "office_text"]

PARTS = {"word/document.xml": ("t",), "content.xml": ("p", "h")}
"""The parts with the text, of .docx and .odt, and the elements that hold it."""
ZIP = b"PK\x03\x04"
"""How archives begin."""
PARAGRAPHS, CELLS, ROWS = {"p", "h"}, {"tc", "table-cell"}, {"tr", "table-row"}
SPACES = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " ", "noBreakHyphen": "-"}
SKIPPED = {"Fallback", "instrText", "delText", "del", "tracked-changes", "annotation", "note"}
"""What is not part of the text: twins of drawings, fields, changes, comments, footnotes."""
ITEMS = {"numPr", "list-item"}


def office_text(origin: Origin) -> str:
    """Return the text of a file: paragraphs with blank lines between, rows of tables with tabs.

    Raises
    ------
    InputError
        When it cannot be read, or is another kind of archive.
    """
    from treaty.text.formats._archive import XmlReader, opened, part_of

    name = name_of(origin)
    with opened(origin, ".docx or .odt") as archive:
        part = next((part for part in PARTS if part in archive.namelist()), None)
        if part is None:
            raise InputError("is an archive without text: expected .docx or .odt", path=name)
        found = _Text(PARTS[part])
        reader = XmlReader(name, found.start, found.end, found.text)
        reader.read(part_of(archive, part, name))
    return "".join(found.pieces).strip()


class _Text:
    """Collects the text of a part."""

    def __init__(self, texts: Collection[str]) -> None:
        self.pieces: list[str] = []
        self._texts = texts
        self._skipped = self._inside = self._cells = 0

    def start(self, tag: str, _: Any) -> None:
        """Begin an element."""
        if tag in SKIPPED:
            self._skipped += 1
        if self._skipped:
            return
        self._inside += tag in self._texts
        self._cells += tag in CELLS
        if tag in ITEMS:
            self.pieces.append("- ")
        elif tag in SPACES:
            self.pieces.append(SPACES[tag])

    def end(self, tag: str) -> None:
        """End an element."""
        if tag in SKIPPED:
            self._skipped -= 1
        elif not self._skipped:
            self._inside -= tag in self._texts
            self._cells -= tag in CELLS
            if tag in CELLS:
                self.pieces.append("\t")
            elif tag in ROWS:
                self.pieces.append("\n")
            elif tag in PARAGRAPHS:
                self.pieces.append(" " if self._cells else "\n\n")

    def text(self, text: str) -> None:
        """Add the text between two tags, if it is of the document."""
        if self._inside and not self._skipped:
            self.pieces.append(text)


def _article(origin: Origin) -> Article:
    return Article(office_text(origin).replace("\r\n", "\n").replace("\r", "\n"))


OFFICE = Format(
    "office",
    "a word processor's file",
    suffixes=(".docx", ".odt"),
    media_types=(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.oasis.opendocument.text",
    ),
    matches=lambda beginning: beginning.data.startswith(ZIP),
    article=_article,
    magic=ZIP,
)
