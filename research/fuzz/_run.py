"""The runner of all harnesses: worker processes, a watchdog, and the cases they found."""

from __future__ import annotations

import faulthandler
import gc
import hashlib
import mmap
import os
import random
import re
import resource
import signal
import struct
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, Any

from research.fuzz._mutate import LONGEST, mutated
from treaty.errors import TreatyError

__all__ = ["CASES", "Finding", "Harness", "Report", "fuzz", "judged"]

CASES = Path(__file__).parent / "cases"
"""Inputs that once broke something, in a folder for each harness; the tests run them all."""
WATCHDOG = 10.0
"""Seconds after which an input is a hang: of computing, or ten times as many of sleeping."""
WAITS = 10
MEMORY = 2**31
"""Bytes that a worker may take in addition to those it has at its start."""
MOST_KEPT = 2048
"""Number of inputs with a new outcome that join the corpus of a worker."""
HEAD = struct.Struct("QQQ")
"""What a worker shares: inputs begun; inputs done; the length of the last one.

A worker asks for no time of computing, which some systems take a millisecond to tell: the watchdog
does, once an input goes on for longer than one round of it.
"""


class Finding(AssertionError):  # noqa: N818 - it is no error of ours
    """An answer that is wrong: `what` in few words, the same for all inputs with this fault."""

    def __init__(self, what: str, text: str) -> None:
        super().__init__(text)
        self.what = what


@dataclass(frozen=True)
class Harness:
    """What is fuzzed, and with what.

    Attributes
    ----------
    name
        Short and unique; the name of the folder of its cases.
    make_corpus
        Makes valid inputs, which are mutated. Called once, before workers are forked.
    run
        Runs one input; whatever it raises besides `allowed` is a finding, and so are hangs,
        crashes and warnings.
    words
        Strings of the format that mutations insert.
    allowed
        The exceptions that an input may end with.
    mutate
        Makes an input from ``(random, corpus, words)``.
    longest
        Number of bytes at which inputs are cut off.
    """

    name: str
    make_corpus: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], object]
    words: Sequence[bytes] = ()
    allowed: tuple[type[BaseException], ...] = (TreatyError,)
    mutate: Callable[[random.Random, Sequence[bytes], Sequence[bytes]], bytes] = mutated
    longest: int = LONGEST


@dataclass
class Report:
    """What came of a harness: `found` counts findings by where they happened."""

    name: str
    inputs: int = 0
    seconds: float = 0.0
    found: Counter[str] = field(default_factory=Counter)
    cases: dict[str, bytes] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def __str__(self) -> str:
        """Give a row for the terminal, and a line for each finding."""
        rate = self.inputs / max(self.seconds, 1e-9)
        row = f"{self.name:24} {self.inputs:>12,} {rate:>10,.0f}/s {sum(self.found.values()):>8,}"
        return "\n".join([row, *(f"    {n:>6,} {what}" for what, n in self.found.most_common())])

    def add(self, what: str, data: bytes, text: str = "") -> None:
        """Keep the first case of a finding; the worker counts how often it comes."""
        if len(data) < len(self.cases.get(what, data + b" ")):
            self.cases[what], self.texts[what] = data, text

    def save(self, folder: Path) -> None:
        """Write the case of each finding, and its traceback."""
        for what, data in self.cases.items():
            path = folder / self.name / hashlib.sha256(what.encode()).hexdigest()[:12]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(f"{what}\n{self.texts[what]}")


def judged(harness: Harness, data: bytes) -> tuple[tuple[Any, ...], str | None, str]:
    """Run an input.

    Returns
    -------
    outcome, finding, traceback
        Something that tells different outcomes apart; what was found, or None.
    """
    try:
        harness.run(data)
    except harness.allowed as error:
        return (type(error), *_lines(error)), None, ""
    except Exception as error:
        *_, (file, line) = _lines(error)
        what = f"{type(error).__name__} at {Path(file).name}:{line}"
        what = error.what if isinstance(error, Finding) else what
        return (what,), what, "".join(traceback.format_exception(error, limit=-20))
    return (), None, ""


def _lines(error: BaseException) -> list[tuple[str, int]]:
    found, frame = [], error.__traceback__
    while frame is not None:
        found.append((frame.tb_frame.f_code.co_filename, frame.tb_lineno))
        frame = frame.tb_next
    return found


