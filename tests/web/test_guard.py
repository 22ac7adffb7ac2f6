import json
import socket
import time
from contextlib import ExitStack

import pytest

from treaty.web._guard import POLICY

TAG = {"text": "Cats sleep."}


def test_every_answer_has_safe_headers(client):
    for answer in (client.get("/"), client.get("/nonsense"), client.post("/api/tag", json=TAG)):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers or "uvicorn" in answer.headers["server"]
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "[::2]"]
)
def test_other_names_of_the_server_are_refused(client, host):
    answer = client.post("/api/tag", json=TAG, headers={"host": host})
    assert answer.status_code == 403
    assert "unknown host name" in answer.json()["error"]["message"]


def test_names_can_be_allowed(client_of):
    client = client_of(hosts=("box.example",))
    assert client.get("/healthz", headers={"host": "box.example"}).status_code == 200


def test_pages_of_other_sites_are_refused(client):
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        answer = client.post("/api/tag", json=TAG, headers={"origin": origin})
        assert answer.status_code == 403
    own = str(client.base_url).rstrip("/")
    assert client.post("/api/tag", json=TAG, headers={"origin": own}).status_code == 200


def test_forms_of_other_sites_cannot_ask(client):
    body = json.dumps(TAG)
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/api/tag", content=body, headers={"content-type": kind})
        assert answer.status_code == 415


def test_sites_can_be_allowed(client_of):
    client, site = client_of(origins=("https://good.example",)), "https://good.example"
    asks = {"origin": site, "access-control-request-method": "POST"}
    preflight = client.options("/api/tag", headers=asks)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == site
    answer = client.post("/api/tag", json=TAG, headers={"origin": site})
    assert answer.headers["access-control-allow-origin"] == site
    other = {**asks, "origin": "https://evil.example"}
    assert client.options("/api/tag", headers=other).status_code == 403


def test_a_token_is_asked_for(client_of):
    client = client_of(token="open-sesame")
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "open-sesam"}):
        answer = client.post("/api/tag", json=TAG, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get("/metrics", headers=headers).status_code == 401
    right = {"authorization": "Bearer open-sesame"}
    assert client.post("/api/tag", json=TAG, headers=right).status_code == 200
    assert client.get("/").status_code == client.get("/healthz").status_code == 200


def test_large_requests_are_refused(client_of):
    client = client_of(max_bytes=200)
    assert client.post("/api/tag", json={"text": "a" * 500}).status_code == 413
    assert client.post("/api/tag", content=iter([b"a" * 150] * 3)).status_code == 413
    assert client.post("/api/tag", json=TAG).status_code == 200
    lines = "\n".join([json.dumps({"do": "tag", **TAG})] * 10)
    kind = {"content-type": "application/x-ndjson"}
    assert client.post("/api/batch", content=lines, headers=kind).status_code == 200


def logged_lines(capfd, number):
    """Read so many lines of the log: they are written after an answer is sent."""
    logged, last = list[str](), time.monotonic() + 30
    while len(logged) < number and time.monotonic() < last:
        logged += [line for line in capfd.readouterr()[1].splitlines() if '"health"' not in line]
        time.sleep(0.01)
    return "\n".join(logged)


def test_logs_have_no_texts(client_of, capfd):
    client = client_of(quiet=False)
    client.post("/api/tag", json={"text": "Secret words."}, params={"q": "hidden"})
    client.post("/api/tag", json={"text": "Secret words.", "modell": "Secret"})
    client.get("/Secret/path")
    logged = logged_lines(capfd, 3)
    records = [json.loads(line) for line in logged.splitlines()]
    assert [r["status"] for r in records] == [200, 422, 404]
    assert records[0]["route"] == "tag"
    assert records[0]["ms"] > 0
    assert "ecret" not in logged
    assert "hidden" not in logged


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ({"origin": "http://[bad"}, 400),
        ({"host": "[::1].evil.example"}, 400),
        ([("host", "localhost"), ("origin", "a"), ("origin", "b")], 400),
    ],
)
def test_headers_with_two_meanings_are_refused(client, names, status):
    answer = client.post("/api/tag", json=TAG, headers=names)
    assert answer.status_code == status
    assert answer.json()["error"]["kind"] == "Refused"


def test_two_hosts_are_refused(client):
    with socket.create_connection((client.base_url.host, client.base_url.port), 5) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
        assert raw.recv(1000).startswith(b"HTTP/1.1 400 ")


def test_requests_of_a_client_are_counted_together(client_of):
    client = client_of(max_bytes=1000)  # and 16,000 for all of a client
    place = client.base_url.host, client.base_url.port
    head = b"POST /api/tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    half = head + b"Content-Length: 1000\r\n\r\n" + b" " * 900
    with ExitStack() as stack:
        for _ in range(18):
            raw = stack.enter_context(socket.create_connection(place, 5))
            raw.sendall(half)
        assert raw.recv(1000).startswith(b"HTTP/1.1 429 ")
        assert "treaty_request_bytes 15300" in client.get("/metrics").text
        other = stack.enter_context(socket.create_connection(place, 5, ("127.0.0.2", 0)))
        other.sendall(half + b" " * 100)
        assert other.recv(1000).startswith(b"HTTP/1.1 422 ")
    last = time.monotonic() + 30
    while "treaty_request_bytes 0\n" not in client.get("/metrics").text:
        assert time.monotonic() < last
        time.sleep(0.02)


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api/tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /page/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x00\xff\xfe nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    ],
)
def test_hostile_bytes_get_an_error(client, request_line):
    with socket.create_connection((client.base_url.host, client.base_url.port), 5) as raw:
        raw.sendall(request_line)
        raw.shutdown(socket.SHUT_WR)
        status = raw.recv(1000).split(b" ")[1:2]
    assert not status or 400 <= int(status[0]) < 500
    assert client.get("/healthz").status_code == 200
