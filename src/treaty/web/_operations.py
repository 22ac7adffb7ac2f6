"""What can be asked, by name: the same words as the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from treaty._json import json_line
from treaty.errors import InputError, ModelError, SolverError, TreatyError, UsageError
from treaty.parse import Parse, certified
from treaty.web import _evaluation, _problems, _sentences, _texts
from treaty.web import _requests as asking
from treaty.web._caps import TooLargeError
from treaty.web._context import Context
from treaty.web._shelf import UnknownModelError

__all__ = ["OPERATIONS", "Format", "Operation", "describe", "status_of"]

Format = Literal["json", "lines", "conllu"]
Work = Callable[[Any, Context], Iterable[Any]]
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
    """Something that can be asked.

    Attributes
    ----------
    name
        The name of the command.
    request
        What a request may say.
    work
        From a request to its results.
    live
        The same with news on the way, for lines.
    is_single
        Whether there is one result, which is then the whole answer.
    has_trees
        Whether results can be written as CoNLL-U.
    """

    name: str
    request: type[asking.Asked]
    work: Work
    live: Work | None = None
    is_single: bool = False
    has_trees: bool = False

    def whole(self, asked: asking.Asked, context: Context) -> str:
        """Answer with one JSON object."""
        lines = [json_line(result) for result in self.work(asked, context)]
        self._check(bool(lines), context)
        if self.is_single:
            return lines[0]
        more = json_line(context.told()).strip()
        ending = "}" if more == "{}" else f", {more[1:]}"
        return f'{{"results": [{", ".join(line.rstrip() for line in lines)}]{ending}\n'

    def texts(self, asked: asking.Asked, context: Context, format: Format) -> Iterator[str]:  # noqa: A002
        """Answer bit by bit: lines of JSON, or CoNLL-U, as the command writes them."""
        work = self.live if self.live is not None and format == "lines" else self.work
        any_yet = False
        for result in work(asked, context):
            any_yet = True
            yield _conllu(result) if format == "conllu" else json_line(result)
        self._check(any_yet, context)

    def _check(self, any_yet: bool, context: Context) -> None:
        if not any_yet and context.faults:
            raise InputError(context.notes[0].removeprefix("skipped: "))


def _conllu(result: Any) -> str:
    if isinstance(result, dict):
        raise UsageError("alternatives have no place in CoNLL-U: leave them out, or take JSON")
    text: str = (certified(result) if isinstance(result, Parse) else result).to_conllu()
    return text


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
    """Tell the client of an error; None if it is the server's own and has no message for others."""
    if isinstance(error, TreatyError):
        is_usage = isinstance(error, UnknownModelError | TooLargeError)
        kind = "UsageError" if is_usage else type(error).__name__
        return {"kind": kind, "message": error.message}
    if isinstance(error, MemoryError):
        return {"kind": "MemoryError", "message": "the problem is too large for this machine"}
    return None


OPERATIONS = {
    operation.name: operation
    for operation in (
        Operation("parse", asking.ParseRequest, _sentences.parse, has_trees=True),
        Operation("tag", asking.TagRequest, _sentences.tag, has_trees=True),
        Operation("label", asking.LabelRequest, _texts.label),
        Operation("link", asking.LinkRequest, _texts.link),
        Operation("summarize", asking.SummarizeRequest, _texts.summarize),
        Operation("compress", asking.CompressRequest, _sentences.compress),
        Operation(
            "induce", asking.InduceRequest, _problems.induce, _problems.induce_live, is_single=True
        ),
        Operation(
            "solve", asking.SolveRequest, _problems.solve, _problems.solve_live, is_single=True
        ),
        Operation("predict", asking.PredictRequest, _texts.predict),
        Operation("evaluate", asking.EvaluateRequest, _evaluation.evaluate, is_single=True),
    )
}
