"""Collections of articles to summarize, in JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from treaty.errors import InputError
from treaty.text._article import Article
from treaty.text._lines import Fault, Lines
from treaty.text._records import checked, identity, object_of, optional, records_of, shown
from treaty.text.formats._format import Beginning, Format

__all__ = ["COLLECTIONS", "LONGEST_LINE", "Collection", "collection_of", "read_collections"]

LONGEST_LINE = 2**25
"""Maximum bytes of a line, which holds a whole collection."""


@dataclass(slots=True)
class Collection:
    """Articles about one topic, with human summaries.

    Attributes
    ----------
    articles
        The articles, in order.
    references
        Human summaries, if there are any.
    id
        The name of the topic.
    language
        ISO 639-1 code, if known.
    more
        All other fields that were read.

    Examples
    --------
    >>> from treaty.text import Article
    >>> len(Collection([Article("It rained."), Article("It snowed.")]))
    2
    """

    articles: list[Article]
    references: list[str] = field(default_factory=list)
    id: str | int | None = None
    language: str | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of articles."""
        return len(self.articles)


def read_collections(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Collection]:
    r"""Read collections one at a time, however large the file is.

    Every line is an object with ``documents``, a list of strings or of objects with a ``text`` (or
    ``paragraphs``, a list of strings) and optionally ``title``, ``date``, ``id`` and ``source``.
    Instead of ``documents`` there may be ``sentences``, a list of strings, each one an article.
    ``references`` is a list of strings, or of objects with a ``text``. ``topic`` (or ``id``) and
    ``language`` are recognized, and all other fields are kept.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    on_error
        Called with the error of an invalid collection, which is skipped. By default the error is
        raised.

    Raises
    ------
    InputError
        With file, line, cause and the offending text.

    Examples
    --------
    >>> import io
    >>> line = '{"topic": "rain", "documents": ["It rained."], "references": ["Rain."]}'
    >>> [(c.id, c.articles[0].text, c.references) for c in read_collections(io.StringIO(line))]
    [('rain', 'It rained.', ['Rain.'])]
    """
    return records_of(
        Lines(origin, LONGEST_LINE), lambda line: collection_of(object_of(line), line), on_error
    )


def collection_of(rest: dict[str, Any], line: str) -> Collection:
    """Make a collection from the object of a line; the object is modified."""
    name = "documents" if "documents" in rest else "sentences"
    if name not in rest:
        raise Fault("the collection has no 'documents': expected a list of documents", line)
    articles = [_article(d, n) for n, d in enumerate(checked(rest.pop(name), list, name))]
    if not any(article.text.strip() for article in articles):
        raise Fault(f"the {name!r} of the collection contain no words", line)
    references = checked(rest.pop("references", []), list, "references")
    return Collection(
        articles,
        [_reference(reference, n) for n, reference in enumerate(references)],
        id=identity(rest, "topic", "topic" if "topic" in rest else "id"),
        language=optional(rest, "language", "language"),
        more=rest,
    )


def _article(value: object, number: int) -> Article:
    what = f"document {number}"
    if isinstance(value, str):
        return Article(value)
    rest = dict(checked(value, dict, what))
    if "text" in rest:
        text = checked(rest.pop("text"), str, f"text of {what}")
    elif "paragraphs" in rest:
        paragraphs = checked(rest.pop("paragraphs"), list, f"paragraphs of {what}")
        text = "\n\n".join(checked(p, str, f"paragraphs of {what}") for p in paragraphs)
    else:
        raise Fault(f"{what} has neither 'text' nor 'paragraphs'", shown(value))
    return Article(
        text,
        title=optional(rest, "title", f"title of {what}"),
        date=optional(rest, "date", f"date of {what}"),
        id=identity(rest, f"id of {what}"),
        source=optional(rest, "source", f"source of {what}"),
        more=rest,
    )


def _reference(value: object, number: int) -> str:
    what = f"reference {number}"
    if isinstance(value, dict):
        if "text" not in value:
            raise Fault(f"{what} has no 'text'", shown(value))
        value = value["text"]
    text = checked(value, str, f"text of {what}")
    if not text.strip():
        raise Fault(f"{what} is empty: leave it out", text)
    return text


def _matches(beginning: Beginning) -> bool:
    record = beginning.record
    is_bag = "sentences" in record and "summary" not in record
    return isinstance(record.get("documents"), list) or is_bag


COLLECTIONS = Format(
    "collections", "collections of documents (JSON lines)", matches=_matches, cut="lines"
)
