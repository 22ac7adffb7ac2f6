"""A line on the terminal that says how a long run is going."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["progress", "status_line"]


@contextmanager
def progress(
    task: str, unit: str = "iterations", *, quiet: bool
) -> Iterator[Callable[[Any], None] | None]:
    """Show a line on stderr until the block is left.

    Yields the callback for a solver that keeps the line up to date, or None where nobody would see
    it: when stderr is no terminal or the user wants quiet.
    """
    with status_line(task, quiet=quiet) as update:
        yield update and (lambda step: update(describe(step, unit)))


@contextmanager
def status_line(task: str, *, quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Show a line on stderr until the block is left; yields what changes it, or None likewise."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    # The plain spinner is ASCII: it can be written in every encoding.
    with Console(stderr=True).status(f"{task} ...", spinner="line") as status:
        yield lambda text: status.update(f"{task}: {text}")


def describe(step: Any, unit: str) -> str:
    """Say how far a solver has come."""
    answer = f"objective {step.objective:.6g}" if math.isfinite(step.objective) else "no answer yet"
    gap = f", gap {step.bound - step.objective:.3g}" if math.isfinite(step.objective) else ""
    return f"{step.iteration} {unit}, {answer}, bound {step.bound:.6g}{gap}"
