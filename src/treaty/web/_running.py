"""From a request to its answer: work in a thread, while the client is watched."""

from __future__ import annotations

import asyncio
import json
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from treaty.errors import UsageError
from treaty.web._context import Context
from treaty.web._gate import Gate
from treaty.web._guard import Receive, Scope, Send, log
from treaty.web._operations import OPERATIONS, Format, Operation, describe, status_of
from treaty.web._requests import Asked
from treaty.web._settings import Settings
from treaty.web._shelf import Shelf
from treaty.web._stop import Gone, Stop

__all__ = ["Runner", "Streamed", "batch_lines", "format_of"]

TYPES = {
    "json": "application/json",
    "lines": "application/x-ndjson",
    "conllu": "text/x-conllu; charset=utf-8",
}
ACCEPTED: dict[str, Format] = {
    "application/json": "json",
    "application/x-ndjson": "lines",
    "application/jsonl": "lines",
    "text/x-conllu": "conllu",
    "text/conllu": "conllu",
}
CHUNK_SECONDS, CHUNK_CHARACTERS = 0.05, 2**16
CLIENT_GONE = 499


def format_of(accept: str, operation: Operation) -> Format:
    """Choose a format by the ``Accept`` header; JSON unless another one is asked for.

    Examples
    --------
    >>> format_of("text/x-conllu", OPERATIONS["parse"]), format_of("*/*", OPERATIONS["parse"])
    ('conllu', 'json')
    """
    for part in accept.split(","):
        found = ACCEPTED.get(part.partition(";")[0].strip().lower())
        if found == "conllu" and not operation.has_trees:
            raise UsageError(f"{operation.name} has no trees to write as CoNLL-U")
        if found is not None:
            return found
    return "json"


class Runner:
    """Runs operations.

    Parameters
    ----------
    settings, shelf, gate
        Limits, models, and threads.
    """

    def __init__(self, settings: Settings, shelf: Shelf, gate: Gate) -> None:
        self.settings, self.shelf, self.gate = settings, shelf, gate

    def context(self, asked: Asked) -> Context:
        """Start the clock of a request."""
        most = self.settings.time_limit
        return Context(self.shelf, Stop(min(asked.time_limit or most, most)))

    async def answer(self, operation: Operation, asked: Asked, request: Request) -> Response:
        """Answer a request."""
        request.scope["treaty.route"] = operation.name
        format = format_of(request.headers.get("accept", ""), operation)  # noqa: A001
        await self.gate.enter(client := _client(request))
        context = self.context(asked)
        if format != "json":
            texts = operation.texts(asked, context, format)
            return await self.streamed(request, client, context.stop, texts, TYPES[format])
        future = self.gate.run(lambda: operation.whole(asked, context).encode())
        future.add_done_callback(lambda _: self.gate.leave(client))
        try:
            body = await watched(request.scope, request.receive, future, context.stop)
        except Exception as error:
            return failure(error, request.scope)
        return Response(body, media_type=TYPES["json"], headers={"cache-control": "no-store"})

    async def streamed(
        self, request: Request, client: str, stop: Stop, texts: Iterator[str], kind: str
    ) -> Response:
        """Answer bit by bit; an error before the first bit has a status of its own."""
        made = Streamed(self.gate, client, stop, texts, kind)
        try:
            await made.begin(request.scope, request.receive)
        except Exception as error:
            return failure(error, request.scope)
        return made


