"""What commands that read sources and write results have in common, from start to exit code."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from treaty._threads import Clock
from treaty.cli._output import (
    BAD_INPUT,
    STOPPED,
    check_apart,
    check_output,
    fault,
    note,
    on_terminal,
)
from treaty.cli._output import write_texts as write
from treaty.cli._progress import Display
from treaty.cli._sources import check_source, is_piped
from treaty.errors import InputError, LimitError, UsageError

__all__ = ["Job", "stopped"]

MOST_TOLD = 10
"""Errors of one file that are told one by one."""
Result = TypeVar("Result")


def stopped(gap: float) -> str:
    """Say what it means that a limit was reached."""
    if math.isinf(gap):
        return "stopped at a limit or solved in parts, without a bound"
    return f"stopped at a limit: the best may be better by {gap:.4g}"


class Job:
    """A run of a command: its sources are checked, faults counted, results written.

    Parameters
    ----------
    verb, doing
        What the command does, such as ``"parse"`` and ``"parsing"``.
    output
        Where results go.
    quiet
        Whether to tell of errors only.

    Raises
    ------
    UsageError
        When the output cannot be written.
    """

    def __init__(self, verb: str, doing: str, output: str, quiet: bool) -> None:
        check_output(output)
        self.verb, self.doing, self.output, self.quiet = verb, doing, output, quiet
        self.faults: Counter[str] = Counter()
        self.tally: Counter[str] = Counter()  # what a command counts besides
        self.results = self.stopped = 0
        self.gap = 0.0
        self.is_late = False  # whether the input was left at the time limit
        self.is_live = False  # whether input may pause, and results are wanted at once

    def sources(
        self,
        given: list[str] | None,
        *,
        folders: bool = False,
        beside: Sequence[str | None] = (),
    ) -> list[str]:
        """Check what is to be read, `beside` too; tells of what cannot be, and gives the rest."""
        if not given and sys.stdin.isatty():
            raise UsageError(f"nothing to {self.verb}: give a text, files, or - for the terminal")
        if given and given.count("-") > 1:
            raise UsageError("standard input (-) can be read only once")
        check_apart(self.output, *(given or ["-"]), *beside)
        sound = []
        for source in given or ["-"]:
            try:
                check_source(source, folders=folders)
                sound.append(source)
            except InputError as error:
                self.fault(error)
        self.is_live = is_piped(sound)
        return sound

    def fault(self, error: InputError) -> None:
        """Count an error, and tell of it unless its file has many."""
        path = "" if error.path is None else str(error.path)
        self.faults[path] += 1
        if self.faults[path] <= MOST_TOLD:
            fault(error)

    def note(self, message: str) -> None:
        """Tell something that is not a result."""
        note(message)

    def take(self, report: Mapping[str, Any], told: set[str]) -> None:
        """Add what was counted elsewhere, in a part of the input; notes are told once."""
        for one in report["faults"]:
            error = InputError(one["message"])
            error.path = one["path"]
            self.fault(error)
        self.results += report.get("results", 0)
        self.stopped += report.get("stopped", 0)
        self.gap = max(self.gap, report.get("gap", 0.0))
        window = self.tally.pop("window", 0) or report.get("tally", {}).get("window", 0)
        self.tally.update(report.get("tally", {}))
        if window:
            self.tally["window"] = window  # the same in all parts
        for message in report.get("notes", ()):
            if message not in told and not self.quiet:
                self.note(message)
            told.add(message)

    def watched(self, results: Iterable[Result]) -> Iterator[Result]:
        """Pass on results, and count those that a limit stopped."""
        for result in results:
            self.results += 1
            certificate: Any = getattr(result, "certificate", None)
            if certificate is not None and certificate.status in ("FEASIBLE", "UNKNOWN"):
                self.stopped += 1
                self.gap = max(self.gap, certificate.gap)
            yield result

    def write(self, texts: Iterable[str], time_limit: float | None = None) -> None:
        """Write results as they come, and show how many there were.

        Parameters
        ----------
        texts
            The results.
        time_limit
            Seconds for all that is done for them, reading included. At the limit, what there is
            has been written; `LimitError` is raised if there is nothing.
        """
        shared = on_terminal(self.output)
        with (
            Display(self.doing, quiet=self.quiet, on_terminal=shared) as display,
            Clock(time_limit),
        ):
            write(display.counted(self._in_time(texts)), self.output, at_once=self.is_live)

    def _in_time(self, texts: Iterable[str]) -> Iterator[str]:
        """Pass on results up to the time limit."""
        try:
            yield from texts
        except LimitError:
            if not self.results:
                raise
            self.is_late = True

    def end(self, *, limited: bool = False) -> int:
        """Tell what was left out, and give the exit code.

        Parameters
        ----------
        limited
            Whether the user has set a limit: then to stop at one has an exit code of its own.
        """
        for path, count in self.faults.items():
            if count > MOST_TOLD:
                fault(f"{path}: and {count - MOST_TOLD:,} more")
        if not self.quiet:
            self._tell()
        late = self.is_late or (self.stopped and limited)
        return BAD_INPUT if self.faults else STOPPED if late else 0

    def _tell(self) -> None:
        if (total := self.faults.total()) and self.results:
            note(f"{total:,} faulty {'part' if total == 1 else 'parts'} of the input skipped")
        elif not total and not self.results:
            note(f"nothing to {self.verb}: the input is empty")
        if self.is_late:
            note("the time limit was reached: the rest of the input was left")
        if self.stopped:
            note(f"{self.stopped:,} of {self.results:,} {stopped(self.gap)}")
