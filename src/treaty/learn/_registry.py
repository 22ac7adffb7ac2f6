"""The registry of models: classes by task, and files by name, from all installed packages."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from treaty._streams import open_file
from treaty.errors import ModelError, UsageError, shortened
from treaty.learn._model import Model
from treaty.learn._model_bytes import read_header
from treaty.learn._model_file import ModelFile

__all__ = [
    "InstalledModel",
    "check_needs",
    "is_installed",
    "load",
    "model_class",
    "model_path",
    "models",
    "needs",
    "tasks",
]

CLASSES = "treaty.models"
"""Entry-point group that names the class of each task."""
FILES = "treaty.model_files"
"""Entry-point group that names packages with model files."""
FOLDER = "TREATY_MODELS"
"""Environment variable that names a folder of the user, whose models come before installed ones."""
SUFFIX = ".treaty"
ENGLISH = ("english", "entities", "summarizer", "threads")
"""Models of the package treaty-english."""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An installed model, as described by its file.

    Attributes
    ----------
    name, task
        The name to give to `treaty.load`, and the task of the model.
    language, data, license
        Language, training data and license; None if the file does not give them.
    size
        Size of the file in bytes.
    scores
        Scores on dev data, by name.
    path
        Path of the file.
    """

    name: str
    task: str
    language: str | None
    data: str | None
    license: str | None
    size: int
    scores: dict[str, Any]
    path: Path

    def to_dict(self) -> dict[str, Any]:
        """Return all attributes, for JSON."""
        return {**asdict(self), "path": str(self.path)}


def load(origin: str | Path | IO[bytes]) -> Model:
    """Load a model of any kind.

    Parameters
    ----------
    origin
        The name of an installed model (see `models`), the path of a file, or an open binary stream.

    Returns
    -------
    Model
        An instance of the class that is registered for the file's task.

    Raises
    ------
    ModelError
        When the file cannot be read, is damaged, or its task is not registered.

    Examples
    --------
    >>> import treaty
    >>> treaty.load("english").task
    'pipeline'
    """
    named = model_path(origin) if isinstance(origin, str | Path) else origin
    file = ModelFile.read(named)
    try:
        found = model_class(file.task)
    except UsageError as error:
        raise ModelError(f"{file.name}: {error.message}") from error
    return found.from_file(file)


def models() -> list[InstalledModel]:
    """List the installed models, sorted by name.

    Examples
    --------
    >>> import treaty
    >>> [model.name for model in treaty.models()]
    ['english', 'entities', 'summarizer', 'threads']
    """
    return [
        _described(name, path) for name, paths in sorted(_known_files().items()) for path in paths
    ]


def tasks() -> list[str]:
    """List the registered tasks.

    Examples
    --------
    >>> "parser" in tasks()
    True
    """
    return sorted(_classes())


def model_class(task: str) -> type[Model]:
    """Find the class that is registered for a task.

    Examples
    --------
    >>> model_class("tagger").__name__
    'Tagger'
    """
    entries = _classes().get(task, ())
    if not entries:
        raise UsageError(
            f"no model is registered for the task {task!r}: install the package that provides it "
            f"(registered: {', '.join(tasks())})"
        )
    if len(entries) > 1:
        raise UsageError(
            f"several classes are registered for the task {task!r}: "
            f"{' and '.join(map(_origin, entries))}; uninstall all packages but one"
        )
    try:
        found = entries[0].load()
    except Exception as error:  # importing another package may raise anything
        raise UsageError(
            f"{_origin(entries[0])}, registered for the task {task!r}, cannot be imported: {error}"
        ) from error
    if not (isinstance(found, type) and issubclass(found, Model)):
        raise UsageError(
            f"{_origin(entries[0])}, registered for the task {task!r}, is not a treaty Model"
        )
    return found


def is_installed(name: str) -> bool:
    """Return whether a model of this name is installed.

    Examples
    --------
    >>> is_installed("english"), is_installed("english.treaty")
    (True, False)
    """
    return name in _known_files()


