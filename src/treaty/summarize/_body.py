"""The body of a document: its sentences without headline, byline, captions, tables and the like.

What is not a sentence is recognized by layout and form, line by line, and blanked: the text keeps
its length, so that places in it stay right. Headline and date are kept as what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from treaty.corpus import Article

__all__ = ["Body", "body_of"]

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\s+)"
DAY = (
    rf"(?:{WEEKDAY}?(?:{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH},?\s+\d{{4}}|\d{{4}}-\d\d-\d\d|"
    rf"\d{{1,2}}/\d{{1,2}}/\d{{2,4}}))"
)
TIME = r"(?:[,\s]*(?:at\s+)?\d{1,2}[:.]\d\d(?::\d\d)?(?:\s*[ap]\.?m\.?)?(?:\s*\(?[A-Z]{2,4}\)?)?)"
DATE_LINE = re.compile(
    rf"\s*(?:(?:Published|Updated|Posted|Last updated|Date)[:\s]+(?:on\s+)?)?({DAY}){TIME}?"
    r"(?:\s*[|·•-]?\s*(?:Updated.*)?)?\s*",
    re.IGNORECASE,
)
GLUED_OR_LAST_DATE = re.compile(rf"^\s*{DAY}|{DAY}\s*$")
GLUED_DATE = re.compile(rf"\s*({DAY})\s+(?=[A-Z\"“])")
DATELINE = re.compile(
    rf"\s*[A-Z][\w.'’-]*(?:[ ,/]+(?:[A-Z][\w.'’-]*|de|of|the|and)){{0,5}},?\s*"
    rf"(?:{MONTH}\s+\d{{1,2}},?\s*)?"
    r"(?:\((?P<agency>[\w ]{2,24})\)\s*(?:[-–—:]+|\n)\s*|(?P<dash>\s[-–—]{1,2}\s+|"
    r"[–—]\s*)(?=[A-Z“\"]))"
)
SHOUTED = re.compile(r"\s*[A-Z][A-Z.'’-]+(?:[ ,]+[A-Z][A-Z.'’-]+)*")
BYLINE = re.compile(
    r"\s*(?:by|story by|written by|text by|reported by|posted by|author)[:\s]+"
    r"(?:[A-Z][\w.'’-]+|de|van|von|and|&|,)(?:[ ,]+(?:[A-Z][\w.'’-]*|de|van|von|and|&|in|for|of|"
    r"the|at)){0,12}"
    r"(?:\s*[|·•–—-].*)?\s*",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"\s*(?:\(?(?:photos?|images?|pictures?|caption|credit|source|video|graphic|map|watch|listen|"
    r"file photo|figure \d+|fig\.? \d+|table \d+|pictured)\b\s*(?:by\b|credit|courtesy|[:–—-]|"
    r"\d*[.:])"
    r".*|.*\((?:AP |AFP |Reuters )?(?:Photo|Image|Picture|File)[^()]*\)\s*|.*/(?:AP|AFP|Reuters|"
    r"Getty Images?)\)?\s*|.{0,160}\b(?:Photo|Image|Picture|Video|Credit)s?: [A-Z].{0,60}"
    r"|!\[.*)",
    re.IGNORECASE,
)
BOILERPLATE = re.compile(
    r"cookies?\b.*(?:\buse|accept|site|browser|polic|experience)|accept (?:all )?cookies|"
    r"share (?:this|on|via)\b|"
    r"(?:sign|log) ?(?:up|in)\b.{0,40}(?:newsletter|account|comment|free)|subscribe\b|"
    r"newsletter|all rights reserved|"
    r"copyright\s*(?:©|\(c\)|\d{4})|©|click here|read (?:more|also|next|full)\b|"
    r"continue reading|follow us|"
    r"^\s*advertisement|^\s*sponsored|terms (?:of|and) (?:use|service|conditions)|"
    r"privacy (?:policy|notice)|"
    r"(?:related|recommended|popular|more) (?:articles?|stories|posts|news|from)\b|"
    r"skip to (?:main )?content|"
    r"view (?:all )?comments|leave a (?:reply|comment)|\d+ comments?\s*$|^\s*(?:tweet|share|"
    r"print|e-?mail|"
    r"facebook|twitter|whatsapp|linkedin|menu|home|search|top stories|back to top|"
    r"loading)\b[\s.|·…]*$|"
    r"unsubscribe|sent from my (?:iphone|ipad|phone|android)|this e-?mail (?:and|is|may)|"
    r"download (?:our|the) app|"
    r"was this (?:helpful|review)|people found this|^\s*\d+(?:\.\d)? (?:out )?of 5 stars|"
    r"verified purchase|report abuse",
    re.IGNORECASE,
)
MOST_BOILERPLATE = 30
"""Words of a line of boilerplate; longer ones are text about these things."""
HEADER = re.compile(
    r"\s*(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?|Message-ID|Re|Fwd?|FW|"
    r"Organization)"
    r":[ \t]+(.*)", re.IGNORECASE,
)  # fmt: skip
WROTE = re.compile(
    r"\s*(?:On .{6,120}wrote:|.{0,60}\bwrote:|-{2,}\s*(?:Original|Forwarded) [Mm]essage.*)\s*"
)
QUOTED = re.compile(r"\s*>")
SIGNATURE = re.compile(r"-- ?$|_{5,}\s*$")
GREETING = re.compile(
    r"\s*(?:(?:Hi|Hey|Hello|Dear|Good (?:morning|afternoon|evening))\b[^.!?]{0,40}[,:!–-]?|All,|"
    r"Team,|"
    r"(?:(?:Best|Kind|Warm)(?: regards| wishes)?|Regards|Cheers|Thanks(?: a lot| again| so much)?|"
    r"Thank you(?: very much)?|Many thanks|Sincerely|Yours(?: \w+)?|See you|Love)"
    r"[,.!]?(?:\s+[A-Z]\w+){0,3}[.!]?)\s*",
    re.IGNORECASE,
)
STAMP = re.compile(
    r"\s*[\[(]?(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},?\s+)?\d{1,2}:\d\d(?::\d\d)?"
    r"(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?\s*(?:[-–|]\s*)?"
)
TURN = re.compile(
    r"\s*(?:<[@+%~& ]?([^<>\s/]{1,30})>|"
    r"([^\W\d_][\w.'’-]{0,24}(?: [\w.'’()-]{1,20}){0,2}):)[ \t]+(?=\S)"
)
COMMENT = re.compile(
    r"\s*(?:#?\d{1,4}[.)]?\s+)?(?:[\w.@'’-]+(?: [\w.@'’-]+){0,3})\s+(?:says|said|writes|"
    r"commented|posted)"
    r"(?:[:,]| (?:on|at) .{4,40}:?)\s*"
)
ITEM = re.compile(r"\s*(?:[-*+•◦▪‣·–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
ROW = re.compile(r"\s*\|.*\||[^\t]*\t[^\t]*|.*\S {2,}\S.* {2,}\S.*")
MARKDOWN_HEAD = re.compile(r"\s*#{1,6}\s+(.*?)\s*#*\s*")
RULE = re.compile(r"[-=_*~#+|.:\s]{3,}")
END = re.compile(r"""[.!?…。！？।؟]["”’»')\]]*\s*""")
SENTENCE_END = re.compile(r""".*[.!?…。！？।؟:]["”’»')\]]*\s*""", re.DOTALL)
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
    sender
        The name of the sender of an e-mail.
    is_chat
        Whether the lines are turns of a chat.
    """

    text: str
    title: str | None = None
    date: str | None = None
    sender: str | None = None
    is_chat: bool = False


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
    return Body(document.text(), document.title, document.date, document.sender, document.is_chat)


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
        self.lines = text.split("\n")
        self.begin = [0] * len(self.lines)  # where the body begins in each line
        self.kept = [bool(line.strip()) for line in self.lines]
        self.title: str | None = None
        self.date: str | None = None
        self.sender: str | None = None
        self.is_chat = False
        self.width = max(map(len, self.lines))

    def read(self) -> None:
        """Recognize what is not the body."""
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

    def _headers(self) -> None:
        """Find headers of e-mails, quoted lines and signatures."""
        headers = [HEADER.fullmatch(line[:LONGEST_LINE]) for line in self.lines]
        named = {found[1].lower() for found in headers if found}
        if {"from", "subject"} & named and len(named) > 1:
            for n, found in enumerate(headers):
                if found:
                    self.kept[n] = False
                    if found[1].lower() == "subject" and not self.title:
                        self.title = re.sub(
                            r"(?i)^(?:(?:re|fwd?|fw|aw):\s*)+", "", found[2]
                        ).strip()
                    if found[1].lower() == "from" and not self.sender:
                        self.sender = re.sub(r"\s*<[^>]*>|[\"']|\S+@\S+", "", found[2]).strip()
                    if found[1].lower() in ("date", "sent") and not self.date:
                        self.date = found[2].strip()
        quoted = [n for n, line in enumerate(self.lines) if QUOTED.match(line)]
        own = [n for n, line in enumerate(self.lines) if line.strip() and self.kept[n]]
        if len(own) > len(quoted):
            self._blank(quoted)
        signed = False
        for n, line in enumerate(self.lines):
            signed = (signed or SIGNATURE.match(line) is not None) and not headers[n]
            if (signed and self.title) or WROTE.fullmatch(line[:LONGEST_LINE]):
                self.kept[n] = False

    def _chat(self) -> bool:
        """Find the turns of a chat; time stamps are blanked, speakers are kept."""
        turns = dict[int, int]()
        for n, line in enumerate(self.lines):
            stamp = STAMP.match(line) if self.kept[n] else None
            start = stamp.end() if stamp else 0
            if self.kept[n] and TURN.match(line, start):
                turns[n] = start
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