class Streamed(Response):
    """An answer that is sent while it is made, no faster than the client reads it."""

    def __init__(
        self, gate: Gate, client: str, stop: Stop, texts: Iterator[str], media_type: str
    ) -> None:
        super().__init__(media_type=media_type, headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._gate, self._client, self._stop, self._texts = gate, client, stop, texts
        self._first = b""
        self._running: asyncio.Future[bytes] | None = None

    async def begin(self, scope: Scope, receive: Receive) -> None:
        """Make the first bit."""
        try:
            self._first = await self._next(scope, receive)
        except BaseException:
            self._leave()
            raise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send all bits."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        try:
            await send(start)
            bit = self._first
            while bit:
                await send({"type": "http.response.body", "body": bit, "more_body": True})
                bit = await self._next(scope, receive)
            await send({"type": "http.response.body", "body": b""})
        except Gone:
            scope["treaty.status"] = CLIENT_GONE
        except Exception as error:  # too late for a status: the last line tells
            told = describe(error) or {"kind": "ServerError", "message": "the server failed"}
            _tell_of(error)
            line = json.dumps({"error": told}).encode() + b"\n"
            await send({"type": "http.response.body", "body": line})
        finally:
            self._leave()

    async def _next(self, scope: Scope, receive: Receive) -> bytes:
        self._running = self._gate.run(self._some)
        return await watched(scope, receive, self._running, self._stop)

    def _some(self) -> bytes:
        """Collect what is there within a moment."""
        until, found, size = time.monotonic() + CHUNK_SECONDS, list[str](), 0
        for text in self._texts:
            self._stop.check()
            found.append(text)
            size += len(text)
            if size >= CHUNK_CHARACTERS or time.monotonic() >= until:
                break
        return "".join(found).encode()

    def _leave(self) -> None:
        self._stop.give_up()
        if self._running is not None and not self._running.done():
            self._running.add_done_callback(lambda _: self._gate.leave(self._client))
        else:
            self._gate.leave(self._client)


async def watched(
    scope: Scope, receive: Receive, future: asyncio.Future[bytes], stop: Stop
) -> bytes:
    """Wait for work; if the client goes, the work is told to stop.

    Raises
    ------
    Gone
        When the client has gone.
    """
    gone = asyncio.ensure_future(_disconnected(receive))
    waited_for: set[asyncio.Future[Any]] = {future, gone}
    try:
        await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        stop.give_up()
        future.add_done_callback(_looked_at)
        raise
    finally:
        gone.cancel()
    if future.done():
        return future.result()
    stop.give_up()
    scope["treaty.status"] = CLIENT_GONE
    future.add_done_callback(_looked_at)
    raise Gone


def _looked_at(future: asyncio.Future[bytes]) -> None:
    if not future.cancelled():
        future.exception()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def failure(error: BaseException, scope: Scope) -> Response:
    """Answer with an error; of unexpected ones, the client gets an id to look for in the log."""
    if isinstance(error, Gone):
        return Response(status_code=CLIENT_GONE)
    if (told := describe(error)) is None:
        _tell_of(error, scope.get("treaty.id"))
        message = f"the server failed; its log has the id {scope.get('treaty.id')}"
        told = {"kind": "ServerError", "message": message}
    return JSONResponse({"error": told}, status_of(error))


def _tell_of(error: BaseException, name: str | None = None) -> None:
    """Log where an unexpected error comes from, without its message: that may have texts."""
    if describe(error) is None:
        places = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(error.__traceback__)]
        log({"event": "failure", "id": name, "error": type(error).__name__, "places": places})


def _client(request: Request) -> str:
    return request.client.host if request.client else "-"


# Batches


def batch_lines(body: bytes, context_of: Callable[[Asked], Context], stop: Stop) -> Iterator[str]:
    """Answer the lines of a batch one by one; an error is told in its line, and the rest goes on.

    Parameters
    ----------
    body
        Lines of JSON: the fields of a request, ``do`` (the name of the operation), and ``id``.
    context_of
        Starts the clock of a request.
    stop
        That of the whole batch.
    """
    for number, line in enumerate(body.split(b"\n"), 1):
        if not line.strip():
            continue
        stop.check()
        told: dict[str, Any] = {"id": number}
        try:
            operation, asked, told["id"] = _read(line, number)
            context = context_of(asked)
            context.stop.cancel = stop.cancel
            answer = operation.whole(asked, context).strip()
            yield f'{json.dumps({**told, "status": 200})[:-1]}, "answer": {answer}}}\n'
        except ValidationError as error:
            told |= {"status": 422, "error": {"kind": "UsageError", "message": faults_of(error)}}
            yield json.dumps(told) + "\n"
        except Gone:
            raise
        except Exception as error:
            _tell_of(error)
            known = describe(error) or {"kind": "ServerError", "message": "the server failed"}
            yield json.dumps({**told, "status": status_of(error), "error": known}) + "\n"


def _read(line: bytes, number: int) -> tuple[Operation, Asked, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        raise UsageError(f"line {number} is not JSON") from None
    if not isinstance(record, dict) or record.get("do") not in OPERATIONS:
        raise UsageError(f"line {number}: 'do' must be one of {', '.join(OPERATIONS)}")
    operation = OPERATIONS[record.pop("do")]
    name = record.pop("id", number)
    return operation, operation.request.model_validate(record), name


def faults_of(error: ValidationError) -> str:
    """Say what is wrong with a request, without quoting it."""
    found = (
        f"{'.'.join(str(part) for part in one['loc'] if part != 'body')}: {one['msg']}"
        for one in error.errors(include_input=False, include_url=False)[:5]
    )
    return "; ".join(found)
