import socket
import time
from contextlib import ExitStack, suppress

import pytest
from tests.web.running import running

from treaty.web import _connections
from treaty.web._connections import refusal_of

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def place(monkeypatch):
    monkeypatch.setattr(_connections.limited_protocol, "__defaults__", ((), 0.5))
    with running(connections=8) as client:
        client.close()
        yield client.base_url.host, client.base_url.port


def received(raw):
    """All that comes until the server closes the connection."""
    raw.settimeout(30)
    found = b""
    while part := raw.recv(2**16):
        found += part
    return found


def test_heads_must_arrive_in_time(place):
    for first in (b"", HALF):
        with socket.create_connection(place, 5) as raw:
            raw.sendall(first)
            assert received(raw).startswith(b"HTTP/1.1 408 ")


def test_also_those_of_later_requests_on_a_connection(place):
    with socket.create_connection(place, 5) as raw:
        raw.sendall(WHOLE)
        raw.recv(2**16)
        raw.sendall(HALF)  # uvicorn's timer for idle connections does not run any more
        assert b"408 Request Timeout" in received(raw)


def test_drops_do_not_help(place):
    with socket.create_connection(place, 5) as raw:
        raw.settimeout(0.05)
        raw.sendall(HALF)
        found, last = b"", time.monotonic() + 30
        while b"408" not in found:
            assert time.monotonic() < last
            with suppress(TimeoutError):
                raw.sendall(b"X")
                found += raw.recv(1000)


def test_heads_must_not_be_too_large(place):
    with socket.create_connection(place, 5) as raw:
        raw.sendall(HALF)
        try:
            for _ in range(30):
                raw.sendall(b"a" * 10_000)
            found = received(raw)
        except ConnectionError:  # it is closed before all is read
            return
        assert b" 431 " in found


def test_a_client_has_a_quarter_of_the_connections_and_the_others_go_on(place):
    with ExitStack() as stack:

        def connect(source, first=WHOLE):
            raw = stack.enter_context(socket.create_connection(place, 5, (source, 0)))
            raw.sendall(first)
            return raw.recv(2**16).split(b" ")[1]

        assert [connect("127.0.0.2") for _ in range(3)] == [b"200", b"200", b"429"]
        for last in (3, 4, 5):
            assert [connect(f"127.0.0.{last}") for _ in range(2)] == [b"200", b"200"]
        assert connect("127.0.0.6") == b"503"
    last = time.monotonic() + 30
    while True:  # when they are closed there is room
        with socket.create_connection(place, 5) as raw:
            raw.sendall(WHOLE)
            if raw.recv(2**16).startswith(b"HTTP/1.1 200"):
                return
        assert time.monotonic() < last


def test_half_requests_of_another_do_no_harm():
    with running(connections=400) as client, ExitStack() as stack:
        place = client.base_url.host, client.base_url.port
        for _ in range(150):
            raw = stack.enter_context(socket.create_connection(place, 5, ("127.0.0.2", 0)))
            raw.sendall(HALF)
        assert client.get("/healthz").status_code == 200


def test_an_answer_that_nobody_reads_is_given_up(monkeypatch):
    monkeypatch.setattr(_connections, "STALL_SECONDS", 0.5)
    with running() as client:
        place = client.base_url.host, client.base_url.port
        with socket.socket() as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            raw.connect(place)
            body = b'{"text": "%s"}' % (b"Cats sleep. " * 15_000)
            raw.sendall(
                b"POST /api/tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
                b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            )
            last = time.monotonic() + 60
            while "treaty_connections 1\n" not in client.get("/metrics").text:
                assert time.monotonic() < last
                time.sleep(0.05)
            while client.app.gate.working:
                assert time.monotonic() < last
                time.sleep(0.05)


def test_lengths_are_right():
    head, _, body = refusal_of(b"503 Service Unavailable", b"too many").partition(b"\r\n\r\n")
    assert b"Content-Length: %d" % len(body) in head
