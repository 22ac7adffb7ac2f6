"""Bytes in and text out: paths, standard and open streams, plain or compressed with gzip or xz."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from treaty.errors import OutputError

__all__ = ["Origin", "Unreadable", "chunks_of", "name_of", "peek", "replacing", "writing"]

Origin = str | Path | IO[Any]
"""A path, ``"-"`` for standard input, or an open stream."""

CHUNK = 2**16
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 2**28
"""More than this for its dictionary, and a file is a mistake or an attack."""


class Unreadable(Exception):  # noqa: N818 - becomes an InputError once file and line are known
    """Something that cannot be read as what it should be."""

    def __init__(self, message: str, text: str | None = None) -> None:
        super().__init__(message)
        self.message, self.text = message, text


def name_of(origin: Origin) -> str:
    """Name a file in messages."""
    if isinstance(origin, str | Path):
        return "<stdin>" if origin == "-" else str(origin)
    return str(getattr(origin, "name", "<stream>"))


def chunks_of(origin: Origin) -> Iterator[bytes]:
    """Read a file piece by piece, decompressed if its first bytes say that it is compressed.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open binary or text stream. Text comes as UTF-8.

    Raises
    ------
    Unreadable
        When the file cannot be read, or its compressed data are damaged or break off.
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
            f"the compressed data are damaged ({error}); fetch the file again"
        ) from error
    except EOFError as error:
        raise Unreadable("the compressed data break off; fetch the file again") from error
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path, an undecodable or a closed stream
        raise Unreadable(f"cannot be read: {error}") from error


class _Replayed:
    """A stream whose beginning was read already: that comes again, then the rest."""

    def __init__(self, name: str, head: bytes, rest: Iterator[bytes]) -> None:
        self.name, self._head, self._rest = name, head, rest

    def read(self, _size: int = -1) -> bytes:
        head, self._head = self._head, b""
        return head or next((chunk for chunk in self._rest if chunk), b"")


def peek(origin: Origin, enough: Callable[[bytes], bool]) -> tuple[bytes, Origin]:
    """Look at the beginning of a file, decompressed, without losing it.

    Parameters
    ----------
    origin
        As in `chunks_of`.
    enough
        Tells whether the beginning is long enough; a shorter file is read to its end.

    Returns
    -------
    bytes, origin
        The beginning, and what to read the whole from: the same path, or a stream in the place of
        one that can be read only once.
    """
    chunks, head = chunks_of(origin), b""
    for chunk in chunks:
        head += chunk
        if enough(head):
            break
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
        # read1 hands over what a pipe holds now, where read would wait for a full chunk.
        read = getattr(stream, "read1", stream.read)
        while chunk := read(CHUNK):
            # A text stream may hold lone surrogates; as bytes they are seen not to be UTF-8.
            yield chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "surrogatepass")


def _decompressed(
    head: bytes, rest: Iterator[bytes], new_engine: Callable[[], Any]
) -> Iterator[bytes]:
    """Decompress in bounded pieces; a file may be several compressed streams end to end."""
    engine, data, part = new_engine(), head, b""
    while data or len(part) == CHUNK:  # a full piece: more of it may be waiting in the engine
        if engine.eof:
            engine = new_engine()
        part = engine.decompress(data, CHUNK)
        yield part
        if engine.eof:
            data, part = engine.unused_data, b""
        else:  # zlib hands back what it has not used yet, lzma keeps it
            data = b"" if isinstance(engine, lzma.LZMADecompressor) else engine.unconsumed_tail
        if not data and len(part) < CHUNK:
            data = next(rest, b"")
    if not engine.eof:
        raise EOFError


@contextmanager
def writing(target: str | Path | IO[str]) -> Iterator[Callable[[str], object]]:
    """Open a file to write text into.

    The text goes to a file beside the target that takes its place at the end: a failure leaves the
    old file as it was, and the old file may be read meanwhile.

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
    """Open a file to write bytes into, that takes the place of the target when all is written.

    It has a name of its own in the same folder, so that two writers do not mix; it is on the disk
    before it is renamed. A failure leaves the old file as it was. Links are followed, permissions
    are kept; devices and pipes are written through.

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
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path, a surrogate in a text
        raise OutputError(target, error) from error


def _take_rights(name: str, path: Path) -> None:
    """Give a new file the rights of the one it replaces, or those that new files have."""
    if path.exists():
        old = path.stat()
        Path(name).chmod(old.st_mode & 0o7777)
        with suppress(OSError):  # only root may give files away
            os.chown(name, old.st_uid, old.st_gid)
    else:
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)


def _sync_folder(folder: Path) -> None:
    """See to it that a rename outlives a power cut, where the system can."""
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
        if suffix == ".gz":  # neither name nor time: the same text gives the same bytes
            packed = stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
        elif suffix == ".xz":
            packed = stack.enter_context(lzma.open(stream, "wb"))
        text = io.TextIOWrapper(packed, "utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()
