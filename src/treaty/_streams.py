"""Byte input and text output: paths, standard and open streams, plain or compressed (gzip, xz)."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import secrets
import stat
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from treaty._live import LiveInput
from treaty._threads import check_stopped
from treaty.errors import OutputError

__all__ = [
    "Origin", "Unreadable", "check_target", "chunks_of", "is_live", "limited", "name_of",
    "open_file", "peek", "replacing", "writing",
]  # fmt: skip

Origin = str | Path | IO[Any]
"""A path, ``"-"`` for standard input, or an open stream. Commands also pass a `LiveInput`."""

CHUNK = 2**16
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 2**28
"""Limit on the xz dictionary in bytes; a larger one is rejected as damaged or malicious."""


WRITER_PATIENCE = 30.0
"""Seconds in which somebody must begin to write to a named pipe."""
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
        From a `treaty._live.LiveInput`, an empty chunk is a pause.

    Raises
    ------
    Unreadable
        When the file cannot be read, or its compressed data are damaged or truncated.
    """
    raw = _raw_chunks(origin)
    try:
        head = b""
        while (
            head in (GZIP[: len(head)], XZ[: len(head)]) and (chunk := next(raw, None)) is not None
        ):
            head += chunk
        if head.startswith(GZIP):
            rest = filter(None, raw)
            yield from _decompressed(head, rest, lambda: zlib.decompressobj(wbits=31))
        elif head.startswith(XZ):
            rest = filter(None, raw)
            yield from _decompressed(
                head, rest, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
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


class _ReplayedLive:
    """A `LiveInput` whose start was already read."""

    def __init__(self, origin: LiveInput, head: bytes, rest: Iterator[bytes]) -> None:
        self.name, self._origin, self._head, self._rest = origin.name, origin, head, rest

    @property
    def silent(self) -> bool:
        return self._origin.silent

    def chunks(self) -> Iterator[bytes]:
        yield self._head
        yield from self._rest


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
    chunks, parts, size, tested = chunks_of(origin), list[bytes](), 0, 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size >= 2 * tested:  # twice as much each time, so that the time is linear
            parts, tested = [b"".join(parts)], size
            if enough(parts[0]):
                break
    head = b"".join(parts)
    if isinstance(origin, str | Path) and origin != "-" and Path(origin).is_file():
        return head, origin
    stream: Any = _Replayed(name_of(origin), head, chunks)
    if isinstance(origin, LiveInput):
        stream = _ReplayedLive(origin, head, chunks)
    return head, stream


def is_live(origin: Origin) -> bool:
    """Return whether reading from it tells of pauses."""
    return isinstance(origin, LiveInput | _ReplayedLive)


def _raw_chunks(origin: Origin) -> Iterator[bytes]:
    with ExitStack() as stack:
        if origin == "-":
            stream = getattr(sys.stdin, "buffer", sys.stdin)
        elif isinstance(origin, str | Path):
            stream = stack.enter_context(open_file(origin))
        elif isinstance(origin, LiveInput | _ReplayedLive):
            yield from origin.chunks()
            return
        else:
            stream = origin
        # read1 returns what the pipe holds now; read would wait for a full chunk.
        read = getattr(stream, "read1", stream.read)
        while chunk := read(CHUNK):
            check_stopped()
            # A text stream may hold lone surrogates; as bytes they are rejected as not UTF-8.
            yield chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "surrogatepass")


def open_file(path: str | Path) -> BufferedReader:
    """Open a file to read; of a named pipe that nobody writes to, that is told after a while.

    Raises
    ------
    OSError, ValueError
        With the cause.
    """
    path = Path(path)
    if not stat.S_ISFIFO(path.stat().st_mode):
        return path.open("rb")
    opened: list[BufferedReader | BaseException] = []

    def wait() -> None:
        try:
            opened.append(path.open("rb"))
        except BaseException as error:
            opened.append(error)

    def release() -> None:
        with suppress(OSError):  # let go of the thread, by a writer that has nothing to say
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        waiting.join(1.0)
        for one in opened:
            if not isinstance(one, BaseException):
                one.close()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    end = time.monotonic() + WRITER_PATIENCE
    try:
        while not opened and time.monotonic() < end:
            waiting.join(0.05)
            check_stopped()
    except BaseException:
        release()
        raise
    if not opened:
        release()
        message = f"it is a pipe that nobody writes to (for {WRITER_PATIENCE:g} s)"
        raise TimeoutError(errno.ETIMEDOUT, message)
    if isinstance(opened[0], BaseException):
        raise opened[0]
    return opened[0]


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
def writing(
    target: str | Path | IO[str], *, is_one_of_many: bool = False
) -> Iterator[Callable[[str], object]]:
    """Open a file to write text to.

    The text is written to a temporary file beside the target, which replaces the target at the end:
    on failure the old file is unchanged, and it can be read meanwhile.

    Parameters
    ----------
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
    is_one_of_many
        Whether it does not matter if the new file is missing after a power failure; what is there
        is complete in any case.
    """
    if not isinstance(target, str | Path):
        yield target.write
    elif target == "-":
        yield sys.stdout.write
    else:
        suffix = Path(target).suffix.lower()
        with (
            replacing(target, is_one_of_many=is_one_of_many) as stream,
            _packed(stream, suffix) as packed,
        ):
            yield packed.write


