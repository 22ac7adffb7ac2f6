"""Faults that are injected into a process: each is a function that changes the one it runs in."""

from __future__ import annotations

import ctypes
import errno
import itertools
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from typing import Any

from treaty import _streams

__all__ = ["FAULTS"]


def full_at_byte(size: int) -> None:
    """Let no file grow beyond this size: the kernel writes less than asked, then refuses."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def failing_call(name: str, number: int, code: str) -> None:
    """Let the n-th call of a function of `os` fail."""
    calls, real = itertools.count(1), getattr(os, name)

    def call(*args: Any, **options: Any) -> Any:
        if next(calls) == number:
            raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
        return real(*args, **options)

    setattr(os, name, call)


def failing_write(number: int, code: str) -> None:
    """Let the n-th write fail when half of it is written."""
    calls, real = itertools.count(1), os.write

    class Failing(_streams._File):
        def write(self, data: Any) -> int:
            with _streams._telling(self._target):
                if next(calls) >= number:
                    real(self.fileno(), bytes(data)[: len(data) // 2])
                    raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
                return real(self.fileno(), data)

    _streams._File = Failing  # type: ignore[misc]


def short_writes(most: int) -> None:
    """Let the system take only some bytes at a time."""
    real = _streams._File.write
    _streams._File.write = lambda self, data: real(self, data[:most])  # type: ignore[method-assign]


def signals(seconds: float) -> None:
    """Interrupt whatever the process does, system calls among it (EINTR), all the time."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def stopped(seconds: float, name: str) -> None:
    """Send the process a signal, such as that of Ctrl-C, after a while."""
    number = signal.Signals[name]
    usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, usual)  # a shell may have let it be ignored
    timer = threading.Timer(seconds, os.kill, (os.getpid(), number))
    timer.daemon = True
    timer.start()


def clock_jumps(seed: int) -> None:
    """Let the clock of the day jump to and fro, and the others forward."""
    rng, ahead = random.Random(seed), 0.0
    real = {name: getattr(time, name) for name in ("time", "perf_counter", "monotonic")}

    def forward(name: str) -> float:
        nonlocal ahead
        ahead += rng.choice([0.0, 1e-3, 3600.0])
        return float(real[name]()) + ahead

    time.time = lambda: real["time"]() + rng.choice([-1e9, 0.0, 1e9])
    time.perf_counter = lambda: forward("perf_counter")
    time.monotonic = lambda: forward("monotonic")


def low_memory(megabytes: int) -> None:
    """Give the process only so much memory beyond what it has."""
    with open("/proc/self/statm") as file:  # noqa: PTH123
        pages = int(file.read().split()[0])
    limit = pages * resource.getpagesize() + int(megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))


def no_threads() -> None:
    """Let no thread start: each wants a stack that is larger than all memory."""
    system, attributes = ctypes.CDLL(None), ctypes.create_string_buffer(128)
    system.pthread_attr_init(attributes)
    assert system.pthread_attr_setstacksize(attributes, ctypes.c_size_t(2**46)) == 0
    assert system.pthread_setattr_default_np(attributes) == 0


def no_folders() -> None:
    """Take away the folders of the user and of temporary files."""
    for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[name] = "/dev/null/nowhere"
    tempfile._candidate_tempdir_list = lambda: ["/dev/null/nowhere"]  # type: ignore[attr-defined]
    tempfile.tempdir = None
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        del sys.modules[name]  # it looks for these folders when it is imported


def closed(name: str) -> None:
    """Close one of the standard streams, as ``>&-`` does."""
    os.close(getattr(sys, name).fileno())
    setattr(sys, name, None)


def nobody() -> None:
    """Give up the rights of root, before whom no file is protected."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def audited(outputs: str, secret: str) -> None:
    """Refuse to write outside of a folder, to read a file, and all of network and processes."""
    sys.dont_write_bytecode = True
    forbidden = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "pickle.")
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT

    def refuse(event: str, args: tuple[Any, ...]) -> None:
        if event.startswith(forbidden):
            raise RuntimeError(f"audit: {event} {args}")
        if event == "open":
            path, flags = str(args[0]), args[2] or 0
            inside = path.startswith((outputs, "/dev/null")) or path.isdigit()
            if path == secret or (flags & writing and not inside):
                raise RuntimeError(f"audit: open {path}")

    sys.addaudithook(refuse)


FAULTS = {
    fault.__name__: fault
    for fault in (
        full_at_byte, failing_call, failing_write, short_writes, signals, stopped, clock_jumps,
        low_memory, no_threads, no_folders, closed, nobody, audited,
    )
}  # fmt: skip
