"""One run of a task: the models it loads, when it ends, and what it reports besides its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from treaty.errors import InputError
from treaty.tasks._sources import AT_ONCE

__all__ = ["Deadline", "Models", "Run"]

Item = TypeVar("Item")
Result = TypeVar("Result")
HEAVY, LIGHT = 256, 16
"""With a deadline, a group ends at this weight or this number of items, to look at the clock."""


class Deadline(Protocol):
    """When a run ends, such as the time limit of a request over HTTP."""

    seconds: float
    cancel: Any

    @property
    def left(self) -> float:
        """Seconds until the limit, at least 0."""

    @property
    def is_late(self) -> bool:
        """Whether the limit is reached."""

    def check(self) -> None:
        """Raise an exception if nobody waits for the results any more."""


class Models:
    """Loads models by name or file; a server has one that keeps them and refuses files."""

    reads_files = True
    """Whether requests may name files."""

    def load(self, kind: type[Any], name: str) -> Any:
        """Return a model of a class, such as `treaty.parse.Pipeline`."""
        from treaty.learn import Model, load

        return load(name) if kind is Model else kind.load(name)

    def with_parser(self, summarizer: Any, parser: str | None) -> Any:
        """Return a summarizer with another parser, if one is named."""
        return summarizer if parser is None else replace(summarizer, parser=parser)


class Run:
    """One run of a task, in this process or as a part of a run on a cluster.

    Parameters
    ----------
    models
        Where models come from.
    deadline
        When to end; None for no limit.
    quiet
        Whether notes are left out, and what only makes notes is not computed.

    Attributes
    ----------
    faults
        The errors of faulty parts of the input, which were skipped.
    notes
        Messages that are not results.
    tally
        Counts that a task keeps besides.
    results, stopped, gap
        Number of results; of those that a limit stopped, and the largest gap among them.
    left_out
        Number of inputs that were left at the deadline.
    """

    on_terminal = False
    """Whether results are shown on a terminal."""

    def __init__(
        self, models: Models | None = None, deadline: Deadline | None = None, quiet: bool = False
    ) -> None:
        self.models, self.deadline, self.quiet = models or Models(), deadline, quiet
        self.faults: list[InputError] = []
        self.notes: list[str] = []
        self.tally: Counter[str] = Counter()
        self.results = self.stopped = self.left_out = 0
        self.gap = 0.0

    def fault(self, error: InputError) -> None:
        """Keep the error of a part of the input that is skipped."""
        self.faults.append(error)

    def note(self, message: str) -> None:
        """Keep a message."""
        self.notes.append(message)

    def watched(self, results: Iterable[Result]) -> Iterator[Result]:
        """Pass on results, and count those that a limit stopped."""
        for result in results:
            self.results += 1
            certificate: Any = getattr(result, "certificate", None)
            if certificate is not None and certificate.status in ("FEASIBLE", "UNKNOWN"):
                self.stopped += 1
                self.gap = max(self.gap, certificate.gap)
            yield result

    def groups(
        self,
        items: Iterable[Item],
        most: int = AT_ONCE,
        weight: Callable[[Item], int] = lambda _: 0,
    ) -> Iterator[list[Item]]:
        """Collect the items that are worked on at once.

        A group also ends at a pause of live input, which is an item without length, and is left
        out. With a deadline groups are small; at the deadline the items that are left are counted.
        The first group is worked on in any case.
        """
        rest, is_first = iter(items), True
        while group := list(self._group(rest, most, weight)):
            if self.deadline is not None:
                self.deadline.check()
                if self.deadline.is_late and not is_first:
                    self.left_out += len(group) + sum(1 for _ in rest)
                    return
            yield group
            is_first = False

    def _group(
        self, rest: Iterator[Item], most: int, weight: Callable[[Item], int]
    ) -> Iterator[Item]:
        limit = most if self.deadline is None else min(most, LIGHT)
        number = heaviness = 0
        for item in rest:
            if hasattr(item, "__len__") and not len(item):
                if number:
                    return
                continue
            yield item
            number, heaviness = number + 1, heaviness + weight(item)
            if number == limit or (self.deadline is not None and heaviness >= HEAVY):
                return

    def batches(self, items: Iterable[Item], most: int = 1) -> Iterator[Iterable[Item]]:
        """Pass on all items as one batch, or, with a deadline, groups of `most`."""
        return iter([items]) if self.deadline is None else self.groups(items, most)

    def limits(self) -> dict[str, Any]:
        """Return the time limit that keeps the deadline, as an option of models and solvers."""
        return {} if self.deadline is None else {"time_limit": max(self.deadline.left, 0.1)}

    def report(self) -> dict[str, Any]:
        """Return what was counted and kept, for JSON."""
        faults = [
            {"path": None if e.path is None else str(e.path), "line": e.line, "message": str(e)}
            for e in self.faults
        ]
        return {
            "results": self.results, "stopped": self.stopped, "gap": self.gap,
            "faults": faults, "notes": self.notes, "tally": dict(self.tally),
        }  # fmt: skip

    def take(self, report: Mapping[str, Any]) -> None:
        """Add the report of a part of the input; a note is kept once."""
        for one in report["faults"]:
            error = InputError(one["message"])
            error.path = one["path"]
            self.fault(error)
        self.results += report.get("results", 0)
        self.stopped += report.get("stopped", 0)
        self.gap = max(self.gap, report.get("gap", 0.0))
        self.tally.update(report.get("tally", {}))
        for message in report.get("notes", ()):
            if message not in self.notes:
                self.note(message)
