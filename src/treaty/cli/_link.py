"""``treaty link``: which post of a thread depends on which."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from treaty.cli._job import Job
from treaty.cli._options import (
    FORMAT,
    METHOD,
    ORDER,
    DecodingMethod,
    Iterations,
    Model,
    Output,
    Quiet,
    Sources,
    ThreadOrder,
    Threads,
    TimeLimit,
)
from treaty.cli._output import json_line, note, on_terminal
from treaty.cli._sources import is_file
from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Thread
    from treaty.label import LinkedThread

__all__ = ["HELP", "link"]

HELP = """Link threads: which post answers, or continues, which earlier one.

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
    sources: Sources = None,
    model: Model = "threads",
    format: Annotated[Format | None, FORMAT] = None,  # noqa: A002 - what users call it
    output: Output = "-",
    order: Annotated[ThreadOrder | None, ORDER] = None,
    method: Annotated[DecodingMethod, METHOD] = DecodingMethod.AUTO,
    iterations: Iterations = None,
    time_limit: TimeLimit = None,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty link``; returns the exit code."""
    job = Job("link", "linking", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.label import ThreadLinker

    linker = ThreadLinker.load(model)
    limits = {"iterations": iterations, "time_limit": time_limit}
    options: dict[str, Any] = {name: v for name, v in limits.items() if v is not None}
    linked = linker.predict(
        _read(given, job.fault),
        order=order and order.value,
        method=method.value,
        threads=threads,
        **options,
    )
    usual = Format.TEXT if on_terminal(output) else Format.JSON
    watched = job.watched(linked if quiet else _noted(linked, linker.window))
    job.write(_texts(watched, format or usual))
    return job.end(limited=bool(options))


def _read(sources: list[str], on_error: Callable[[InputError], object]) -> Iterator[Thread]:
    import io

    from treaty.corpus import read_threads

    for source in sources:
        try:
            origin = source if is_file(source) else io.StringIO(source)
            yield from read_threads(origin, on_error=on_error)
        except InputError as error:
            on_error(error)


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
