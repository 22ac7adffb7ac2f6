"""The text of PDF files."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import IO, Any

from treaty._streams import Origin, name_of
from treaty.errors import InputError, UsageError
from treaty.text._article import Article
from treaty.text._lines import read_bytes
from treaty.text.formats._format import Format

__all__ = ["PDF", "pdf_text"]

MAGIC = b"%PDF-"
DIVIDED = re.compile(r"(\b[^\W\d_]+)(?:-|\N{SOFT HYPHEN})[ ]?\n([^\W\d_]+)(\S*)[ ]?")
"""A word, or a compound, that is divided at the end of a line."""
COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
FIRST = frozenset((
    "all", "anti", "co", "cross", "eight", "ex", "far", "first", "five", "four", "full", "half",
    "high", "ill", "in", "inter", "large", "late", "left", "long", "low", "mid", "middle",
    "much", "multi", "nine", "non", "off", "old", "on", "one", "open", "over", "part", "post",
    "pre", "pro", "right", "second", "self", "semi", "seven", "short", "single", "six", "small",
    "so", "state", "ten", "third", "three", "two", "under", "well", "world", "year",
))  # fmt: skip
"""Words that begin compounds more often than they are the beginning of a divided word."""
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


def pdf_text(origin: str | Path | IO[Any]) -> str:
    """Return the text of a PDF file, with a blank line between pages.

    Raises
    ------
    UsageError
        When pypdf is not installed.
    InputError
        When the file cannot be read.
    """
    import logging

    try:
        import pypdf
    except ImportError as error:
        raise UsageError("reading PDF requires pypdf: pip install 'treaty[pdf]'") from error
    content = read_bytes(origin)
    logger = logging.getLogger("pypdf")
    if not logger.handlers:  # its warnings are not for standard error
        logger.addHandler(logging.NullHandler())
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages]
    except Exception as error:  # errors of many kinds, for damaged files and what it cannot read
        cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"cannot be read as PDF: {cause}", path=name_of(origin)) from error
    return undivided("\n\n".join(pages))


def undivided(text: str) -> str:
    r"""Join words that are divided at the ends of lines, and resolve ligatures.

    A hyphen stays if the compound occurs elsewhere in the text, or begins as many compounds do.

    Examples
    --------
    >>> undivided("the govern-\nment's long-\nterm plan")
    "the government's\nlong-term\nplan"
    """
    for ligature, letters in LIGATURES.items():
        text = text.replace(ligature, letters)
    compounds = {found.lower() for found in COMPOUND.findall(text)}

    def joined(found: re.Match[str]) -> str:
        first, second, rest = found.groups()
        whole = f"{first}-{second}"
        is_compound = whole.lower() in compounds or first.lower() in FIRST or second[0].isupper()
        return f"{whole if is_compound else first + second}{rest}\n"

    return DIVIDED.sub(joined, text)


def _article(origin: Origin) -> Article:
    return Article(pdf_text(origin).replace("\r\n", "\n").replace("\r", "\n"))


PDF = Format(
    "pdf",
    "PDF",
    suffixes=(".pdf",),
    media_types=("application/pdf",),
    matches=lambda beginning: beginning.data.startswith(MAGIC),
    article=_article,
    magic=MAGIC,
)
