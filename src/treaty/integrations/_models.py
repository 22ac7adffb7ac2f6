"""Models by name: loaded once, and shared by all integrations of a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from treaty.errors import UsageError
from treaty.learn import Model, load, model_path

__all__ = ["model_of"]

M = TypeVar("M", bound=Model)
KEPT = 4
"""Number of models that are kept in memory."""


def model_of(given: Any, kind: type[M]) -> M:
    """Return the model that is meant by its name, the path of its file, or itself.

    Raises
    ------
    UsageError
        When it is a model for another task.
    """
    model = given
    if isinstance(given, str | Path):
        path = model_path(str(given))
        model = _loaded(path, _version(path))
    if not isinstance(model, kind):
        of = getattr(model, "task", type(model).__name__)
        raise UsageError(f"expected a model for the task {kind.task!r}, got one for {of!r}")
    return model


def _version(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is written; None if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=KEPT)
def _loaded(path: Path, _version: tuple[int, int] | None) -> Model:
    return load(path)
