"""The part of a command that can be done anywhere: in this process, or by workers of a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from treaty.cli._job import Job
from treaty.errors import InputError
from treaty.tasks._sources import Source, Text

__all__ = ["LITERAL", "PartJob", "Work"]

LITERAL = "literal:"
"""How the kind of a text of the command line begins."""


class PartJob(Job):
    """A run of a command on a part of the input: errors and notes are kept."""

    def __init__(self) -> None:
        super().__init__("", "", "-", quiet=True)
        self.kept: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def fault(self, error: InputError) -> None:
        """Keep an error."""
        path = None if error.path is None else str(error.path)
        self.kept.append({"path": path, "line": error.line, "message": str(error)})

    def note(self, message: str) -> None:
        """Keep a note."""
        self.notes.append(message)

    def report(self) -> dict[str, Any]:
        """Return what was counted and kept."""
        return {
            "results": self.results, "stopped": self.stopped, "gap": self.gap,
            "faults": self.kept, "notes": self.notes, "tally": dict(self.tally),
        }  # fmt: skip


class Work(ABC):
    """What a command does with its sources, with all that it loads.

    It is made from settings that JSON can hold, here or on a worker.
    """

    command: ClassVar[str]
    quiet: bool = True

    @abstractmethod
    def read(self, sources: Iterable[Source], given: Any, job: Job) -> Iterator[Any]:
        """Read the items of sources, in this format or the one that their content tells."""

    @abstractmethod
    def texts(self, items: Iterator[Any], job: Job) -> Iterator[str]:
        """Work on items, and write the results."""

    def __call__(
        self, content: str | list[Any], write: Callable[[str], object], kind: str = ""
    ) -> dict[str, Any]:
        """Do a part of the input, as a worker of a cluster; returns what was counted."""
        job = PartJob()
        if isinstance(content, list):
            items = iter(content)
        elif kind.startswith(LITERAL):
            text = Path(content).read_text("utf-8")
            items = self.read([Text(text)], kind.removeprefix(LITERAL) or None, job)
        else:
            items = self.read([content], kind or None, job)
        for text in self.texts(items, job):
            write(text)
        return job.report()
