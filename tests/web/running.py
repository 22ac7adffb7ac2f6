"""A real server in a thread of the tests, at a free port of this machine."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn

from treaty.web import Settings, create_app
from treaty.web._serve import address_of, bind


@contextmanager
def running(shelf, **settings):
    """Run a server; yields a client for it, whose `app` is the application."""
    chosen = Settings(**{"quiet": True, "port": 0, **settings})
    app, listening = create_app(chosen, shelf), bind(chosen)
    config = uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    with httpx.Client(base_url=address_of(listening), timeout=60, trust_env=False) as client:
        client.app = app
        yield client
    server.should_exit = True
    thread.join(10)
    listening.close()
    shelf.is_ready = True  # a server that stops is not ready; the next one is
