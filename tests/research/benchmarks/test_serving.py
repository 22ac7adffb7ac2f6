"""The parts of the load benchmark, on a server of the tests."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter

import pytest
from tests.web.running import running

from research.benchmarks._serving_clients import Client, hostile_requests, percentile
from research.benchmarks._serving_soak import attacks, friendly
from research.benchmarks.serving import REQUESTS, TEXT, _load, cpu_seconds, megabytes, processes_of
from treaty.web._nursery import Nursery
from treaty.web._operations import OPERATIONS


@pytest.fixture(scope="module")
def server():
    nursery = Nursery()
    with running(nursery, time_limit=1) as client:
        yield client.base_url.host, client.base_url.port
    nursery.close()


def test_requests_are_counted_and_timed(server):
    body = json.dumps(REQUESTS["solve"]).encode()
    taken, statuses = asyncio.run(_load(*server, "solve", body, 2, 0.2))
    assert len(taken) == statuses[200] > 0
    assert 0 < percentile(taken, 50) <= percentile(taken, 99)


def test_streams_and_whole_answers_are_read(server):
    async def ask():
        async with Client(*server) as client:
            line = json.dumps({"do": "solve", **REQUESTS["solve"]}).encode()
            batch = await client.ask("POST", "/api/batch", b"\n".join([line] * 3))
            return batch, await client.ask("GET", "/healthz")

    (status, streamed), (other, body) = asyncio.run(ask())
    assert (status, other, len(streamed.splitlines())) == (200, 200, 3)
    assert json.loads(body) == {"status": "alive"}


def test_hostile_requests_are_refused_and_the_server_lives(server):
    without_models = ("/api/solve", "/api/induce", "/api/evaluate", "/api/nonsense", "/api/batch")

    async def ask(seed):
        rng, statuses = random.Random(seed), Counter()
        for _ in range(60):
            path, body, kind = hostile_requests(rng, REQUESTS, TEXT)
            if path not in without_models or (path == "/api/batch" and b'"do": "tag"' in body):
                continue  # models are tested elsewhere
            async with Client(*server) as client:
                status, _ = await client.ask("POST", path, body, kind)
            statuses[status] += 1
        return statuses

    statuses = asyncio.run(ask(1))
    assert statuses
    assert set(statuses) <= {200, 400, 404, 413, 415, 422}


def test_the_requests_are_valid():
    for name, asked in REQUESTS.items():
        OPERATIONS[name].request.model_validate(asked)


def test_a_process_is_measured():
    assert cpu_seconds(os.getpid()) > 0
    assert megabytes(os.getpid()) > 10


def test_processes_that_a_server_has_started_are_counted_with_it():
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as child:
        last = time.monotonic() + 30
        while len(processes_of(child.pid)) < 2:
            assert time.monotonic() < last
            time.sleep(0.02)
        assert megabytes(child.pid) > 0
        child.communicate(b"\n")


def test_attacks_are_of_this_machine_and_end(server):
    async def play():
        others, statuses = list(attacks()), Counter()
        end = time.monotonic() + 2.0
        calls = [attack(*server, end, statuses) for attack in others]
        (taken, failed), *_ = await asyncio.gather(friendly(*server, end), *calls)
        return taken, failed, statuses

    taken, failed, statuses = asyncio.run(play())
    assert len(taken) > failed
    assert not statuses[500]
