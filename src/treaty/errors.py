"""The errors that Treaty raises on purpose. Each message names the cause and the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = [
    "InputError",
    "ModelError",
    "OutputError",
    "SolverError",
    "TreatyError",
    "UsageError",
]

LONGEST_TEXT = 60
"""Characters of the offending text that a message shows."""


class TreatyError(Exception):
    """Base of every error that Treaty raises on purpose.

    The class says what kind of error it is, `exit_code` is what the command line returns for it.

    Parameters
    ----------
    message
        What went wrong and what to do about it.
    """

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(TreatyError):
    """A wrong call: an argument or option that is unknown, out of range or does not fit others."""

    exit_code = 2


class InputError(TreatyError):
    """Bad input: names file and line, the offending text and what was expected.

    Parameters
    ----------
    message
        The cause and what was expected.
    path, line
        Where it stands; ``line`` counts from 1.
    text
        The offending text (shortened for the message).

    Examples
    --------
    >>> print(InputError("expected a number", path="a.fg", line=3, text="x"))
    a.fg:3: expected a number (found 'x')
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        where = "" if path is None else f"{path}:{line}: " if line else f"{path}: "
        shown = "" if text is None else f" (found {shortened(text)})"
        super().__init__(f"{where}{message}{shown}")
        self.path, self.line, self.text = path, line, text


class OutputError(TreatyError):
    """A file that cannot be written: the disk is full, the folder is missing, permission is denied.

    An old file of that name is as it was.

    Parameters
    ----------
    path
        The file.
    cause
        What the system said, or what is wrong with it.

    Examples
    --------
    >>> print(OutputError("tree.svg", OSError(28, "No space left on device")))
    cannot write tree.svg: No space left on device
    """

    exit_code = 3

    def __init__(self, path: str | Path, cause: str | Exception) -> None:
        what = getattr(cause, "strerror", None) or cause
        super().__init__(f"cannot write {path}: {what}")
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.message.removeprefix(f"cannot write {self.path}: "))


class SolverError(TreatyError):
    """A solver that cannot do what was asked, such as enumerating a large graph."""


class ModelError(TreatyError):
    """A model file that is damaged, truncated, hostile or of another version."""

    exit_code = 5


def shortened(text: str) -> str:
    """Quote a text for a message, without its end if it is long."""
    return f"{text[:LONGEST_TEXT]!r}{'…' if len(text) > LONGEST_TEXT else ''}"
