"""The same function for very many inputs, over a `distributed.Client`."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from treaty.cluster._connect import Connection, distributed
from treaty.cluster._folder import Finished, RunFolder
from treaty.cluster._models import hashes_of
from treaty.cluster._parts import PART_BYTES, Part, Source, parts_of, parts_of_items
from treaty.cluster._run import Run
from treaty.cluster._worker import JobSpec
from treaty.errors import InputError, UsageError
from treaty.progress import OnProgress
from treaty.text.formats import Cut

__all__ = ["map_collections", "map_graphs", "map_sentences", "map_texts", "run_parts"]

OnFault = Callable[[InputError], object]
PLANS = 20_000
"""Most parts of a run: larger inputs have larger parts."""
SIZE = "TREATY_PART_BYTES"
"""The environment variable that sets the size of parts of files."""


class _Borrowed(Connection):
    """The connection of a user's own client."""

    def __init__(self, client: Any) -> None:
        super().__init__(str(client.scheduler.address) if client.scheduler else "closed")
        self.client = client


def connection_of(client: Any) -> Connection:
    """Make a connection of a client; a connection stays as it is."""
    distributed()
    return client if isinstance(client, Connection) else _Borrowed(client)


def run_parts(
    client: Any,
    spec: JobSpec,
    parts: Iterable[tuple[Part, bytes]],
    *,
    folder: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    progress: OnProgress | None = None,
) -> Iterator[tuple[Finished, bytes]]:
    """Do the parts of a job on a cluster; yields reports and results in order.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    spec
        The job.
    parts
        The parts, with their content.
    folder, resume, seconds, progress
        As in `map_sentences`.
    """
    with ExitStack() as stack:
        if folder is None:
            made = tempfile.mkdtemp(prefix="treaty-run-")
            stack.callback(shutil.rmtree, made, ignore_errors=True)
        place = RunFolder(made if folder is None else folder, spec.to_dict())
        place.check(resume)
        every = []
        for part, content in parts:
            if part.shipped:
                place.keep_input(part, content)
            every.append(part)
        place.start(every, resume)
        run = Run(connection_of(client), spec, place, seconds=seconds, progress=progress)
        done = run(every)
        stack.callback(run.cancel)
        for finished in done:
            yield finished, place.output(finished.part)


def _records(
    results: Iterable[tuple[Finished, bytes]], on_fault: OnFault | None
) -> Iterator[dict[str, Any]]:
    for finished, data in results:
        for fault in finished.report["faults"]:
            error = InputError(fault["message"])
            if on_fault is None:
                raise error
            on_fault(error)
        for line in data.decode().split("\n"):
            if line:
                yield json.loads(line)


def _parts(
    inputs: Any, cut: Cut, at_once: int, size: int | None = None
) -> Iterator[tuple[Part, bytes]]:
    """Divide files, given as paths or URLs, or items in memory."""
    if isinstance(inputs, str | Path):
        return parts_of([Source(str(inputs), cut)], size or part_size([str(inputs)]))
    listed = inputs if isinstance(inputs, list | tuple) else None
    if listed and all(isinstance(one, Path) for one in listed):
        names = list(map(str, listed))
        return parts_of([Source(name, cut) for name in names], size or part_size(names))
    return parts_of_items(inputs, at_once)


