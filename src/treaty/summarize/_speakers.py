"""Quotations over several sentences: who is quoted must be named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treaty.summarize._source import Source, is_word

__all__ = ["speakers", "within_quotations"]

OPENING, CLOSING, EITHER = frozenset({"“", "„", "«", "``"}), frozenset({"”", "»", "''"}), '"'
FEWEST = 2
"""Words outside of quotation marks that can say who speaks."""


def speakers(sources: Sequence[Source]) -> list[tuple[int, int]]:
    """Find for each sentence that is nothing but a quotation the one that names who speaks.

    Parameters
    ----------
    sources
        Sentences, sorted by document and number.

    Returns
    -------
    list
        Pairs of indices: the first sentence needs the second one.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> text = ["“ I am glad , ” said Ann .", "“ It was hard . ”", "The end came ."]
    >>> speakers([Source(0, n, Sentence.from_words(t.split()), place=n)
    ...     for n, t in enumerate(text)])
    [(1, 0)]
    """
    counts = _counts(sources)
    outside = [words for words, _ in counts]
    found = []
    for n, (words, quoted) in enumerate(counts):
        if quoted and not words:
            ways = (range(n - 1, -1, -1), range(n + 1, len(sources)))
            near = [m for way in ways if (m := _speaker(sources, outside, n, way)) >= 0]
            found += [(n, near[0])] if near else []
    return found


def _speaker(sources: Sequence[Source], outside: Sequence[int], start: int, way: range) -> int:
    """Find the next sentence of the same paragraph with words outside of quotations; -1 if none."""
    last = sources[start]
    for m in way:
        here = sources[m]
        later = max(here, last, key=lambda source: source.number)
        steps = abs(here.number - last.number)
        if here.document != last.document or steps != 1 or later.place == 0:
            return -1
        if outside[m] >= FEWEST:
            return m
        last = here
    return -1


def within_quotations(sources: Sequence[Source]) -> set[tuple[int, int]]:
    """Find sentences without marks within a quotation that earlier and later ones begin and end.

    Returns
    -------
    set
        Document and number of each.
    """
    found, waiting = set[tuple[int, int]](), list[tuple[int, int]]()
    for source, (begins, ends, marks) in zip(sources, _states(sources), strict=True):
        if begins and ends and not marks:
            waiting.append((source.document, source.number))
        else:
            found |= set(waiting) if begins and not ends else set()
            waiting = []
    return found


def _states(sources: Sequence[Source]) -> Iterator[tuple[bool, bool, int]]:
    """Tell for each sentence whether it begins and ends within a quotation, and count its marks."""
    inside, before = False, None
    for source in sources:
        inside = inside and _follows(source, before)
        begins, marks = inside, 0
        for token in source.sentence:
            is_mark = token.form in OPENING or token.form in CLOSING or token.form == EITHER
            marks += is_mark
            if is_mark:
                inside = token.form in OPENING or (token.form == EITHER and not inside)
        yield begins, inside, marks
        before = source


def _follows(source: Source, before: Source | None) -> bool:
    """Return whether a sentence follows another one in the same paragraph."""
    if before is None or source.document != before.document:
        return False
    return source.number == before.number + 1 and source.place > 0


def _counts(sources: Sequence[Source]) -> list[tuple[int, int]]:
    """Count the words of each sentence outside and inside of quotations."""
    found = []
    inside, before = False, None
    for source in sources:
        inside = inside and _follows(source, before)
        words, quoted = 0, 0
        for token in source.sentence:
            if token.form in OPENING:
                inside = True
            elif token.form in CLOSING:
                inside = False
            elif token.form == EITHER:
                inside = not inside
            elif is_word(token.form):
                words, quoted = words + (not inside), quoted + inside
        found.append((words, quoted))
        before = source
    return found
