"""A part of the input of a task, worked on by a worker of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from treaty.tasks import TASKS, Run, Text

__all__ = ["APART", "LITERAL", "TaskPart"]

LITERAL = "literal:"
"""How the kind of a text of the command line begins."""

APART = "documents"
"""The kind of a part whose items are documents that are kept apart."""


class TaskPart:
    """Performs a task on parts of its input; made on a worker from settings that JSON can hold.

    Parameters
    ----------
    task, request, shown
        The name of the task, the fields of its request, and the format of results.
    """

    def __init__(self, task: str, request: dict[str, Any], shown: str) -> None:
        kind = TASKS[task]
        self.shown, self.task = shown, kind(kind.asks.from_dict(request), Run(quiet=False))

    def __call__(
        self, content: str | list[Any], write: Callable[[str], object], kind: str = ""
    ) -> dict[str, Any]:
        """Work on a file with a part of the input, or on items; returns the report."""
        run = Run()
        self.task.run = run
        if isinstance(content, list) and kind == APART:
            for text in self.task.written_together(iter(content), self.shown):
                write(text)
            return run.report()
        if isinstance(content, list):
            items = iter(content)
        else:
            source = Text(Path(content).read_text("utf-8")) if kind.startswith(LITERAL) else content
            given = kind.removeprefix(LITERAL) or None
            if given is not None and hasattr(self.task.request, "input_format"):
                self.task.request = replace(self.task.request, input_format=given)
            items = self.task.read([source])
        for text in self.task.written(items, self.shown):
            write(text)
        return run.report()
