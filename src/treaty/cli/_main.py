"""From arguments to an exit code: whatever goes wrong is told in one line on standard error."""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import typer

from treaty._threads import end_with
from treaty.cli._app import app
from treaty.cli._output import STOPPED, failed_output, fault, open_standard_streams
from treaty.cli._signals import heard, taking_signals
from treaty.errors import InputError, LimitError, TreatyError

__all__ = ["run"]

OUT_OF_MEMORY = -1
INTERRUPTED = 130  # what shells expect of a command stopped by Ctrl-C

# What Typer raises for arguments it cannot make sense of. It has no public name for the class.
CommandLineError: type[Exception] = typer.BadParameter.__mro__[1]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        What follows ``treaty`` on the command line; by default that of this process.

    Returns
    -------
    int
        0 done, 2 usage, 3 bad input, 4 stopped at a limit, 5 model file refused, 130 interrupted
        by Ctrl-C, 143 by SIGTERM.
    """
    try:
        open_standard_streams()
        given = sys.argv[1:] if arguments is None else arguments
        serves = list(given[:1]) == ["serve"]  # a server has handlers of its own
        with warnings.catch_warnings(), nullcontext() if serves else taking_signals():
            warnings.showwarning = _note
            exit_code = _run(arguments)
    except TreatyError as error:
        if isinstance(error, LimitError):
            end_with(error.exit_code)
        return _fail(str(error), error.exit_code)
    except CommandLineError as error:
        return _fail(_describe(error), 2)
    except MemoryError:
        exit_code = OUT_OF_MEMORY  # told below, when all that the error refers to is gone
    except ImportError as error:
        if "failed to map segment" not in str(error):
            raise
        exit_code = OUT_OF_MEMORY
    except typer.Exit as stop:
        exit_code = stop.exit_code
    except (KeyboardInterrupt, typer.Abort):  # newer versions of Typer make it an exit code
        exit_code = INTERRUPTED
    if exit_code == OUT_OF_MEMORY:
        return _fail("out of memory: the problem is too large for this machine", 1)
    if exit_code == INTERRUPTED:
        exit_code = 128 + (number := heard())
        end_with(exit_code)
        return _fail("terminated" if number == signal.SIGTERM else "interrupted", exit_code)
    if exit_code == STOPPED:  # work that was left at a time limit is not waited for
        end_with(exit_code)
    return exit_code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        return app(arguments, prog_name="treaty", standalone_mode=False) or 0
    except OSError as error:
        if error.filename is not None:
            raise InputError(f"{error.strerror}", path=str(error.filename)) from error
        raise failed_output(error) from error  # of the help, which Typer prints


def _note(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning of the library, such as one of too few threads, in one line."""
    sys.stderr.write(f"treaty: note: {' '.join(str(message).splitlines())}\n")


def _fail(message: str, exit_code: int) -> int:
    fault(message)
    return exit_code


def _describe(error: Any) -> str:
    command = error.ctx.command_path if error.ctx else "treaty"
    message = error.format_message().removesuffix(".").replace(": Value error, ", ": ")
    if hasattr(error, "possibilities"):  # only the error of an unknown option has them
        message = f"{command} has no option {error.option_name}"
        message += _hint(error.option_name, error.possibilities or (), command)
    return f"{message} (see '{command} --help')"


def _hint(option: str, similar: Sequence[str], command: str) -> str:
    """Say which commands have an option, or which options of this one are spelled alike."""
    having = [name for name, options in _options_of(_root(), "treaty") if option in options]
    if having and command != "treaty":
        return f"; {_listed(having)} {'has' if len(having) == 1 else 'have'} it"
    near = [name for name in similar if name.startswith(option) or option.startswith(name)]
    return f"; did you mean {' or '.join(sorted(near or similar))}?" if similar else ""


def _root() -> Any:
    return typer.main.get_command(app)


def _options_of(command: Any, path: str) -> Iterator[tuple[str, set[str]]]:
    """Go through all commands; yields each with its options."""
    inner = getattr(command, "commands", {})
    for name, sub in inner.items():
        yield from _options_of(sub, f"{path} {name}")
    if not inner:
        yield path, {option for param in command.params for option in param.opts}


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
