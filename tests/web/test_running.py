import asyncio
import json
import time

import httpx
import pytest
from tests.web.test_problems import hard

from treaty.errors import UsageError
from treaty.web._operations import OPERATIONS
from treaty.web._running import batch_lines, format_of
from treaty.web._stop import Gone, Stop

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


def test_a_batch_ends_when_nobody_reads(context):
    stop = Stop(60)
    line = json.dumps({"do": "tag", "text": "Hush!"}).encode()
    lines = batch_lines(b"\n".join([line] * 3), lambda asked: context, stop)
    next(lines)
    stop.give_up()
    with pytest.raises(Gone):
        next(lines)
