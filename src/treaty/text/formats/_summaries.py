"""Summaries of collections, in JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from treaty.errors import InputError
from treaty.text._lines import Fault, Lines
from treaty.text._records import checked, identity, object_of, records_of
from treaty.text.formats._format import Format

__all__ = ["SUMMARIES", "Summary", "read_summaries"]


@dataclass(slots=True)
class Summary:
    """A summary of a collection.

    Attributes
    ----------
    sentences
        The sentences, in order.
    id
        The name of the collection's topic.
    more
        All other fields that were read.

    Examples
    --------
    >>> Summary(["It rained.", "Then it snowed."], "weather").id
    'weather'
    """

    sentences: list[str]
    id: str | int | None = None
    more: dict[str, Any] = field(default_factory=dict)


def read_summaries(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Summary]:
    r"""Read summaries one at a time.

    Every line is an object with ``summary``, a list of sentences or a string with one sentence per
    line, and ``topic`` (or ``id``) as in the file of collections. Parameters and errors are those
    of `read_collections`.

    Examples
    --------
    >>> import io
    >>> line = '{"topic": "rain", "summary": "It rained.\\nIt poured."}'
    >>> [(summary.id, summary.sentences) for summary in read_summaries(io.StringIO(line))]
    [('rain', ['It rained.', 'It poured.'])]
    """
    return records_of(Lines(origin), _summary, on_error)


def _summary(line: str) -> Summary:
    rest = object_of(line)
    if "summary" not in rest:
        raise Fault("the record has no 'summary'", line)
    text = rest.pop("summary")
    if isinstance(text, list):
        sentences = [checked(sentence, str, "a sentence of the summary") for sentence in text]
    else:
        sentences = checked(text, str, "summary").split("\n")
    named = identity(rest, "topic", "topic" if "topic" in rest else "id")
    return Summary([sentence for sentence in sentences if sentence.strip()], named, rest)


SUMMARIES = Format(
    "summaries",
    "summaries (JSON lines)",
    matches=lambda beginning: "summary" in beginning.record,
    cut="lines",
)
