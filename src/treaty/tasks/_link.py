"""Linking: which post of a thread answers, or continues, which."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from treaty._json import json_line
from treaty.tasks._options import Iterations, Method, Model, Threads, TimeLimit
from treaty.tasks._request import Option, Record, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import Source, read_each
from treaty.tasks._task import Task
from treaty.text import Post, Thread, read_threads

if TYPE_CHECKING:
    from treaty.label import LinkedThread, ThreadLinker

__all__ = ["LinkRequest", "Linking", "PostRecord"]

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
ThreadOrder = Literal["independent", "2d", "3-wise"]


@dataclass(frozen=True, kw_only=True)
class PostRecord(Record):
    """A post of a thread."""

    ignores_others = True
    text: Annotated[str, Option("The text.")]
    author: Annotated[str | None, Option("The name of the author.")] = None


@dataclass(frozen=True, kw_only=True)
class LinkRequest(Request):
    """Links between the posts of a thread: posts, or a line of JSON a thread."""

    examples: ClassVar = (
        {
            "posts": [
                {"author": "ann", "text": "how do I mount a usb stick?"},
                {"author": "bob", "text": "ann: sudo mount /dev/sdb1 /mnt"},
            ]
        },
    )
    posts: Annotated[
        tuple[PostRecord, ...], Option("The posts of one thread.", longest=10_000, of=("http",))
    ] = ()
    model: Model = "threads"
    order: Annotated[ThreadOrder | None, Option("Higher orders are slower and more accurate.")] = (
        None
    )
    method: Method = None
    iterations: Iterations = None
    time_limit: TimeLimit = None
    threads: Threads = 1


class Linking(Task[LinkRequest]):
    """Links threads."""

    name = "link"
    doing = "linking"
    asks = LinkRequest
    help = HELP
    formats = ("json", "svg", "text")
    streamed = ("json", "text")
    on_terminal = "text"
    input_format = "threads"
    records = "posts"

    def __init__(self, request: LinkRequest, run: Run) -> None:
        from treaty.label import ThreadLinker

        super().__init__(request, run)
        self.linker: ThreadLinker = run.models.load(ThreadLinker, request.model)

    def read(self, sources: Iterable[Source]) -> Iterator[Thread]:
        """Read threads."""
        posts = [Post(post.text, post.author or "") for post in self.request.posts]
        threads = read_each(
            sources, lambda source: read_threads(source, on_error=self.run.fault), self.run.fault
        )
        return iter(self.run.admitted(chain([Thread(posts)] if posts else [], threads)))

    def results(self, items: Iterator[Thread]) -> Iterator[LinkedThread]:
        """Link threads, and count those that are so long that not all pairs are scored."""
        for group in self.run.batches(items):
            limits = self.request.given("iterations", "time_limit") | self.run.limits()
            for thread in self.linker.predict(
                group,
                order=self.request.order,
                method=self.request.method or "auto",
                threads=self.request.threads,
                **limits,
            ):
                if thread.left_out > 0:
                    self.run.tally["long"] += 1
                    self.run.tally["pairs"] += thread.left_out
                    self.run.tally["window"] = self.linker.window
                yield thread

    def texts(self, results: Iterator[LinkedThread], format: str) -> Iterator[str]:  # noqa: A002
        """Write or draw threads."""
        from treaty.show import thread_svg, thread_text

        if format == "svg":
            if every := list(results):
                yield thread_svg(
                    [linked.thread for linked in every],
                    confidences=[linked.confidences for linked in every],
                    certificates=[linked.certificate for linked in every],
                )
            return
        encoding = sys.stdout.encoding or "utf-8"
        for linked in results:
            if format == "json":
                yield json_line(linked)
            else:
                drawn = thread_text(
                    linked.thread, certificate=linked.certificate, encoding=encoding
                )
                yield f"{drawn}\n"

    @classmethod
    def ending(cls, request: LinkRequest, run: Run) -> Iterator[str]:
        """Note the pairs of posts that are too far apart."""
        if pairs := run.tally["pairs"]:
            long, window = run.tally["long"], run.tally["window"]
            yield (
                f"{long} long {'thread' if long == 1 else 'threads'}: links reach {window} posts "
                f"back at most, {pairs} pairs further apart were left out"
            )
