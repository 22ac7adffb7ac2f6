"""Annotated documents in Python: what the commands write, one document at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treaty.errors import InputError, UsageError
from treaty.tasks import TASKS
from treaty.tasks._documents import Documents, expanded
from treaty.tasks._run import Run
from treaty.tasks._sources import Source, is_file

if TYPE_CHECKING:
    from treaty.parse import Document

__all__ = ["annotate"]


def annotate(
    paths: str | Path | Iterable[str | Path],
    task: str = "parse",
    *,
    on_error: Callable[[InputError], object] | None = None,
    **fields: Any,
) -> Iterator[Document]:
    r"""Read documents, and yield each with its annotations as soon as they are there.

    The documents are those that commands read: files, folders (with all folders in them), patterns
    such as ``"corpus/*.txt"``, archives (``.zip``, ``.tar``, ``.tar.gz``), mailboxes, and with
    `field` the rows of tables. The memory does not grow with their number.

    Parameters
    ----------
    paths
        One or more of them.
    task
        ``"parse"``, ``"tag"``, ``"label"``, ``"compress"`` or ``"summarize"`` (each document by
        itself).
    on_error
        Called with the error of a document that cannot be read; the rest goes on. By default the
        error is raised.
    **fields
        The fields of the request, such as `model`, `entities`, `encoding`, `field`; see
        `treaty.tasks.ParseRequest` and so on.

    Yields
    ------
    treaty.parse.Document
        With `name` and `source`, its text, sentences and words with their places in it. By task
        there are `certificates`, `entities`, `compressions` or `summary`.

    Raises
    ------
    InputError
        When a document cannot be read.
    UsageError
        When there is no such task or field.

    Examples
    --------
    >>> import tempfile, treaty
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("Cats sleep. Dogs bark.")
    >>> _ = (folder / "b.txt").write_text("Ada Lovelace was born in London.")
    >>> for document in treaty.annotate(folder, "parse", entities=True):
    ...     names = [entity.text for entity in document.entities]
    ...     print(document.name, document.sentence_spans, names)
    a.txt [(0, 11), (12, 22)] []
    b.txt [(0, 32)] ['Ada Lovelace', 'London']
    """
    known = [name for name, one in TASKS.items() if one.documents]
    if task not in known:
        raise UsageError(f"task must be one of {', '.join(known)}, not {task!r}")
    kind = TASKS[task]
    if task == "summarize":
        fields = {"each": True, **fields}
    request = kind.asks.from_dict(fields)
    kind.check(request, kind.formats[0])
    kind.check_apart(request)
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    return _documents(kind, request, [str(path) for path in given], _Faults(on_error))


class _Faults(Run):
    """A run that hands over faults, or raises the first one."""

    def __init__(self, on_error: Callable[[InputError], object] | None) -> None:
        super().__init__()
        self._on_error = on_error

    def fault(self, error: InputError) -> None:
        if self._on_error is None:
            raise error
        super().fault(error)
        self._on_error(error)


def _documents(kind: Any, request: Any, paths: list[str], run: Run) -> Iterator[Document]:
    sources: list[Source] = []
    for path in expanded(paths):
        try:
            if not is_file(path):
                raise InputError("there is no such file; a text is annotated by a model", path=path)
            sources.append(path)
        except InputError as error:
            run.fault(error)
    documents = Documents(sources, kind.wanted(request), run.fault)
    work = kind(request, run)
    for one in work.annotated(documents.read(documents)):
        yield one.document
