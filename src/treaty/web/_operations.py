"""The operations of the server: the tasks, by the names of their commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from treaty._json import json_line
from treaty.errors import InputError, ModelError, SolverError, TreatyError, UsageError
from treaty.tasks import TASKS, Task, Text
from treaty.web._caps import TooLargeError
from treaty.web._context import Context
from treaty.web._news import with_news
from treaty.web._requests import RequestBody, body_of
from treaty.web._shelf import UnknownModelError

__all__ = ["OPERATIONS", "Format", "Operation", "describe", "status_of"]

Format = Literal["json", "lines", "conllu"]
STATUSES = {
    UnknownModelError: 404,
    TooLargeError: 413,
    UsageError: 400,
    InputError: 422,
    SolverError: 422,
    ModelError: 500,
}


@dataclass(frozen=True)
class Operation:
    """A task over HTTP.

    Attributes
    ----------
    task
        The task.
    request
        The class of its requests.
    """

    task: type[Task[Any]]
    request: type[RequestBody]

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.task.name

    @property
    def has_trees(self) -> bool:
        """Whether results can be written as CoNLL-U."""
        return "conllu" in self.task.formats

    def whole(self, body: RequestBody, context: Context) -> str:
        """Answer with one JSON object."""
        lines = list(self.texts(body, context, "json"))
        if self.task.is_single:
            return lines[0]
        more = json_line(context.report()).strip()
        ending = "}" if more == "{}" else f", {more[1:]}"
        return f'{{"results": [{", ".join(line.rstrip() for line in lines)}]{ending}\n'

    def texts(self, body: RequestBody, context: Context, format: Format) -> Iterator[str]:  # noqa: A002
        """Answer bit by bit: lines of JSON, or CoNLL-U, as the command writes them."""
        task, sources = self._begun(body, context, "conllu" if format == "conllu" else "json")
        any_yet = False
        if self.task.reports and format == "lines":
            texts: Iterator[str] = map(json_line, with_news(task, sources, context))
        else:
            texts = task.written(task.read(sources), task.format)
        for text in texts:
            any_yet = True
            yield text
        if not any_yet and context.faults:
            raise InputError(context.faults[0].message)

    def _begun(
        self,
        body: RequestBody,
        context: Context,
        format: str,  # noqa: A002
    ) -> tuple[Task[Any], list[Any]]:
        """Make the task and the source of a request."""
        fields = body.model_dump(exclude={"text", "time_limit"})
        text: str | None = getattr(body, "text", None)
        records = self.task.records
        if records is not None and bool(fields[records]) == (text is not None):
            raise UsageError(f"give either text or {records}")
        request = self.task.asks.from_dict(fields)
        context.caps.check("restarts", fields.get("restarts") or 1)
        if records is None and text is not None:
            context.caps.text(text)
        self.task.check(request, format)
        task = self.task(request, context)
        task.format = format
        return task, [] if text is None else [Text(text)]


def status_of(error: BaseException) -> int:
    """Return the HTTP status of an error.

    Examples
    --------
    >>> status_of(UsageError("no")), status_of(InputError("no")), status_of(MemoryError())
    (400, 422, 503)
    """
    for kind, status in STATUSES.items():
        if isinstance(error, kind):
            return status
    return 503 if isinstance(error, MemoryError) else 500


def describe(error: BaseException) -> dict[str, Any] | None:
    """Describe an error for the client; None for one of the server itself."""
    if isinstance(error, TreatyError):
        is_usage = isinstance(error, UnknownModelError | TooLargeError)
        kind = "UsageError" if is_usage else type(error).__name__
        return {"kind": kind, "message": error.message}
    if isinstance(error, MemoryError):
        return {"kind": "MemoryError", "message": "the problem is too large for this machine"}
    return None


OPERATIONS = {name: Operation(task, body_of(task)) for name, task in TASKS.items()}
