"""Features of the tokenizer: of a character, its context, and what may start there.

White space is left out; ``gap`` is whether there was some before a character. A chunk is a string
between white space. Attributes: ``char``, its ``kind`` (upper case, lower case, digit, or the
character itself), ``mark`` (kind and gap together); ``chunk``, its parts to the ``left`` and
``right`` of the character; the chunks ``before`` and ``after``, and ``second``, the one after that.
"""

from __future__ import annotations

from treaty.features import Family, TemplateSet

FAMILIES = tuple(Family(f"boundary{name}", ("c",), ()) for name in ("", " pair", " triple"))
COLUMNS = ("char", "kind", "gap", "mark", "chunk", "left", "right", "before", "after", "second")
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
    """
)
PAIR = TemplateSet(("", "c.mark", "c.right"))
TRIPLE = TemplateSet(("", "c.kind"))
TEMPLATES = (BOUNDARY, PAIR, TRIPLE)


def columns_of(chunks: list[str], inside: list[bool]) -> list[list[str]]:
    """Return the attributes of every character; `inside` marks chunks that continue the last."""
    chars: list[str] = []
    gaps: list[str] = []
    wholes: list[str] = []
    lefts: list[str] = []
    rights: list[str] = []
    befores: list[str] = []
    afters: list[str] = []
    seconds: list[str] = []
    around = ["", *chunks, "", ""]
    for place, chunk in enumerate(chunks):
        size = len(chunk)
        before = around[place][-LONGEST:]
        after, second = around[place + 2][:LONGEST], around[place + 3][:LONGEST]
        chars += chunk
        gaps += ["" if inside[place] else " "] + [""] * (size - 1)
        wholes += [chunk[:LONGEST]] * size
        lefts += [chunk[max(0, i - SIDE) : i] for i in range(size)]
        rights += [chunk[i : i + SIDE] for i in range(size)]
        befores += [before] * size
        afters += [after] * size
        seconds += [second] * size
    kinds = [_kind(char) for char in chars]
    marks = [gap + kind for gap, kind in zip(gaps, kinds, strict=True)]
    return [chars, kinds, gaps, marks, wholes, lefts, rights, befores, afters, seconds]


def _kind(char: str) -> str:
    if char.isalpha():
        return "A" if char.isupper() else "a"
    return "0" if char.isdigit() else char
