"""Results to standard output or a file, everything else to standard error; exit codes."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TextIO

import typer

from treaty._json import json_line
from treaty.errors import OutputError, UsageError

__all__ = [
    "BAD_INPUT",
    "STOPPED",
    "check_apart",
    "check_output",
    "failed_output",
    "fault",
    "harmless",
    "json_line",
    "note",
    "on_terminal",
    "open_standard_streams",
    "write_text",
    "write_texts",
]

BAD_INPUT, STOPPED = 3, 4
BROKEN_PIPE = 141  # what shells report of a command whose reader has gone
CONTROLS = re.compile(r"(?!\x1b\[[0-9;]*m)[\x00-\x08\x0b-\x1f\x7f-\x9f]")
AT_A_TIME = 64
"""Results that are written to standard output together."""
FORMATS = {"columns", "conllu", "html", "json", "jsonl", "svg", "terminal", "text", "tree"}


def open_standard_streams() -> None:
    """Open those of the three standard streams that are closed.

    Input is then empty, errors are told to nobody, and output fails. No other file takes their
    numbers, so nothing that is meant for the user gets into it.
    """
    for name, flags in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, flags)
            setattr(sys, name, os.fdopen(handle, "r" if name == "stdin" else "w", encoding="utf-8"))


def note(message: str) -> None:
    """Tell the user something that is not a result."""
    _tell(f"note: {message}")


def fault(error: Exception | str) -> None:
    """Tell of an error."""
    _tell(f"error: {' '.join(str(error).splitlines())}")


def harmless(text: str) -> str:
    r"""Replace what could control a terminal, but for line ends, tabs and colors.

    Examples
    --------
    >>> harmless("\x1b[1mtea\x1b[0m\x1b[2J") == "\x1b[1mtea\x1b[0m\N{REPLACEMENT CHARACTER}[2J"
    True
    """
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def _tell(message: str) -> None:
    try:
        sys.stderr.write(f"treaty: {harmless(message)}\n")
        sys.stderr.flush()
    except OSError:  # nobody can be told
        _silence(sys.stderr)


def on_terminal(output: str) -> bool:
    """Tell whether a person will read the results."""
    return output == "-" and sys.stdout.isatty()


def check_output(path: str | None) -> None:
    """Refuse a file that cannot be written, before the long run that is to fill it."""
    if path is None or path == "-":
        return
    if path in FORMATS:
        raise UsageError(
            f"--output is where results go; did you mean --format {path}? "
            f"(a file of that name is ./{path})"
        )
    from treaty._streams import check_target

    try:
        check_target(path)
    except (OSError, ValueError) as error:
        raise OutputError(path, error) from error


def check_apart(output: str | None, *inputs: str | None) -> None:
    """Refuse to write to a file that is read, which the result would replace.

    Raises
    ------
    UsageError
        Also for the file that is standard input, and for one in a folder that is read.
    """
    if output is None or output == "-" or not (target := _regular(output)):
        return
    for given in inputs:
        for path in _files(given):
            if (status := _regular(path)) and os.path.samestat(status, target):
                name = "standard input" if path == "-" else path
                raise UsageError(
                    f"--output {output} is the input {name}, which it would replace: "
                    "write to another file"
                )


def _files(given: str | None) -> Iterable[str]:
    """List an input, and if it is a folder what is in it."""
    if given is None:
        return []
    try:
        inside = [str(path) for path in Path(given).iterdir()] if Path(given).is_dir() else []
    except (OSError, ValueError):  # a text that is too long for a path, or has a NUL
        inside = []
    return [given, *inside]


def _regular(path: str) -> os.stat_result | None:
    try:
        status = os.fstat(0) if path == "-" else os.stat(path)  # noqa: PTH116 - also of /dev/fd
    except (OSError, ValueError):
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def write_text(path: str, text: str) -> None:
    """Write a file, or to standard output for ``-``."""
    write_texts([text], path)


def write_texts(texts: Iterable[str], path: str, *, at_once: bool = False) -> None:
    """Write texts as they come to a file, or to standard output for ``-``, each at once or not."""
    from treaty._streams import writing

    if path != "-":
        with writing(path) as write:
            for text in texts:
                write(text)
        return
    rest, size = iter(texts), 1 if at_once or on_terminal(path) else AT_A_TIME
    while some := list(islice(rest, size)):
        _print("".join(some))


def _print(text: str) -> None:
    try:
        sys.stdout.write(harmless(text) if on_terminal("-") else text)
        sys.stdout.flush()
    except OSError as error:
        raise failed_output(error) from error


def failed_output(error: OSError) -> Exception:
    """Give up on standard output; returns what to raise."""
    _silence(sys.stdout)
    if isinstance(error, BrokenPipeError):  # such as `| head`: not an error of the user's
        return typer.Exit(BROKEN_PIPE)
    return OutputError("standard output", error)


def _silence(stream: TextIO) -> None:
    """Send what is left in a buffer nowhere: Python would fail again to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
