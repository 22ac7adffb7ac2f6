"""The body of a document: its sentences without headline, byline, captions, tables and the like.

What is not a sentence is recognized by layout and form, line by line, and blanked: the text keeps
its length, so that places in it stay right. Headline and date are kept as what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from treaty.summarize._line_forms import (
    BOILERPLATE,
    BYLINE,
    CAPTION,
    COMMENT,
    DATE_LINE,
    DATELINE,
    EMPHASIS,
    END,
    FENCE,
    GLUED_DATE,
    GLUED_OR_LAST_DATE,
    GREETING,
    HEADER,
    ITEM,
    LINK,
    MARKDOWN_HEAD,
    QUOTED,
    ROW,
    RULE,
    SENTENCE_END,
    SHOUTED,
    SIGNATURE,
    SPEAKER_AND_TIME,
    STAMP,
    TURN,
    WHO_WROTE,
    WROTE,
)
from treaty.text import Article

__all__ = ["Body", "body_of"]

MOST_BOILERPLATE = 30
"""Words of a line of boilerplate; longer ones are text about these things."""
LONGEST_HEAD, LONGEST_TITLE = 12, 22
WRAPPED = 100
"""Lines that are longer are whole paragraphs."""
FEWEST_TURNS = 3
LONGEST_DATE = 40
LONGEST_LINE = 2000
"""Characters of a line that may be something else than text."""


@dataclass(frozen=True)
class Body:
    """The body of a document.

    Attributes
    ----------
    text
        The text, of the same length, in which everything but the body is blank.
    title, date
        Headline and date, if they are known or were found.
    senders
        The names of the senders of e-mails, each with the place in the text from which on it holds.
    is_chat
        Whether the lines are turns of a chat.
    """

    text: str
    title: str | None = None
    date: str | None = None
    senders: tuple[tuple[int, str], ...] = ()
    is_chat: bool = False

    def sender_at(self, place: int) -> str | None:
        """Return the sender of the e-mail at a place of the text; None if there is none.

        >>> Body("", senders=((0, "Ann"), (90, "Bo"))).sender_at(95)
        'Bo'
        """
        return next((name for start, name in reversed(self.senders) if start <= place), None)


def body_of(article: Article) -> Body:
    r"""Find the body of a document.

    Examples
    --------
    >>> text = "Storm hits coast\n\nBy Ann Lee\n\nLEEDS (AP) - It rained.\n\nPhoto: a tree"
    >>> body = body_of(Article(text))
    >>> body.title, body.text.split(), len(body.text) == len(text)
    ('Storm hits coast', ['It', 'rained.'], True)
    """
    found = _read(article.text)
    body = replace(found, title=article.title or found.title, date=article.date or found.date)
    # A text whose lines all look like something else, such as a poem, is its own body.
    return body if body.text.strip() else Body(article.text, article.title, body.date)


@lru_cache(maxsize=64)
def _read(text: str) -> Body:
    document = _Document(text)
    document.read()
    return Body(
        document.text(), document.title, document.date, tuple(document.senders), document.is_chat
    )


def unmarked(text: str) -> str:
    """Blank the marks of links and emphasis of Markdown; places stay the same.

    >>> unmarked("See [the page](http://a.b) for **more**.").split()
    ['See', 'the', 'page', 'for', 'more', '.']
    """
    for _ in range(2 if "](" in text else 0):  # images may be links
        text = LINK.sub(_without_address, text)
    return EMPHASIS.sub(lambda f: " " * len(f[1]) + f[2] + " " * len(f[1]), text)


def _without_address(found: re.Match[str]) -> str:
    kept = " " * len(found[2]) if found[1].startswith("!") else found[2]
    return " " * len(found[1]) + kept + " " * len(found[3])


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _is_again(title: str, line: str) -> bool:
    """Return whether a line says a headline again, perhaps with a date."""
    if len(line) > len(title) + LONGEST_DATE:
        return False
    own = _letters(title)
    return own != "" and _letters(GLUED_OR_LAST_DATE.sub("", line)) == own


class _Document:
    """Lines of a text, each with the part of it that belongs to the body."""

    def __init__(self, text: str) -> None:
        self.whole = text
        self.lines = unmarked(text).split("\n")
        self.begin = [0] * len(self.lines)  # where the body begins in each line
        self.kept = [bool(line.strip()) for line in self.lines]
        self.title: str | None = None
        self.date: str | None = None
        self.senders: list[tuple[int, str]] = []
        self.is_chat = False
        self.width = max(map(len, self.lines))

    def read(self) -> None:
        """Recognize what is not the body."""
        self._code()
        self._headers()
        is_chat = self.is_chat = self._chat()
        if not is_chat:
            self._title()
        for n, line in enumerate(self.lines):
            if self.kept[n] and len(line) <= LONGEST_LINE:
                self._line(n, line, is_chat)
        if not is_chat:
            self._heads()
            self._opening()

    def text(self) -> str:
        """Return the text with everything else blank."""
        return "\n".join(
            " " * self.begin[n] + line[self.begin[n] :] if self.kept[n] else " " * len(line)
            for n, line in enumerate(self.lines)
        )

    def _blank(self, lines: Sequence[int]) -> None:
        for n in lines:
            self.kept[n] = False

    def _code(self) -> None:
        """Find blocks of code between fences, as in Markdown."""
        opened: int | None = None
        for n, line in enumerate(self.lines):
            if FENCE.match(line) and opened is None:
                opened = n
            elif FENCE.match(line) and opened is not None:
                self._blank(range(opened, n + 1))
                opened = None

    def _headers(self) -> None:
        """Find headers of e-mails, quoted lines and signatures."""
        headers = [HEADER.fullmatch(line[:LONGEST_LINE]) for line in self.lines]
        named = {found[1].lower() for found in headers if found}
        if {"from", "subject"} & named and len(named) > 1:
            place = 0
            for n, found in enumerate(headers):
                if found:
                    self._header(n, place, found[1].lower(), found[2])
                place += len(self.lines[n]) + 1
        quoted = [n for n, line in enumerate(self.lines) if QUOTED.match(line)]
        own = [n for n, line in enumerate(self.lines) if line.strip() and self.kept[n]]
        if len(own) > len(quoted):
            self._blank(quoted)
        signed, place = False, 0
        for n, line in enumerate(self.lines):
            signed = (signed or SIGNATURE.match(line) is not None) and not headers[n]
            wrote = WROTE.fullmatch(line[:LONGEST_LINE])
            if (signed and self.title) or wrote:
                self.kept[n] = False
            if wrote and self.senders and not self._is_quoted_below(n):
                who = WHO_WROTE.fullmatch(line)
                self.senders.append((place, who[1].strip() if who else ""))
            place += len(line) + 1
        self.senders.sort(key=lambda sender: sender[0])

    def _is_quoted_below(self, n: int) -> bool:
        """Return whether the next line that is not blank is marked as a quotation."""
        after = (self.lines[m] for m in range(n + 1, len(self.lines)))
        below = next((line for line in after if line.strip()), "")
        return QUOTED.match(below) is not None

    def _header(self, n: int, place: int, name: str, value: str) -> None:
        """Read a header of an e-mail, in a line that begins at a place of the text."""
        self.kept[n] = False
        if name == "subject" and not self.title:
            self.title = re.sub(r"(?i)^(?:(?:re|fwd?|fw|aw):\s*)+", "", value).strip()
        elif name == "from":
            self.senders.append((place, re.sub(r"\s*<[^>]*>|[\"']|\S+@\S+", "", value).strip()))
        elif name in ("date", "sent") and not self.date:
            self.date = value.strip()

    def _chat(self) -> bool:
        """Find the turns of a chat; time stamps are blanked, speakers are kept."""
        turns = dict[int, int]()
        for n, line in enumerate(self.lines):
            stamp = STAMP.match(line) if self.kept[n] else None
            start = stamp.end() if stamp else 0
            if self.kept[n] and TURN.match(line, start):
                turns[n] = start
        if self._speakers_above():
            return True
        total = sum(self.kept)
        speakers = {self.lines[n][start:].split(":")[0].split(">")[0] for n, start in turns.items()}
        stamped = sum(map(bool, turns.values()))
        if len(turns) < FEWEST_TURNS or 2 * len(turns) < total:
            return False
        if 2 * stamped < len(turns) and len(speakers) == len(turns):
            return False  # terms and their explanations
        for n, start in turns.items():
            self.begin[n] = start
        for n, line in enumerate(self.lines):
            if n not in turns and re.search(r"\b(?:joined|left|has quit|is now known as)\b", line):
                self.kept[n] = self.kept[n] and len(line.split()) > LONGEST_HEAD
        return True

    def _speakers_above(self) -> bool:
        """Find a chat whose speakers stand above their messages, with the time: "Ann  6:02 PM"."""
        found, place = dict[int, tuple[int, str]](), 0
        for n, line in enumerate(self.lines):
            who = SPEAKER_AND_TIME.fullmatch(line[:LONGEST_LINE]) if self.kept[n] else None
            if who:
                found[n] = (place, who[1])
            place += len(line) + 1
        if len(found) < FEWEST_TURNS or len({name for _, name in found.values()}) < 2:
            return False
        self._blank(list(found))
        self.senders = sorted([*self.senders, *found.values()])
        return True

    def _title(self) -> None:
        """Take the first line as the headline if it looks like one and more follows."""
        places = [n for n, kept in enumerate(self.kept) if kept]
        if len(places) < 2:
            return
        first, second = places[0], places[1]
        line = self.lines[first].strip()
        head = MARKDOWN_HEAD.fullmatch(line)
        if head is None and not self._is_headline(first, second):
            return
        self.kept[first] = False
        self.title = self.title or (head[1] if head else line)
        self._repeated(line)

    def _repeated(self, title: str) -> None:
        """Blank lines that say the headline again, perhaps with a date."""
        self._blank([n for n, line in enumerate(self.lines) if _is_again(title, line)])

    def _is_headline(self, first: int, second: int) -> bool:
        line, after = self.lines[first].strip(), self.lines[second].strip()
        if len(line.split()) > LONGEST_TITLE or line.endswith((",", ";")):
            return False
        if SENTENCE_END.fullmatch(line):  # a question or a cry may stand above a text
            return line.endswith(("?", "!")) and second > first + 1 and len(after) > 2 * len(line)
        if ITEM.match(line) or ROW.fullmatch(line) or DATE_LINE.fullmatch(line):
            return False
        if _is_again(line, after):
            return True
        if TURN.match(line) and (second == first + 1 or TURN.match(after)):
            return False
        if second > first + 1:  # a blank line follows
            return True
        if self.width <= WRAPPED and len(line) + len(after.split()[0]) + 1 >= 0.9 * self.width:
            return False  # the next word would not have fit
        return not after[0].islower()

    def _line(self, n: int, line: str, is_chat: bool) -> None:
        """Recognize a line by its form."""
        bare = line.strip()
        if dated := DATE_LINE.fullmatch(bare):
            self.kept[n] = False
            self.date = self.date or dated[1]
        elif (
            (
                BYLINE.fullmatch(bare)
                or CAPTION.fullmatch(bare)
                or RULE.fullmatch(bare)
                or (GREETING.fullmatch(bare) and not is_chat)
                or MARKDOWN_HEAD.fullmatch(bare)
            )
            or (len(bare.split()) <= MOST_BOILERPLATE and BOILERPLATE.search(bare))
            or (ROW.fullmatch(line) and not END.search(bare[-2:]) and self._near_row(n))
        ):
            self.kept[n] = False
        elif comment := COMMENT.fullmatch(bare):
            self.kept[n] = len(comment[0].split()) > LONGEST_HEAD
        elif item := ITEM.match(line):
            self._item(n, line, item.end())

    def _near_row(self, n: int) -> bool:
        beside = [self.lines[m] for m in (n - 1, n + 1) if 0 <= m < len(self.lines)]
        return any(
            ROW.fullmatch(line) or RULE.fullmatch(line.strip()) for line in beside if line.strip()
        )

    def _item(self, n: int, line: str, start: int) -> None:
        """Keep an item of a list if it is a sentence, without its bullet."""
        rest = line[start:].strip()
        goes_on = n + 1 < len(self.lines) and self.lines[n + 1].strip()[:1].islower()
        if goes_on or (SENTENCE_END.fullmatch(rest) and len(rest.split()) > 4):
            self.begin[n] = start
        else:
            self.kept[n] = False

    def _heads(self) -> None:
        """Find lines that stand alone, without a mark at their end: heads of sections."""
        for n, line in enumerate(self.lines):
            before = n == 0 or not self.lines[n - 1].strip() or not self.kept[n - 1]
            after = (
                n + 1 == len(self.lines) or not self.lines[n + 1].strip() or not self.kept[n + 1]
            )
            short = len(line.split()) <= LONGEST_HEAD and not SENTENCE_END.fullmatch(line.strip())
            follows = n + 1 < len(self.lines) and self.lines[n + 1].strip()[:1].isupper()
            alone = after or (follows and len(line) < 0.6 * self.width)
            if self.kept[n] and before and alone and short and sum(self.kept) > 1:
                self.kept[n] = False

    def _opening(self) -> None:
        """Blank a date or a dateline at the beginning of the first sentence."""
        first = next((n for n, kept in enumerate(self.kept) if kept), None)
        if first is None:
            return
        line = self.lines[first]
        if glued := GLUED_DATE.match(line, self.begin[first]):
            self.begin[first] = glued.end()
            self.date = self.date or glued[1]
        found = DATELINE.match(line, self.begin[first])
        if (
            found
            and found.end() < len(line)
            and (found["agency"] or SHOUTED.match(line, self.begin[first]) or found["dash"])
        ):
            self.begin[first] = found.end()
