"""A real server in a thread of the tests, at a free port of this machine."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn

from treaty.web import Settings
from treaty.web._app import metrics_of
from treaty.web._nursery import Nursery
from treaty.web._serve import address_of, bind, config_of

NURSERY = Nursery()
"""Loads the models once, for all servers of the tests; `conftest.py` closes it."""


@contextmanager
def running(nursery=NURSERY, waits=True, **settings):
    """Run a server; yields a client for it, whose `app` is the application."""
    chosen = Settings(**{"quiet": True, "port": 0, "grace": 1, **settings})
    listening = bind(chosen)
    config = config_of(chosen, nursery, metrics_of(chosen))
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    with httpx.Client(base_url=address_of(listening), timeout=60, trust_env=False) as client:
        client.app = config.app
        if waits:
            when_ready(client)
        yield client
    server.should_exit = True
    thread.join(10)
    listening.close()


def when_ready(client, status="ready", seconds=120):
    """Wait for the models, or for another status."""
    last = time.monotonic() + seconds
    while client.get("/readyz").json()["status"] != status:
        assert time.monotonic() < last
        time.sleep(0.02)
