"""``treaty predict``: what any model makes of its inputs."""

from __future__ import annotations

from typing import Annotated, Literal

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line
from treaty.tasks._sources import read_each

__all__ = ["HELP", "predict"]

HELP = """Predict by any model, also one of another package.

SOURCES are files in the format that the model reads, texts in that format, or - for standard input,
which is read when nothing is given. Each result is a line of JSON, with a certificate where the
model gives one. A file that cannot be read is reported and skipped.

\b
Examples:
  treaty predict test.conllu --model english
  treaty predict test.conllu --model danish.treaty --set order=first --threads 4
  treaty predict chat.jsonl --model threads -o linked.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is predicted), 5 model file refused.
"""


def predict(
    model: opt.Model,
    sources: opt.Sources = None,
    format: Annotated[Literal["json"], opt.FORMAT] = "json",
    output: opt.Output = "-",
    settings: opt.Setting = None,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty predict``; returns the exit code."""
    job = Job("predict", "predicting", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.learn import load

    loaded = load(model)
    read = type(loaded).read
    inputs = read_each(given, read, job.fault)
    with opt.using(opt.settings_of(settings)) as options:
        results = loaded.predict(inputs, **{**options, "threads": threads})
        job.write(map(json_line, job.watched(results)))
    return job.end()
