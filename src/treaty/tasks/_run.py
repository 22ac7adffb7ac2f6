"""One run of a task: the models it loads, when it ends, and what it reports besides its results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from treaty.errors import InputError, UsageError
from treaty.progress import OnProgress
from treaty.tasks._sources import AT_ONCE, Source, Text

__all__ = ["Deadline", "Models", "Run"]

Item = TypeVar("Item")
Result = TypeVar("Result")
HEAVY, LIGHT = 256, 16
"""With a deadline, a group ends at this weight or this number of items, to look at the clock."""
COUNTING = 0.2
"""Seconds for counting what is left out."""


class Deadline(Protocol):
    """When a run ends, such as the time limit of a request over HTTP."""

    seconds: float
    cancel: Any
    """Stops a solver early."""

    @property
    def left(self) -> float:
        """Seconds until the limit, at least 0."""

    @property
    def is_late(self) -> bool:
        """Whether the limit is reached."""


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
    is_counted
        Whether these are all; counting them ends soon.
    """

    on_terminal = False
    """Whether results are shown on a terminal."""
    progress: OnProgress | None = None
    """Receives the progress of long work."""

    def __init__(
        self, models: Models | None = None, deadline: Deadline | None = None, quiet: bool = False
    ) -> None:
        self.models, self.deadline, self.quiet = models or Models(), deadline, quiet
        self.faults: list[InputError] = []
        self.notes: list[str] = []
        self.tally: Counter[str] = Counter()
        self.results = self.stopped = self.left_out = 0
        self.gap, self.is_counted = 0.0, True

    def fault(self, error: InputError) -> None:
        """Keep the error of a part of the input that is skipped."""
        self.faults.append(error)

    def note(self, message: str) -> None:
        """Keep a message."""
        self.notes.append(message)

    def admitted(self, items: Iterable[Item]) -> Iterable[Item]:
        """Pass on what was read; a server refuses here what is too large."""
        return items

    def called(self, field: str) -> str:
        """Return the name of a field for messages; in commands it is an option."""
        return repr(field)

    def check_taken(self, method: str, given: Iterable[str], taken: Iterable[str]) -> None:
        """Refuse options that a method would not look at.

        Examples
        --------
        >>> Run().check_taken("lp", ["gap"], ["time_limit"])
        Traceback (most recent call last):
        treaty.errors.UsageError: 'gap' does not go with 'method' lp, which takes 'time_limit'
        """
        known = [*taken]
        for name in given:
            if name not in known:
                listed = ", ".join(map(self.called, known)) or "none of these options"
                raise UsageError(
                    f"{self.called(name)} does not go with {self.called('method')} {method}, "
                    f"which takes {listed}"
                )

    def content(self, given: str, name: str) -> Source:
        """Return the file that a field of a request names; over HTTP the field is its content."""
        if self.models.reads_files:
            return given
        text = Text(given)
        text.name = name
        return text

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
        limit = most if self.deadline is None else min(most, LIGHT)
        return self._groups(items, limit, weight)

    def batches(self, items: Iterable[Item], most: int = 1) -> Iterator[Iterable[Item]]:
        """Pass on all items as one batch, or, with a deadline, groups of `most`."""
        if self.deadline is None:
            return iter([items])
        return self._groups(items, most, lambda _: 0)

    def _groups(
        self, items: Iterable[Item], most: int, weight: Callable[[Item], int]
    ) -> Iterator[list[Item]]:
        rest, is_first = iter(items), True
        while group := list(self._group(rest, most, weight)):
            if self.deadline is not None and self.deadline.is_late and not is_first:
                self._leave_out(group, rest)
                return
            yield group
            is_first = False

    def _group(
        self, rest: Iterator[Item], most: int, weight: Callable[[Item], int]
    ) -> Iterator[Item]:
        number = heaviness = 0
        for item in rest:
            if hasattr(item, "__len__") and not len(item):
                if number:
                    return
                continue
            yield item
            number, heaviness = number + 1, heaviness + weight(item)
            if number == most or (self.deadline is not None and heaviness >= HEAVY):
                return

    def _leave_out(self, group: list[Item], rest: Iterator[Item]) -> None:
        """Count what is left; that takes time, too, and ends soon."""
        self.left_out += len(group)
        until = time.monotonic() + COUNTING
        for _ in rest:
            self.left_out += 1
            if time.monotonic() > until:
                self.is_counted = False
                return

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
