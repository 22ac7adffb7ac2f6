import json
import os
import socket
import threading

import pytest

from treaty.web import _worker
from treaty.web._caps import Caps, Limits
from treaty.web._worker import HEAD, SECONDS, batch_lines, frame, frames_of, rehearse, work


def taken_apart(data):
    found = []
    while data:
        kind, size = HEAD.unpack_from(data)
        found.append((kind, data[HEAD.size : HEAD.size + size]))
        data = data[HEAD.size + size :]
    return found


def answered(shelf, name, asked, format="json", limits=None):  # noqa: A002
    body = asked if isinstance(asked, bytes) else json.dumps(asked).encode()
    frames = frames_of({"name": name, "format": format}, body, shelf, limits or Limits())
    return taken_apart(b"".join(frames))


def test_an_answer_has_a_limit_a_head_and_a_body(shelf):
    (first, limit), (second, head), *rest = answered(shelf, "tag", {"text": "A.", "time_limit": 3})
    assert (first, SECONDS.unpack(limit)) == (b"L", (3.0,))
    body = b"".join(payload for _, payload in rest)
    assert (second, {kind for kind, _ in rest}) == (b"H", {b"B"})
    assert json.loads(head) == {"status": 200, "type": "application/json", "length": len(body)}
    assert json.loads(body)["results"]


def test_no_limit_is_longer_than_the_servers(shelf):
    for asked in ({}, {"time_limit": 1e6}):
        (_, limit), *_ = answered(shelf, "tag", {"text": "", **asked}, limits=Limits(7.0))
        assert SECONDS.unpack(limit) == (7.0,)


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"{", 422),
        (b"[" * 100_000, 422),
        ({"text": 3}, 422),
        ({"text": "a", "model": "nonsense"}, 404),
        ({"text": "a b c"}, 413),
        ({"text": "1\tx\n", "input_format": "conllu"}, 422),
    ],
)
def test_errors_have_a_status(shelf, asked, status):
    frames = answered(shelf, "tag", asked, limits=Limits(caps=Caps(words=2, word_characters=2)))
    (_, head), (_, body) = [one for one in frames if one[0] != b"L"]
    assert json.loads(head)["status"] == status
    assert json.loads(body)["error"]["kind"] in ("UsageError", "InputError")


def test_failures_are_told_to_the_server_and_not_to_the_client(shelf, monkeypatch):
    def fail(kind, name):
        raise KeyError("a secret")

    monkeypatch.setattr(shelf, "load", fail)
    (_, _), (_, head), (_, body) = answered(shelf, "tag", {"text": "a"})
    told = json.loads(head)
    assert (told["status"], told["failure"]["error"]) == (500, "KeyError")
    assert b"secret" not in head + body


def test_an_error_after_the_first_bit_is_a_line(shelf, monkeypatch):
    def texts(*_):
        yield "{}\n"
        raise MemoryError

    monkeypatch.setattr(_worker.Operation, "texts", texts)
    monkeypatch.setattr(_worker, "CHUNK_BYTES", 1)
    monkeypatch.setattr(_worker, "_lift_memory", lambda: None)
    *_, (kind, last) = answered(shelf, "tag", {"text": "a"}, "lines")
    assert kind == b"B"
    assert json.loads(last)["error"]["kind"] == "MemoryError"


def test_long_bits_are_cut(shelf, monkeypatch):
    monkeypatch.setattr(_worker, "CHUNK_BYTES", 100)
    for format in ("json", "lines"):  # noqa: A001
        frames = answered(shelf, "tag", {"text": "Cats sleep. " * 9}, format)
        assert max(len(payload) for kind, payload in frames if kind == b"B") <= 100


def test_lines_of_a_batch_have_limits_of_their_own(context):
    lines = [{"do": "tag", "text": "Hush!"}, {"do": "nonsense"}, {"do": "tag", "text": "Hush!"}]
    found = list(batch_lines("\n".join(map(json.dumps, lines)).encode(), lambda _: context))
    assert [type(one) for one in found] == [float, str, str, float, str]


def test_a_batch_without_lines_is_an_empty_answer(shelf):
    ((kind, head),) = answered(shelf, "batch", b"\n\n", "lines")
    assert (kind, json.loads(head)["status"]) == (b"H", 200)


def test_examples_are_rehearsed(shelf):
    rehearse(shelf)


def test_work_ends_with_its_channel_and_one_that_has_grown_says_so(shelf, monkeypatch):
    sizes = iter([0, _worker.GROWTH, _worker.GROWTH + 1])
    monkeypatch.setattr(_worker, "_bytes_of_data", lambda: next(sizes))
    monkeypatch.setattr(_worker.signal, "setitimer", lambda *_: None)
    mine, theirs = socket.socketpair()
    thread = threading.Thread(target=work, args=(theirs, shelf))
    thread.start()
    with mine, mine.makefile("rb") as stream:
        kind, size = HEAD.unpack(stream.read(HEAD.size))
        assert (kind, json.loads(stream.read(size))["process"]) == (b"R", os.getpid())
        job = frame(b"J", b'{"name": "tag", "format": "json"}') + frame(b"D", b'{"text": "A."}')
        for last in (b"", b"spent"):
            mine.sendall(job)
            found = []
            while not found or found[-1][0] != b"E":
                kind, size = HEAD.unpack(stream.read(HEAD.size))
                found.append((kind, stream.read(size)))
            assert [kind for kind, _ in found] == [b"L", b"H", b"B", b"E"]
            assert found[-1][1] == last
    mine.close()
    thread.join(30)
    assert not thread.is_alive()
