"""Models on workers: loaded once per process, by name or by the hash of their file.

A model is named, and comes with the hash of its content. A worker that has a model of that name
with that content takes its own; otherwise the bytes of the file are sent to it once, and kept in a
folder by their hash. Nothing but model files is sent: they are data, and are checked when read.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from treaty._streams import replacing
from treaty.errors import ModelError, UsageError
from treaty.learn import ModelFile
from treaty.learn._registry import model_path

__all__ = ["cached_work", "file_hash", "hashes_of", "kept_model", "missing_models", "named"]

KEPT = "TREATY_CLUSTER_MODELS"
"""The environment variable that names the folder where workers keep files by hash."""
_WORKS: dict[str, Any] = {}
_LOCK = Lock()
MOST_WORKS = 8
"""Jobs whose models a worker keeps in memory."""


def file_hash(path: str | Path) -> str:
    """Hash the content of a file."""
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}; check the path") from error


def hashes_of(names: Mapping[str, str | None] | list[str]) -> dict[str, str]:
    """Refer to models by name or path, each with the hash of its file.

    Examples
    --------
    >>> sorted(hashes_of(["english"])) == ["english"]
    True
    """
    return {name: file_hash(model_path(name)) for name in names}


def folder_of_models() -> Path:
    """Return the folder where this machine keeps models by hash, which only its user may read."""
    given = os.environ.get(KEPT)
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f"treaty-models-{_user()}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not given and folder.stat().st_uid != _user():
        raise ModelError(f"{folder} belongs to another user; set {KEPT} to a folder of your own")
    return folder


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def named(name: str, sha256: str) -> str | None:
    """Return what to load a model from on this machine, or None if it has no such file."""
    try:
        path = model_path(name)
        if path.is_file() and file_hash(path) == sha256:
            return name
    except ModelError:
        pass
    kept = folder_of_models() / f"{sha256}.treaty"
    return str(kept) if kept.is_file() and file_hash(kept) == sha256 else None


def missing_models(models: Mapping[str, str]) -> list[str]:
    """List the models that this machine lacks."""
    return [name for name, sha256 in models.items() if named(name, sha256) is None]


def kept_model(data: bytes, sha256: str) -> Path:
    """Keep the file of a model by its hash; raise `ModelError` if it is another one."""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ModelError("the file of a model was damaged on its way to a worker; run it again")
    ModelFile.from_bytes(data)  # refuses what is no model file
    path = folder_of_models() / f"{sha256}.treaty"
    with replacing(path) as stream:
        stream.write(data)
    return path


def cached_work(
    maker: str, settings: Mapping[str, Any], models: Mapping[str, str], key: str
) -> Any:
    """Make the worker's side of a job, once per process: models are loaded here.

    Parameters
    ----------
    maker
        The class or function to call with the settings, as ``module:name``.
    settings, models
        Its arguments, and the models they name, with hashes.
    key
        What tells jobs apart.
    """
    with _LOCK:
        if key not in _WORKS:
            if len(_WORKS) >= MOST_WORKS:
                _WORKS.clear()
            _WORKS[key] = _maker(maker)(**_local(settings, models))
        return _WORKS[key]


def _maker(maker: str) -> Callable[..., Any]:
    module, _, name = maker.partition(":")
    factory: Callable[..., Any] = getattr(import_module(module), name)
    return factory


def _local(settings: Mapping[str, Any], models: Mapping[str, str]) -> dict[str, Any]:
    """Replace the names of models by what they are loaded from on this machine."""
    local = dict(settings)
    for key, value in settings.items():
        if isinstance(value, str) and value in models:
            place = named(value, models[value])
            if place is None:
                raise UsageError(
                    f"this worker has no model {value!r} with the hash {models[value][:12]}; "
                    "'treaty cluster doctor' lists the models of all workers"
                )
            local[key] = place
    return local
