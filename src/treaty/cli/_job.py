"""Commands that read sources and write results: the parts in common, from start to exit code."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from treaty._threads import Clock
from treaty.cli._options import flag
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
from treaty.errors import InputError, LimitError, UsageError
from treaty.tasks._documents import expanded
from treaty.tasks._run import Run
from treaty.tasks._sinks import Folder
from treaty.tasks._sources import Source, Text, check_source, is_file, is_piped

__all__ = ["Job", "stopped"]

Item = TypeVar("Item")
MOST_SHOWN = 10
"""Errors of one file that are shown one by one."""


def stopped(gap: float) -> str:
    """Say what it means that a limit was reached."""
    if math.isinf(gap):
        return "stopped at a limit or solved in parts, without a bound"
    return f"stopped at a limit: the best may be better by {gap:.4g}"


class Job(Run):
    """A run of a command: its sources are checked, faults counted, results written.

    Parameters
    ----------
    verb, doing
        What the command does, such as ``"parse"`` and ``"parsing"``.
    output
        Where results go.
    quiet
        Whether to tell of errors only.
    folder
        Whether the output is a folder that gets a file for each document.

    Raises
    ------
    UsageError
        When the output cannot be written.
    """

    def __init__(
        self, verb: str, doing: str, output: str, quiet: bool, folder: bool = False
    ) -> None:
        check_output(None if folder else output)
        super().__init__(quiet=quiet)
        self.on_terminal = on_terminal(output)
        self.verb, self.doing, self.output = verb, doing, output
        self.faulty: Counter[str] = Counter()  # number of errors by file
        self.is_late = False  # whether the input was left at the time limit
        self.was_done = False  # whether all results were there before
        self.is_live = False  # whether input may pause, and results are wanted at once

    def sources(
        self,
        given: list[str] | None,
        *,
        folders: bool = False,
        beside: Sequence[str | None] = (),
    ) -> list[Source]:
        """Check what is to be read, `beside` too; reports the rest, and returns the sources."""
        if not given and sys.stdin.isatty():
            raise UsageError(f"nothing to {self.verb}: give a text, files, or - for the terminal")
        if given and given.count("-") > 1:
            raise UsageError("standard input (-) can be read only once")
        check_apart(self.output, *(given or ["-"]), *beside)
        sound: list[Source] = []
        for source in expanded(given or ["-"]):
            try:
                check_source(source, folders=folders)
                sound.append(source if is_file(source) else Text(source))
            except InputError as error:
                self.fault(error)
        self.is_live = is_piped(sound)
        return sound

    def fault(self, error: InputError) -> None:
        """Count an error, and tell of it unless its file has many."""
        path = "" if error.path is None else str(error.path)
        self.faulty[path] += 1
        if self.faulty[path] <= MOST_SHOWN:
            fault(error)

    def called(self, field: str) -> str:
        """Return the option of a field."""
        return flag(field)

    def note(self, message: str) -> None:
        """Show a message, unless the command is quiet."""
        self.notes.append(message)
        if not self.quiet:
            note(message)

    def write(
        self, texts: Iterable[str], time_limit: float | None = None, total: int | None = None
    ) -> None:
        """Write results as they come, and show how many there were.

        Parameters
        ----------
        texts
            The results.
        time_limit
            Seconds for all that is done for them, reading included. At the limit, what there is
            has been written; `LimitError` is raised if there is nothing.
        total
            Number of texts, if it is known.
        """
        shared = on_terminal(self.output)
        with (
            Display(self.doing, quiet=self.quiet, on_terminal=shared) as display,
            Clock(time_limit),
        ):
            counted = display.counted(self._in_time(texts), total)
            write(counted, self.output, at_once=self.is_live)

    def write_files(
        self,
        folder: Folder,
        documents: Iterable[tuple[str, Iterable[str]]],
        time_limit: float | None = None,
    ) -> None:
        """Write the results of each document to a file, and show how many there were."""
        with Display(self.doing, quiet=self.quiet) as display, Clock(time_limit):
            for name, texts in display.counted(self._in_time(documents), folder.left):
                folder.write(name, texts)
        self.was_done = folder.kept > 0
        before = f"; {folder.kept:,} were there before" if folder.kept else ""
        some = "1 document" if folder.written == 1 else f"{folder.written:,} documents"
        self.note(f"{some} written to {folder.path}{before}")

    def _in_time(self, texts: Iterable[Item]) -> Iterator[Item]:
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
        for path, count in self.faulty.items():
            if count > MOST_SHOWN:
                fault(f"{path}: and {count - MOST_SHOWN:,} more")
        if not self.quiet:
            self._tell()
        late = self.is_late or (self.stopped and limited)
        return BAD_INPUT if self.faulty else STOPPED if late else 0

    def _tell(self) -> None:
        if (total := self.faulty.total()) and self.results:
            note(f"{total:,} faulty {'part' if total == 1 else 'parts'} of the input skipped")
        elif not total and not self.results and not self.was_done:
            note(f"nothing to {self.verb}: the input is empty")
        if self.is_late:
            note("the time limit was reached: the rest of the input was left")
        if self.stopped:
            note(f"{self.stopped:,} of {self.results:,} {stopped(self.gap)}")
