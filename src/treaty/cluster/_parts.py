"""Parts of the input: where files can be cut so that each part is read as in the whole file."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from treaty._streams import GZIP, XZ, Unreadable, chunks_of
from treaty.errors import InputError
from treaty.text._lines import BYTE_ORDER_MARK, MOST_IN_A_PARAGRAPH
from treaty.text.formats import Cut

__all__ = ["Part", "Source", "content_of", "fetch", "is_url", "parts_of", "parts_of_items"]

PART_BYTES = 2**15
"""Size of a part of a file in bytes: some hundred sentences, a second of parsing."""
WINDOW = 2**24
"""Bytes of a file that are looked at together."""
MOST_PIECES = 8
"""Pieces that a part is divided into when it cannot be done as a whole."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: a file or URL that workers may open, or content that is sent to them.

    Parameters
    ----------
    name
        Its name in messages, and the path or URL of a file.
    cut
        Where it may be cut.
    content
        The bytes, if workers cannot read them under that name.
    kind
        What it holds, for the job.
    """

    name: str
    cut: Cut = "whole"
    content: bytes | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a source.

    Attributes
    ----------
    name
        Its place in the order of all parts, such as ``00012``; pieces of it append ``-3``.
    source
        The name of the source.
    begin, end
        Its bytes in the source; of items in memory, their numbers.
    line
        Number of lines before it.
    sha256
        Hash of its content: workers refuse a file that was changed.
    shipped
        Whether the content is sent to the worker, because the source is no file it can open.
    cut
        Where it may be divided further.
    kind
        What it holds, for the job.
    """

    name: str
    source: str
    begin: int
    end: int
    line: int
    sha256: str
    shipped: bool = False
    cut: Cut = "whole"
    kind: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes, for the manifest."""
        return asdict(self)


def is_url(name: str) -> bool:
    """Return whether this is a URL that fsspec opens, such as ``s3://bucket/file``.

    Examples
    --------
    >>> is_url("s3://crawl/part.txt"), is_url("notes.txt")
    (True, False)
    """
    scheme, colon, _ = name.partition("://")
    return bool(colon) and scheme.replace("+", "").isalnum()


def fetch(name: str, begin: int = 0, end: int | None = None) -> bytes:
    """Read bytes of a file or URL."""
    if is_url(name):
        import fsspec

        found: bytes = fsspec.filesystem(name.partition("://")[0]).cat_file(
            name, start=begin, end=end
        )
        return found
    with Path(name).open("rb") as stream:
        stream.seek(begin)
        return stream.read() if end is None else stream.read(end - begin)


def parts_of(
    sources: Iterable[Source], size: int = PART_BYTES, first: int = 0
) -> Iterator[tuple[Part, bytes]]:
    r"""Divide sources into parts of about this size, each with its content.

    Read one after the other, the parts give what the whole sources give.

    Raises
    ------
    InputError
        When a source cannot be read.

    Examples
    --------
    >>> found = parts_of([Source("x", "lines", b"a\nb\nc")], size=3)
    >>> [(part.begin, part.end, part.line) for part, _ in found]
    [(0, 4, 0), (4, 5, 2)]
    """
    number = first
    for source in sources:
        for part, content in _divided(source, size):
            yield replace(part, name=f"{number:06}", kind=source.kind), content
            number += 1


def pieces_of(part: Part, content: bytes) -> list[tuple[Part, bytes]]:
    """Divide a part into a few pieces; one piece if it cannot be divided."""
    size = max(1, len(content) // MOST_PIECES)
    found = []
    for number, (piece, data) in enumerate(_cut_up(part.source, part.cut, content, size)):
        moved = replace(
            piece,
            name=f"{part.name}-{number:03}",
            begin=part.begin + piece.begin,
            end=part.begin + piece.end,
            line=part.line + piece.line,
            shipped=part.shipped,
            kind=part.kind,
        )
        found.append((moved, data))
    return found


def _divided(source: Source, size: int) -> Iterator[tuple[Part, bytes]]:
    if source.content is not None:
        for part, data in _cut_up(source.name, source.cut, source.content, size):
            yield replace(part, shipped=True), data
        return
    try:
        begin = line = 0
        for window, is_last in _windows(source, size):
            carried = b""
            for part, data in _cut_up(source.name, source.cut, window, size):
                if part.end == len(window) and not is_last:
                    carried = data  # a part ends where the next begins, and that is not read yet
                    break
                at, end = begin + part.begin, begin + part.end
                yield replace(part, begin=at, end=end, line=line + part.line), data
            line += window.count(b"\n") - carried.count(b"\n")
            begin += len(window) - len(carried)
    except _Packed as packed:
        content = b"".join(chunks_of(io.BytesIO(packed.content)))
        yield from _divided(replace(source, content=content), size)
    except (OSError, ValueError, Unreadable) as error:
        cause = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {cause}", path=source.name) from error


class _Packed(Exception):  # noqa: N818 - nothing went wrong
    """The file is compressed: it cannot be opened in the middle."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content


