"""From a request to its answer: work in another process, while the client is watched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from treaty.errors import UsageError
from treaty.web._gate import Gate, client_of
from treaty.web._guard import Receive, Scope, Send, log, refusal
from treaty.web._operations import Format, Operation, describe, status_of
from treaty.web._pool import Ended, Pool, Worker
from treaty.web._worker import BATCH_NAME

__all__ = ["Answer", "Runner", "failure", "format_of"]

ACCEPTED: dict[str, Format] = {
    "application/json": "json",
    "application/x-ndjson": "lines",
    "application/jsonl": "lines",
    "text/x-conllu": "conllu",
    "text/conllu": "conllu",
}
CLIENT_GONE = 499
REASONS = {
    "time": (504, "TimeLimit", "the work did not end at its time limit, and was stopped: send less "
             "at once, or ask for more time (time_limit; the server's is --time-limit)"),
    "gone": (CLIENT_GONE, "Gone", "the client has gone"),
    "busy": (503, "Refused", "the server is busy: try again in a second"),
    "closed": (503, "Refused", "the server stops"),
}  # fmt: skip
"""Status, kind and message for each reason for which work is ended; others are failures."""


def format_of(accept: str, operation: Operation) -> Format:
    """Choose a format by the ``Accept`` header; JSON unless another one is asked for.

    Examples
    --------
    >>> from treaty.web._operations import OPERATIONS
    >>> format_of("text/x-conllu", OPERATIONS["parse"]), format_of("*/*", OPERATIONS["parse"])
    ('conllu', 'json')
    """
    for part in accept.split(","):
        answer_format = ACCEPTED.get(part.partition(";")[0].strip().lower())
        if answer_format == "conllu" and not operation.has_trees:
            raise UsageError(f"{operation.name} has no trees to write as CoNLL-U")
        if answer_format is not None:
            return answer_format
    return "json"


class Runner:
    """Has requests answered.

    Parameters
    ----------
    gate, pool
        Whose turn it is, and who works.
    """

    def __init__(self, gate: Gate, pool: Pool) -> None:
        self.gate, self.pool = gate, pool

    async def answer(self, operation: Operation, request: Request) -> Response:
        """Answer a request."""
        request.scope["treaty.route"] = operation.name
        try:
            chosen = format_of(request.headers.get("accept", ""), operation)
        except UsageError as error:
            return failure(error, request.scope)
        return await self._answer({"name": operation.name, "format": chosen}, request)

    async def batch(self, request: Request) -> Response:
        """Answer many requests, a line each."""
        request.scope["treaty.route"] = BATCH_NAME
        return await self._answer({"name": BATCH_NAME, "format": "lines"}, request)

    async def _answer(self, job: dict[str, Any], request: Request) -> Response:
        """Answer as a worker says; an error before the first bit has a status of its own."""
        scope = request.scope
        body: bytes = (await request.receive())["body"]  # all of it: see Guard
        client = client_of(request.client.host if request.client else "-")
        watch = _Departure(request.receive)
        answer = None
        try:
            if (turn := self.gate.enter(client)) is not None:
                try:
                    await watch.wait_for(turn)
                except BaseException:
                    if not turn.cancel():  # its turn had come by then
                        self.gate.leave(client)
                    raise
            answer = Answer(self.gate, self.pool, client, watch)
            await answer.begin(job, body, scope["treaty.forget"])
        except Ended as ended:
            watch.forget()
            return _ended(ended, scope)
        except BaseException:
            watch.forget()
            raise
        return answer


class _Departure:
    """Notices that a client goes, and then ends what is done for it."""

    def __init__(self, receive: Receive) -> None:
        self._task = asyncio.ensure_future(_disconnected(receive))
        self.worker: Worker | None = None
        self._task.add_done_callback(self._gone)

    async def wait_for(self, turn: asyncio.Future[None]) -> None:
        """Wait for a turn, as long as the client does."""
        waited_for: set[asyncio.Future[None]] = {turn, self._task}
        await asyncio.wait(waited_for, return_when=asyncio.FIRST_COMPLETED)
        if not turn.done():
            raise Ended("gone")

    def _gone(self, task: asyncio.Task[None]) -> None:
        if self.worker is not None and not task.cancelled():
            self.worker.end("gone")

    def follow(self, worker: Worker) -> None:
        """Remember whom to end."""
        self.worker = worker
        if self._task.done():
            worker.end("gone")

    def forget(self) -> None:
        """Watch no longer."""
        self.worker = None
        self._task.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Answer(Response):
    """An answer that is sent while it is made, no faster than the client reads it."""

    def __init__(self, gate: Gate, pool: Pool, client: str, watch: _Departure) -> None:
        super().__init__(headers={"cache-control": "no-store"})
        self._gate, self._pool, self._client, self._watch = gate, pool, client, watch
        self._worker: Worker | None = None
        self._has_slot, self._length = True, 0
        self._next: tuple[bytes, bytes] = (b"E", b"")
        self._failure: dict[str, Any] | None = None

    async def begin(self, job: dict[str, Any], body: bytes, forget: Callable[[], None]) -> None:
        """Have the work done up to the first bit of the answer."""
        try:
            worker = self._worker = await self._pool.take()
            worker.when_gone(lambda: self._leave(Ended("crash")))  # also while the client is slow
            self._watch.follow(worker)
            worker.begin(job, body, self._pool.limits.time_limit)
            forget()
            _, payload = await worker.receive()
            head = json.loads(payload)
            self.status_code, self._failure = head["status"], head.get("failure")
            if (length := head.get("length")) is None:
                del self.headers["content-length"]
            else:
                self.headers["content-length"] = str(length)
            self.headers["content-type"] = head["type"]
            self._length = length or 0
            self._next = await worker.receive()
        except BaseException as error:
            self._leave(error)
            raise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send all bits."""
        if self._failure is not None:
            log({"event": "failure", "id": scope.get("treaty.id"), **self._failure})
        worker = self._worker
        assert worker is not None
        start = {"type": "http.response.start", "status": self.status_code,
                 "headers": self.raw_headers}  # fmt: skip
        try:
            await send(start)
            while self._next[0] != b"E":
                kind, payload = self._next
                if kind == b"F":
                    log({"event": "failure", "id": scope.get("treaty.id"), **json.loads(payload)})
                else:
                    await send({"type": "http.response.body", "body": payload, "more_body": True})
                self._next = await worker.receive()
            self._leave(None)
            await send({"type": "http.response.body", "body": b""})
        except Ended as ended:
            self._leave(ended)
            response = _ended(ended, scope)
            if ended.reason != "gone" and not self._length:  # too late for a status
                line = bytes(response.body) + b"\n"
                await send({"type": "http.response.body", "body": line})
        except BaseException as error:
            self._leave(error)
            raise
        finally:
            self._watch.forget()

    def _leave(self, error: BaseException | None) -> None:
        """Give back slot and worker; or end the worker, and with it the work."""
        if not self._has_slot:
            return
        self._has_slot, worker = False, self._worker
        if worker is None:
            self._gate.leave(self._client)
        elif error is None:
            self._pool.give_back(worker)
            self._gate.leave(self._client)
        else:
            reason = error.reason if isinstance(error, Ended) else "gone"
            self._pool.discard(worker, reason, lambda: self._gate.leave(self._client))


def _ended(ended: Ended, scope: Scope) -> Response:
    """Answer for a worker that has ended."""
    name = scope.get("treaty.id")
    if ended.reason not in REASONS:
        log({"event": "failure", "id": name, "error": "a worker has ended"})
    message = f"the work ended, perhaps for want of memory; the log has the id {name}"
    status, kind, text = REASONS.get(ended.reason, (500, "ServerError", message))
    if status == CLIENT_GONE:
        scope["treaty.status"] = CLIENT_GONE
    record = {"error": {"kind": kind, "message": text}}
    return JSONResponse(record, status, headers=refusal(status))


def failure(error: BaseException, scope: Scope) -> Response:
    """Answer with an error; of unexpected ones, the client gets an id to look for in the log."""
    if (description := describe(error)) is None:
        name = scope.get("treaty.id")
        log({"event": "failure", "id": name, "error": type(error).__name__})
        message = f"the server failed; its log has the id {name}"
        description = {"kind": "ServerError", "message": message}
    return JSONResponse({"error": description}, status_of(error))
