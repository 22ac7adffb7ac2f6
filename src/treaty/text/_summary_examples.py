"""Training data of summarizers: collections and compressions, in one file or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from treaty.errors import InputError
from treaty.text._lines import Lines
from treaty.text._records import object_of, records_of
from treaty.text.formats._collections import LONGEST_LINE, Collection, collection_of
from treaty.text.formats._compressions import Compression, compression_of

__all__ = ["read_summary_examples"]


def read_summary_examples(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Collection | Compression]:
    r"""Read collections and compressions one at a time; lines of both may be mixed.

    A line with ``source_tokens`` is a compression, see `read_compressions`; others are collections,
    see `read_collections` (also for parameters and errors).

    Examples
    --------
    >>> import io
    >>> lines = '{"documents": ["It rained."]}\n{"source_tokens": ["Stop", "now"], "keep": [1, 0]}'
    >>> [type(example).__name__ for example in read_summary_examples(io.StringIO(lines))]
    ['Collection', 'Compression']
    """
    return records_of(Lines(origin, LONGEST_LINE), _example, on_error)


def _example(line: str) -> Collection | Compression:
    record = object_of(line)
    read = compression_of if "source_tokens" in record else collection_of
    return read(record, line)
