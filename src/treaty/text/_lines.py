"""The lines of a text file, one at a time, however large the file is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from treaty._streams import Unreadable, chunks_of, is_live, limited, name_of
from treaty._threads import check_stopped
from treaty.errors import InputError

__all__ = ["PAUSE", "Fault", "Lines", "read_lines", "read_paragraphs", "read_text", "sound_lines"]

MOST_IN_A_LINE = 2**22
"""Maximum bytes of a line; a longer one means binary data or a decompression bomb."""
MOST_IN_A_TEXT = 2**28
"""Maximum bytes of a text that is read as a whole."""
MOST_IN_A_PARAGRAPH = 2**18
"""Characters after which text without blank lines is split, at the end of a line."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PAUSE = "".join(("a ", "pause"))
"""An object that stands for a pause among the lines of live input; other lines may equal it."""


class Fault(Unreadable):
    """An error in a line, or in a token whose line is not known yet."""

    def __init__(self, message: str, text: str, *, line: int = 0, token: int = 0) -> None:
        super().__init__(message, text)
        self.line, self.token = line, token


class Lines:
    """Decoded lines without line ends (LF or CRLF), read lazily.

    Bytes that are not UTF-8 become lone surrogates; call `check` on lines before using them. A
    reader can thus skip invalid lines and continue. Live input (see `treaty._live`) has the object
    `PAUSE` in the place of a line where it pauses.
    """

    def __init__(self, origin: str | Path | IO[Any], longest: int | None = None) -> None:
        self.origin, self.name = origin, name_of(origin)
        self.longest = longest or MOST_IN_A_LINE
        self.ended = True  # whether the last line read has a line end
        self.is_within = False  # whether, at a pause, a part of a line was read
        self._odd = False  # whether there was anything to reject
        self._is_live = is_live(origin)

    def __iter__(self) -> Iterator[str]:
        parts: list[bytes] = []  # of a line whose end was not read yet
        size, done = 0, 0
        try:
            for chunk in chunks_of(self.origin):
                if not chunk and self._is_live:
                    self.is_within = size > 0
                    yield PAUSE
                    continue
                whole, newline, rest = chunk.rpartition(b"\n")
                if newline:
                    lines = self._decode(_joined([*parts, whole], done))
                    done += len(lines)
                    yield from lines
                    parts, size = [], 0
                parts.append(rest)
                size += len(rest)
                if size > self.longest:
                    raise Unreadable(f"a line of more than {self.longest} bytes: is this text?")
        except Unreadable as error:  # the rest of the file cannot be read
            line = done + 1 if done else None
            raise InputError(error.message, path=self.name, line=line) from error
        if rest := _joined(parts, done):
            self.ended = False
            yield from self._decode(rest)

    def check(self, lines: list[str], first: int) -> None:
        """Raise `Fault` for lines that are not text; `first` is the number of the first line."""
        if self._odd:
            for number, line in enumerate(lines, first):
                _check(line, number)

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Split at blank lines; yield each block with the line number of its first line.

        A pause is a block without lines.
        """
        block: list[str] = []
        first, number = 1, 0
        for line in self:
            if line is PAUSE:
                yield number, []
                continue
            number += 1
            if line and not line.isspace():
                first = first if block else number
                block.append(line)
            elif block:
                yield first, block
                block = []
        if block:
            yield first, block

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


def _joined(parts: list[bytes], done: int) -> bytes:
    """Join the parts of a line; the first line may begin with a byte order mark."""
    data = b"".join(parts)
    return data if done else data.removeprefix(BYTE_ORDER_MARK)


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


def read_bytes(origin: str | Path | IO[Any], *, most: int = MOST_IN_A_TEXT) -> bytes:
    """Read a whole file; gzip and xz are decompressed. See `read_text`."""
    try:
        return b"".join(limited(chunks_of(origin), most))
    except Unreadable as error:
        raise InputError(error.message, path=name_of(origin)) from error


def read_text(origin: str | Path | IO[Any], *, most: int = MOST_IN_A_TEXT) -> str:
    r"""Read a whole plain text file, with every character unchanged.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8; gzip and xz are
        decompressed.
    most
        Maximum number of bytes, decompressed.

    Raises
    ------
    InputError
        When it is not text, or is too large.

    Examples
    --------
    >>> import io
    >>> read_text(io.StringIO("To be,\r\nor not to be."))
    'To be,\r\nor not to be.'
    """
    data = read_bytes(origin, most=most).removeprefix(BYTE_ORDER_MARK)
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


def read_paragraphs(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[str]:
    r"""Read plain text in pieces, however large the file is.

    A piece is a paragraph with the blank lines after it, or a block of lines where there are no
    blank lines. Joined, the pieces are the text, with LF for CRLF.

    Parameters
    ----------
    origin
        As in `read_text`.
    on_error
        Called with the error of an invalid line; the line is skipped and reading continues. By
        default the error is raised.

    Examples
    --------
    >>> import io
    >>> list(read_paragraphs(io.StringIO("To be,\nor not to be.\n\nThat is the question.")))
    ['To be,\nor not to be.\n\n', 'That is the question.']
    """
    yield from pieces_of(Lines(origin), on_error)


def pieces_of(
    lines: Lines,
    on_error: Callable[[InputError], object] | None = None,
    end_at_pause: Callable[[str], int] = len,
) -> Iterator[str]:
    """Join lines to the pieces of `read_paragraphs`.

    At a pause of live input, what has been read so far gives a piece up to `end_at_pause`, and
    after it ``""``.
    """
    pending, size, is_blank = list[str](), 0, False
    for line in sound_lines(lines, on_error):
        if line is PAUSE:
            text = "".join(pending)
            end = end_at_pause(text)
            if text[:end]:
                yield text[:end]
            yield ""
            pending, size = [text[end:]] if text[end:] else [], len(text) - end
            continue
        has_text = bool(line) and not line.isspace()
        if (has_text and is_blank) or size > MOST_IN_A_PARAGRAPH:
            yield "".join(pending)
            pending, size = [], 0
        pending.append(f"{line}\n" if lines.ended else line)
        size, is_blank = size + len(line) + 1, not has_text
    if pending:
        yield "".join(pending)


def read_lines(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[str]:
    r"""Read plain text line by line, blank lines left out.

    Parameters
    ----------
    origin, on_error
        As in `read_paragraphs`.

    Examples
    --------
    >>> import io
    >>> list(read_lines(io.StringIO("To be,\n\nor not to be.")))
    ['To be,', 'or not to be.']
    """
    lines = sound_lines(Lines(origin), on_error)
    return ("" if line is PAUSE else line for line in lines if line and not line.isspace())


def sound_lines(lines: Lines, on_error: Callable[[InputError], object] | None) -> Iterator[str]:
    """Yield the lines that are valid text; raise the errors of others, or pass them on."""
    number = 0
    for line in lines:
        if line is PAUSE:
            yield line
            continue
        number += 1
        if not number & 255:
            check_stopped()
        try:
            lines.check([line], number)
        except Fault as fault:
            error = InputError(fault.message, path=lines.name, line=number, text=fault.text)
            if on_error is None:
                raise error from None
            on_error(error)
        else:
            yield line
