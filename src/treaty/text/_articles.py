"""Articles from files of text and other formats, from folders of them, and from standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from treaty._streams import name_of
from treaty.errors import InputError, UsageError
from treaty.text._article import Article
from treaty.text.formats._collections import Collection
from treaty.text.formats._registry import DOCUMENTS, document_format, suffix_of

__all__ = ["read_article", "read_articles"]


def read_article(origin: str | Path | IO[Any], *, format: str | None = None) -> Article:  # noqa: A002
    r"""Read an article from a file of text, HTML or any other format of `DOCUMENTS`.

    HTML is reduced to the paragraphs, title and date of the page, without markup, scripts, styles
    and navigation; subtitles (SubRip, WebVTT) to what is said.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8; gzip and xz are
        decompressed.
    format
        The name of its format, such as ``"text"``, ``"html"``, ``"email"`` (a message with its
        headers) or ``"pdf"``, which requires ``pip install 'treaty[pdf]'``; by default recognized
        by the file name and the content. `treaty.text.formats.DOCUMENTS` has all.

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
    known = {one.name: one for one in DOCUMENTS}
    if format not in (None, *known):
        raise UsageError(f"format must be one of {', '.join(known)}, not {format!r}")
    name = name_of(origin)
    found, whole = document_format(origin) if format is None else (known[format], origin)
    assert found.article is not None
    article = found.article(whole)
    if not article.text or article.text.isspace():
        raise InputError("the file has no words: expected an article", path=name)
    article.id, article.source = Path(name).name, name
    return article


def read_articles(
    origins: str | Path | IO[Any] | Iterable[str | Path | IO[Any]],
    *,
    format: str | None = None,  # noqa: A002
) -> Collection:
    """Read a collection from files and folders, with one article per file.

    Parameters
    ----------
    origins
        One or more of what `read_article` takes. A folder stands for the documents directly in it,
        sorted by name: the files with a suffix of one of `DOCUMENTS`, also with ``.gz`` or ``.xz``.
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
    suffixes = [suffix for one in DOCUMENTS for suffix in one.suffixes]
    files = [p for p in names if suffix_of(p.name) in suffixes and not p.name.startswith(".")]
    if not files:
        raise InputError(
            f"the folder has no articles: expected files {', '.join(suffixes)}", path=origin
        )
    yield from files
