"""The text of word processors' files: .docx (Office Open XML) and .odt (OpenDocument)."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

from treaty._streams import name_of
from treaty.errors import InputError
from treaty.text._lines import read_bytes

__all__ = ["office_text"]

PARTS = {"word/document.xml": ("t",), "content.xml": ("p", "h")}
"""The parts with the text, of .docx and .odt, and the elements that hold it."""
MOST_BYTES = 2**26
"""Maximum size of the part, unpacked."""
CHUNK = 2**16
PARAGRAPHS, CELLS, ROWS = {"p", "h"}, {"tc", "table-cell"}, {"tr", "table-row"}
SPACES = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " ", "noBreakHyphen": "-"}
SKIPPED = {"Fallback", "instrText", "delText", "del", "tracked-changes", "annotation", "note"}
"""What is not part of the text: twins of drawings, fields, changes, comments, footnotes."""
ITEMS = {"numPr", "list-item"}
FAULTS = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, OSError, LookupError, RuntimeError,
    ValueError,
)  # fmt: skip
"""What damaged archives raise, and those that are encrypted."""


def office_text(origin: str | Path | IO[Any]) -> str:
    """Return the text of a file: paragraphs with blank lines between, rows of tables with tabs.

    Raises
    ------
    InputError
        When it cannot be read, or is another kind of archive.
    """
    name = name_of(origin)
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(origin))) as archive:
            part = next((part for part in PARTS if part in archive.namelist()), None)
            if part is None:
                raise InputError("is an archive without text: expected .docx or .odt", path=name)
            with archive.open(part) as stream:
                return _Reader(name, PARTS[part]).read(stream)
    except FAULTS as error:
        cause = str(error) or type(error).__name__
        raise InputError(f"cannot be read as .docx or .odt: {cause}", path=name) from error


class _Reader:
    """Collects the text of a part, tag by tag; nothing of it is kept as a tree."""

    def __init__(self, path: str, texts: Collection[str]) -> None:
        self.pieces: list[str] = []
        self._path, self._texts = path, texts
        self._skipped = self._inside = self._cells = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._refuse
        self._parser.buffer_text = True

    def read(self, stream: IO[bytes]) -> str:
        """Read a part to its end."""
        size = 0
        while chunk := stream.read(CHUNK):
            size += len(chunk)
            if size > MOST_BYTES:
                raise InputError(f"its text has more than {MOST_BYTES:,} bytes", path=self._path)
            self._parser.Parse(chunk, False)
        self._parser.Parse(b"", True)
        return "".join(self.pieces).strip()

    def _start(self, name: str, _: Any) -> None:
        tag = name.rpartition(":")[2]
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

    def _end(self, name: str) -> None:
        tag = name.rpartition(":")[2]
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

    def _text(self, text: str) -> None:
        if self._inside and not self._skipped:
            self.pieces.append(text)

    def _refuse(self, *_: Any) -> None:
        raise InputError("declares entities, which documents do not have", path=self._path)
