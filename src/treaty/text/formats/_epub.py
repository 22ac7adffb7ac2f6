"""Books: EPUB, an archive of chapters in XHTML, with a table of contents."""

from __future__ import annotations

import codecs
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.text._article import Article, Section
from treaty.text.formats._format import Beginning, Format
from treaty.text.formats._html import Page

if TYPE_CHECKING:
    import zipfile

__all__ = ["EPUB"]

ZIP, MARK = b"PK\x03\x04", b"mimetypeapplication/epub+zip"
"""How archives begin, and what is in the first one of a book's entries."""
CONTAINER, LOCKS = "META-INF/container.xml", "META-INF/encryption.xml"


@dataclass
class _Package:
    """The package file: metadata, the files of the book, and their order."""

    facts: dict[str, str] = field(default_factory=dict)  # title, creator, date
    files: dict[str, str] = field(default_factory=dict)  # by id
    spine: list[str] = field(default_factory=list)  # ids, in the order of reading
    contents: str = ""  # id of the table of contents
    inside: str = ""  # the element of a fact that is open

    def start(self, tag: str, values: dict[str, str]) -> None:
        """Begin an element."""
        if tag == "item":
            self.files[values.get("id", "")] = values.get("href", "")
            if "nav" in values.get("properties", "").split():
                self.contents = values.get("id", "")
        elif tag == "spine":
            self.contents = self.contents or values.get("toc", "")
        elif tag == "itemref" and values.get("linear") != "no":
            self.spine.append(values.get("idref", ""))
        elif tag in ("title", "creator", "date"):
            if tag == "creator" and "creator" in self.facts:
                self.facts[tag] += ", "
                self.inside = tag
            elif tag not in self.facts:
                self.inside = tag

    def end(self, _: str) -> None:
        """End an element."""
        self.inside = ""

    def text(self, text: str) -> None:
        """Take the text of a fact."""
        if self.inside:
            self.facts[self.inside] = self.facts.get(self.inside, "") + text

    def fact(self, name: str) -> str | None:
        """Return a fact, None if there is none."""
        return " ".join(self.facts.get(name, "").split()) or None


@dataclass
class _Contents:
    """The table of contents: titles of files. XHTML of EPUB 3 has links, NCX of EPUB 2 labels."""

    titles: dict[str, str] = field(default_factory=dict)
    label: str = ""
    target: str = ""
    depth: int = 0  # of the elements that hold a label

    def start(self, tag: str, values: dict[str, str]) -> None:
        """Begin an element."""
        if tag in ("a", "navLabel"):
            self.label, self.target = "", values.get("href", "")
            self.depth += 1
        elif tag == "content":
            self.add(values.get("src", ""))

    def end(self, tag: str) -> None:
        """End an element."""
        if tag in ("a", "navLabel"):
            self.depth -= 1
            self.add(self.target)

    def text(self, text: str) -> None:
        """Take the text of a label."""
        if self.depth:
            self.label += text

    def add(self, target: str) -> None:
        """Add a title, unless the file has one: later ones are those of its parts."""
        if target and (title := " ".join(self.label.split())):
            self.titles.setdefault(unquote(target.partition("#")[0]), title)


def _article(origin: Origin) -> Article:
    from treaty.text.formats._archive import MOST_BYTES, XmlReader, opened, part_of

    path = name_of(origin)
    with opened(origin, "EPUB") as archive:
        names = _values(archive, CONTAINER, "rootfile", "full-path", path)
        if not names:
            raise InputError("is an archive that names no book: expected .epub", path=path)
        package = _Package()
        reader = XmlReader(path, package.start, package.end, package.text)
        reader.read(part_of(archive, names[0], path))
        files = {one: _beside(names[0], href) for one, href in package.files.items()}
        titles = {}
        if (contents := files.get(package.contents)) in archive.namelist() and contents:
            table = _Contents()
            XmlReader(path, table.start, table.end, table.text).read(
                part_of(archive, contents, path)
            )
            titles = {_beside(contents, href): title for href, title in table.titles.items()}
        chapters = [files[one] for one in package.spine if files.get(one) not in (None, contents)]
        locked = {unquote(uri) for uri in _values(archive, LOCKS, "CipherReference", "URI", path)}
        if not locked.isdisjoint(chapters):
            raise InputError("the book is encrypted: its text cannot be read", path=path)
        text, sections, room = "", list[Section](), MOST_BYTES
        for chapter in chapters:
            data = part_of(archive, chapter, path, room)
            room -= len(data)
            if body := Page(_decoded(data)).text:
                text += "\n\n" if text else ""
                sections += [Section(titles[chapter], len(text))] if chapter in titles else []
                text += body
    return Article(
        text,
        package.fact("title"),
        package.fact("date"),
        author=package.fact("creator"),
        sections=tuple(sections),
    )


def _values(archive: zipfile.ZipFile, part: str, tag: str, attribute: str, path: str) -> list[str]:
    """List the values of an attribute in a part of the archive, which need not be there."""
    from treaty.text.formats._archive import XmlReader, part_of

    found = list[str]()

    def start(name: str, values: dict[str, str]) -> None:
        if name == tag and values.get(attribute):
            found.append(values[attribute])

    if part in archive.namelist():
        XmlReader(path, start, lambda _: None, lambda _: None).read(part_of(archive, part, path))
    return found


def _beside(file: str, href: str) -> str:
    """Return the name of a file that another one refers to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), unquote(href)))


def _decoded(data: bytes) -> str:
    """Decode a chapter: UTF-8, or UTF-16 with its mark."""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8-sig", errors="replace")


def _matches(beginning: Beginning) -> bool:
    return beginning.data.startswith(ZIP) and MARK in beginning.data[:100]


EPUB = Format(
    "epub",
    "an EPUB book",
    suffixes=(".epub",),
    media_types=("application/epub+zip",),
    matches=_matches,
    article=_article,
    magic=ZIP,
)