def part_size(names: Iterable[str]) -> int:
    """Choose the size of parts by that of all files, unless `SIZE` is set."""
    given = os.environ.get(SIZE, "")
    if given and not (given.isascii() and given.isdecimal() and 0 < int(given) < 2**40):
        raise UsageError(f"{SIZE} must be a number of bytes, not {given[:20]!r}")
    total = sum(Path(name).stat().st_size for name in names if Path(name).is_file())
    return int(given) if given else max(PART_BYTES, total // PLANS)


def map_sentences(
    client: Any,
    inputs: Any,
    model: str = "english",
    *,
    folder: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    at_once: int = 256,
    cut: Cut = "blocks",
    on_fault: OnFault | None = None,
    progress: OnProgress | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Predict for sentences, or whatever a model takes, on a cluster.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `treaty.cluster.connect` gives.
    inputs
        The path or URL of a file in the model's format, a list of `Path` objects, or inputs of
        the model. Files are read by the workers if they can open them.
    model
        The name of an installed model, or the path of a file. Workers load it once.
    folder
        A folder for the run: manifest, finished parts, and inputs that were set aside. If workers
        can open it, too, they write to it, and results do not pass through the client's network.
        By default a temporary one.
    resume
        Whether to continue the run in the folder.
    seconds
        Limit for a part. A worker that takes longer is ended and started again, if it has a nanny.
    at_once
        Number of inputs of a part, if they are in memory.
    cut
        Where files may be cut: after blank lines (``"blocks"``), after any line (``"lines"``),
        between paragraphs (``"paragraphs"``), or nowhere (``"whole"``).
    on_fault
        Called with the error of an input that was set aside; by default it is raised.
    progress
        Called with `treaty.Progress` events.
    **options
        Those of the model's `predict`.

    Yields
    ------
    dict
        The results, in order, as `to_dict` gives them.
    """
    spec = JobSpec(
        "treaty.cluster._work:Predicting", {"model": model, "options": options}, hashes_of([model])
    )
    done = run_parts(
        client, spec, _parts(inputs, cut, at_once), folder=folder, resume=resume, seconds=seconds,
        progress=progress,
    )  # fmt: skip
    return _records(done, on_fault)


def map_texts(
    client: Any,
    texts: Any,
    model: str = "english",
    *,
    at_once: int = 64,
    folder: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    on_fault: OnFault | None = None,
    progress: OnProgress | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Parse texts on a cluster; yields their documents as `Document.to_dict` gives them.

    Parameters
    ----------
    client, model, folder, resume, seconds, at_once, on_fault, progress
        As in `map_sentences`.
    texts
        The texts; or the path or URL of a file with a text a line.
    **options
        Those of `Pipeline.pipe`.
    """
    spec = JobSpec(
        "treaty.cluster._work:Documents", {"model": model, "options": options}, hashes_of([model])
    )
    done = run_parts(
        client, spec, _parts(texts, "lines", at_once), folder=folder, resume=resume,
        seconds=seconds, progress=progress,
    )  # fmt: skip
    return _records(done, on_fault)


def map_graphs(
    client: Any,
    graphs: Any,
    method: str = "ad3",
    *,
    at_once: int = 16,
    folder: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    on_fault: OnFault | None = None,
    progress: OnProgress | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Solve graphs on a cluster; yields solutions as `Solution.to_dict` gives them.

    Parameters
    ----------
    client, folder, resume, seconds, at_once, on_fault, progress
        As in `map_sentences`.
    graphs
        `FactorGraph` objects; or the path or URL of an ``.fg`` or ``.mrf`` file, or a list of
        `Path` objects.
    method
        How to solve them.
    **options
        Those of the method.
    """
    spec = JobSpec("treaty.cluster._work:Solving", {"method": method, "options": options})
    done = run_parts(
        client, spec, _parts(graphs, "blocks", at_once), folder=folder, resume=resume,
        seconds=seconds, progress=progress,
    )  # fmt: skip
    return _records(done, on_fault)


def map_collections(
    client: Any,
    collections: Any,
    model: str = "summarizer",
    *,
    at_once: int = 1,
    folder: str | Path | None = None,
    resume: bool = False,
    seconds: float | None = None,
    on_fault: OnFault | None = None,
    progress: OnProgress | None = None,
    **options: Any,
) -> Iterator[dict[str, Any]]:
    """Summarize collections of documents on a cluster; yields digests as dictionaries.

    Parameters
    ----------
    client, model, folder, resume, seconds, at_once, on_fault, progress
        As in `map_sentences`.
    collections
        `Collection` objects; or the path or URL of a file of JSON lines.
    **options
        Those of `Summarizer.predict`.
    """
    return map_sentences(
        client, collections, model, at_once=at_once, cut="lines", folder=folder, resume=resume,
        seconds=seconds, on_fault=on_fault, progress=progress, **options,
    )  # fmt: skip
