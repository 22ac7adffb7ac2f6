"""The text of a page of HTML: paragraphs without markup, scripts or navigation."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["Page"]

NO_TEXT = frozenset({
    "aside", "button", "footer", "nav", "noscript", "object", "script", "select", "style", "svg",
    "template", "textarea",
})  # fmt: skip
IN_A_LINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
ENDLESS = re.compile(r"&#(?:\d{8,}|[xX][0-9a-fA-F]{8,});?")
"""References to characters beyond all there are, some with more digits than Python reads."""
TITLES = frozenset({"og:title", "dc.title"})
DATES = frozenset({"article:published_time", "date", "dc.date", "dcterms.date", "pubdate"})


class Page(HTMLParser):
    r"""A page of HTML, and what a reader of it sees.

    Whatever is no markup within a line ends a paragraph. Nothing is ever refused: what browsers
    show somehow, and worse, is read somehow.

    Parameters
    ----------
    html
        The page.

    Attributes
    ----------
    title
        That of the page, or an empty text.
    date
        When it was published, as its metadata or its first ``<time>`` say, or an empty text.

    Examples
    --------
    >>> page = Page("<title>Tea</title><p>Hot\n &amp; <b>sw</b>eet.<p>Good.<script>x()</script>")
    >>> page.title, page.text
    ('Tea', 'Hot & sweet.\n\nGood.')
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.title = self.date = ""
        self._titles: list[str] = []
        self._pieces: list[str] = []
        self._hidden: list[str] = []  # the open elements without text, the outermost first
        self._in_title = False
        self.feed(ENDLESS.sub("\N{REPLACEMENT CHARACTER}", html))
        self.close()
        self.title = self.title or " ".join("".join(self._titles).split())

    @property
    def text(self) -> str:
        """The paragraphs, with a blank line between them."""
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split("\n"))
        return re.sub("\n{2,}", "\n\n", "\n".join(lines)).strip()

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Skip ``<![…]>``; what is not well formed is text."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:  # the parser's own word for a keyword that it does not know
            return -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        values = {name: value or "" for name, value in attrs}
        if tag == "meta":
            self._learn(values)
        elif tag == "time":
            self.date = self.date or values.get("datetime", "")
        elif tag == "title":
            self._in_title = not self._hidden
        elif tag in NO_TEXT and (not self._hidden or self._hidden[0] == tag):
            self._hidden.append(tag)
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()
        self._in_title = self._in_title and tag != "title"
        if tag != "br":
            self._part(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin and end an element, which holds nothing."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Take the text between markup."""
        if self._in_title:
            self._titles.append(data)
        elif not self._hidden:
            self._pieces.append(re.sub(r"\s+", " ", data))

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
