"""A process that loads the models once, and forks workers that share them."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from treaty.errors import UsageError

__all__ = ["Nursery", "run"]

PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from treaty.web._nursery import run; run(int(sys.argv[1]))"
)
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""A worker is for one request: others have the other cores. And threads do not survive a fork."""


class Nursery:
    """Starts workers, each in some milliseconds: they are forks of a process that has all models.

    It is a process of its own, since one with threads or an event loop cannot be forked safely. It
    ends when all who have this object have closed it, or have ended. If it dies, the next call of
    `worker` starts another.

    Examples
    --------
    >>> nursery = Nursery()
    >>> channel = nursery.worker()  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; it loads the models in the background."""
        if not hasattr(os, "fork"):
            raise UsageError("the server needs a system with fork: on Windows, use WSL")
        self.close()
        self._control, other = socket.socketpair()
        number = other.fileno()
        command = [sys.executable, "-P", "-c", PROGRAM, str(number), json.dumps(sys.path)]
        alone = dict.fromkeys(ONE_THREAD, "1")
        with other:
            self._process = subprocess.Popen(
                command, pass_fds=[number], env=os.environ | alone, stdin=subprocess.DEVNULL
            )

    def worker(self) -> socket.socket:
        """Ask for a worker; returns the socket that leads to it."""
        if self._control is None:
            self.start()
        mine, other = socket.socketpair()
        try:
            with other:
                self._send(other)
        except BaseException:
            mine.close()
            raise
        return mine

    def _send(self, other: socket.socket) -> None:
        assert self._control is not None
        try:
            socket.send_fds(self._control, [b"w"], [other.fileno()])
        except (BrokenPipeError, ConnectionError):
            self.start()
            socket.send_fds(self._control, [b"w"], [other.fileno()])

    def close(self) -> None:
        """End the process, and with it all workers."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:  # it is still loading
                self._process.kill()
                self._process.wait()
            self._process = None


def run(descriptor: int) -> None:
    """Load the models, then fork a worker for every socket that is sent, until nobody can."""
    for number in (signal.SIGINT, signal.SIGTERM):  # the server ends us when its requests are done
        signal.signal(number, signal.SIG_IGN)
    from treaty.web._shelf import Shelf
    from treaty.web._worker import log_failure, rehearse, work

    shelf, children = Shelf(), set[int]()
    try:
        shelf.warm_up()
        rehearse(shelf)
    except Exception as error:  # workers load what they need, and answer with the error
        log_failure(error)
    gc.collect()
    gc.freeze()  # or the first collection of each worker would copy all objects
    signal.signal(signal.SIGCHLD, lambda *_: _reap(children))
    with socket.socket(fileno=descriptor) as control:
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not message:
                break
            channel = socket.socket(fileno=descriptors[0])
            if (process := os.fork()) == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                control.close()
                with suppress(OSError):  # be the first to go when the machine has no memory left
                    Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
                try:
                    work(channel, shelf)
                finally:
                    os._exit(0)
            channel.close()
            children.add(process)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for process in children:
        with suppress(ChildProcessError, ProcessLookupError):
            if os.waitpid(process, os.WNOHANG)[0] == 0:  # it is ours, and lives
                os.kill(process, signal.SIGKILL)


def _reap(children: set[int]) -> None:
    with suppress(ChildProcessError):
        while (process := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            children.discard(process)
