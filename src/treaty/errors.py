"""The errors a user can meet. Each has a stable code and says the way out."""

from __future__ import annotations

from pathlib import Path

__all__ = ["InputError", "ModelError", "SolverError", "TreatyError", "UsageError"]


class TreatyError(Exception):
    """Base of every error Treaty raises on purpose.

    Parameters
    ----------
    message
        What went wrong and what to do about it.
    code
        A stable code such as ``"T101"``, for scripts and searches.
    """

    exit_code = 1
    default_code = "T000"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code

    def __str__(self) -> str:
        return f"[{self.code}] {self.message}"


class UsageError(TreatyError):
    """A call that makes no sense: a wrong argument, an unknown option."""

    exit_code = 2
    default_code = "T200"


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
    code
        A stable code.

    Examples
    --------
    >>> print(InputError("expected a number", path="a.fg", line=3, text="x"))
    [T300] a.fg:3: expected a number (found 'x')
    """

    exit_code = 3
    default_code = "T300"

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        text: str | None = None,
        code: str | None = None,
    ) -> None:
        where = "" if path is None else f"{path}:{line}: " if line else f"{path}: "
        shown = "" if text is None else f" (found {text[:60]!r}{'…' if len(text) > 60 else ''})"
        super().__init__(f"{where}{message}{shown}", code=code)
        self.path, self.line, self.text = path, line, text


class SolverError(TreatyError):
    """A solver that cannot do what was asked, such as enumerating a large graph."""

    exit_code = 1
    default_code = "T400"


class ModelError(TreatyError):
    """A model file that is damaged, truncated, hostile or of another version."""

    exit_code = 5
    default_code = "T500"
