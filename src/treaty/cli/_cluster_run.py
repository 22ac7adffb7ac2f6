"""Commands on a cluster: the input is divided, workers do the parts, results come in order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treaty.cli._job import Job
from treaty.cli._output import note, on_terminal
from treaty.cli._output import write_texts as write
from treaty.cli._progress import Display
from treaty.errors import InputError, UsageError
from treaty.tasks import Request, Task
from treaty.tasks._documents import Documents
from treaty.tasks._label import Labeling, renumbered
from treaty.tasks._part import APART, LITERAL, TaskPart
from treaty.tasks._sources import SENTENCES, Text, file_format
from treaty.tasks._sources import Source as Given
from treaty.text.formats import FORMATS

if TYPE_CHECKING:
    from treaty.cluster._connect import Connection
    from treaty.cluster._folder import Finished
    from treaty.cluster._parts import Part, Source
    from treaty.text.formats import Cut

__all__ = ["ClusterChoices"]

CUTS: dict[str, Cut] = {
    **{one.name: one.cut for one in FORMATS},
    "tokens": "lines",
}
"""Where files of each format are cut."""
DOCUMENTS_AT_ONCE = 16
"""Number of documents of a part."""
Adjust = Callable[["Finished", str], str]
Parts = Iterable[tuple["Part", bytes]]


@dataclass(frozen=True)
class ClusterChoices:
    """Options of the command line that concern clusters.

    Raises
    ------
    UsageError
        For options that go with ``--cluster`` only.
    """

    address: str | None
    run: str | None
    part_limit: float | None
    resume: bool

    def __post_init__(self) -> None:
        """Check that the options go together."""
        given = {"--run": self.run, "--part-limit": self.part_limit, "--resume": self.resume}
        alone = [name for name, value in given.items() if value]
        if self.address is None and alone:
            also = " (--resume also with -o folder/)" if self.resume else ""
            raise UsageError(f"{' and '.join(alone)}: only with --cluster{also}")
        if self.resume and self.run is None:
            raise UsageError("--resume continues the run in a folder: give --run DIR")

    def check_format(self, shown: str, known: Sequence[str]) -> None:
        """Refuse a format that is one drawing of all results."""
        if shown not in known:
            raise UsageError(f"--cluster goes with --format {' or '.join(known)}, not {shown}")

    def perform(
        self, job: Job, task: type[Task[Any]], request: Request, shown: str, given: Sequence[Given]
    ) -> None:
        """Perform a task on the cluster, and write what comes back.

        Parameters
        ----------
        job
            The job; faults and counts of all parts are added to it.
        task, request, shown
            The task, its request, and the format of results.
        given
            The sources.
        """
        from treaty.cluster._maps import part_size
        from treaty.cluster._parts import parts_of, parts_of_items

        at_once = task.at_once(request)
        adjust, divisible = None, at_once is None
        parts: Parts
        documents = None
        if task.keeps_documents(request, given):
            documents = Documents(given, task.wanted(request), job.fault)
            divisible = True
            parts = parts_of_items(documents.read(documents), DOCUMENTS_AT_ONCE, kind=APART)
        elif task.name == Labeling.name:
            work: Any = task(request, job)
            parts = _divided(work.parts(given))
            adjust, divisible = _Numbers(), work.request.chain_only
        elif at_once is None:
            sources = list(
                _sources(given, getattr(request, "input_format", task.input_format), job)
            )
            size = part_size(source.name for source in sources)
            parts = parts_of(_readable(sources, job), size)
        else:
            parts = parts_of_items(filter(_counts, task(request, job).read(given)), at_once)
        settings = {"task": task.name, "request": request.to_dict(), "shown": shown}
        self.run_parts(
            job, TaskPart, settings, task.models(request), parts, divisible,
            between="" if documents else task.between.get(shown, ""), adjust=adjust,
        )  # fmt: skip
        if documents is not None and (left_out := documents.note()):
            job.note(left_out)

    def run_parts(
        self,
        job: Job,
        work: type[Any],
        settings: dict[str, Any],
        models: Sequence[str],
        parts: Parts,
        divisible: bool = True,
        *,
        between: str = "",
        adjust: Adjust | None = None,
    ) -> None:
        """Run the parts of a job on the cluster, and write what comes back."""
        from treaty.cluster._models import hashes_of
        from treaty.cluster._worker import JobSpec

        named = f"{work.__module__}:{work.__name__}"
        spec = JobSpec(named, settings, hashes_of(list(models)), divisible)
        with self.connected(job.quiet) as connection:
            shared = on_terminal(job.output)
            with Display(job.doing, quiet=job.quiet, on_terminal=shared) as display:
                done = self._done(connection, spec, parts, display if display.is_live else None)
                write(_joined(done, job, between, adjust), job.output)

    def connected(self, quiet: bool) -> Connection:
        """Connect, and tell where the dashboard is, if there is one."""
        from treaty.cluster._connect import connect

        if self.address is None:
            raise UsageError("give --cluster ADDRESS")
        connection = connect(self.address).open()
        if not quiet:
            workers = f"{len(connection.client.nthreads())} workers"
            dashboard = connection.dashboard
            note(workers if dashboard is None else f"{workers}; dashboard: {dashboard}")
        return connection

    def _done(
        self, connection: Connection, spec: Any, parts: Parts, display: Display | None
    ) -> Iterator[tuple[Finished, bytes]]:
        from treaty.cluster._maps import run_parts

        return run_parts(
            connection, spec, parts, folder=self.run, resume=self.resume, seconds=self.part_limit,
            progress=display,
        )  # fmt: skip


def _joined(
    done: Iterable[tuple[Finished, bytes]], job: Job, between: str, adjust: Adjust | None
) -> Iterator[str]:
    """Take over what parts report; yields their results."""
    first = True
    for finished, data in done:
        job.take(finished.report)
        text = data.decode("utf-8", "surrogatepass")
        if adjust is not None:
            text = adjust(finished, text)
        if text:
            yield text if first else between + text
            first = False


def _divided(items: Iterable[tuple[str, list[Any]]]) -> Parts:
    """Make a part of each item, with the number of its source as its kind."""
    from treaty.cluster._parts import parts_of_items

    for number, (source, item) in enumerate(items):
        yield next(iter(parts_of_items(item, 1, kind=source, first=number)))


class _Numbers:
    """Numbers the groups of all parts of a source, as without a cluster."""

    def __init__(self) -> None:
        self.source, self.first = "", 0

    def __call__(self, finished: Finished, text: str) -> str:
        """Renumber the groups in the results of a part."""
        first = self.first if finished.part.kind == self.source else 0
        self.source = finished.part.kind
        moved, self.first = renumbered(text, first)
        return moved


def _counts(item: Any) -> bool:
    """Leave out pauses of live input."""
    return not hasattr(item, "__len__") or len(item) > 0


def _sources(given: Sequence[Given], input_format: str | None, job: Job) -> Iterator[Source]:
    """Tell how each source is read; texts and standard input are sent to workers."""
    from treaty.cluster._parts import Source, is_url

    for source in given:
        try:
            if isinstance(source, Text):
                text = source.getvalue().encode("utf-8", "surrogatepass")
                yield Source(source.name, "whole", text, LITERAL + (input_format or ""))
            elif source == "-":
                data: Any = getattr(sys.stdin, "buffer", sys.stdin).read()
                yield _of_bytes("<stdin>", data, input_format)
            elif is_url(source):
                kind = input_format or "text"
                yield Source(source, CUTS[kind], kind=kind)
            else:
                kind = input_format or file_format(source, None, SENTENCES)[0]
                yield Source(source, CUTS[kind], kind=kind)
        except InputError as error:
            job.fault(error)


def _of_bytes(name: str, data: bytes, input_format: str | None) -> Source:
    import io

    from treaty._streams import GZIP, XZ, chunks_of
    from treaty.cluster._parts import Source

    if data.startswith((GZIP, XZ)):
        data = b"".join(chunks_of(io.BytesIO(data)))
    kind = input_format
    if kind is None:
        stream = io.BytesIO(data)
        stream.name = name
        kind = file_format(stream, None, SENTENCES)[0]
    return Source(name, CUTS[kind], data, kind)


def _readable(sources: Iterable[Source], job: Job) -> Iterator[Source]:
    """Leave out sources that cannot be read, as a command does without a cluster."""
    from treaty.cluster._parts import fetch

    for source in sources:
        try:
            if source.content is None:
                fetch(source.name, 0, 1)
            yield source
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or error
            job.fault(InputError(f"cannot be read: {cause}", path=source.name))
