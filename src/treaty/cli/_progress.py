"""How a long command is going: a bar on the terminal, and scores as lines."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, TypeVar

from treaty.cli._output import note
from treaty.progress import Progress

__all__ = ["Display"]

Item = TypeVar("Item")
SHOWN = ("objective", "bound", "gap", "relative_gap", "workers", "rate")
"""Scores of a search, or of a run on a cluster, that stand beside the bar."""


class Display:
    """Shows `treaty.Progress` events: a bar on a terminal, and the scores after each epoch.

    Parameters
    ----------
    title
        What is being done.
    quiet
        Whether to show nothing at all.
    on_terminal
        Whether results are printed where the bar would be.

    Attributes
    ----------
    is_live
        Whether there is a bar.
    """

    def __init__(self, title: str, *, quiet: bool, on_terminal: bool = False) -> None:
        self.title, self.quiet = title, quiet
        self.is_live = not quiet and not on_terminal and sys.stderr.isatty()
        self._bar: Any = None

    def __enter__(self) -> Display:
        if self.is_live:
            self._bar = _bar()
            self._bar.start()
            self._bar.add_task(self.title, total=None, details="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Progress) -> None:
        """Show a moment of the work."""
        if self._bar is not None:
            stage = "" if event.stage in self.title else f": {event.stage}"
            self._bar.update(
                self._bar.task_ids[0],
                description=f"{self.title}{stage}{_epoch(event)}",
                completed=event.done,
                total=event.total,
                details=" · ".join(_details(event)),
            )
        if event.scores and event.epoch is not None and not self.quiet:
            from treaty.show import scores_line

            note(f"{event.stage}{_epoch(event)}: {scores_line(event.scores)}")

    def counted(self, items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
        """Pass on items, and show how many there were, of how many, and the time that is left."""
        began = time.perf_counter()
        for number, item in enumerate(items, 1):
            yield item
            if self.is_live:
                seconds = time.perf_counter() - began
                self(Progress(self.title, number, total, seconds=seconds))


def _epoch(event: Progress) -> str:
    if event.epoch is None:
        return ""
    return f", epoch {event.epoch}{'' if event.epochs is None else f' of {event.epochs}'}"


def _details(event: Progress) -> Iterator[str]:
    yield f"{event.done:,}" if event.total is None else f"{event.done:,} of {event.total:,}"
    if event.seconds_left is not None:
        minutes, seconds = divmod(round(event.seconds_left), 60)
        yield f"{minutes}:{seconds:02} left"
    for name in SHOWN:
        if math.isfinite(score := event.scores.get(name, math.nan)):
            yield f"{name.replace('_', ' ')} {score:.6g}"


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[details]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
