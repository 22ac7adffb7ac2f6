"""Sentences with the words that somebody kept of them, as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from treaty.corpus._lines import Fault, Lines
from treaty.corpus._records import checked, identity, object_of, records_of, shown
from treaty.corpus._sentence import Sentence
from treaty.errors import InputError, UsageError

__all__ = ["Compression", "compression_of", "read_compressions"]


@dataclass(slots=True)
class Compression:
    """A sentence, and what is left of it.

    Attributes
    ----------
    sentence
        Its words; a tree, once it has been parsed.
    keep
        Which of the words are left.
    id
        What it is called.
    more
        Whatever else was read.

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
        """The words that are left."""
        return [w for w, kept in zip(self.sentence.words, self.keep, strict=True) if kept]


def read_compressions(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Compression]:
    r"""Read compressions one at a time.

    Every line is an object with ``source_tokens``, the words of a sentence, and ``keep``, a 1 or a
    0 for each of them; ``treaty compress`` writes them as ``tokens`` and ``kept``. ``id`` is
    understood, and what else there is is kept.

    Parameters
    ----------
    origin, on_error
        As in `read_collections`.

    Raises
    ------
    InputError
        With file, line, cause and the offending text.

    Examples
    --------
    >>> import io
    >>> line = '{"source_tokens": ["Cats", "sleep", "soundly"], "keep": [1, 1, 0]}'
    >>> [compression.words for compression in read_compressions(io.StringIO(line))]
    [['Cats', 'sleep']]
    """
    return records_of(Lines(origin), lambda line: compression_of(object_of(line), line), on_error)


def compression_of(rest: dict[str, Any], line: str) -> Compression:
    """Make a compression of the object in a line, and take the object apart."""
    names = ("tokens", "kept") if "kept" in rest else ("source_tokens", "keep")
    if any(name not in rest for name in names):
        raise Fault("expected 'source_tokens' and 'keep'", line)
    tokens, keep = (checked(rest.pop(name), list, name) for name in names)
    if not tokens or len(tokens) != len(keep):
        raise Fault(f"{len(tokens)} words and {len(keep)} decisions: expected one for each", line)
    if not all(value in (0, 1) for value in keep):
        raise Fault(f"{names[1]}: expected 1 or 0 for each word", shown(keep))
    try:
        words = [checked(token, str, f"a word of {names[0]}") for token in tokens]
        sentence = Sentence.from_words(words)
    except UsageError as error:
        raise Fault(error.message, line) from None
    return Compression(sentence, [bool(kept) for kept in keep], identity(rest, "id"), rest)
