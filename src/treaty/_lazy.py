"""Names of a package that are imported when they are first used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["imported"]


def imported(package: str, homes: Mapping[str, Sequence[str]], name: str) -> Any:
    """Import a name from the module that has it; for ``__getattr__`` of a package.

    Parameters
    ----------
    package
        The name of the package.
    homes
        The names that each module has.
    name
        What is asked for.

    Raises
    ------
    AttributeError
        If no module has it.

    Examples
    --------
    >>> imported("treaty", {"treaty.errors": ["UsageError"]}, "UsageError").__name__
    'UsageError'
    """
    for module, names in homes.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
