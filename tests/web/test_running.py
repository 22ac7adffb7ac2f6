import asyncio
import json
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from tests.web.running import when_ready
from tests.web.test_news import hard

from treaty.errors import UsageError
from treaty.web._caps import Caps
from treaty.web._operations import OPERATIONS
from treaty.web._pool import Worker
from treaty.web._running import format_of

LINES = {"accept": "application/x-ndjson"}
KIND = {"content-type": "application/x-ndjson"}


@pytest.mark.parametrize(
    ("accept", "found"),
    [
        ("", "json"),
        ("*/*", "json"),
        ("text/html, application/x-ndjson;q=0.9", "lines"),
        ("TEXT/X-CONLLU", "conllu"),
        ("text/x-conllu, application/json", "conllu"),
    ],
)
def test_formats(accept, found):
    assert format_of(accept, OPERATIONS["parse"]) == found


def test_trees_alone_are_conllu(client):
    with pytest.raises(UsageError, match="link has no trees"):
        format_of("text/x-conllu", OPERATIONS["link"])
    answer = client.post("/api/parse", json={"text": "Hush!"}, headers={"accept": "text/x-conllu"})
    assert answer.headers["content-type"] == "text/x-conllu; charset=utf-8"
    assert answer.text.startswith("# text = Hush!\n# status = OPTIMAL\n")


def test_lines_are_streamed(client):
    asked = {"text": "Cats sleep. " * 50}
    with client.stream("POST", "/api/tag", json=asked, headers=LINES) as answer:
        records = [json.loads(line) for line in answer.iter_lines()]
    assert len(records) == 50


def test_an_error_before_the_first_line_has_a_status(client):
    asked = {"text": "1\tx\n", "input_format": "conllu"}
    assert client.post("/api/tag", json=asked, headers=LINES).status_code == 422


def test_news_of_a_solver_are_streamed(client):
    asked = {"graph": hard(), "time_limit": 5}
    with client.stream("POST", "/api/solve", json=asked, headers=LINES) as answer:
        *news, last = [json.loads(line) for line in answer.iter_lines()]
    assert all("progress" in one for one in news)
    assert "certificate" in last


def test_time_limits_reach_the_solver(client_of):
    client = client_of(time_limit=0.2)
    started = time.perf_counter()
    answer = client.post("/api/solve", json={"graph": hard(), "method": "exact", "time_limit": 99})
    assert answer.status_code == 200
    assert time.perf_counter() - started < 5
    assert answer.json()["certificate"]["bound"] is not None


def test_work_ends_when_the_client_goes(client_of):
    client = client_of(jobs=1, queue=0, time_limit=60)
    asked = {"text": "A B C D E F G\n" * 30 + "B A D C F E G\n" * 30, "relative_gap": 0}
    for is_streamed in (False, True):
        if is_streamed:
            with client.stream("POST", "/api/induce", json=asked, headers=LINES) as answer:
                assert "progress" in next(answer.iter_lines())
        else:
            with pytest.raises(httpx.ReadTimeout):
                client.post("/api/induce", json=asked, timeout=0.5)
        for _ in range(100):
            answer = client.post("/api/tag", json={"text": "Hush!"})
            if answer.status_code == 200:
                break
            assert answer.status_code == 503
            time.sleep(0.05)
        assert answer.status_code == 200
    assert 'route="induce",status="499"} 2' in client.get("/metrics").text


def test_too_many_at_once_are_refused(client_of):
    client = client_of(jobs=1, queue=1, per_client=3)
    asked = {"graph": hard(), "method": "exact", "time_limit": 1.0}

    async def flood():
        async with httpx.AsyncClient(base_url=client.base_url, trust_env=False) as many:
            calls = [many.post("/api/solve", json=asked, timeout=30) for _ in range(8)]
            return await asyncio.gather(*calls)

    answers = asyncio.run(flood())
    statuses = sorted(answer.status_code for answer in answers)
    assert set(statuses) <= {200, 429, 503}
    assert statuses.count(200) == 2
    refused = [a for a in answers if a.status_code != 200]
    assert all(a.headers["retry-after"] == "1" for a in refused)


def test_a_batch_goes_on_behind_errors(client):
    lines = [
        {"do": "tag", "id": "a", "text": "Hush!"},
        {"do": "nonsense"},
        {"do": "tag", "text": 3},
        {"do": "parse", "text": "Hush!", "model": "/etc/passwd"},
        {"do": "solve", "graph": {"variables": [{"name": "x", "score": 1}]}},
    ]
    body = "\n".join([*map(json.dumps, lines), "{nonsense", ""])
    answer = client.post("/api/batch", content=body, headers=KIND)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [(one["id"], one["status"]) for one in found] == [
        ("a", 200), (2, 400), (3, 422), (4, 404), (5, 200), (6, 400),
    ]  # fmt: skip
    assert found[0]["answer"]["results"][0]["tokens"][0]["form"] == "Hush"
    assert found[4]["answer"]["values"] == [1]


# Work that does not end by itself. A process that is stopped (SIGSTOP) stands for it: it looks at
# no clock and at no flag, whatever it works on.

LONG = {"text": "A B C D E F G\n" * 30 + "B A D C F E G\n" * 30, "relative_gap": 0}


def value_of(client, name):
    lines = client.get("/metrics").text.splitlines()
    return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(name)), 0.0)


def until(condition, seconds=60):
    last = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.02)


