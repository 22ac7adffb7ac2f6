"""A process that has imported everything and forks: a child with a fault costs milliseconds.

``python -m tests.faults.zygote`` reads jobs from standard input, a line of JSON each, and answers
each with a line: the exit code (negative: the signal), standard output and standard error.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import math
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Result", "Zygote"]

ROOT = Path(__file__).parents[2]
LONGEST = 120.0
"""Seconds after which a child counts as hanging, and is killed."""


class Result(NamedTuple):
    """How a child ended: by an exit code, or by a signal (negative)."""

    code: int
    out: str
    err: str


class Zygote:
    """Runs functions in children of one process."""

    def __enter__(self) -> Zygote:
        command = [sys.executable, "-m", "tests.faults.zygote"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process: Any = subprocess.Popen(command, **pipes, text=True, cwd=ROOT)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def run(
        self, function: str, *args: Any, faults: Sequence[list[Any]] = (), kill: float | None = None
    ) -> Result:
        """Call a function in a child.

        Parameters
        ----------
        function
            ``module:name``; what it returns is the exit code.
        args
            Its arguments, as JSON has them.
        faults
            Each the name of a fault and its arguments.
        kill
            Seconds after which the child is killed, if it has not ended.
        """
        job = {"function": function, "args": args, "faults": list(faults), "kill": kill}
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return Result(**json.loads(self._process.stdout.readline()))


def _serve() -> None:
    for line in sys.stdin.buffer:
        code, out, err = _forked(json.loads(line))
        texts = {"out": out.decode("utf-8", "replace"), "err": err.decode("utf-8", "replace")}
        sys.stdout.write(json.dumps({"code": code, **texts}) + "\n")
        sys.stdout.flush()


def _forked(job: dict[str, Any]) -> tuple[int, bytes, bytes]:
    pipes = [os.pipe(), os.pipe()]  # not files: the size of those may be limited
    child = os.fork()
    if child == 0:
        for number, (_, writer) in enumerate(pipes, 1):
            os.dup2(writer, number)
        os.closerange(3, max(max(pipes)) + 1)
        with open(os.devnull, "rb") as null:  # noqa: PTH123
            os.dup2(null.fileno(), 0)
        os._exit(_call(job))
    for _, writer in pipes:
        os.close(writer)
    end = time.monotonic() + (LONGEST if job["kill"] is None else job["kill"])
    out, err = _read_until([reader for reader, _ in pipes], child, end)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), out, err


def _left(end: float) -> float | None:
    return None if end == math.inf else max(end - time.monotonic(), 0.0)


def _read_until(readers: list[int], child: int, end: float) -> list[bytes]:
    """Read what a child writes until it ends; kill it at a moment."""
    texts, alive = dict.fromkeys(readers, b""), list(readers)
    ended = os.pidfd_open(child)
    while True:
        ready = select.select([ended, *alive], [], [], _left(end))[0]
        if not ready:
            os.kill(child, signal.SIGKILL)
            end = math.inf
        for reader in ready:
            if reader != ended:
                data = os.read(reader, 2**16)
                texts[reader] += data
                if not data:
                    alive.remove(reader)
        if ready == [ended]:
            break
    for handle in (ended, *readers):
        os.close(handle)
    return list(texts.values())


def _call(job: dict[str, Any]) -> int:
    from tests.faults.faults import FAULTS

    code = 1
    try:
        module, _, name = job["function"].partition(":")
        function = getattr(importlib.import_module(module), name)
        for fault, *args in job["faults"]:
            FAULTS[fault](*args)
        code = function(*job["args"]) or 0
    except BaseException:  # as Python itself does at the end
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return code


def _import_all() -> None:
    """Import what commands import when they need it."""
    for name in (
        "matplotlib.backends.backend_svg", "matplotlib.figure", "numpy.random", "rich.console",
        "safetensors.numpy",
        "treaty.papers.relaxations._search", "treaty.label.threads", "treaty.show",
        "treaty.summarize", "treaty.testing",
    ):  # fmt: skip
        importlib.import_module(name)
    with redirect_stdout(io.StringIO()):  # and what Typer imports
        importlib.import_module("treaty.cli").main(["solve", str(ROOT / "examples/weather.fg")])


if __name__ == "__main__":
    _import_all()
    gc.freeze()  # the collector of a child need not look at, and so copy, all that
    _serve()