@contextmanager
def replacing(target: str | Path, *, is_one_of_many: bool = False) -> Iterator[IO[bytes]]:
    """Open a temporary file to write bytes to; it replaces the target once all is written.

    The temporary file has a unique name in the same folder, so two writers do not mix, and is
    synced to disk before it is renamed. On failure the old file is unchanged. Symbolic links are
    followed and permissions kept; devices and pipes are written to directly.

    Raises
    ------
    OutputError
        When the file cannot be written.
    """
    with _telling(target):
        old = check_target(target)
    if old is not None and not stat.S_ISREG(old.st_mode):
        with _telling(target):
            stream = io.BufferedWriter(_File(target, os.open(target, os.O_WRONLY)))
        with _closing(stream, target):
            yield stream
        return
    path = Path(os.path.realpath(target))
    name = path.with_name(f".treaty-{secrets.token_hex(8)}.part")
    rights = 0o666 if old is None else 0o600  # a new file gets what the umask leaves
    try:  # a signal may come as soon as the file is there
        with _telling(target):
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights)
        stream = io.BufferedWriter(_File(target, handle))
        with _closing(stream, target):
            yield stream
            stream.flush()
            with _telling(target):
                os.fsync(handle)
        with _telling(target):
            if old is not None:
                _take_rights(name, old)
            name.replace(path)
    except BaseException:
        with suppress(OSError):
            name.unlink()
        raise
    if not is_one_of_many:
        _sync_folder(path.parent)


def check_target(target: str | Path) -> os.stat_result | None:
    """Check that a file may be written; return what is there now, None if nothing is.

    Raises
    ------
    OSError, ValueError
        With the cause.
    """
    try:
        old = os.stat(target)  # noqa: PTH116 - also of what is in /dev/fd
    except FileNotFoundError:
        old = None
    if old is not None and stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a directory")
    if old is not None:
        _require(target, os.W_OK)
    if old is None or stat.S_ISREG(old.st_mode):
        path = Path(target)
        folder = (Path(os.path.realpath(path)) if path.is_symlink() else path).parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no directory {folder}")
        _require(folder, os.W_OK | os.X_OK, f" (the folder {folder})")
    return old


def _require(path: str | Path, rights: int, where: str = "") -> None:
    if not os.access(path, rights):
        is_fixed = os.statvfs(path).f_flag & os.ST_RDONLY
        code = errno.EROFS if is_fixed else errno.EACCES
        raise OSError(code, f"{os.strerror(code)}{where}")


class _File(io.FileIO):
    """A file that tells its errors from those of the code that computes what it writes."""

    def __init__(self, target: str | Path, handle: int) -> None:
        super().__init__(handle, "wb")
        self._target = target

    def write(self, data: Any, /) -> int:
        """Write some bytes; returns how many."""
        with _telling(self._target):
            return super().write(data)


@contextmanager
def _telling(target: str | Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: NUL in the path
        raise OutputError(target, error) from error


@contextmanager
def _closing(stream: IO[bytes], target: str | Path) -> Iterator[None]:
    """Close a stream; if it is not complete, without writing what is left in its buffer."""
    try:
        yield
    except BaseException as error:
        with suppress(OSError, OutputError):
            stream.close()
        if isinstance(error, UnicodeEncodeError):  # a lone surrogate in the text
            raise OutputError(target, error) from error
        raise
    with _telling(target):
        stream.close()


def _take_rights(name: Path, old: os.stat_result) -> None:
    """Give a new file the owner and permissions of the old one, as far as the system allows."""
    with suppress(OSError):  # only root may change the owner
        os.chown(name, old.st_uid, old.st_gid)
    with suppress(OSError):  # not all file systems have permissions
        name.chmod(stat.S_IMODE(old.st_mode))


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
