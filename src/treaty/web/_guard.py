"""Checks that every request passes: host, origin, token and size; log, counts and safe headers."""

from __future__ import annotations

import asyncio
import hmac
import json
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from treaty.web._connections import MOST_HEADERS
from treaty.web._gate import Gate, Load, Refused, client_of
from treaty.web._metrics import Metrics
from treaty.web._settings import Settings, name_of

if TYPE_CHECKING:
    from treaty.web._pool import Pool

__all__ = ["BATCH", "POLICY", "Guard", "error_body", "log", "refusal"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BATCH = "/api/batch"
BATCH_FACTOR = 16
SINGLE = (b"host", b"origin", b"content-type", b"content-length", b"authorization")
"""Headers of which there may be one: the second would be read by others."""
PATIENCE = 30.0
"""Seconds within which the whole of a request must arrive."""
OPEN = ("/healthz", "/readyz")
"""Paths that need no token; nor does the page itself, which knows nothing."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


def error_body(kind: str, message: str, **more: Any) -> bytes:
    """Write an error as JSON."""
    return json.dumps({"error": {"kind": kind, "message": message, **more}}).encode()


class Guard:
    """ASGI middleware around the whole application.

    Parameters
    ----------
    app
        The application.
    settings, metrics
        Who may ask, and where requests are counted.
    """

    def __init__(self, app: App, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        largest = BATCH_FACTOR * settings.max_bytes
        self.bodies = Load(most=4 * largest, per_client=largest)
        self.gate: Gate | None = None
        self.pool: Pool | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        watch = _Watch(scope, self.settings, send, headers)
        try:
            self._check(scope, headers)
            if _is_preflight(scope, headers):
                await watch.answer(204, b"")
                return
            body = _Body(scope, self.bodies)
            try:
                receive = await self._body(scope, headers, receive, body)
                watch.size_in = body.size
                await self.app(scope, receive, watch.send)
            finally:
                body.forget()
        except Refused as refused:
            await watch.answer(refused.status, error_body("Refused", refused.message))
        except Exception as error:  # of ours: the client is told no details, and no texts
            log({"event": "failure", "id": watch.id, "error": type(error).__name__})
            if watch.status is None:
                message = f"the server failed; its log has the id {watch.id}"
                await watch.answer(500, error_body("ServerError", message))
        finally:
            watch.end(self.metrics)

    def _check(self, scope: Scope, headers: dict[str, bytes]) -> None:
        settings = self.settings
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            raise Refused(431, f"the headers are too large: at most {MOST_HEADERS:,} bytes")
        for name, number in Counter(name for name, _ in scope["headers"]).items():
            if number > 1 and name in SINGLE:
                raise Refused(400, f"there are {number} headers {name.decode()}: send one")
        host = headers.get("host", b"").decode("latin-1")
        if name_of(host) is None:
            raise Refused(400, "the header Host is not a name or an address")
        if not settings.knows(host):
            raise Refused(403, "unknown host name: start the server with --allow-host to allow it")
        origin = headers.get("origin", b"").decode("latin-1")
        if origin and origin not in settings.origins and _place_of(origin) != host:
            raise Refused(403, "pages of other sites may not call this server (--allow-origin)")
        is_call = scope["path"].startswith("/api") or scope["path"] == "/metrics"
        if settings.token is not None and is_call and scope["method"] != "OPTIONS":
            given = headers.get("authorization", b"").removeprefix(b"Bearer ")
            if not hmac.compare_digest(given, settings.token.encode()):
                raise Refused(401, "this server needs a token: Authorization: Bearer TOKEN")

    async def _body(
        self, scope: Scope, headers: dict[str, bytes], receive: Receive, body: _Body
    ) -> Receive:
        """Read the whole request, if it is not too large; gives it to whoever reads again."""
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return receive
        most = self.settings.max_bytes * (BATCH_FACTOR if scope["path"] == BATCH else 1)
        too_large = f"the request is too large: at most {most:,} bytes (--max-bytes)"
        length = headers.get("content-length", b"0")
        if not length.isdigit() or len(length) > 15 or int(length) > most:
            raise Refused(413, too_large)
        try:
            async with asyncio.timeout(PATIENCE):
                while await body.has_more(receive):
                    if body.size > most:
                        raise Refused(413, too_large)
        except TimeoutError:
            raise Refused(408, f"the request did not arrive in {PATIENCE:.0f} seconds") from None
        if body.size > most:
            raise Refused(413, too_large)
        scope["treaty.forget"] = body.forget  # for who has passed it on
        return body.again(receive)


class _Body:
    """A request while it is here: it counts for its client until it is forgotten."""

    def __init__(self, scope: Scope, load: Load) -> None:
        self._client = client_of((scope.get("client") or ["-"])[0])
        self._load, self._parts, self._counted, self.size = load, list[bytes](), 0, 0

    async def has_more(self, receive: Receive) -> bool:
        """Take the next part."""
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(499, "the client has gone")
        part = message.get("body", b"")
        if not self._load.add(self._client, len(part)):
            if self._load.has_room(len(part)):
                raise Refused(429, "your requests are too large together: wait for one of them")
            raise Refused(503, "the server has too many large requests: try again in a second")
        self._counted += len(part)
        self._parts.append(part)
        self.size += len(part)
        more: bool = message.get("more_body", False)
        return more

    def again(self, receive: Receive) -> Receive:
        """Return what gives the whole of it, once."""
        waiting = [b"".join(self._parts)]
        self._parts.clear()

        async def replay() -> Message:
            if waiting:
                return {"type": "http.request", "body": waiting.pop(), "more_body": False}
            return await receive()

        return replay

    def forget(self) -> None:
        """Say that it is not here any more."""
        self._load.remove(self._client, self._counted)
        self._counted = 0
        self._parts.clear()


def _place_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        raise Refused(400, "the header Origin is not an address") from None


def _is_preflight(scope: Scope, headers: dict[str, bytes]) -> bool:
    return scope["method"] == "OPTIONS" and "access-control-request-method" in headers


def refusal(status: int) -> dict[str, str]:
    """Return the headers of a refusal."""
    if status in (429, 503):
        return {"retry-after": "1"}
    if status == 401:
        return {"www-authenticate": "Bearer"}
    return {"connection": "close"} if status in (408, 413) else {}  # the rest of it is not read


class _Watch:
    """The answer to a request: adds headers, and notes what is logged and counted."""

    def __init__(
        self, scope: Scope, settings: Settings, send: Send, headers: dict[str, bytes]
    ) -> None:
        self._scope, self._settings, self._send = scope, settings, send
        self._started, self.id = time.perf_counter(), uuid4().hex[:16]
        self.size_in = self.size = 0
        self.status: int | None = None
        self._origin = headers.get("origin", b"") if settings.origins else b""
        scope["treaty.id"] = self.id

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._headers()]
        elif message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
        await self._send(message)

    def _headers(self) -> list[tuple[bytes, bytes]]:
        headers = [*HEADERS, (b"x-request-id", self.id.encode())]
        if self._origin.decode("latin-1") in self._settings.origins:
            headers += [
                (b"access-control-allow-origin", self._origin),
                (b"access-control-allow-methods", b"GET, POST"),
                (b"access-control-allow-headers", b"authorization, content-type, accept"),
                (b"vary", b"origin"),
            ]
        return headers

    async def answer(self, status: int, body: bytes) -> None:
        """Send a whole answer, without the application."""
        headers = [(b"content-length", str(len(body)).encode())]
        if body:
            headers += [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        headers += [(name.encode(), value.encode()) for name, value in refusal(status).items()]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def end(self, metrics: Metrics) -> None:
        """Log and count the request, when all is sent."""
        seconds = time.perf_counter() - self._started
        status = self._scope.get("treaty.status") or self.status or 499
        route = self._scope.get("treaty.route", "other")
        metrics.count(route, status, seconds, self.size)
        if not self._settings.quiet:
            log(
                {
                    "event": "request",
                    "id": self.id,
                    "method": self._scope["method"],
                    "route": route,
                    "status": status,
                    "ms": round(1000 * seconds, 2),
                    "bytes_in": self.size_in,
                    "bytes_out": self.size,
                    "client": (self._scope.get("client") or ["-"])[0],
                }
            )


def log(record: dict[str, Any]) -> None:
    """Write a line of the log, which never has any text of a request, nor its path."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    try:
        sys.stderr.write(json.dumps({"time": now, **record}) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody can be told
        return
