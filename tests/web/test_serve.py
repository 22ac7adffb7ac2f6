"""The server as a process: start, stop, several workers."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest

from treaty.errors import UsageError
from treaty.web import Settings
from treaty.web._serve import _allow_files, address_of, bind

PROGRAM = '''
import sys
from treaty.web import Settings, _nursery, _serve
_nursery.PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from treaty.web import _nursery, _shelf, _worker
_shelf.Shelf.warm_up = lambda shelf: setattr(shelf, "is_ready", True)  # models take seconds
_worker.rehearse = lambda shelf: None
_nursery.run(int(sys.argv[1]))
"""
settings = Settings(port=0, workers=int(sys.argv[1]), grace=5)
_serve.serve(settings, lambda address: print(address, flush=True))
'''
SOLVE = {"graph": {"variables": [{"name": "x", "score": 1}]}}


def start(workers):
    program = [sys.executable, "-c", PROGRAM, str(workers)]
    server = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = server.stdout.readline().strip()
    return server, httpx.Client(base_url=address, trust_env=False, timeout=30)


def stop(server, client, number=signal.SIGTERM):
    client.close()
    server.send_signal(number)
    _, logged = server.communicate(timeout=30)
    return server.returncode, logged


def when_up(client):
    for _ in range(600):
        try:
            answer = client.get("/readyz")
            if answer.status_code == 200:
                return answer
        except httpx.ConnectError:
            pass
        time.sleep(0.05)
    raise AssertionError("the server does not start")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_starts_and_stops_gracefully(number):
    server, client = start(1)
    assert when_up(client).status_code == 200
    assert client.post("/api/solve", json=SOLVE).json()["values"] == [1]
    code, logged = stop(server, client, number)
    assert code in (0, -number, 130)
    assert "Traceback" not in logged
    records = [json.loads(line) for line in logged.splitlines()]
    assert {"solve", "health"} <= {record["route"] for record in records}


def children_of(process):
    """The processes that it has started, with their commands."""
    command = ["ps", "--ppid", str(process), "-o", "pid=,args="]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [(int(pid), rest) for pid, rest in (line.split(maxsplit=1) for line in lines)]


def solved(client, number):
    """Wait until so many answers are counted: that is done after they are sent."""
    found, last = 0, time.monotonic() + 30
    while found < number and time.monotonic() < last:
        counted = re.search(r'route="solve",status="200"} (\d+)', client.get("/metrics").text)
        found = int(counted[1]) if counted else 0
        time.sleep(0.01)
    return found


def test_several_workers_share_a_socket_and_counts_and_are_replaced():
    server, client = start(2)
    assert when_up(client).status_code == 200
    children = [pid for pid, command in children_of(server.pid) if "-P" not in command.split()]
    assert len(children) == 2
    for _ in range(10):
        fresh = httpx.Client(base_url=client.base_url, trust_env=False)
        assert fresh.post("/api/solve", json=SOLVE).status_code == 200
        fresh.close()
    assert solved(client, 10) == 10
    client.close()
    time.sleep(2.0)  # one that dies at once is replaced after a pause
    os.kill(children[0], signal.SIGKILL)
    time.sleep(0.5)
    with httpx.Client(base_url=client.base_url, trust_env=False) as again:
        assert again.get("/readyz").status_code == 200
    code, logged = stop(server, client)
    assert code == 0
    assert "Traceback" not in logged


def test_an_address_that_is_taken():
    taken = bind(Settings(port=0))
    port = int(address_of(taken).rstrip("/").rpartition(":")[2])
    with pytest.raises(UsageError, match=f"cannot listen at 127.0.0.1:{port}: "):
        bind(Settings(port=port))
    taken.close()
    with pytest.raises(UsageError, match=r"cannot listen at 203\.0"):
        bind(Settings(host="203.0.113.1"))


def test_connections_may_be_as_many_files(monkeypatch):
    resource = pytest.importorskip("resource")
    seen = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 2000))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: seen.append(limits))
    _allow_files(1000)
    _allow_files(10_000)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2000, 2000))
    _allow_files(1000)
    assert seen == [(1256, 2000), (2000, 2000)]
