"""``treaty link``: which post of a thread depends on which."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line, note, on_terminal
from treaty.cli._sources import read_each, stream_of
from treaty.corpus import Thread, read_threads

if TYPE_CHECKING:
    from treaty.label import LinkedThread

__all__ = ["HELP", "link"]

HELP = """Link threads: which post answers, or continues, which.

SOURCES are files of JSON lines (also as .gz or .xz), a thread a line, or - for standard input:

\b
  {"posts": [{"author": "Ann", "text": "Any sheep?"}, {"author": "Bob", "text": "No."}]}

Results are the same lines with "links": [[1, 0], ...] (post 1 depends on post 0; they count from
0), a confidence for each link, and a certificate: its status (OPTIMAL: proved to be the model's
best answer) and gap. On a terminal they are text, a line a post. A faulty thread is reported and
skipped. In long threads posts that are far apart are not linked (the model's window). Limits are
for each thread.

\b
Examples:
  treaty link chat.jsonl > linked.jsonl
  treaty link chat.jsonl --format svg -o chat.svg
  treaty link test.jsonl --model forum.treaty -o linked.jsonl
  treaty evaluate test.jsonl linked.jsonl
  treaty link chat.jsonl --order independent --format text

Exit codes: 0 done, 2 usage, 3 bad input (the rest is linked), 4 stopped at a limit, 5 model file
refused.
"""


class Format(StrEnum):
    """How threads are written."""

    JSON = "json"
    SVG = "svg"
    TEXT = "text"


def link(
    sources: opt.Sources = None,
    model: opt.Model = "threads",
    format: Annotated[Format | None, opt.FORMAT] = None,
    output: opt.Output = "-",
    order: Annotated[opt.ThreadOrder | None, opt.ORDER] = None,
    method: Annotated[opt.Method | None, opt.METHOD] = None,
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty link``; returns the exit code."""
    job = Job("link", "linking", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.label import ThreadLinker

    linker = ThreadLinker.load(model)
    limits = opt.chosen(iterations=iterations, time_limit=time_limit)

    def read(source: str) -> Iterable[Thread]:
        return read_threads(stream_of(source), on_error=job.fault)

    linked = linker.predict(
        read_each(given, read, job.fault),
        order=order and order.value,
        method="auto" if method is None else method.value,
        threads=threads,
        **limits,
    )
    usual = Format.TEXT if on_terminal(output) else Format.JSON
    watched = job.watched(linked if quiet else _noted(linked, linker.window))
    job.write(_texts(watched, format or usual))
    return job.end(limited=bool(limits))


def _noted(linked: Iterable[LinkedThread], window: int) -> Iterator[LinkedThread]:
    """Pass on threads, and tell of those that are so long that not all pairs were looked at."""
    long, pairs = 0, 0
    for thread in linked:
        long, pairs = long + (thread.left_out > 0), pairs + thread.left_out
        yield thread
    if long:
        note(
            f"{long} long {'thread' if long == 1 else 'threads'}: links reach {window} posts back "
            f"at most, {pairs} pairs further apart were left out"
        )


def _texts(linked: Iterator[LinkedThread], shown: Format) -> Iterator[str]:
    from treaty.show import thread_svg, thread_text

    if shown is Format.SVG:
        every = list(linked)
        if every:
            yield thread_svg(
                [found.thread for found in every],
                confidences=[found.confidences for found in every],
                certificates=[found.certificate for found in every],
            )
        return
    encoding = sys.stdout.encoding or "utf-8"
    for found in linked:
        if shown is Format.JSON:
            yield json_line(found)
        else:
            drawn = thread_text(found.thread, certificate=found.certificate, encoding=encoding)
            yield f"{drawn}\n"