def fuzz(
    harness: Harness,
    *,
    inputs: int,
    seconds: float = float("inf"),
    seed: int = 1,
    processes: int = 1,
    watchdog: float = WATCHDOG,
) -> Report:
    """Run mutated inputs in worker processes until their number or the time is reached.

    The inputs depend on `seed` and `processes` alone.
    """
    report, start = Report(harness.name), time.monotonic()
    corpus = list(harness.make_corpus())
    share = -(-inputs // processes)
    workers = [
        _Worker(harness, corpus, seed * 1000 + n, min(share, inputs - n * share), start + seconds)
        for n in range(processes)
        if inputs > n * share
    ]
    every = workers
    try:
        while workers:
            wait([worker.connection for worker in workers], timeout=0.2)
            workers = [worker for worker in workers if worker.goes_on(report, watchdog)]
    except KeyboardInterrupt:
        report.interrupted = True
        for worker in workers:
            worker.end(report)
    finally:
        for worker in every:
            worker.trace.close()
    report.seconds = time.monotonic() - start
    return report


class _Worker:
    """A process that runs inputs; it is started again after a hang or crash."""

    def __init__(
        self, harness: Harness, corpus: list[bytes], seed: int, inputs: int, until: float
    ) -> None:
        self.harness, self.corpus, self.seed = harness, corpus, seed
        self.inputs, self.until = inputs, until
        self.shared = mmap.mmap(-1, HEAD.size + harness.longest)
        self.trace = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by `fuzz`
        self.connection = self._start()

    def _start(self) -> Connection:
        HEAD.pack_into(self.shared, 0, 0, 0, 0)
        self.current, self.computed, self.slept, self.last = 0, 0.0, 0.0, time.monotonic()
        context = get_context("fork")
        here, there = context.Pipe()
        work = (self.harness, self.corpus, self.seed, self.inputs, self.until, self.shared)
        work = (*work, there, self.trace)
        self.process = context.Process(target=_work, args=work, daemon=True)
        self.process.start()
        there.close()
        return here

    def end(self, report: Report) -> None:
        """End the process; what it has done counts."""
        self.process.kill()
        self.process.join()
        report.inputs += HEAD.unpack_from(self.shared)[1]

    def goes_on(self, report: Report, watchdog: float) -> bool:
        """Read what the process has found; tells whether there is more to come."""
        self._receive(report)
        hangs = self._hangs(watchdog)
        if self.process.is_alive() and not hangs:
            return True
        text = self._traceback() if hangs else ""
        self.process.kill()
        self.process.join()
        self._receive(report)  # what it sent since
        _, done, length = HEAD.unpack_from(self.shared)
        report.inputs += done
        if not hangs and self.process.exitcode == 0:
            return False
        frame = re.search(r'([^/"]+)", line (\d+)', text)
        place = f" at {frame[1]}:{frame[2]}" if frame else ""
        what = f"hang{place}" if hangs else f"crash with exit code {self.process.exitcode}"
        report.found[what] += 1
        report.add(what, self.shared[HEAD.size : HEAD.size + length], text)
        report.inputs += 1
        self.seed, self.inputs = self.seed + 10**6, self.inputs - done - 1
        if self.inputs <= 0 or time.monotonic() > self.until:
            return False
        self.connection = self._start()
        return True

    def _receive(self, report: Report) -> None:
        with suppress(EOFError, ConnectionResetError):
            while self.connection.poll():
                what, *case = self.connection.recv()
                report.found[what] += 1
                if case:
                    report.add(what, *case)

    def _traceback(self) -> str:
        """Ask a process that hangs where it is: the signal handler needs no interpreter lock."""
        with suppress(ProcessLookupError):
            os.kill(self.process.pid or 0, signal.SIGUSR1)
            time.sleep(0.2)
        self.trace.seek(0)
        text = self.trace.read()
        self.trace.seek(0)
        self.trace.truncate()
        return text

    def _hangs(self, watchdog: float) -> bool:
        """Tell whether an input that was running a round ago still runs, and for too long.

        What counts is the time it computes, or sleeps; a process that others keep from computing
        does neither.
        """
        begun, done, _ = HEAD.unpack_from(self.shared)
        now, (computed, asleep) = time.monotonic(), _state_of(self.process.pid)
        if begun == done or begun != self.current:
            self.current, self.computed, self.slept = begun, computed, 0.0
        elif asleep:
            self.slept += now - self.last
        self.last = now
        return computed - self.computed > watchdog or self.slept > WAITS * watchdog


def _work(
    harness: Harness,
    corpus: list[bytes],
    seed: int,
    inputs: int,
    until: float,
    shared: mmap.mmap,
    connection: Connection,
    trace: IO[str],
) -> None:
    faulthandler.register(signal.SIGUSR1, trace)
    _limit_memory()
    warnings.simplefilter("error")
    gc.freeze()
    dice, seen = random.Random(seed), {()}
    room = len(corpus) + MOST_KEPT
    for done in range(inputs):
        data = harness.mutate(dice, corpus, harness.words)[: harness.longest]
        shared[HEAD.size : HEAD.size + len(data)] = data
        HEAD.pack_into(shared, 0, done + 1, done, len(data))
        outcome, what, text = judged(harness, data)
        HEAD.pack_into(shared, 0, done + 1, done + 1, len(data))
        if what is not None:
            connection.send((what,) if outcome in seen else (what, data, text))
        elif outcome not in seen and len(corpus) < room:
            corpus.append(data)  # a step towards other outcomes
        seen.add(outcome)
        if time.monotonic() > until:
            break
    connection.close()


def _state_of(process: int | None) -> tuple[float, bool]:
    """Return the seconds that a process has computed, and whether it waits for something.

    Without Linux, all time is taken for that of computing.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic(), False
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] != "R"


def _limit_memory() -> None:
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
