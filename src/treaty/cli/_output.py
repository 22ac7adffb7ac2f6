"""Results to stdout or a file, everything else to stderr."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from treaty.errors import TreatyError, UsageError

__all__ = ["check_writable", "fault", "note", "write_text"]

BROKEN_PIPE = 141  # what shells report of a command whose reader has gone


def note(message: str) -> None:
    """Tell the user something that is no result."""
    sys.stderr.write(f"treaty: note: {message}\n")


def fault(error: TreatyError) -> None:
    """Tell of an error that does not end the command."""
    sys.stderr.write(f"treaty: error: {' '.join(str(error).splitlines())}\n")


def check_writable(path: str) -> None:
    """Refuse a file that cannot be written, before the long run that is to fill it."""
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"cannot write {path}: it is a directory")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {path}: there is no directory {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise UsageError(f"cannot write {path}: permission denied")


def write_text(path: str, text: str) -> None:
    """Write a file, or to standard output for ``-``."""
    try:
        if path == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        if path == "-":
            _drop_stdout()
        if isinstance(error, BrokenPipeError):  # such as `| head`: no error of the user's
            raise typer.Exit(BROKEN_PIPE) from error
        name = "standard output" if path == "-" else path
        raise UsageError(f"cannot write {name}: {error.strerror}") from error


def _drop_stdout() -> None:
    """Send what is left in the buffer nowhere: Python would fail again to write it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
