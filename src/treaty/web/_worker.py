"""The other side of the server: a process that works on one request at a time."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import struct
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from treaty.errors import UsageError
from treaty.web._caps import Limits
from treaty.web._context import Context
from treaty.web._operations import OPERATIONS, Format, Operation, describe, status_of
from treaty.web._requests import RequestBody
from treaty.web._shelf import Shelf
from treaty.web._stop import Stop

try:
    import resource
except ModuleNotFoundError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["BATCH_NAME", "HEAD", "SECONDS", "TYPES", "frame", "frames_of", "rehearse", "work"]

HEAD, SECONDS = struct.Struct("!cI"), struct.Struct("!d")
"""Each message between server and worker begins with its kind and length."""
TYPES = {
    "json": "application/json",
    "lines": "application/x-ndjson",
    "conllu": "text/x-conllu; charset=utf-8",
}
BATCH_NAME = "batch"
CHUNK_SECONDS, CHUNK_BYTES = 0.05, 2**16
FEW = 8
"""Number of messages that may be sent at once."""
GROWTH = 96 * 2**20
"""Bytes: a worker that has kept more memory than this of a request makes room for another."""


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    r"""Write a message.

    Examples
    --------
    >>> frame(b"E")
    b'E\x00\x00\x00\x00'
    """
    return HEAD.pack(kind, len(payload)) + payload


def work(channel: socket.socket, shelf: Shelf) -> None:
    """Answer requests until nobody sends any."""
    report = {"process": os.getpid(), "is_ready": shelf.is_ready}
    with channel, channel.makefile("rb") as stream, suppress(BrokenPipeError, ConnectionError):
        channel.sendall(frame(b"R", json.dumps(report).encode()))
        limits, base = Limits(), _bytes_of_data()
        while (message := _read(stream)) is not None:
            kind, payload = message
            if kind == b"S":
                limits = Limits.from_dict(json.loads(payload))
                _limit_memory(base, limits.memory)
                continue
            job, body = json.loads(payload), _read(stream)
            if body is None:
                return
            pending, is_live = list[bytes](), False
            for one in frames_of(job, body[1], shelf, limits):
                pending.append(one)
                if one[:1] == b"L":  # what follows is awaited, too
                    is_live = True
                    # If the server itself is killed, nobody is left to end work that hangs.
                    (seconds,) = SECONDS.unpack_from(one, HEAD.size)
                    signal.setitimer(signal.ITIMER_REAL, seconds + 2 * Limits.grace(seconds))
                if is_live or len(pending) > FEW:
                    channel.sendall(b"".join(pending))
                    pending.clear()
                    is_live = job["format"] != "json"
            signal.setitimer(signal.ITIMER_REAL, 0)
            spent = _bytes_of_data() > base + GROWTH
            channel.sendall(b"".join([*pending, frame(b"E", b"spent" if spent else b"")]))


def _read(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, size = HEAD.unpack(head)
    return kind, stream.read(size)


def _bytes_of_data() -> int:
    """Return how much memory this process has for its data."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()
    except (OSError, AttributeError):
        return 0


def _limit_memory(base: int, megabytes: int) -> None:
    if resource is not None and base:
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = base + megabytes * 2**20
        if most == resource.RLIM_INFINITY or wanted < most:
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def _lift_memory() -> None:
    """Allow what an error message needs."""
    if resource is not None:
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def frames_of(job: dict[str, Any], body: bytes, shelf: Shelf, limits: Limits) -> Iterator[bytes]:
    """Answer a request: messages with limits, the head, and the bits of its answer.

    Parameters
    ----------
    job
        The ``name`` of the operation, and the ``format`` of the answer.
    body
        The request.
    shelf, limits
        The models; what a request may take.
    """
    has_begun = False
    try:
        for kind, payload in _answers(job, body, shelf, limits):
            has_begun |= kind == b"H"
            yield frame(kind, payload)
        return
    except MemoryError:
        _lift_memory()
        message = (
            f"the work needs more than {limits.memory:,} MB: send less at once, or start the "
            "server with more --memory"
        )
        description: dict[str, Any] = {"kind": "MemoryError", "message": message}
        head: dict[str, Any] = {"status": 413}
    except ValidationError as error:
        description, head = {"kind": "UsageError", "message": faults_of(error)}, {"status": 422}
    except Exception as error:
        head = {"status": status_of(error)}
        if (known := describe(error)) is None:
            head["failure"] = _failure(error)
        description = known or {"kind": "ServerError", "message": "the server failed"}
    line = json.dumps({"error": description}).encode()
    if not has_begun:
        yield frame(b"H", json.dumps({**head, "type": TYPES["json"]}).encode())
    elif "failure" in head:
        yield frame(b"F", json.dumps(head["failure"]).encode())
    yield frame(b"B", line + (b"\n" if has_begun else b""))


