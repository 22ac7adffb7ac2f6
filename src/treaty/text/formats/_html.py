"""The text of an HTML page: paragraphs without markup, scripts or navigation."""

from __future__ import annotations

import re
from html import unescape

from treaty._streams import Origin
from treaty.text._article import Article
from treaty.text.formats._format import Beginning, Format, some_text

__all__ = ["HTML", "Page"]

BEGINNINGS = (
    "<!doctype html", "<html", "<?xml", "<!--", "<head", "<body", "<title", "<meta", "<div", "<p>",
    "<p ", "<article", "<section", "<main", "<h1", "<h2", "<table", "<ul", "<span",
)  # fmt: skip
"""How HTML begins."""

NO_TEXT = frozenset({
    "aside", "button", "footer", "nav", "noscript", "object", "script", "select", "style", "svg",
    "template", "textarea",
})  # fmt: skip
IN_A_LINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
ENDLESS = re.compile(r"&#(?:[0-9]{8,}+|[xX][0-9a-fA-F]{8,}+);?")
"""Character references beyond the Unicode range, some with more digits than Python reads."""
TAG = re.compile(
    r"""<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
        (?P<rest>(?:=\s*+"[^"]*+"|=\s*+'[^']*+'|[^>])*+)>""",
    re.VERBOSE,
)
SIMPLE_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)(?P<rest>[^>]*+)>")
"""The same where quotation marks do not match: it ends at the next bracket."""
NAME = re.compile("</?[a-zA-Z]")
ATTRIBUTE = re.compile(
    r"""([^\s/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'][^\s]*+)))?+""", re.VERBOSE
)
RAW = {tag: re.compile(f"</{tag}(?=[\\s/>])", re.IGNORECASE) for tag in ("script", "style")}
"""Elements that contain no markup, with what ends them."""
SECTIONS = {"<!--": "-->", "<![CDATA[": "]]>", "<!": ">", "<?": ">", "</": ">"}
"""What is skipped: how it starts, and how it ends."""
TITLES = frozenset({"og:title", "dc.title"})
AUTHORS = frozenset({"author", "article:author", "dc.creator", "dcterms.creator"})
DATES = frozenset({"article:published_time", "date", "dc.date", "dcterms.date", "pubdate"})


class Page:
    r"""An HTML page, reduced to its visible text.

    Every tag that is not inline markup ends a paragraph. No input is rejected: invalid HTML is read
    as far as possible, and in linear time (the parser of Python's library takes quadratic time for
    unclosed tags and comments).

    Parameters
    ----------
    html
        The page.

    Attributes
    ----------
    title
        Title of the page, or an empty string.
    date
        Date of publication from the metadata or the first ``<time>``, or an empty string.
    author
        Author from the metadata, or an empty string.

    Examples
    --------
    >>> page = Page("<title>Tea</title><p>Hot\n &amp; <b>sw</b>eet.<p>Good.<script>x()</script>")
    >>> page.title, page.text
    ('Tea', 'Hot & sweet.\n\nGood.')
    """

    def __init__(self, html: str) -> None:
        self.title = self.date = self.author = ""
        self._titles: list[str] = []
        self._pieces: list[str] = []
        self._hidden: list[str] = []  # open elements whose text is hidden, outermost first
        self._in_title = False
        self._read(ENDLESS.sub("\N{REPLACEMENT CHARACTER}", html))
        self.title = self.title or " ".join("".join(self._titles).split())

    @property
    def text(self) -> str:
        """The paragraphs, with a blank line between them."""
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split("\n"))
        return re.sub("\n{2,}", "\n\n", "\n".join(lines)).strip()

    def _read(self, html: str) -> None:
        """Read text and markup in turn; what is no markup after all is text."""
        kinds, ends, start, place = [TAG, SIMPLE_TAG], dict(SECTIONS), 0, html.find("<")
        while place >= 0:
            found = None
            while kinds and not (found := kinds[0].match(html, place)) and NAME.match(html, place):
                del kinds[0]  # it would search to the end for every tag that follows
            end = found.end() if found else _end_of_section(html, place, ends)
            if end > 0:
                self._text(html[start:place])
                if found:
                    end = self._tag(found, html)
                start = end
            place = html.find("<", max(end, place + 1))
        self._text(html[start:])

    def _tag(self, found: re.Match[str], html: str) -> int:
        """Start or end an element; returns where reading goes on."""
        tag, rest = found["name"].lower(), found["rest"]
        if found["end"]:
            self._end(tag)
            return found.end()
        self._start(tag, rest if tag in ("meta", "time") else "")
        if rest.endswith("/"):
            self._end(tag)
        elif tag in RAW:
            close = RAW[tag].search(html, found.end())
            return close.start() if close else len(html)
        return found.end()

    def _start(self, tag: str, attributes: str) -> None:
        values = {
            match[1].lower(): unescape(match[2] or match[3] or match[4] or "")
            for match in ATTRIBUTE.finditer(attributes)
        }
        if tag == "meta":
            self._learn(values)
        elif tag == "time":
            self.date = self.date or values.get("datetime", "")
        elif tag == "title":
            self._in_title = not self._hidden
        elif tag in NO_TEXT and (not self._hidden or self._hidden[0] == tag):
            self._hidden.append(tag)
        self._part(tag)

    def _end(self, tag: str) -> None:
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()
        self._in_title = self._in_title and tag != "title"
        if tag != "br":
            self._part(tag)

    def _text(self, data: str) -> None:
        if self._in_title:
            self._titles.append(unescape(data))
        elif data and not self._hidden:
            self._pieces.append(re.sub(r"\s+", " ", unescape(data)))

    def _part(self, tag: str) -> None:
        if not self._hidden and tag not in IN_A_LINE:
            self._pieces.append("\n" if tag == "br" else "\n\n")

    def _learn(self, values: dict[str, str]) -> None:
        name = (values.get("property") or values.get("name", "")).lower()
        content = " ".join(values.get("content", "").split())
        if name in TITLES:
            self.title = content or self.title
        elif name in DATES:
            self.date = content or self.date
        elif name in AUTHORS:
            self.author = content or self.author


def _end_of_section(html: str, place: int, ends: dict[str, str]) -> int:
    """Return where a comment or declaration ends, or -1; ends that are not found are forgotten."""
    for beginning, mark in list(ends.items()):
        if html.startswith(beginning, place):
            end = html.find(mark, place + len(beginning))
            if end >= 0:
                return end + len(mark)
            del ends[beginning]
    return -1


def _matches(beginning: Beginning) -> bool:
    return bool(beginning.filled) and beginning.filled[0].lstrip().lower().startswith(BEGINNINGS)


def _article(origin: Origin) -> Article:
    page = Page(some_text(origin))
    return Article(page.text, page.title or None, page.date or None, author=page.author or None)


HTML = Format(
    "html",
    "HTML",
    suffixes=(".htm", ".html", ".xhtml"),
    media_types=("text/html", "application/xhtml+xml"),
    matches=_matches,
    article=_article,
)
