"""Articles from files of text and other formats, from folders of them, and from standard input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, get_args

from treaty._streams import name_of
from treaty.errors import InputError, UsageError
from treaty.text._collection import Article, Collection
from treaty.text._html import Page
from treaty.text._lines import read_text
from treaty.text._messages import article_of_email, email_text
from treaty.text._subtitles import is_subtitles, text_of_subtitles

__all__ = ["read_article", "read_articles"]

Format = Literal["text", "html", "subtitles", "email", "office", "pdf"]
FORMATS: dict[str, Format] = {
    ".txt": "text", ".text": "text", ".md": "text", ".htm": "html", ".html": "html",
    ".xhtml": "html", ".srt": "subtitles", ".vtt": "subtitles", ".eml": "email",
    ".docx": "office", ".odt": "office", ".pdf": "pdf",
}  # fmt: skip
PACKED = (".gz", ".xz")
BEGINNINGS = (
    "<!doctype html", "<html", "<?xml", "<!--", "<head", "<body", "<title", "<meta", "<div", "<p>",
    "<p ", "<article", "<section", "<main", "<h1", "<h2", "<table", "<ul", "<span",
)  # fmt: skip
"""How HTML begins."""


def read_article(origin: str | Path | IO[Any], *, format: Format | None = None) -> Article:  # noqa: A002
    r"""Read an article from a plain text, HTML, subtitle, e-mail, .docx, .odt or PDF file.

    HTML is reduced to the paragraphs, title and date of the page, without markup, scripts, styles
    and navigation; subtitles (SubRip, WebVTT) to what is said.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8; gzip and xz are
        decompressed.
    format
        ``"text"``, ``"html"``, ``"subtitles"``, ``"email"`` (a message with its headers),
        ``"office"`` (a word processor's .docx or .odt) or ``"pdf"``; by default detected from the
        file name and the content. PDF requires ``pip install 'treaty[pdf]'``.

    Raises
    ------
    InputError
        When the file is empty or is not text.

    Examples
    --------
    >>> import io
    >>> page = io.StringIO("<html><title>Rain</title><p>It rained.</p><p>It poured.</p></html>")
    >>> article = read_article(page)
    >>> article.title, article.text
    ('Rain', 'It rained.\n\nIt poured.')
    """
    if format not in (None, *get_args(Format)):
        raise UsageError(f"format must be one of {', '.join(get_args(Format))}, not {format!r}")
    name = name_of(origin)
    known = format or FORMATS.get(_suffix(name))
    read = _reader(known)
    text = read(origin)
    kind = format or _format_of(name, text)
    if kind == "html":
        page = Page(text)
        article = Article(page.text, page.title or None, page.date or None)
    elif kind == "subtitles":
        article = Article(text_of_subtitles(text))
    elif kind == "email":
        article = article_of_email(text, name)
    else:
        article = Article(text.replace("\r\n", "\n").replace("\r", "\n"))
    if not article.text or article.text.isspace():
        is_empty = not text and read is read_text
        cause = "the file is empty" if is_empty else "the file has no words"
        raise InputError(f"{cause}: expected an article", path=name)
    article.id, article.source = Path(name).name, name
    return article


def read_articles(
    origins: str | Path | IO[Any] | Iterable[str | Path | IO[Any]],
    *,
    format: Format | None = None,  # noqa: A002
) -> Collection:
    """Read a collection from files and folders, with one article per file.

    Parameters
    ----------
    origins
        One or more of what `read_article` takes. A folder stands for the text and HTML files
        directly in it (``.txt``, ``.text``, ``.md``, ``.htm``, ``.html``, ``.xhtml``, ``.srt``,
        ``.vtt``, ``.eml``, ``.docx``, ``.odt``, ``.pdf``, also with ``.gz`` or ``.xz``), sorted by
        name.
    format
        As in `read_article`.

    Raises
    ------
    InputError
        When a folder has no such files, or a file is not an article.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "b.txt").write_text("It rained.")
    >>> _ = (folder / "a.html").write_text("<p>It snowed.")
    >>> [article.text for article in read_articles(folder).articles]
    ['It snowed.', 'It rained.']
    """
    given: Any = origins
    if isinstance(origins, str | Path) or hasattr(origins, "read"):
        given = [origins]
    files = [file for origin in given for file in files_of(origin)]
    if not files:
        raise UsageError("expected at least one file, folder or stream to read")
    return Collection([read_article(file, format=format) for file in files])


def files_of(origin: Any) -> Iterator[Any]:
    """List the files of a folder; return anything else unchanged."""
    if not isinstance(origin, str | Path) or not Path(origin).is_dir():
        yield origin
        return
    try:
        names = sorted(path for path in Path(origin).iterdir() if path.is_file())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=origin) from error
    files = [p for p in names if _suffix(p.name) in FORMATS and not p.name.startswith(".")]
    if not files:
        raise InputError(
            f"the folder has no articles: expected files {', '.join(FORMATS)}", path=origin
        )
    yield from files


def _reader(known: Format | None) -> Callable[[Any], str]:
    """Return what reads the text; what reads archives and PDF is imported when it is needed."""
    if known == "office":
        from treaty.text._office import office_text

        return office_text
    if known == "pdf":
        from treaty.text._pdf import pdf_text

        return pdf_text
    return email_text if known == "email" else read_text


def _suffix(name: str) -> str:
    path = Path(name.lower())
    return (path.with_suffix("") if path.suffix in PACKED else path).suffix


def _format_of(name: str, text: str) -> Format:
    looks: Format = "html" if text[:1000].lstrip().lower().startswith(BEGINNINGS) else "text"
    if is_subtitles(text[:1000]):
        looks = "subtitles"
    known = FORMATS.get(_suffix(name), looks)
    return looks if known == "text" else known
