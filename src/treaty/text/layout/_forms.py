"""Forms of lines that are not sentences: dates, bylines, captions, headers of e-mails, turns.

Those of this module hold in any language; `forms_of` has those of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from treaty import languages
from treaty.languages import Language

__all__ = [
    "EMPHASIS",
    "END",
    "FENCE",
    "HEADER",
    "ITEM",
    "LINK",
    "MARKDOWN_HEAD",
    "NEUTRAL",
    "QUOTED",
    "ROW",
    "RULE",
    "SENTENCE_END",
    "SHOUTED",
    "SIGNATURE",
    "TURN",
    "Forms",
    "forms_of",
]

NEUTRAL = languages.get(None)
"""No language in particular."""
HEADER = re.compile(
    r"\s*(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?|Message-ID|Re|Fwd?|FW|"
    r"Organization)"
    r":[ \t]+(.*)", re.IGNORECASE,
)  # fmt: skip
QUOTED = re.compile(r"\s*>")
SIGNATURE = re.compile(r"-- ?$|_{5,}\s*$")
TURN = re.compile(
    r"\s*(?:<[@+%~& ]?([^<>\s/]{1,30})>|"
    r"([^\W\d_][\w.'’-]{0,24}(?: [\w.'’()-]{1,20}){0,2}):)[ \t]+(?=\S)"
)
LINK = re.compile(r"(!?\[)([^\[\]\n]{0,200})(\]\([^()\n]{0,500}\))")
EMPHASIS = re.compile(r"(\*\*|`)(?=\S)([^*`\n]{1,200})(?<=\S)\1")
FENCE = re.compile(r" {0,3}(?:```|~~~)")
ITEM = re.compile(r"\s*(?:[-*+•◦▪‣·–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
ROW = re.compile(r"\s*\|.*\||[^\t]*\t[^\t]*|.*\S {2,}\S.* {2,}\S.*")
MARKDOWN_HEAD = re.compile(r"\s*#{1,6}\s+(.*?)\s*#*\s*")
RULE = re.compile(r"[-=_*~#+|.:\s]{3,}")
END = re.compile(r"""[.!?…。！？।؟]["”’»')\]]*\s*""")
SENTENCE_END = re.compile(r""".*[.!?…。！？।؟:]["”’»')\]]*\s*""", re.DOTALL)
SHOUTED = re.compile(r"\s*[A-Z][A-Z.'’-]+(?:[ ,]+[A-Z][A-Z.'’-]+)*")


@dataclass(frozen=True)
class Forms:
    """The forms of lines in a language; see `treaty.languages.Layout`."""

    date_line: re.Pattern[str]
    glued_date: re.Pattern[str]
    glued_or_last_date: re.Pattern[str]
    dateline: re.Pattern[str]
    byline: re.Pattern[str]
    caption: re.Pattern[str]
    boilerplate: re.Pattern[str]
    salutation: re.Pattern[str]
    greeting: re.Pattern[str]
    wrote: re.Pattern[str]
    who_wrote: re.Pattern[str]
    stamp: re.Pattern[str]
    speaker_and_time: re.Pattern[str]
    comment: re.Pattern[str]


@cache
def forms_of(language: Language) -> Forms:
    """Return the forms of lines in a language.

    >>> english, danish = (forms_of(languages.get(code)) for code in ("en", "da"))
    >>> bool(english.byline.fullmatch("By Ann Lee")), bool(danish.byline.fullmatch("By Ann Lee"))
    (True, False)
    """
    known = language.layout
    return Forms(
        date_line=re.compile(known.date_line),
        glued_date=re.compile(known.glued_date),
        glued_or_last_date=re.compile(known.glued_or_last_date),
        dateline=re.compile(known.dateline),
        byline=re.compile(known.byline),
        caption=re.compile(known.caption),
        boilerplate=re.compile(known.boilerplate),
        salutation=re.compile(known.salutation, re.IGNORECASE),
        greeting=re.compile(known.greeting),
        wrote=re.compile(known.wrote),
        who_wrote=re.compile(known.who_wrote),
        stamp=re.compile(known.stamp),
        speaker_and_time=re.compile(known.speaker_and_time),
        comment=re.compile(known.comment),
    )
