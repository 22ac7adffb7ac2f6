"""Tasks: from the sources of a request to results, and to the text of results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from treaty.errors import UsageError
from treaty.tasks._by_document import AnnotatedDocument, heading
from treaty.tasks._documents import InputDocument, Wanted, is_several
from treaty.tasks._request import Request
from treaty.tasks._run import Run
from treaty.tasks._sources import Source
from treaty.text._encodings import check_encoding

__all__ = ["Task"]

PAGES = ("html", "svg")
"""Formats whose results are one page."""
Requested = TypeVar("Requested", bound=Request)


class Task(ABC, Generic[Requested]):
    """Base of all tasks: it loads what a request names, then reads, works and writes.

    The command, the API over HTTP and the runs on clusters of a task are made from its class.

    Parameters
    ----------
    request
        The request.
    run
        The run, for its models and notes.
    """

    name: ClassVar[str]
    """The name of the command, such as ``parse``."""
    doing: ClassVar[str]
    """The label of a progress bar, such as ``parsing``."""
    help: ClassVar[str]
    """The help of the command, with examples and exit codes."""
    asks: ClassVar[type[Request]]
    """The class of its requests."""
    formats: ClassVar[tuple[str, ...]]
    """The formats of results, the usual one first."""
    streamed: ClassVar[tuple[str, ...]]
    """The formats whose results stand one after the other, as a cluster writes them."""
    on_terminal: ClassVar[str | None] = None
    """The format on a terminal, if it is another one."""
    between: ClassVar[dict[str, str]] = {}
    """The text between two results, by format."""
    input_format: ClassVar[str | None] = None
    """The format of the input, where there is only one."""
    documents: ClassVar[bool] = False
    """Whether it reads folders and so on, and can keep documents apart."""
    has_text: ClassVar[bool] = True
    """Whether a request over HTTP has a text, which is the source."""
    records: ClassVar[str | None] = None
    """The field that may take the place of the text over HTTP."""
    is_single: ClassVar[bool] = False
    """Whether there is one result, which is then the whole answer over HTTP."""
    reports: ClassVar[bool] = False
    """Whether it reports its progress to the run."""
    format = "json"
    """The format that results are written in."""

    def __init__(self, request: Requested, run: Run) -> None:
        self.request, self.run = request, run

    @abstractmethod
    def read(self, sources: Iterable[Source]) -> Iterator[Any]:
        """Read the items of sources; faulty ones are reported to the run and skipped."""

    @abstractmethod
    def results(self, items: Iterator[Any]) -> Iterator[Any]:
        """Work on items; yields results with a method `to_dict`."""

    @abstractmethod
    def texts(self, results: Iterator[Any], format: str) -> Iterator[str]:  # noqa: A002
        """Write results in one of `formats`."""

    def __call__(self, sources: Iterable[Source]) -> Iterator[Any]:
        """Read sources and yield the results."""
        return self.run.watched(self.results(self.read(sources)))

    def written(self, items: Iterator[Any], format: str) -> Iterator[str]:  # noqa: A002
        """Work on items and write the results."""
        self.format = format
        return self.texts(self.run.watched(self.results(items)), format)

    @classmethod
    def wanted(cls, request: Requested) -> Wanted:
        """Return how the documents of a request are read."""
        raise NotImplementedError

    @classmethod
    def keeps_documents(cls, request: Requested, sources: Sequence[Source]) -> bool:
        """Return whether results must tell documents apart."""
        return cls.documents and is_several(sources, getattr(request, "field", None))

    @classmethod
    def check_apart(cls, request: Requested) -> None:
        """Raise `UsageError` if the documents of a request do not have results of their own."""

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Work on documents, each by itself."""
        raise NotImplementedError

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the results of a document, with its name and the places of all."""
        yield heading(annotated.input)
        yield from self.texts(iter(annotated.results), format)

    def written_apart(
        self,
        documents: Iterator[InputDocument],
        format: str,  # noqa: A002
    ) -> Iterator[tuple[str, list[str]]]:
        """Work on documents; yields the name of each and its results."""
        self.format = format
        for one in self._watched(documents):
            if format in PAGES:
                yield one.input.id, list(self.texts(iter(one.results), format))
            else:
                yield one.input.id, list(self.document_texts(one, format))

    def written_together(self, documents: Iterator[InputDocument], format: str) -> Iterator[str]:  # noqa: A002
        """Work on documents, and write the results of all into one stream."""
        self.format = format
        if format in PAGES:
            every = (result for one in self._watched(documents) for result in one.results)
            yield from self.texts(every, format)
            return
        for one in self._watched(documents):
            yield "".join(self.document_texts(one, format))

    def _watched(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        for one in self.annotated(documents):
            for _ in self.run.watched(one.results):
                pass
            yield one

    @classmethod
    def check(cls, request: Requested, format: str) -> None:  # noqa: A002
        """Raise `UsageError` if a request and a format do not go together."""
        if format not in cls.formats:
            raise UsageError(f"--format must be one of {', '.join(cls.formats)}, not {format!r}")
        if (encoding := getattr(request, "encoding", None)) is not None:
            check_encoding(encoding)
        if request.given("id_field") and not request.given("field"):
            raise UsageError("--id names the documents of a table: give --field, too")

    @classmethod
    def models(cls, request: Requested) -> list[str]:
        """List the models that a request names; workers of a cluster get their files."""
        return [getattr(request, "model")]  # noqa: B009 - not all requests have one

    @classmethod
    def files(cls, request: Requested) -> list[str]:
        """List the files that a request may name, which results must not replace."""
        names = ("model", "entity_model", "parser", "rules", "concepts", "abbreviations")
        return [str(name) for name in request.given(*names).values()]

    @classmethod
    def at_once(cls, request: Requested) -> int | None:
        """Return the number of items that belong together in a part of a cluster run.

        None if a file may be cut anywhere between two items.
        """
        return None

    @classmethod
    def ending(cls, request: Requested, run: Run) -> Iterator[str]:
        """Yield notes for the end of a run."""
        return iter(())

    @classmethod
    def is_limited(cls, request: Requested) -> bool:
        """Return whether the user set a limit, so that to stop at it has an exit code."""
        return bool(request.given("iterations", "time_limit", "gap"))

    @classmethod
    def falls_short(cls, run: Run) -> bool:
        """Return whether results are not as requested, which has an exit code, too."""
        return False
