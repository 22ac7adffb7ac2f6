"""Documents that are ZIP archives of XML: they are read within bounds, and damage is reported."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from xml.parsers import expat

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.text._lines import read_bytes

__all__ = ["XmlReader", "opened", "part_of"]

MOST_BYTES = 2**26
"""Maximum size of a part, unpacked."""
FAULTS = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, OSError, LookupError, RuntimeError,
    ValueError,
)  # fmt: skip
"""What damaged archives raise, and those that are encrypted."""


@contextmanager
def opened(origin: Origin, kind: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive.

    Raises
    ------
    InputError
        When it, or what is read from it in the block, is damaged; `kind` is what was expected.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(origin))) as archive:
            yield archive
    except FAULTS as error:
        cause = str(error) or type(error).__name__
        raise InputError(f"cannot be read as {kind}: {cause}", path=name_of(origin)) from error


def part_of(archive: zipfile.ZipFile, name: str, path: str, most: int = MOST_BYTES) -> bytes:
    """Read a part of an archive.

    Raises
    ------
    InputError
        When it has more bytes than `most`.
    """
    with archive.open(name) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise InputError(f"its text has more than {most:,} bytes", path=path)
    return data


class XmlReader:
    """Reads XML tag by tag, and keeps nothing of it.

    Names come without their namespaces. Declarations of entities, which can expand without end,
    are refused.

    Parameters
    ----------
    path
        The name of the file, for messages.
    start, end, text
        Called with the name of a tag and its attributes, with the name, and with the text between.
    """

    def __init__(
        self,
        path: str,
        start: Callable[[str, dict[str, str]], object],
        end: Callable[[str], object],
        text: Callable[[str], object],
    ) -> None:
        self._path = path
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.EntityDeclHandler = self._refuse
        self._parser.CharacterDataHandler = text
        self._parser.StartElementHandler = lambda tag, values: start(_bare(tag), values)
        self._parser.EndElementHandler = lambda tag: end(_bare(tag))

    def read(self, data: bytes) -> None:
        """Read a whole document."""
        self._parser.Parse(data, True)

    def _refuse(self, *_: object) -> None:
        raise InputError("declares entities, which documents do not have", path=self._path)


def _bare(tag: str) -> str:
    return tag.rpartition(":")[2]
