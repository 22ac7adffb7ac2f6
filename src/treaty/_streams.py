"""Byte input and text output: paths, standard and open streams, plain or compressed (gzip, xz)."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from treaty.errors import OutputError

__all__ = [
    "Origin",
    "Unreadable",
    "chunks_of",
    "limited",
    "name_of",
    "peek",
    "replacing",
    "writing",
]

Origin = str | Path | IO[Any]
"""A path, ``"-"`` for standard input, or an open stream."""

CHUNK = 2**16
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 2**28
"""Limit on the xz dictionary in bytes; a larger one is rejected as damaged or malicious."""


MOST_EXPANDED, EXPANSION = 2**28, 100
"""Bytes that compressed data may expand to in any case, and the factor beyond which more is a
decompression bomb; texts shrink to a tenth, rarely to a fiftieth."""
LIMIT = "TREATY_MOST_EXPANDED"
"""The environment variable that sets another limit."""


class Unreadable(Exception):  # noqa: N818 - becomes an InputError once file and line are known
    """Data that cannot be read in the expected format."""

    def __init__(self, message: str, text: str | None = None) -> None:
        super().__init__(message)
        self.message, self.text = message, text


def name_of(origin: Origin) -> str:
    """Return the name of a file for error messages."""
    if isinstance(origin, str | Path):
        return "<stdin>" if origin == "-" else str(origin)
    return str(getattr(origin, "name", "<stream>"))


def chunks_of(origin: Origin) -> Iterator[bytes]:
    """Read a file in chunks, decompressing it if its first bytes are those of gzip or xz.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open binary or text stream. Text comes as UTF-8.

    Raises
    ------
    Unreadable
        When the file cannot be read, or its compressed data are damaged or truncated.
    """
    raw = _raw_chunks(origin)
    try:
        head = b""
        while len(head) < len(XZ) and (chunk := next(raw, b"")):
            head += chunk
        if head.startswith(GZIP):
            yield from _decompressed(head, raw, lambda: zlib.decompressobj(wbits=31))
        elif head.startswith(XZ):
            yield from _decompressed(
                head, raw, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
            )
        else:
            yield head
            yield from raw
    except (lzma.LZMAError, zlib.error) as error:
        raise Unreadable(
            f"the compressed data are damaged ({error}); download the file again"
        ) from error
    except EOFError as error:
        raise Unreadable("the compressed data are truncated; download the file again") from error
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # NUL in the path, undecodable or closed stream
        raise Unreadable(f"cannot be read: {error}") from error


def limited(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Pass on chunks; raise `Unreadable` when there are more bytes than `most`."""
    for chunk in chunks:
        most -= len(chunk)
        if most < 0:
            raise Unreadable("the file is too large to be read as a whole; split it")
        yield chunk


class _Replayed:
    """A stream whose start was already read: it is returned again, then the rest."""

    def __init__(self, name: str, head: bytes, rest: Iterator[bytes]) -> None:
        self.name, self._head, self._rest = name, head, rest

    def read(self, _size: int = -1) -> bytes:
        head, self._head = self._head, b""
        return head or next((chunk for chunk in self._rest if chunk), b"")


def peek(origin: Origin, enough: Callable[[bytes], bool]) -> tuple[bytes, Origin]:
    """Read the start of a file, decompressed, without consuming it.

    Parameters
    ----------
    origin
        As in `chunks_of`.
    enough
        Returns whether the start is long enough; a shorter file is read to its end.

    Returns
    -------
    bytes, origin
        The start, and what to read the whole file from: the same path, or a stream that replaces
        one that can be read only once.
    """
    chunks, parts, size, asked = chunks_of(origin), list[bytes](), 0, 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size >= 2 * asked:  # twice as much each time, so that the time is linear
            parts, asked = [b"".join(parts)], size
            if enough(parts[0]):
                break
    head = b"".join(parts)
    if isinstance(origin, str | Path) and origin != "-" and Path(origin).is_file():
        return head, origin
    stream: Any = _Replayed(name_of(origin), head, chunks)
    return head, stream


