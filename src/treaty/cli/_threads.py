"""``treaty threads``: which post of a thread depends on which."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._output import check_writable, fault, note
from treaty.cli._progress import progress
from treaty.cli._sentences import To, write_texts
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import Thread
    from treaty.label.threads import LinkedThread

__all__ = ["HELP", "Order", "threads"]

BAD_INPUT = 3
HELP = """Link threads: which post answers, or goes on with, which earlier one.

SOURCES are JSONL files (also as .gz or .xz), a thread a line, or - for standard input:

\b
  {"posts": [{"author": "Ann", "text": "Any sheep?"}, {"author": "Bob", "text": "No."}]}

Results are the same lines with "links": [[1, 0], ...] (post 1 depends on post 0; they count from
0), a confidence for each link, and a certificate: its status (OPTIMAL: proved to be the model's
best answer) and gap. On a terminal they are text, a line a post. A faulty thread is reported and
skipped. In long threads posts that are far apart are not linked (the model's window).

\b
Examples:
  treaty threads chat.jsonl > linked.jsonl
  treaty threads chat.jsonl --output svg -o chat.svg
  treaty threads test.jsonl --model forum.treaty -o linked.jsonl
  treaty evaluate test.jsonl linked.jsonl
  treaty threads chat.jsonl --order independent --output text

Exit codes: 0 done, 2 usage, 3 bad input (the rest is linked), 5 model file refused.
"""


class Output(StrEnum):
    """How threads are written."""

    JSONL = "jsonl"
    SVG = "svg"
    TEXT = "text"


class Order(StrEnum):
    """The orders of `treaty.label.threads.ORDERS`, which is costly to import."""

    INDEPENDENT = "independent"
    TWO_D = "2d"
    THREE_WISE = "3-wise"


def threads(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCES]...", help="JSONL files or -.")
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="threads, or a file from 'treaty train threads'.")
    ] = "threads",
    output: Annotated[Output | None, typer.Option(help="svg: one drawing of all threads.")] = None,
    to: To = "-",
    order: Annotated[
        Order | None,
        typer.Option(help="A lower order than the model's is faster and less accurate."),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="auto, or a method of 'treaty solve'.")
    ] = "auto",
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="Linked at a time.")] = 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> int:
    """Run ``treaty threads``; returns the exit code."""
    from treaty.label.threads import ThreadLinker

    if not sources and sys.stdin.isatty():
        raise UsageError("nothing to link: give files, or - for the terminal")
    if to != "-":
        check_writable(to)
    shown = output or (Output.TEXT if to == "-" and sys.stdout.isatty() else Output.JSONL)
    linker = ThreadLinker.load(model)
    faults = 0

    def report(error: InputError) -> None:
        nonlocal faults
        faults += 1
        fault(error)

    with progress("linking", quiet=quiet or to == "-"):
        linked = linker.link(
            _read(sources or ["-"], report),
            order=order and order.value,
            method=method,
            threads=threads,
        )
        write_texts(_texts(linked if quiet else _noted(linked, linker.window), shown), to)
    if faults and not quiet:
        note(f"{faults} faulty {'thread' if faults == 1 else 'threads'} of the input skipped")
    return BAD_INPUT if faults else 0


def _read(sources: list[str], report: Callable[[InputError], None]) -> Iterator[Thread]:
    from treaty.corpus import read_threads

    for source in sources:
        try:
            yield from read_threads(source, on_error=report)
        except InputError as error:
            report(error)


def _noted(linked: Iterator[LinkedThread], window: int) -> Iterator[LinkedThread]:
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


def _texts(linked: Iterator[LinkedThread], output: Output) -> Iterator[str]:
    from treaty.show import thread_svg, thread_text

    if output is Output.SVG:
        every = list(linked)
        if every:
            sure = [found.confidences for found in every]
            yield thread_svg([f.thread for f in every], confidences=sure, certificates=every)
        return
    encoding = sys.stdout.encoding or "utf-8"
    for found in linked:
        if output is Output.TEXT:
            yield thread_text(found.thread, certificate=found, encoding=encoding) + "\n"
        else:
            yield found.to_json()
