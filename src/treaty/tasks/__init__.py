"""Tasks: one typed request per operation, from which all front ends are made.

A request is a frozen dataclass; its class declares fields, defaults, choices and help once. A task
reads sources, works on them and writes the results. The commands, the API over HTTP and runs on
clusters are made from these classes, and `perform` is the same in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treaty._lazy import imported
from treaty.tasks._compress import Compressing, CompressRequest
from treaty.tasks._evaluate import EvaluateRequest, Evaluating
from treaty.tasks._graphs import FactorRecord, GraphRecord, VariableRecord
from treaty.tasks._induce import InduceRequest, Inducing
from treaty.tasks._label import Labeling, LabelRequest
from treaty.tasks._link import Linking, LinkRequest, PostRecord
from treaty.tasks._parse import ParseRequest, Parsing
from treaty.tasks._predict import Predicting, PredictRequest
from treaty.tasks._request import Option, Record, Request
from treaty.tasks._run import Run
from treaty.tasks._solve import SolveRequest, Solving
from treaty.tasks._sources import Source, Text
from treaty.tasks._summarize import ArticleRecord, SummarizeRequest, Summarizing
from treaty.tasks._tag import Tagging, TagRequest
from treaty.tasks._task import Task
from treaty.tasks._wishes import NameRule, SummaryWish, TreeConstraint

if TYPE_CHECKING:
    from treaty.tasks._annotate import annotate

__all__ = [
    "TASKS",
    "ArticleRecord",
    "CompressRequest",
    "EvaluateRequest",
    "FactorRecord",
    "GraphRecord",
    "InduceRequest",
    "LabelRequest",
    "LinkRequest",
    "NameRule",
    "Option",
    "ParseRequest",
    "PostRecord",
    "PredictRequest",
    "Record",
    "Request",
    "Run",
    "SolveRequest",
    "SummarizeRequest",
    "SummaryWish",
    "TagRequest",
    "Task",
    "Text",
    "TreeConstraint",
    "VariableRecord",
    "annotate",
    "perform",
]

TASKS: dict[str, type[Task[Any]]] = {
    task.name: task
    for task in (
        Parsing,
        Tagging,
        Labeling,
        Linking,
        Summarizing,
        Compressing,
        Inducing,
        Solving,
        Predicting,
        Evaluating,
    )
}
"""The tasks by name."""


def __getattr__(name: str) -> Any:
    return imported(__name__, {"treaty.tasks._annotate": ["annotate"]}, name)


def perform(request: Request, sources: Iterable[Source], run: Run | None = None) -> Iterator[Any]:
    """Perform a task as its command does, and yield the results.

    Parameters
    ----------
    request
        The request; its class is that of the task.
    sources
        Paths of files, ``-`` for standard input, or texts as `Text`.
    run
        Collects faults and notes; by default a faulty part of the input raises its error.

    Examples
    --------
    >>> from treaty.tasks import ParseRequest, Text, perform
    >>> for parse in perform(ParseRequest(), [Text("Cats sleep. Dogs bark.")]):
    ...     print(parse.sentence.heads, parse.status.value)
    [2, 0, 2] OPTIMAL
    [2, 0, 2] OPTIMAL
    """
    task = next(task for task in TASKS.values() if task.asks is type(request))
    return task(request, run or _Strict())(sources)


class _Strict(Run):
    """A run that ends at the first fault."""

    def fault(self, error: Exception) -> None:
        raise error