def _raw_chunks(origin: Origin) -> Iterator[bytes]:
    with ExitStack() as stack:
        if origin == "-":
            stream = getattr(sys.stdin, "buffer", sys.stdin)
        elif isinstance(origin, str | Path):
            stream = stack.enter_context(Path(origin).open("rb"))
        else:
            stream = origin
        # read1 returns what the pipe holds now; read would wait for a full chunk.
        read = getattr(stream, "read1", stream.read)
        while chunk := read(CHUNK):
            # A text stream may hold lone surrogates; as bytes they are rejected as not UTF-8.
            yield chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "surrogatepass")


def _decompressed(
    head: bytes, rest: Iterator[bytes], new_engine: Callable[[], Any]
) -> Iterator[bytes]:
    """Decompress in bounded chunks; a file may hold several concatenated streams."""
    engine, data, part = new_engine(), head, b""
    room = _most_expanded() + EXPANSION * len(data)
    while data or len(part) == CHUNK:  # a full chunk: the decompressor may hold more
        if engine.eof:
            engine = new_engine()
        part = engine.decompress(data, CHUNK)
        room -= len(part)
        if room < 0:
            raise Unreadable(
                f"the compressed data expand to more than {EXPANSION} times their size: is this a "
                f"decompression bomb? If not, set {LIMIT} to the number of bytes to accept"
            )
        yield part
        if engine.eof:
            data, part = engine.unused_data, b""
        else:  # zlib returns unused input, lzma keeps it
            data = b"" if isinstance(engine, lzma.LZMADecompressor) else engine.unconsumed_tail
        if not data and len(part) < CHUNK:
            data = next(rest, b"")
            room += EXPANSION * len(data)
    if not engine.eof:
        raise EOFError


def _most_expanded() -> int:
    given = os.environ.get(LIMIT, "")
    if given and not (given.isdecimal() and given.isascii() and len(given) < 19):
        raise Unreadable(f"{LIMIT} must be a number of bytes, not {given[:20]!r}")
    return int(given or MOST_EXPANDED)


@contextmanager
def writing(target: str | Path | IO[str]) -> Iterator[Callable[[str], object]]:
    """Open a file to write text to.

    The text is written to a temporary file beside the target, which replaces the target at the end:
    on failure the old file is unchanged, and it can be read meanwhile.

    Parameters
    ----------
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
    """
    if not isinstance(target, str | Path):
        yield target.write
    elif target == "-":
        yield sys.stdout.write
    else:
        with replacing(target) as stream, _packed(stream, Path(target).suffix.lower()) as packed:
            yield packed.write


@contextmanager
def replacing(target: str | Path) -> Iterator[IO[bytes]]:
    """Open a temporary file to write bytes to; it replaces the target once all is written.

    The temporary file has a unique name in the same folder, so two writers do not mix, and is
    synced to disk before it is renamed. On failure the old file is unchanged. Symbolic links are
    followed and permissions kept; devices and pipes are written to directly.

    Raises
    ------
    OutputError
        When the file cannot be written.
    """
    try:
        path = Path(os.path.realpath(target))
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                yield stream
            return
        handle, name = tempfile.mkstemp(prefix=".treaty-", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            _take_rights(name, path)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except (OSError, ValueError) as error:  # ValueError: NUL in the path, surrogate in the text
        raise OutputError(target, error) from error


def _take_rights(name: str, path: Path) -> None:
    """Give a new file the owner and permissions of the one it replaces, or the default ones."""
    if path.exists():
        old = path.stat()
        Path(name).chmod(old.st_mode & 0o7777)
        with suppress(OSError):  # only root may change the owner
            os.chown(name, old.st_uid, old.st_gid)
    else:
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)


def _sync_folder(folder: Path) -> None:
    """Make sure that a rename survives a power failure, where the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _packed(stream: IO[bytes], suffix: str) -> Iterator[IO[str]]:
    with ExitStack() as stack:
        packed: Any = stream
        if suffix == ".gz":  # no name and time, so the same text gives the same bytes
            packed = stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        elif suffix == ".xz":
            packed = stack.enter_context(lzma.open(stream, "wb"))
        text = io.TextIOWrapper(packed, "utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()