def _answers(
    job: dict[str, Any], body: bytes, shelf: Shelf, limits: Limits
) -> Iterator[tuple[bytes, bytes]]:
    if job["name"] == BATCH_NAME:
        lines = batch_lines(body, lambda request: begin(request, shelf, limits))
        yield from _streamed(lines, TYPES["lines"])
        return
    operation = OPERATIONS[job["name"]]
    request = operation.request.model_validate_json(body)
    context = begin(request, shelf, limits)
    yield b"L", SECONDS.pack(context.stop.seconds)
    format: Format = job["format"]  # noqa: A001
    if format != "json":
        yield from _streamed(operation.texts(request, context, format), TYPES[format])
        return
    whole = operation.whole(request, context).encode()
    yield b"H", json.dumps({"status": 200, "type": TYPES[format], "length": len(whole)}).encode()
    yield from _bits(whole)


def begin(request: RequestBody, shelf: Shelf, limits: Limits) -> Context:
    """Start the clock of a request."""
    most = limits.time_limit
    stop = Stop(min(request.time_limit or most, most))
    return Context(shelf, stop, limits.caps)


def _streamed(texts: Iterator[str | float], kind: str) -> Iterator[tuple[bytes, bytes]]:
    """Collect what comes within a moment; numbers are limits of what begins now."""
    pending, size, until, has_begun = list[str](), 0, time.monotonic() + CHUNK_SECONDS, False
    head = b"H", json.dumps({"status": 200, "type": kind}).encode()
    for text in texts:
        if not isinstance(text, str):
            yield b"L", SECONDS.pack(text)
            continue
        pending.append(text)
        size += len(text)
        if size >= CHUNK_BYTES or time.monotonic() >= until:
            if not has_begun:
                has_begun = True
                yield head
            yield from _bits("".join(pending).encode())
            pending.clear()
            size, until = 0, time.monotonic() + CHUNK_SECONDS
    if not has_begun:
        yield head
    yield from _bits("".join(pending).encode())


def _bits(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    for start in range(0, len(data), CHUNK_BYTES):
        yield b"B", data[start : start + CHUNK_BYTES]


def rehearse(shelf: Shelf) -> None:
    """Answer the examples of all operations: what that loads or keeps is then shared by workers."""
    for operation in OPERATIONS.values():
        for example in operation.request.examples:
            request = operation.request.model_validate(example)
            operation.whole(request, Context(shelf, Stop(5.0)))


# Batches


def batch_lines(body: bytes, begun: Callable[[RequestBody], Context]) -> Iterator[str | float]:
    """Answer the lines of a batch one by one; an error is told in its line, and the rest goes on.

    Before the work on a line begins, its limit is yielded.

    Parameters
    ----------
    body
        Lines of JSON: the fields of a request, ``do`` (the name of the operation), and ``id``.
    begun
        Starts the clock of a request.
    """
    for number, line in enumerate(io.BytesIO(body), 1):
        if not line.strip():
            continue
        record: dict[str, Any] = {"id": number}
        try:
            operation, request, record["id"] = _line(line, number)
            context = begun(request)
            yield context.stop.seconds
            answer = operation.whole(request, context).strip()
            yield f'{json.dumps({**record, "status": 200})[:-1]}, "answer": {answer}}}\n'
        except ValidationError as error:
            record |= {"status": 422, "error": {"kind": "UsageError", "message": faults_of(error)}}
            yield json.dumps(record) + "\n"
        except MemoryError:
            raise
        except Exception as error:
            log_failure(error)
            known = describe(error) or {"kind": "ServerError", "message": "the server failed"}
            yield json.dumps({**record, "status": status_of(error), "error": known}) + "\n"


def _line(line: bytes, number: int) -> tuple[Operation, RequestBody, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError(f"line {number} is not JSON") from None
    if not isinstance(record, dict) or record.get("do") not in OPERATIONS:
        raise UsageError(f"line {number}: 'do' must be one of {', '.join(OPERATIONS)}")
    operation = OPERATIONS[record.pop("do")]
    name = record.pop("id", number)
    return operation, operation.request.model_validate(record), name


def faults_of(error: ValidationError) -> str:
    """Say what is wrong with a request, without quoting it."""
    faults = (
        f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}".removeprefix(": ")
        for one in error.errors(include_input=False, include_url=False)[:5]
    )
    return "; ".join(faults)


# Failures


def _failure(error: BaseException) -> dict[str, Any]:
    """Say where an unexpected error comes from, without its message: that may have texts."""
    places = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "places": places}


def log_failure(error: BaseException) -> None:
    """Log an unexpected error, if it is one."""
    if describe(error) is None:
        from treaty.web._guard import log

        log({"event": "failure", **_failure(error)})
