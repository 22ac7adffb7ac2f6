"""Compressed sentences: tokens with keep decisions, in JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from treaty.errors import InputError, UsageError
from treaty.text._lines import Fault, Lines
from treaty.text._records import checked, identity, object_of, records_of, shown
from treaty.text._sentence import Sentence
from treaty.text.formats._format import Beginning, Format

__all__ = ["COMPRESSIONS", "Compression", "compression_of", "read_compressions"]


@dataclass(slots=True)
class Compression:
    """A sentence, and the words kept in its compression.

    Attributes
    ----------
    sentence
        The sentence; it has a tree once it has been parsed.
    keep
        For each word, whether it is kept.
    id
        Its id.
    more
        All other fields that were read.

    Examples
    --------
    >>> Compression(Sentence.from_words(["Cats", "sleep", "soundly"]), [True, True, False]).words
    ['Cats', 'sleep']
    """

    sentence: Sentence
    keep: list[bool]
    id: str | int | None = None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """The words that are kept."""
        return [w for w, kept in zip(self.sentence.words, self.keep, strict=True) if kept]


def read_compressions(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Compression]:
    r"""Read compressions one at a time.

    Every line is an object with ``source_tokens``, the words of a sentence, and ``keep``, a 1 or a
    0 for each of them; ``treaty compress`` writes them as ``tokens`` and ``kept``. ``id`` is
    recognized, and all other fields are kept. Parameters and errors are those of
    `read_collections`.

    Examples
    --------
    >>> import io
    >>> line = '{"source_tokens": ["Cats", "sleep", "soundly"], "keep": [1, 1, 0]}'
    >>> [compression.words for compression in read_compressions(io.StringIO(line))]
    [['Cats', 'sleep']]
    """
    return records_of(Lines(origin), lambda line: compression_of(object_of(line), line), on_error)


def compression_of(rest: dict[str, Any], line: str) -> Compression:
    """Make a compression from the object of a line; the object is modified."""
    names = ("tokens", "kept") if "kept" in rest else ("source_tokens", "keep")
    if any(name not in rest for name in names):
        raise Fault("expected 'source_tokens' and 'keep'", line)
    tokens, keep = (checked(rest.pop(name), list, name) for name in names)
    if not tokens or len(tokens) != len(keep):
        raise Fault(
            f"{len(tokens)} words but {len(keep)} entries of keep: expected one per word", line
        )
    if not all(value in (0, 1) for value in keep):
        raise Fault(f"{names[1]}: expected 1 or 0 for each word", shown(keep))
    try:
        words = [checked(token, str, f"a word of {names[0]}") for token in tokens]
        sentence = Sentence.from_words(words)
    except UsageError as error:
        raise Fault(error.message, line) from None
    return Compression(sentence, [bool(kept) for kept in keep], identity(rest, "id"), rest)


def _matches(beginning: Beginning) -> bool:
    return any(isinstance(beginning.record.get(key), list) for key in ("source_tokens", "kept"))


COMPRESSIONS = Format(
    "compressions", "compressed sentences (JSON lines)", matches=_matches, cut="lines"
)
