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
from treaty.web._serve import address_of, bind

PROGRAM = """
import sys
from treaty.web import Settings, _serve
_serve.Shelf.warm_up = lambda shelf: setattr(shelf, "is_ready", True)  # models take seconds
settings = Settings(port=0, workers=int(sys.argv[1]), grace=5)
_serve.serve(settings, lambda address: print(address, flush=True))
"""
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
    for _ in range(200):
        try:
            return client.get("/readyz")
        except httpx.ConnectError:
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
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
    children = subprocess.run(
        ["ps", "--ppid", str(server.pid), "-o", "pid="], capture_output=True, text=True
    ).stdout.split()
    assert len(children) == 2
    for _ in range(10):
        fresh = httpx.Client(base_url=client.base_url, trust_env=False)
        assert fresh.post("/api/solve", json=SOLVE).status_code == 200
        fresh.close()
    assert solved(client, 10) == 10
    client.close()
    time.sleep(2.0)  # one that dies at once is replaced after a pause
    os.kill(int(children[0]), signal.SIGKILL)
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
