"""Run the application: one process or several, from start to a graceful stop."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from treaty.errors import UsageError
from treaty.web._app import create_app, metrics_of
from treaty.web._connections import limited_protocol
from treaty.web._gate import Load
from treaty.web._metrics import Metrics
from treaty.web._nursery import Nursery
from treaty.web._settings import Settings

__all__ = ["address_of", "bind", "serve"]

BACKLOG = 1024
FILES = 256
"""Open files beside connections and workers."""
SHORT_LIFE = 2.0
"""Seconds: a worker that ends sooner is started again only after a pause."""


def serve(settings: Settings, on_start: Callable[[str], object] = lambda _: None) -> None:
    """Serve until a signal (Ctrl-C, SIGTERM) ends it; running requests are finished.

    Parameters
    ----------
    settings
        How the server is run.
    on_start
        Called with the address when the server listens.

    Raises
    ------
    UsageError
        When the address cannot be used.
    """
    listening, metrics, nursery = bind(settings), metrics_of(settings), Nursery()
    try:
        nursery.start()  # before any fork: all servers share its memory
        on_start(address_of(listening))
        if settings.workers == 1:
            _run(settings, listening, nursery, metrics)
        else:
            _Workers(settings, listening, nursery, metrics).run()
    finally:
        listening.close()
        nursery.close()


def bind(settings: Settings) -> socket.socket:
    """Open the socket."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    opened = socket.socket(family)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((settings.host, settings.port))
        opened.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        opened.close()
        raise UsageError(
            f"cannot listen at {settings.host}:{settings.port}: "
            f"{getattr(error, 'strerror', None) or error}; choose another --port"
        ) from error
    opened.set_inheritable(True)
    return opened


def address_of(listening: socket.socket) -> str:
    """Return the address to open in a browser."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def _run(settings: Settings, listening: socket.socket, nursery: Nursery, metrics: Metrics) -> None:
    _allow_files(settings.connections + 4 * settings.slots)
    config = config_of(settings, nursery, metrics)
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _allow_files(number: int) -> None:
    """Raise the limit on open files, as far as the system allows: connections count as files."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + FILES if hard == resource.RLIM_INFINITY else min(number + FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def config_of(settings: Settings, nursery: Nursery, metrics: Metrics) -> uvicorn.Config:
    """Say how uvicorn is to run the application."""
    connections = Load(settings.connections, max(1, settings.connections // 4))
    return uvicorn.Config(
        create_app(settings, nursery, metrics, connections),
        http=limited_protocol(connections, settings.proxies),
        ws="none",
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        lifespan="on",
        h11_max_incomplete_event_size=2**16,
        timeout_graceful_shutdown=max(1, round(settings.grace)),
        timeout_keep_alive=30,
        backlog=BACKLOG,
    )


class _Workers:
    """Processes that share a socket; one that dies is replaced."""

    def __init__(
        self, settings: Settings, listening: socket.socket, nursery: Nursery, metrics: Metrics
    ) -> None:
        self._parts = settings, listening, nursery, metrics
        self._rows: dict[int, int] = {}
        self._born: dict[int, float] = {}
        self._stopping = False

    def run(self) -> None:
        """Start the processes, and wait until all have ended."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        for row in range(self._parts[0].workers):
            self._start(row)
        while self._rows:
            try:
                process, _ = os.wait()
            except ChildProcessError:
                return
            row, born = self._rows.pop(process, -1), self._born.pop(process, 0.0)
            if row >= 0 and not self._stopping:
                if time.monotonic() - born < SHORT_LIFE:
                    time.sleep(1.0)
                self._start(row)

    def _start(self, row: int) -> None:
        process = os.fork()
        if process == 0:
            code = 1
            try:
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, signal.SIG_DFL)
                self._parts[3].row = row
                _run(*self._parts)
                code = 0
            finally:
                sys.stderr.flush()
                os._exit(code)
        self._rows[process], self._born[process] = row, time.monotonic()
        if self._stopping:
            self._end(process)

    def _stop(self, *_: object) -> None:
        self._stopping = True
        for process in list(self._rows):
            self._end(process)

    def _end(self, process: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
