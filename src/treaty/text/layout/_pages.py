"""Pages: headers, footers and page numbers are no text, and a sentence may go on over the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from treaty.text.layout._forms import SENTENCE_END

__all__ = ["joined_pages"]

FEWEST_PAGES, SHARE = 3, 0.4
"""A line is a header if it stands at the same end of so many pages, and of this share of them;
those of left and right pages may differ."""
DEEPEST, LONGEST = 3, 100
"""Number of lines of a header, and characters of one, at most."""
DIGITS, SPACES = re.compile(r"\d+"), re.compile(r"\s+")
NUMERAL = re.compile(r"\b[ivxlc]+\b")
"""A page number in Roman numerals."""


def joined_pages(pages: Sequence[str]) -> str:
    r"""Join the texts of pages, without what stands above and below the text of each.

    Lines that stand at the top or the bottom of many pages, but for the numbers in them, are
    headers and footers. Between pages there is a blank line, unless a sentence goes on.

    Parameters
    ----------
    pages
        The text of each page.

    Examples
    --------
    >>> texts = ["It rained", "and poured.", "Then it stopped."]
    >>> joined_pages([f"Weather {n}\n{text}\n" for n, text in enumerate(texts, 7)])
    'It rained\nand poured.\n\nThen it stopped.'
    """
    texts = [page.strip("\n") for page in pages]
    for end in (0, -1):
        bodies = [[line for line in page.split("\n") if line.strip()] for page in texts]
        headers = _headers(bodies, end)
        texts = [_without(*one, end, headers) for one in zip(texts, bodies, strict=True)]
    text = ""
    for page in filter(str.strip, texts):
        goes_on = text and page.lstrip()[:1].islower() and not SENTENCE_END.fullmatch(text[-200:])
        text += ("\n" if goes_on else "\n\n" if text else "") + page
    return text


def _headers(bodies: Sequence[Sequence[str]], end: int) -> list[set[str]]:
    """Find the forms of headers at an end of the pages: for each depth, from the outermost line."""
    found: list[set[str]] = []
    inside = list(bodies)  # pages all of whose lines further out are headers
    for depth in range(DEEPEST):
        forms = [_form(lines[_place(end, depth)]) for lines in inside if len(lines) > depth + 1]
        least = max(FEWEST_PAGES, SHARE * len(bodies))
        known = {form for form, count in Counter(forms).items() if form and count >= least}
        if not known:
            break
        found.append(known)
        inside = [
            lines
            for lines in inside
            if len(lines) > depth + 1 and _form(lines[_place(end, depth)]) in known
        ]
    return found


def _without(page: str, lines: Sequence[str], end: int, headers: Sequence[set[str]]) -> str:
    """Cut the headers at an end of a page."""
    for depth, known in enumerate(headers):
        if len(lines) <= depth + 1 or _form(line := lines[_place(end, depth)]) not in known:
            break
        page = page[page.index(line) + len(line) :] if end == 0 else page[: page.rindex(line)]
    return page.strip("\n")


def _place(end: int, depth: int) -> int:
    return depth if end == 0 else -1 - depth


def _form(line: str) -> str:
    """Return a line without the numbers in it; empty if it is too long for a header."""
    if len(line) > LONGEST:
        return ""
    form = SPACES.sub(" ", DIGITS.sub("#", line.strip().casefold()))
    return NUMERAL.sub("#", form)
