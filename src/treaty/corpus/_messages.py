"""Articles from e-mails and PDF files."""

from __future__ import annotations

import codecs
import email
import email.policy
import io
import logging
from email.message import EmailMessage
from pathlib import Path
from typing import IO, Any

from treaty._streams import name_of
from treaty.corpus._collection import Article
from treaty.corpus._html import Page
from treaty.corpus._office import bytes_of
from treaty.errors import InputError, UsageError, shortened

__all__ = ["article_of_email", "pdf_text"]

FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError,
    ValueError,
)  # fmt: skip
"""What the parser of messages raises for damaged ones."""
NO_CHARSETS = ("idna", "punycode")
"""Encodings that no message has; the time to decode them grows with the square of its length."""
NO_LOG = logging.NullHandler()
LONGEST_HEADER = 2000
"""Characters of a header that are read: the time of its parser may grow with their square."""


class _Policy(email.policy.EmailPolicy):
    """The usual one, but headers are cut off."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return super().header_fetch_parse(name, value[:LONGEST_HEADER])


POLICY = _Policy()


def article_of_email(text: str, path: str | None = None) -> Article:
    r"""Read a message: its text, or its HTML if there is none; title and date from its headers.

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
    title, date = (_header(message, name).strip() or None for name in ("Subject", "Date"))
    return Article(_sound(body).replace("\r\n", "\n"), title, date)


def _body(message: EmailMessage) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    if codecs.lookup(part.get_content_charset("ascii")).name in NO_CHARSETS:
        raise LookupError("an encoding of domain names")
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


def pdf_text(origin: str | Path | IO[Any]) -> str:
    """Return the text of a PDF file, with a blank line between pages.

    Raises
    ------
    UsageError
        When pypdf is not installed.
    InputError
        When the file cannot be read.
    """
    try:
        import pypdf
    except ImportError as error:
        raise UsageError("reading PDF requires pypdf: pip install 'treaty[pdf]'") from error
    content = bytes_of(origin)
    logging.getLogger("pypdf").addHandler(NO_LOG)  # its warnings are not for standard error
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages]
    except Exception as error:  # errors of many kinds, for damaged files and what it cannot read
        cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"cannot be read as PDF: {cause}", path=name_of(origin)) from error
    return "\n\n".join(pages)
