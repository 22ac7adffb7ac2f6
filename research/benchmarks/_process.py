"""A program run once in a process of its own: what it said, its CPU time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class FailedError(Exception):
    """What a process said before it failed, in one line."""


@dataclass(frozen=True)
class Process:
    """A process that has ended."""

    output: str
    seconds: float
    """Of CPU, user and system."""
    megabytes: float
    """At its peak."""


def run_python(*arguments: object) -> Process:
    """Run a Python program. This process stays small: a child's peak counts from its fork on."""
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **ONE_THREAD},
        )
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)  # or else Popen waits for it again
        if child.returncode != 0:
            errors.seek(0)
            raise FailedError((errors.read().strip().splitlines() or ["no message"])[-1])
    return Process(output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
