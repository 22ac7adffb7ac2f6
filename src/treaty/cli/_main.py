"""From arguments to an exit code: whatever goes wrong is told in one line on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer

from treaty.cli._app import app
from treaty.errors import TreatyError

__all__ = ["main"]

INTERRUPTED = 130  # what shells expect of a command stopped by Ctrl-C

# What Typer raises for arguments it cannot make sense of. It has no public name for the class.
CommandLineError: type[Exception] = typer.BadParameter.__mro__[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        What follows ``treaty`` on the command line; by default that of this process.

    Returns
    -------
    int
        0 done, 2 usage, 3 bad input, 4 stopped at a limit, 5 model file refused, 130 interrupted.

    Examples
    --------
    >>> main(["--version"])
    treaty 0.1.0
    0
    """
    try:
        exit_code = app(arguments, prog_name="treaty", standalone_mode=False) or 0
    except TreatyError as error:
        return _fail(str(error), error.exit_code)
    except CommandLineError as error:
        return _fail(_describe(error), 2)
    except MemoryError:
        return _fail("out of memory: the problem is too large for this machine", 1)
    except typer.Abort:  # older versions of Typer; the newer make it an exit code
        exit_code = INTERRUPTED
    return _fail("interrupted", INTERRUPTED) if exit_code == INTERRUPTED else exit_code


def _describe(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "treaty"
    return f"{error.format_message().removesuffix('.')} (see '{command} --help')"


def _fail(message: str, exit_code: int) -> int:
    sys.stderr.write(f"treaty: error: {' '.join(message.splitlines())}\n")
    return exit_code