def model_path(name: str | Path) -> Path:
    """Return the path of an installed model; other names are taken as paths.

    Examples
    --------
    >>> model_path("english").name, model_path("danish.treaty").name
    ('english.treaty', 'danish.treaty')
    """
    found = _known_files().get(name, ()) if isinstance(name, str) else ()
    if len(found) > 1:
        raise ModelError(
            f"several installed models have the name {name!r}; give the path of one: "
            f"{', '.join(map(str, found))}"
        )
    if not found and not Path(name).suffix and not _exists(Path(name)):
        raise ModelError(f"there is no model {shortened(str(name))}: {_choices(str(name))}")
    return found[0] if found else Path(name)


def _choices(name: str) -> str:
    """Say what to do about a model that is not there."""
    if name in ENGLISH:
        return "install the English models by pip install 'treaty[english]'"
    known = ", ".join(sorted(_known_files())) or "(none)"
    return f"choose one of {known}, or give the path of a model file"


def needs(*names: str) -> dict[str, str]:
    """Refer to installed models in a model file, as ``needs``: by name and hash of the content.

    A model file names no path: only a user gives those.

    Examples
    --------
    >>> list(needs("english"))
    ['english']
    """
    return {name: _content_hash(model_path(name)) for name in names}


def check_needs(file: ModelFile, *names: str) -> None:
    """Raise `ModelError` unless these are installed models, with the content that the file needs.

    Examples
    --------
    >>> check_needs(ModelFile("toy", {"needs": needs("english")}, {}), "english")
    """
    for name in names:
        if not is_installed(name):
            raise ModelError(
                f"{file.name}: needs the model {shortened(name)}, which is not installed: install "
                f"the package that provides it, or set {FOLDER} to the folder of its file"
            )
    known = file.value("needs", dict)
    if set(known) != set(names):
        raise file.fault(f"needs: expected {', '.join(names) or 'nothing'}")
    for name in names:
        if known[name] != _content_hash(model_path(name)):
            raise ModelError(
                f"{file.name}: needs another version of the model {name!r} than the installed one: "
                f"install that version, retrain with this one, or put the file {name}{SUFFIX} that "
                f"it was trained with into a folder and set {FOLDER} to that folder"
            )


@cache
def _content_hash(path: Path) -> str:
    try:
        with open_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}; check the path") from error


@cache
def _classes() -> dict[str, tuple[EntryPoint, ...]]:
    """Return the classes of each task: one, unless packages conflict."""
    found: dict[str, dict[str, EntryPoint]] = {}
    for entry in entry_points(group=CLASSES):
        found.setdefault(entry.name, {}).setdefault(entry.value, entry)
    return {task: tuple(entries.values()) for task, entries in found.items()}


def _known_files() -> dict[str, tuple[Path, ...]]:
    """Find the files of models by name: those in the user's folder, and of all packages."""
    own = os.environ.get(FOLDER)
    return (
        {**_files(), **{path.stem: (path,) for path in _models_in(Path(own))}} if own else _files()
    )


def _models_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX)
    except OSError as error:
        raise UsageError(
            f"{FOLDER}: {folder}: {error.strerror}; name a folder of models"
        ) from error


@cache
def _files() -> dict[str, tuple[Path, ...]]:
    found: dict[str, tuple[Path, ...]] = {}
    for folder in dict.fromkeys(_folders()):
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            found[path.stem] = (*found.get(path.stem, ()), path)
    return found


def _folders() -> Iterator[Path]:
    for entry in entry_points(group=FILES):
        try:
            spec = find_spec(entry.value)
        except Exception as error:  # importing another package may raise anything
            spec, cause = None, f": {error}"
        else:
            cause = ""
        if spec is None or spec.submodule_search_locations is None:
            warnings.warn(
                f"ignoring the models of {_origin(entry)}: there is no such package{cause}",
                RuntimeWarning,
                stacklevel=2,
            )
        else:
            yield from map(Path, spec.submodule_search_locations)


def _origin(entry: EntryPoint) -> str:
    return f"{entry.value} (of {entry.dist.name})" if entry.dist else entry.value


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long
        return False


def _described(name: str, path: Path) -> InstalledModel:
    header = read_header(path)
    info = header.get("info")
    about = info if isinstance(info, dict) else {}
    texts = {key: about.get(key) for key in ("language", "data", "license")}
    scores = about.get("scores")
    return InstalledModel(
        name=name,
        task=header["task"],
        size=path.stat().st_size,
        scores=scores if isinstance(scores, dict) else {},
        path=path,
        **{key: text if isinstance(text, str) else None for key, text in texts.items()},
    )
