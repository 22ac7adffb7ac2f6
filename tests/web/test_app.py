import socket
from contextlib import ExitStack

import pytest
from tests.web.running import running, when_ready

from treaty.web._nursery import Nursery
from treaty.web._operations import OPERATIONS
from treaty.web._worker import frame


@pytest.fixture(scope="module")
def schema(client):
    return client.get("/api/openapi.json").json()


def test_everything_is_described(schema):
    paths = {f"/api/{name}" for name in OPERATIONS}
    others = {"/api/batch", "/api/models", "/api/models/{name}", "/healthz", "/readyz", "/metrics"}
    assert set(schema["paths"]) == paths | others
    for operation in OPERATIONS.values():
        described = schema["paths"][f"/api/{operation.name}"]["post"]
        content = described["requestBody"]["content"]["application/json"]
        assert content["schema"]["$ref"].endswith(f"/{operation.request.__name__}")
        shown = [example["value"] for example in content["examples"].values()]
        assert shown == list(operation.request.examples)
        assert {"200", "400", "404", "413", "422", "429", "503", "504"} <= set(
            described["responses"]
        )


@pytest.mark.parametrize("name", OPERATIONS)
def test_examples_are_answered(client, name):
    for example in OPERATIONS[name].request.examples:
        answer = client.post(f"/api/{name}", json=example)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"


def test_models_are_listed_without_their_paths(client):
    listed = client.get("/api/models").json()
    assert [model["name"] for model in listed] == ["english", "entities", "summarizer", "threads"]
    one = client.get("/api/models/english")
    assert one.status_code == 200
    assert "path" not in listed[0]
    assert "/src/" not in one.text
    assert client.get("/api/models/nonsense").status_code == 404
    assert client.get("/api/models/..%2Fenglish.treaty").status_code == 404


def test_health_and_counts(client):
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"status": "ready"}
    client.post("/api/tag", json={"text": "Hush!"})
    counts = client.get("/metrics")
    assert counts.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'treaty_requests_total{route="tag",status="200"}' in counts.text


def test_a_server_is_ready_when_its_models_are_loaded():
    class Slow(Nursery):
        def worker(self):
            mine, other = socket.socketpair()
            theirs.append(stack.enter_context(other))
            return mine

    theirs = []
    with ExitStack() as stack, running(Slow(), waits=False) as client:
        assert client.get("/readyz").json() == {"status": "loading"}
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200
        theirs[0].sendall(frame(b"R", b'{"process": 0, "is_ready": true}'))
        when_ready(client)


@pytest.mark.parametrize(
    ("asked", "status", "kind"),
    [
        ({"text": "a", "model": "nonsense"}, 404, "UsageError"),
        ({"text": "a", "model": "/etc/passwd"}, 404, "UsageError"),
        ({"txt": "a"}, 422, "UsageError"),
        ({"text": "a", "projective": True}, 400, "UsageError"),
        ({"text": "1\tx", "input_format": "conllu"}, 422, "InputError"),
    ],
)
def test_errors_are_explained(client, asked, status, kind):
    answer = client.post("/api/parse", json=asked)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (status, kind)
    assert answer.json()["error"]["message"]


def test_what_is_not_json_or_not_there(client):
    headers = {"content-type": "application/json"}
    answer = client.post("/api/parse", content=b"{nonsense", headers=headers)
    assert answer.status_code == 422
    assert client.get("/api/parse").status_code == 405
    assert client.get("/api/nonsense").json()["error"]["message"] == "there is nothing here"


@pytest.mark.parametrize(
    "text",
    ["", " \n ", "<script>alert(1)</script>", "שלום עולם. مرحبا", "👩‍👩‍👧‍👦 loves 🍕.", "\ud7ffx",
     "a" * 5000, "word " * 120, ".", "\u202e\u200b"],
)  # fmt: skip
def test_any_text_is_answered(client, text):
    for name in ("parse", "tag", "label", "compress"):
        answer = client.post(f"/api/{name}", json={"text": text, "time_limit": 10})
        assert answer.status_code == 200, (name, answer.text)
    answer = client.post("/api/summarize", json={"text": text, "words": 10})
    assert answer.status_code in (200, 422)
