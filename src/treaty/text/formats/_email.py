"""Articles from e-mails."""

from __future__ import annotations

import codecs
import email
import email.policy
import re
from email.message import EmailMessage
from pathlib import Path
from typing import IO, Any

from treaty._streams import Origin, name_of
from treaty.errors import InputError, shortened
from treaty.text._article import Article
from treaty.text._lines import read_bytes
from treaty.text.formats._format import Format
from treaty.text.formats._html import Page

__all__ = ["EMAIL", "article_of_email", "email_text"]

FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip
"""What the parser of messages raises for damaged ones."""
OTHER_LETTER = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")
"""Beyond ASCII, and no surrogate: these stand for bytes whose encoding the message tells."""
NO_CHARSETS = ("idna", "punycode")
"""Encodings that no message has; the time to decode them grows with the square of its length."""
LONGEST_HEADER = 2000
"""Characters of a header that are read: the time of its parser may grow with their square."""


class _Policy(email.policy.EmailPolicy):
    """The usual one, but headers are cut off."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[:LONGEST_HEADER])


POLICY = _Policy()


def email_text(origin: str | Path | IO[Any]) -> str:
    """Read a message as it is written; bytes that are not UTF-8 become surrogates."""
    return read_bytes(origin).decode(errors="surrogateescape").replace("\0", "")


def article_of_email(text: str, path: str | None = None) -> Article:
    r"""Read a message: its text, or its HTML; title, author and date are those of its headers.

    Examples
    --------
    >>> article = article_of_email("Subject: Rain\nDate: 4 Mar 2024\n\nIt rained.")
    >>> article.title, article.date, article.text
    ('Rain', '4 Mar 2024', 'It rained.')
    """
    try:
        message = email.message_from_string(text, policy=POLICY)
    except FAULTS as error:
        raise InputError(
            f"cannot be read as an e-mail: {shortened(str(error))}", path=path
        ) from error
    assert isinstance(message, EmailMessage)
    try:
        body = _body(message)
    except FAULTS:  # an unknown encoding, or no text at all
        body = ""
    title, date, author = (
        _header(message, name).strip() or None for name in ("Subject", "Date", "From")
    )
    return Article(_sound(body).replace("\r\n", "\n"), title, date, author=author)


def _body(message: EmailMessage) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    if codecs.lookup(part.get_content_charset("ascii")).name in NO_CHARSETS:
        raise LookupError("an encoding of domain names")
    written = part.get_payload()
    if isinstance(written, str) and OTHER_LETTER.search(written):  # 8bit, decoded with the file
        content = written
    else:
        content = str(part.get_content())
    return Page(content).text if part.get_content_type() == "text/html" else content


def _header(message: EmailMessage, name: str) -> str:
    """Return a header as a reader sees it; as it is written if it cannot be decoded."""
    written = " ".join(str(dict(message.raw_items()).get(name, "")).split())
    try:
        return _sound(str(message.get(name) or ""))
    except FAULTS:
        return _sound(written)


def _sound(text: str) -> str:
    """Replace lone surrogates, which stand for bytes that are no text."""
    return text.encode(errors="replace").decode()


def _article(origin: Origin) -> Article:
    return article_of_email(email_text(origin), name_of(origin))


EMAIL = Format(
    "email",
    "e-mail",
    suffixes=(".eml",),
    media_types=("message/rfc822",),
    article=_article,
)
