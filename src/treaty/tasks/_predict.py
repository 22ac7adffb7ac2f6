"""Prediction by any model, also one of another package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from treaty._json import json_line
from treaty.errors import UsageError
from treaty.tasks._options import Model, Threads
from treaty.tasks._request import Option, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import AT_ONCE, Source, read_each
from treaty.tasks._task import Task

__all__ = ["PredictRequest", "Predicting", "using"]

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


@dataclass(frozen=True, kw_only=True)
class PredictRequest(Request):
    """Predictions of any installed model for inputs in the format that it reads."""

    examples: ClassVar = ({"model": "threads", "text": '{"posts": [{"text": "Any sheep?"}]}\n'},)
    model: Model
    settings: Annotated[
        dict[str, Any],
        Option(
            "An option of the model; may be repeated.",
            metavar="OPTION=VALUE",
            flag="set",
            of=("command",),
        ),
    ] = field(default_factory=dict)
    threads: Threads = 1


class Predicting(Task[PredictRequest]):
    """Predicts by any model."""

    name = "predict"
    doing = "predicting"
    asks = PredictRequest
    help = HELP
    formats = ("json",)
    streamed = formats

    def __init__(self, request: PredictRequest, run: Run) -> None:
        from treaty.learn import Model as AnyModel

        super().__init__(request, run)
        self.model: AnyModel = run.models.load(AnyModel, request.model)

    def read(self, sources: Iterable[Source]) -> Iterator[Any]:
        """Read inputs of the model."""
        return read_each(sources, type(self.model).read, self.run.fault)

    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """Predict."""
        with using(self.request.settings) as options:
            for batch in self.run.batches(items, 8):
                yield from self.model.predict(batch, **{**options, "threads": self.request.threads})

    @classmethod
    def at_once(cls, request: PredictRequest) -> int | None:
        """Divide the items: only the model knows where its files can be cut."""
        return AT_ONCE

    def texts(self, results: Iterator[Any], format: str) -> Iterator[str]:  # noqa: A002
        """Write a line of JSON each."""
        return map(json_line, results)


@contextmanager
def using(settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Refuse a setting that a model does not know, when it turns out that it does not."""
    try:
        yield settings
    except TypeError as error:
        for name in settings:
            if f"unexpected keyword argument {name!r}" in str(error):
                raise UsageError(f"--set {name}: the model has no such option") from error
        raise