def busy(client):
    """The processes that work on requests."""
    return [worker.process for worker in list(client.app.pool._busy) if worker.began]


@contextmanager
def hanging(client, asked=LONG, headers=None):
    """Ask for something, and stop the process that works on it; yields the future answer."""
    with ThreadPoolExecutor(1) as others:
        future = others.submit(client.post, "/api/induce", json=asked, headers=headers)
        until(lambda: busy(client))
        os.kill(busy(client)[0], signal.SIGSTOP)
        yield future


def test_work_that_hangs_is_ended_for_good(client_of):
    client = client_of(jobs=1, time_limit=0.5)
    with hanging(client) as future:
        process = busy(client)[0]
        answer = future.result(60)
    assert answer.status_code == 504
    assert "time_limit" in answer.json()["error"]["message"]
    with pytest.raises(ProcessLookupError):
        until(lambda: os.kill(process, 0))
    assert client.post("/api/tag", json={"text": "Hush!"}).status_code == 200
    assert value_of(client, 'treaty_ended_total{reason="time"}') == 1


def test_the_limit_is_that_of_the_server_until_the_request_says_less(client_of):
    client = client_of(jobs=2, time_limit=0.3)
    with hanging(client, {**LONG, "time_limit": 1000}) as future:
        assert future.result(60).status_code == 504


def test_a_stream_that_hangs_tells_so_in_its_last_line(client_of):
    client = client_of(jobs=2)
    with client.stream("POST", "/api/induce", json={**LONG, "time_limit": 1}, headers=LINES) as got:
        lines = got.iter_lines()
        assert "progress" in next(lines)
        os.kill(busy(client)[0], signal.SIGSTOP)
        *_, last = lines
    assert json.loads(last)["error"]["kind"] == "TimeLimit"


def test_work_that_crashes_is_the_servers_failure_and_the_server_goes_on(client_of):
    client = client_of(jobs=1)
    with hanging(client, {**LONG, "time_limit": 50}) as future:
        for number in (signal.SIGSEGV, signal.SIGCONT):
            os.kill(busy(client)[0], number)
        answer = future.result(60)
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] in answer.json()["error"]["message"]
    assert client.post("/api/tag", json={"text": "Hush!"}).status_code == 200


def test_a_client_that_leaves_takes_hanging_work_with_it(client_of):
    client = client_of(jobs=1, time_limit=1000)
    raw = socket.create_connection((client.base_url.host, client.base_url.port), 5)
    body = json.dumps(LONG).encode()
    raw.sendall(
        b"POST /api/induce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body) + body
    )
    until(lambda: busy(client))
    os.kill(process := busy(client)[0], signal.SIGSTOP)
    raw.close()
    with pytest.raises(ProcessLookupError):
        until(lambda: os.kill(process, 0))
    assert client.post("/api/tag", json={"text": "Hush!"}).status_code == 200


def test_one_that_leaves_the_queue_is_not_worked_for(client_of):
    client = client_of(jobs=1, queue=5, time_limit=2)
    with hanging(client) as future:
        with pytest.raises(httpx.ReadTimeout):
            client.post("/api/tag", json={"text": "Hush!"}, timeout=0.3)
        until(lambda: client.app.gate.waiting == 0)
        assert future.result(60).status_code == 504


def test_a_request_that_needs_too_much_memory_is_refused(client_of):
    client = client_of(jobs=1, memory=30, max_bytes=10_000_000, caps=Caps(words=10**7))
    answer = client.post("/api/tag", json={"text": "Cats sleep. " * 200_000, "time_limit": 20})
    assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "MemoryError")
    assert "more than 30 MB" in answer.json()["error"]["message"]
    assert "--memory" in answer.json()["error"]["message"]
    assert client.post("/api/tag", json={"text": "Hush!"}).status_code == 200


def test_nobody_waits_behind_the_requests_of_another(client_of):
    client = client_of(jobs=1, queue=99, per_client=99, time_limit=1000)
    place = client.base_url.host, client.base_url.port
    body = json.dumps(LONG).encode()
    head = b"POST /api/induce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with ExitStack() as stack:
        for _ in range(32):
            raw = stack.enter_context(socket.create_connection(place, 5))
            raw.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        until(lambda: client.app.gate.waiting == 31)
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=client.base_url, transport=transport, timeout=60) as other:
            assert other.post("/api/tag", json={"text": "Hush!"}).status_code == 200
        assert client.app.gate.waiting == 31


def test_a_server_whose_slots_are_all_overdue_is_not_ready(client_of, monkeypatch):
    client = client_of(jobs=1, slots=1, time_limit=0.5)
    kill = Worker.kill
    monkeypatch.setattr(Worker, "kill", lambda worker: None)  # a process that cannot be ended
    with hanging(client) as future:
        process = busy(client)[0]
        assert future.result(60).status_code == 504  # the client does not wait for that
        when_ready(client, "overdue")
        assert client.get("/readyz").status_code == 503
        assert value_of(client, "treaty_requests_overdue") == 1
    monkeypatch.setattr(Worker, "kill", kill)
    os.kill(process, signal.SIGKILL)
    when_ready(client)


def test_long_answers_come_whole_and_in_order(client):
    asked = {"text": "Cats sleep. " * 4000}
    whole = client.post("/api/tag", json=asked).json()["results"]
    with client.stream("POST", "/api/tag", json=asked, headers=LINES) as answer:
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert len(lines) == 4000
    assert lines == whole
