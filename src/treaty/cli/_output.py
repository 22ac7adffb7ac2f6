"""Results to standard output or a file, everything else to standard error; exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import typer

from treaty.errors import OutputError, TreatyError, UsageError

__all__ = [
    "BAD_INPUT",
    "STOPPED",
    "check_output",
    "fault",
    "json_line",
    "note",
    "on_terminal",
    "rendered",
    "write_text",
    "write_texts",
]

BAD_INPUT, STOPPED = 3, 4
BROKEN_PIPE = 141  # what shells report of a command whose reader has gone
AT_A_TIME = 64
"""Results that are written to standard output together."""
FORMATS = {"columns", "conllu", "html", "json", "jsonl", "svg", "terminal", "text", "tree"}


def note(message: str) -> None:
    """Tell the user something that is not a result."""
    sys.stderr.write(f"treaty: note: {message}\n")


def fault(error: TreatyError | str) -> None:
    """Tell of an error that does not end the command."""
    sys.stderr.write(f"treaty: error: {' '.join(str(error).splitlines())}\n")


def on_terminal(output: str) -> bool:
    """Tell whether a person will read the results."""
    return output == "-" and sys.stdout.isatty()


def rendered(drawing: Any, *, wrap: bool = False) -> str:
    """Draw something of rich's as text, with colors where standard output has them."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=not wrap)
    with console.capture() as capture:
        console.print(drawing)
    return capture.get()


def check_output(path: str | None) -> None:
    """Refuse a file that cannot be written, before the long run that is to fill it."""
    if path is None or path == "-":
        return
    if path in FORMATS:
        raise UsageError(
            f"--output is where results go; did you mean --format {path}? "
            f"(a file of that name is ./{path})"
        )
    target = Path(path)
    if target.is_dir():
        raise OutputError(path, "it is a directory")
    if not target.parent.is_dir():
        raise OutputError(path, f"there is no directory {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise OutputError(path, "permission denied")


class Dictable(Protocol):
    """A result of a model."""

    def to_dict(self) -> dict[str, Any]:
        """Give all of it, for JSON."""


def json_line(result: Dictable | dict[str, Any]) -> str:
    r"""Write a result as one line of JSON.

    Examples
    --------
    >>> json_line({"text": "Hush!"})
    '{"text": "Hush!"}\n'
    """
    record = result if isinstance(result, dict) else result.to_dict()
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: str, text: str) -> None:
    """Write a file, or to standard output for ``-``."""
    write_texts([text], path)


def write_texts(texts: Iterable[str], path: str) -> None:
    """Write texts as they come to a file, or to standard output for ``-``."""
    from treaty._streams import writing

    if path != "-":
        with writing(path) as write:
            for text in texts:
                write(text)
        return
    rest, size = iter(texts), 1 if on_terminal(path) else AT_A_TIME
    while some := list(islice(rest, size)):
        _print("".join(some))


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Send what is left in the buffer nowhere: Python would fail again to write it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # such as `| head`: not an error of the user's
            raise typer.Exit(BROKEN_PIPE) from error
        raise OutputError("standard output", error) from error
