"""The command ``treaty``: one file per command, each a thin wrapper on public functions.

Nothing heavy is imported before a command runs, so that ``treaty --help`` answers at once.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

__all__ = ["main"]

RARELY = (50_000, 20, 50)
"""When the interpreter looks for garbage in cycles; reading models makes many objects and none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code: see `treaty.cli._main.run`.

    Examples
    --------
    >>> main(["--version"])
    treaty 0.1.0
    0
    """
    gc.set_threshold(*RARELY)
    try:
        from treaty.cli._main import run
    except KeyboardInterrupt:
        sys.stderr.write("treaty: error: interrupted\n")
        return 130
    return run(arguments)
