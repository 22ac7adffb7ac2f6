"""``treaty link``: which post of a thread depends on which."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import json_line, note, on_terminal
from treaty.cli._work import Work
from treaty.corpus import Thread, read_threads
from treaty.tasks._sources import Source, read_each

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


Format = Literal["json", "svg", "text"]


def link(
    sources: opt.Sources = None,
    model: opt.Model = "threads",
    format: Annotated[Format | None, opt.FORMAT] = None,
    output: opt.Output = "-",
    order: Annotated[opt.ThreadOrder | None, opt.ORDER] = None,
    method: Annotated[opt.Method | None, opt.METHOD] = None,
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty link``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("link", "linking", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    limits = opt.chosen(iterations=iterations, time_limit=time_limit)
    shown = format or ("text" if on_terminal(output) else "json")
    options = {"order": order, "method": method or "auto", "threads": threads, **limits}
    settings: dict[str, Any] = {"model": model, "shown": shown, "options": options}
    if cluster is not None:
        far.check_format(shown, ("json", "text"))
        far.run_work(job, Linking, settings, [model], given, "threads")
    else:
        work = Linking(**settings)
        job.write(work.texts(work.read(given, None, job), job))
    if (pairs := job.tally["pairs"]) and not quiet:
        long, window = job.tally["long"], job.tally["window"]
        note(
            f"{long} long {'thread' if long == 1 else 'threads'}: links reach {window} posts back "
            f"at most, {pairs} pairs further apart were left out"
        )
    return job.end(limited=bool(limits))


class Linking(Work):
    """Links threads, with the options of the command."""

    command = "link"

    def __init__(self, model: str, shown: Format, options: dict[str, Any]) -> None:
        from treaty.label import ThreadLinker

        self.linker, self.shown, self.options = ThreadLinker.load(model), shown, options

    def read(self, sources: Iterable[Source], given: Any, job: Job) -> Iterator[Thread]:
        """Read threads."""

        def read(source: Source) -> Iterable[Thread]:
            return read_threads(source, on_error=job.fault)

        return read_each(sources, read, job.fault)

    def texts(self, items: Iterator[Thread], job: Job) -> Iterator[str]:
        """Link threads, and write them."""
        linked = self.linker.predict(items, **self.options)
        return _texts(job.watched(self._counted(linked, job)), self.shown)

    def _counted(self, linked: Iterable[LinkedThread], job: Job) -> Iterator[LinkedThread]:
        """Count the threads that are so long that not all pairs were looked at."""
        for thread in linked:
            if thread.left_out > 0:
                job.tally["long"] += 1
                job.tally["pairs"] += thread.left_out
                job.tally["window"] = self.linker.window
            yield thread


def _texts(linked: Iterator[LinkedThread], shown: Format) -> Iterator[str]:
    from treaty.show import thread_svg, thread_text

    if shown == "svg":
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
        if shown == "json":
            yield json_line(found)
        else:
            drawn = thread_text(found.thread, certificate=found.certificate, encoding=encoding)
            yield f"{drawn}\n"
