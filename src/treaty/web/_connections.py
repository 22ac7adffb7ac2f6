"""Connections: how many there may be, and how long each may take to say what it wants."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from treaty.web._gate import Load, client_of

__all__ = ["MOST_HEADERS", "limited_protocol"]

HEADER_SECONDS = 10.0
"""Within which the head of a request must arrive, from its first byte on (or the connection)."""
STALL_SECONDS = 30.0
"""Within which a client must take some of an answer that is too large to be sent at once."""
MOST_HEADERS = 2**16
"""Bytes of the head of a request."""
FULL = (
    b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\nRetry-After: 1\r\n"
    b'Content-Length: %d\r\n\r\n{"error": {"kind": "Refused", "message": "%s"}}'
)


def refusal_of(status: bytes, message: bytes) -> bytes:
    """Write a whole answer, for a connection that is not heard.

    Examples
    --------
    >>> refusal_of(b"503 Service Unavailable", b"no").splitlines()[0]
    b'HTTP/1.1 503 Service Unavailable'
    """
    size = len(FULL.partition(b"\r\n\r\n")[2]) - 2 + len(message)
    return FULL % (status, size, message)


def limited_protocol(
    load: Load, trusted: Sequence[str] = (), seconds: float = HEADER_SECONDS
) -> type[asyncio.Protocol]:
    """Make uvicorn's protocol with limits on connections.

    Parameters
    ----------
    load
        Counts connections.
    trusted
        Proxies, which have the connections of many clients.
    seconds
        Within which the head of a request must arrive.
    """
    base: Any = AutoHTTPProtocol

    class Limited(base):  # type: ignore[misc]
        """uvicorn has limits on idle connections, and on requests; here are the others."""

        _timer: asyncio.TimerHandle | None = None
        _counted: str | None = None
        _stall: asyncio.TimerHandle | None = None
        _size = 0

        def connection_made(self, transport: asyncio.Transport) -> None:
            address = transport.get_extra_info("peername")
            client = client_of(address[0]) if isinstance(address, tuple) else "-"
            if not load.add(client, 1, client in trusted):
                is_full = not load.has_room(1)
                status = b"503 Service Unavailable" if is_full else b"429 Too Many Requests"
                whose = b"the server has" if is_full else b"you have"
                transport.write(
                    refusal_of(status, whose + b" too many connections (--connections)")
                )
                transport.close()
                return
            self._counted = client
            super().connection_made(transport)
            self._wait_for_head()

        def data_received(self, data: bytes) -> None:
            if self._counted is None:
                return
            if self._is_idle():
                if self._timer is None:
                    self._wait_for_head()
                self._size += len(data)
            super().data_received(data)
            if not self._is_idle():
                self._stop_waiting()
            elif self._size > MOST_HEADERS and not self.transport.is_closing():
                self._turn_away(
                    b"431 Request Header Fields Too Large",
                    b"the headers are too large: at most %d bytes" % MOST_HEADERS,
                )

        def eof_received(self) -> None:
            if self._counted is not None:
                super().eof_received()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            if self._counted is None:
                return
            if self._stall is not None:
                self._stall.cancel()
            load.remove(self._counted, 1)
            self._counted = None
            super().connection_lost(exc)

        def pause_writing(self) -> None:
            super().pause_writing()
            self._stall = self.loop.call_later(STALL_SECONDS, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            if self._stall is not None:
                self._stall.cancel()
                self._stall = None

        def _is_idle(self) -> bool:
            """Whether no request is being answered."""
            return self.cycle is None or self.cycle.response_complete

        def _wait_for_head(self) -> None:
            self._timer = self.loop.call_later(
                seconds,
                self._turn_away,
                b"408 Request Timeout",
                b"the headers did not arrive in %d seconds" % seconds,
            )

        def _stop_waiting(self) -> None:
            self._size = 0
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _turn_away(self, status: bytes, message: bytes) -> None:
            self._stop_waiting()
            if not self.transport.is_closing():
                self.transport.write(refusal_of(status, message))
                self.transport.close()

    return Limited
