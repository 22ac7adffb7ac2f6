"""The lines of a text file, one after the other, however large it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from treaty._streams import Unreadable, chunks_of, name_of
from treaty.errors import InputError

__all__ = ["Fault", "Lines", "read_text"]

MOST_IN_A_LINE = 2**22
"""No line of a corpus is longer; what has one is not text, or a decompression bomb."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Fault(Unreadable):
    """Something wrong with a line, or with a token whose line is not known yet."""

    def __init__(self, message: str, text: str, *, line: int = 0, token: int = 0) -> None:
        super().__init__(message, text)
        self.line, self.token = line, token


class Lines:
    """Lines without their ends (LF or CRLF), decoded, and read as they are asked for.

    Bytes that are not UTF-8 come as lone surrogates; lines should be shown to `check` before use.
    So a reader can skip what is faulty and go on.
    """

    def __init__(self, origin: str | Path | IO[Any]) -> None:
        self.origin, self.name = origin, name_of(origin)
        self._odd = False  # whether there has been anything to refuse

    def __iter__(self) -> Iterator[str]:
        rest, done = b"", 0
        try:
            for chunk in chunks_of(self.origin):
                data = rest + chunk
                if not done:
                    data = data.removeprefix(BYTE_ORDER_MARK)
                whole, newline, rest = data.rpartition(b"\n")
                if newline:
                    lines = self._decode(whole)
                    done += len(lines)
                    yield from lines
                if len(rest) > MOST_IN_A_LINE:
                    raise Unreadable(f"a line of more than {MOST_IN_A_LINE} bytes: is this text?")
        except Unreadable as error:  # nothing of the file is left to go on with
            line = done + 1 if done else None
            raise InputError(error.message, path=self.name, line=line) from error
        if rest:
            yield from self._decode(rest)

    def check(self, lines: list[str], first: int) -> None:
        """Refuse what no line of a text may hold; `first` is the number of the first line."""
        if self._odd:
            for number, line in enumerate(lines, first):
                _check(line, number)

    def _decode(self, data: bytes) -> list[str]:
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
            self._odd |= b"\r" in data
        self._odd |= b"\0" in data
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode(errors="surrogateescape")
            self._odd = True
        return text.split("\n")


def _check(line: str, number: int) -> None:
    if "\0" in line:
        raise Fault("a NUL byte: not a text file, or a damaged one", line, line=number)
    if "\r" in line:
        raise Fault(
            "a carriage return within the line; end lines with LF or CRLF", line, line=number
        )
    for character in line:
        if "\udc80" <= character <= "\udcff":
            byte = ord(character) - 0xDC00
            message = f"not UTF-8 (byte 0x{byte:02X}); convert the file with iconv or recode"
            shown = line.encode(errors="surrogateescape").decode(errors="replace")
            raise Fault(message, shown, line=number)


def read_text(origin: str | Path | IO[Any]) -> str:
    r"""Read a whole file of plain text, every character as it is.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8. What is compressed with
        gzip or xz is decompressed.

    Raises
    ------
    InputError
        When it is not text.

    Examples
    --------
    >>> import io
    >>> read_text(io.StringIO("To be,\r\nor not to be."))
    'To be,\r\nor not to be.'
    """
    try:
        data = b"".join(chunks_of(origin)).removeprefix(BYTE_ORDER_MARK)
    except Unreadable as error:
        raise InputError(error.message, path=name_of(origin)) from error
    text = data.decode(errors="surrogateescape")
    if "\0" in text or not data.isascii():
        for number, line in enumerate(text.split("\n"), 1):
            try:
                _check(line.replace("\r", ""), number)
            except Fault as fault:
                raise InputError(
                    fault.message, path=name_of(origin), line=number, text=fault.text
                ) from None
    return text
