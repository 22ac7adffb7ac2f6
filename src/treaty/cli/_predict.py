"""``treaty predict``: what any model makes of its inputs."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Annotated, Any

from treaty.cli._job import Job
from treaty.cli._options import (
    FORMAT,
    Model,
    Output,
    Quiet,
    Setting,
    Sources,
    Threads,
    settings_of,
    using,
)
from treaty.cli._output import json_line
from treaty.cli._sources import is_file
from treaty.errors import InputError

__all__ = ["HELP", "predict"]

HELP = """Predict by any model, also one of another package: a line of JSON for each result.

SOURCES are files in the format that the model reads, texts in that format, or - for standard input,
which is read when nothing is given. Results have a certificate where the model gives one. A
file that cannot be read is reported and skipped.

\b
Examples:
  treaty predict test.conllu --model english
  treaty predict test.conllu --model danish.treaty --set order=first --threads 4
  treaty predict chat.jsonl --model threads -o linked.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is predicted), 5 model file refused.
"""


class Format(StrEnum):
    """How results are written."""

    JSON = "json"


def predict(
    model: Model,
    sources: Sources = None,
    format: Annotated[Format, FORMAT] = Format.JSON,  # noqa: A002, ARG001
    output: Output = "-",
    settings: Setting = None,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> int:
    """Run ``treaty predict``; returns the exit code."""
    job = Job("predict", "predicting", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.learn import load

    loaded = load(model)
    inputs = _inputs(given, type(loaded).read, job.fault)
    with using(settings_of(settings)) as options:
        results = loaded.predict(inputs, **{**options, "threads": threads})
        job.write(map(json_line, job.watched(results)))
    return job.end()


def _inputs(
    sources: list[str],
    read: Callable[[Any], Iterator[Any]],
    on_error: Callable[[InputError], None],
) -> Iterator[Any]:
    for source in sources:
        try:
            yield from read(source if is_file(source) else io.StringIO(source))
        except InputError as error:
            on_error(error)