def _windows(source: Source, size: int) -> Iterator[tuple[bytes, bool]]:
    """Read a file bit by bit; each window begins with what the one before has left over."""
    step = max(WINDOW, 2 * size)
    begin, end = 0, step
    data = fetch(source.name, 0, step)
    if data.startswith((GZIP, XZ)):
        raise _Packed(fetch(source.name))
    if source.cut == "whole":
        yield (data + fetch(source.name, step) if len(data) == step else data), True
        return
    while len(data) == end - begin:
        lines = data[: data.rfind(b"\n") + 1]  # what the rest of a line is tells where to cut
        if lines:
            yield lines, False
            cuts = list(_ends(lines, source.cut, size))
            begin += cuts[-2][0] if len(cuts) > 1 else 0
        end += step
        data = fetch(source.name, begin, end)
    yield data, True


def _cut_up(name: str, cut: Cut, content: bytes, size: int) -> Iterator[tuple[Part, bytes]]:
    begin = line = 0
    for end, lines in _ends(content, cut, size):
        data = content[begin:end]
        yield Part("", name, begin, end, line, content_hash(data), cut=cut), data
        begin, line = end, lines


def content_hash(data: bytes) -> str:
    """Hash the content of a part."""
    return hashlib.sha256(data).hexdigest()


def _ends(content: bytes, cut: Cut, size: int) -> Iterator[tuple[int, int]]:
    """Yield the ends of parts, and the number of lines before each."""
    begin = line = 0
    if cut != "whole" and len(content) > size:
        for place, lines in PLACES[cut](content):
            if place - begin >= size and not content.startswith(BYTE_ORDER_MARK, place):
                yield place, lines
                begin, line = place, lines
    if begin < len(content) or not begin:
        yield len(content), line


def _lines(content: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the begin of each line, the number of lines before it, and its bytes."""
    begin = number = 0
    while begin < len(content):
        end = content.find(b"\n", begin) + 1 or len(content)
        yield begin, number, content[begin:end]
        begin, number = end, number + 1


def _after_lines(content: bytes) -> Iterator[tuple[int, int]]:
    return ((begin, number) for begin, number, _ in _lines(content) if begin)


def _after_blank(content: bytes) -> Iterator[tuple[int, int]]:
    blank = False
    for begin, number, line in _lines(content):
        now = _is_blank(line)
        if blank and not now:
            yield begin, number
        blank = now


def _between_paragraphs(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the begins of the pieces that `treaty.text.read_paragraphs` makes."""
    size, blank, begun = 0, False, False
    for begin, number, raw in _lines(content):
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if not number:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not (characters := _sound_length(line)) and line:
            continue  # not text: skipped by the reader
        text = not _is_blank(line)
        if begun and ((text and blank) or size > MOST_IN_A_PARAGRAPH):
            yield begin, number
            size = 0
        size, blank, begun = size + characters + 1, not text, True


def _sound_length(line: bytes) -> int:
    """Count the characters of a line; 0 if it is not text."""
    if b"\0" in line or b"\r" in line:
        return 0
    try:
        return len(line.decode())
    except UnicodeDecodeError:
        return 0


def _is_blank(line: bytes) -> bool:
    if not line.strip():
        return True
    return not line.isascii() and line.decode(errors="replace").isspace()


PLACES: dict[str, Callable[[bytes], Iterator[tuple[int, int]]]] = {
    "lines": _after_lines,
    "blocks": _after_blank,
    "paragraphs": _between_paragraphs,
}


def parts_of_items(
    items: Iterable[Any], size: int, source: str = "items", kind: str = "", first: int = 0
) -> Iterator[tuple[Part, bytes]]:
    """Group items in memory; the content of a part is their pickle."""
    group: list[Any] = []
    number, begin = first, 0

    def made() -> tuple[Part, bytes]:
        data = pickle.dumps(group, protocol=5)
        part = Part(
            f"{number:06}", source, begin, begin + len(group), 0, content_hash(data), shipped=True,
            kind=kind,
        )  # fmt: skip
        return part, data

    for item in items:
        group.append(item)
        if len(group) == size:
            yield made()
            begin, number, group = begin + size, number + 1, []
    if group:
        yield made()


def content_of(part: Part) -> bytes:
    """Read the content of a part on a worker, and check that it is what was planned.

    Raises
    ------
    FileNotFoundError
        When this machine does not have the file.
    InputError
        When the file is another one than at the start of the run.
    """
    data = fetch(part.source, part.begin, part.end)
    if content_hash(data) != part.sha256:
        raise InputError("the file was changed during the run; start it again", path=part.source)
    return data


def item_pieces(part: Part, content: bytes) -> list[tuple[Part, bytes]]:
    """Divide a part of items into a few pieces."""
    items: Sequence[Any] = pickle.loads(content)  # made by this process
    size = max(1, -(-len(items) // MOST_PIECES))
    return [
        (replace(piece, name=f"{part.name}-{number:03}", begin=part.begin + piece.begin,
                 end=part.begin + piece.end), data)
        for number, (piece, data) in enumerate(parts_of_items(items, size, part.source, part.kind))
    ]  # fmt: skip
