"""Plain text, and Markdown, whose marks stay in the text."""

from __future__ import annotations

from treaty._streams import Origin
from treaty.text._article import Article
from treaty.text.formats._format import Beginning, Format, some_text

__all__ = ["TEXT"]


def _matches(beginning: Beginning) -> bool:
    return bool(beginning.filled)


def _article(origin: Origin) -> Article:
    return Article(some_text(origin).replace("\r\n", "\n").replace("\r", "\n"))


TEXT = Format(
    "text",
    "plain text",
    suffixes=(".txt", ".text", ".md"),
    media_types=("text/plain", "text/markdown"),
    matches=_matches,
    article=_article,
    cut="paragraphs",
)
