"""Features of the tokenizer: of a character, its context, and what may start there.

White space is left out; ``gap`` is whether there was some before a character. A chunk is a string
between white space. Attributes: ``char``, its ``kind`` (upper case, lower case, digit, or the
character itself), ``mark`` (kind and gap together); ``chunk``, its parts to the ``left`` and
``right`` of the character; the chunks ``earlier``, ``before``, ``after``, and ``second``, the one
after that. ``own`` is the class of the chunk and ``known`` of the one before it, if they are
abbreviations (see `Abbreviations`); ``line`` and ``style`` are what the layout says of a line break
before the chunk (see `treaty.text.layout`). ``place`` is how near the ends of the block it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, repeat
from operator import add
from typing import NamedTuple

from treaty.features import Family, TemplateSet

FAMILIES = tuple(Family(f"boundary{name}", ("c",), ()) for name in ("", " pair", " triple"))
COLUMNS = (
    *("char", "kind", "gap", "mark", "chunk", "left", "right", "before", "after", "second"),
    *("earlier", "own", "known", "line", "style", "place"),
)
SIDE = 8
"""Maximum number of characters of ``left`` and ``right``."""
LONGEST = 24
"""Maximum length of chunks that are features as a whole."""

BOUNDARY = TemplateSet.of(
    """
    c.char
    c.mark
    c-1.mark c.mark
    c.mark c+1.mark
    c-1.mark c.mark c+1.mark
    c-2.mark c-1.mark c.mark
    c.mark c+1.mark c+2.mark
    c-2.mark c-1.mark c.mark c+1.mark
    c-1.mark c.mark c+1.mark c+2.mark
    c-2.mark c-1.mark c.mark c+1.mark c+2.mark
    c-3.mark c-2.mark c-1.mark c.mark c+1.mark c+2.mark c+3.mark
    c-1.char c.char c.gap
    c.char c+1.char c.gap
    c-2.char c-1.char c.char c.gap
    c-1.char c.char c+1.char c.gap
    c.char c+1.char c+2.char c.gap
    c-3.char c-2.char c-1.char c.char
    c.char c+1.char c+2.char c+3.char
    c-2.char c-1.char c.char c+1.char
    c-1.char c.char c+1.char c+2.char
    c-4.char c-3.char c-2.char c-1.char c.char c+1.char
    c.left c.char
    c.right
    c.left c.right
    c.chunk c.left
    c.gap c.chunk
    c.gap c.shape(chunk)
    c.gap c.before
    c.gap c.after
    c.gap c.before c.char
    c.gap c.before c.kind
    c.gap c.suffix1(before) c.kind
    c.gap c.suffix2(before) c.kind
    c.gap c.suffix1(before) c.chunk
    c.gap c.suffix1(before) c.shape(chunk)
    c.gap c.shape(before) c.shape(chunk)
    c.gap c.shape(before) c.chunk
    c.gap c.suffix1(before) c.kind c.prefix1(after)
    c.gap c.shape(chunk) c.shape(after)
    c.gap c.suffix1(before) c.chunk c.after
    c.gap c.suffix1(before) c.shape(chunk) c.shape(after) c.shape(second)
    c.gap c.known c.kind
    c.gap c.known c.chunk
    c.gap c.known c.shape(chunk) c.shape(after)
    c.gap c.known c.shape(earlier) c.kind
    c.gap c.shape(earlier) c.before c.kind
    c.gap c.shape(earlier) c.shape(before) c.shape(chunk)
    c.gap c.own c.kind c.suffix1(before)
    c.gap c.own c.known c.shape(before)
    c.gap c.own c.shape(before) c.shape(after)
    c.gap c.own c.place
    c.line c.own c.style
    c.own c.char c.gap
    c.own c.right c.shape(after)
    c.gap c.place c.before
    c.gap c.place c.suffix1(before) c.kind
    c.gap c.place c.shape(before) c.shape(chunk)
    c.line c.kind
    c.line c.style c.kind
    c.line c.suffix1(before) c.kind
    c.line c.suffix1(before) c.style
    c.line c.shape(before) c.shape(chunk)
    c.line c.chunk
    c.line c.before
    """
)
PAIR = TemplateSet(("", "c.mark", "c.right"))
TRIPLE = TemplateSet(("", "c.kind"))
TEMPLATES = (BOUNDARY, PAIR, TRIPLE)


class Chunk(NamedTuple):
    """A string between white space, or a part of it if it is long."""

    start: int
    text: str
    after: int  # one of the classes of characters in `treaty.parse.tokens._tokenizer`
    inside: bool  # whether it continues the chunk before it
    held: bool  # whether no sentence starts within it
    line: str
    style: str


def columns_of(chunks: Sequence[Chunk], class_of: Callable[[str], str]) -> list[list[str]]:
    """Return the attributes of every character; `class_of` tells abbreviations."""
    texts = [chunk.text for chunk in chunks]
    sizes = list(map(len, texts))
    starts = [text[:LONGEST] for text in texts]
    ends = [text[-LONGEST:] for text in texts]
    classes = list(map(class_of, texts))
    count = len(texts)
    places = [f"{min(place, 4)} {min(count - place, 4)}" for place in range(count)]
    chars, gaps = list("".join(texts)), list[str]()
    for chunk, size in zip(chunks, sizes, strict=True):
        gaps += ["" if chunk.inside else " "] + [""] * (size - 1)
    kinds = list(map(_kind, chars))
    marks = list(map(add, gaps, kinds))
    lefts = [text[max(0, i - SIDE) : i] for text in texts for i in range(len(text))]
    rights = [text[i : i + SIDE] for text in texts for i in range(len(text))]
    after, second = [*starts[1:], ""], [*starts[2:], "", ""][:count]
    before, earlier = ["", *ends][:count], ["", "", *ends][:count]
    lines, styles = [chunk.line for chunk in chunks], [chunk.style for chunk in chunks]
    rest = (before, after, second, earlier, classes, ["", *classes][:count], lines, styles, places)

    def spread(values: list[str]) -> list[str]:
        """Give all characters of a chunk its value."""
        return list(chain.from_iterable(map(repeat, values, sizes)))

    return [chars, kinds, gaps, marks, spread(starts), lefts, rights, *map(spread, rest)]


@lru_cache(4096)
def _kind(char: str) -> str:
    if char.isalpha():
        return "A" if char.isupper() else "a"
    return "0" if char.isdigit() else char
