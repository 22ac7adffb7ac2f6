"""The command ``treaty``: one file per command, each a thin wrapper on public functions.

Nothing heavy is imported before a command runs, so that ``treaty --help`` answers at once.
"""

from treaty.cli._main import main

__all__ = ["main"]
