"""The exceptions that Treaty raises. Each message gives the cause and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = [
    "InputError",
    "LimitError",
    "ModelError",
    "OutputError",
    "SolverError",
    "TreatyError",
    "UsageError",
]

LONGEST_TEXT = 60
"""Number of characters of the offending text shown in a message."""


class TreatyError(Exception):
    """Base class of all errors that Treaty raises.

    The class is the kind of error; `exit_code` is what the command line returns for it.

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
    """Wrong call: an argument or option that is unknown, out of range or conflicts with others."""

    exit_code = 2


def check_threads(threads: int) -> None:
    """Raise `UsageError` unless there is at least one thread: the check of all models and solvers.

    Examples
    --------
    >>> check_threads(0)
    Traceback (most recent call last):
    treaty.errors.UsageError: threads must be at least 1, not 0
    """
    if threads < 1:
        raise UsageError(f"threads must be at least 1, not {threads}")


def check_several(inputs: object, what: str, instead: str = "") -> None:
    """Raise `UsageError` unless several inputs were given, in a list or another iterable.

    Parameters
    ----------
    inputs
        What was given.
    what
        What the inputs are, for the message.
    instead
        What to do with a single text.

    Examples
    --------
    >>> check_several("Cats sleep.", "messages", "use label_text")
    Traceback (most recent call last):
    treaty.errors.UsageError: expected several messages, got the text 'Cats sleep.': use label_text
    """
    if isinstance(inputs, str):
        raise UsageError(
            f"expected several {what}, got the text {inputs[:40]!r}: "
            f"{instead or 'put it into a list'}"
        )
    if isinstance(inputs, bytes | bytearray) or not isinstance(inputs, Iterable):
        raise UsageError(f"expected several {what}, in a list, got {repr(inputs)[:60]}")


def check_text(text: object, what: str = "the text") -> str:
    """Return the text, or raise `UsageError` if it is anything but a string.

    Parameters
    ----------
    text
        What was given.
    what
        Its name in the message.

    Examples
    --------
    >>> check_text(None)
    Traceback (most recent call last):
    treaty.errors.UsageError: the text must be a string (str), not NoneType; leave out missing
    values, or give "" in their place
    """
    if isinstance(text, str):
        return text
    kind = "nan (float)" if isinstance(text, float) and text != text else type(text).__name__
    way_out = 'leave out missing values, or give "" in their place'
    if isinstance(text, bytes | bytearray):
        way_out = "decode it first, such as with text.decode()"
    elif isinstance(text, Iterable):
        way_out = "give several texts to `pipe`, or join them"
    raise UsageError(f"{what} must be a string (str), not {kind}; {way_out}")


class InputError(TreatyError):
    """Bad input: gives file and line, the offending text and what was expected.

    Parameters
    ----------
    message
        The cause and what was expected.
    path, line
        Location; ``line`` counts from 1.
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
    """File that cannot be written: disk full, folder missing, permission denied.

    An existing file of that name is unchanged.

    Parameters
    ----------
    path
        The file.
    cause
        The error of the operating system, or a message.

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
    """Request that a solver cannot fulfill, such as enumerating a large graph."""


class LimitError(SolverError):
    """Time limit that was reached before there was any answer.

    Where there is one, it is returned instead, and its status tells that a limit was reached.
    """

    exit_code = 4


class ModelError(TreatyError):
    """Model file that is damaged, truncated, malicious or of another version."""

    exit_code = 5


def shortened(text: str) -> str:
    """Quote a text for a message, truncated if it is long."""
    return f"{text[:LONGEST_TEXT]!r}{'…' if len(text) > LONGEST_TEXT else ''}"
