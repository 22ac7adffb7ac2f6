"""Articles from e-mails and PDF files."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path
from typing import IO, Any

from treaty._streams import name_of
from treaty.corpus._collection import Article
from treaty.corpus._html import Page
from treaty.errors import InputError, UsageError

__all__ = ["article_of_email", "pdf_text"]


def article_of_email(text: str) -> Article:
    r"""Read a message: its text, or its HTML if there is none; title and date from its headers.

    Examples
    --------
    >>> article = article_of_email("Subject: Rain\nDate: 4 Mar 2024\n\nIt rained.")
    >>> article.title, article.date, article.text
    ('Rain', '4 Mar 2024', 'It rained.')
    """
    message = email.message_from_string(text, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    found = ""
    try:
        part = message.get_body(("plain", "html"))
        if part is not None:
            found = str(part.get_content())
            if part.get_content_type() == "text/html":
                found = Page(found).text
    except (LookupError, ValueError, AttributeError):  # an unknown encoding, or no text at all
        found = ""
    title, date = (str(message.get(name) or "").strip() or None for name in ("Subject", "Date"))
    return Article(found.replace("\r\n", "\n"), title, date)


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
    try:
        pages = [page.extract_text() for page in pypdf.PdfReader(origin).pages]  # type: ignore[arg-type, unused-ignore]
    except (OSError, ValueError, KeyError, pypdf.errors.PyPdfError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read as PDF: {cause}", path=name_of(origin)) from error
    return "\n\n".join(pages)
