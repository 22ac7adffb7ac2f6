"""Forms of lines that are not sentences: dates, bylines, captions, headers of e-mails, turns."""

from __future__ import annotations

import re

__all__ = [
    "BOILERPLATE",
    "BYLINE",
    "CAPTION",
    "COMMENT",
    "DATELINE",
    "DATE_LINE",
    "EMPHASIS",
    "END",
    "FENCE",
    "GLUED_DATE",
    "GLUED_OR_LAST_DATE",
    "GREETING",
    "HEADER",
    "ITEM",
    "LINK",
    "MARKDOWN_HEAD",
    "QUOTED",
    "ROW",
    "RULE",
    "SENTENCE_END",
    "SHOUTED",
    "SIGNATURE",
    "SPEAKER_AND_TIME",
    "STAMP",
    "TURN",
    "WHO_WROTE",
    "WROTE",
]

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
    rf"(?:(?:{MONTH}\s+\d{{1,2}}|\d{{1,2}}\s+{MONTH}),?\s*)?"
    r"(?:\((?P<agency>[\w .,/]{2,24})\)\s*(?:[-–—:]+|\n)\s*|(?P<dash>\s[-–—]{1,2}\s+|"
    r"[–—]\s*)(?=[A-Z“\"]))"
)
SHOUTED = re.compile(r"\s*[A-Z][A-Z.'’-]+(?:[ ,]+[A-Z][A-Z.'’-]+)*")
BYLINE = re.compile(
    r"\s*(?i:by|story by|written by|text by|reported by|posted by|author)[:\s]+"
    r"(?:(?:[A-Z][\w.'’-]+|de|van|von)(?:(?:,? +(?:and|&) +|[ ,]+)"
    r"(?:[A-Z][\w.'’-]*|de|van|von|in|for|of|the|at)){0,12}(?:, +[a-z]+(?: [a-z]+){0,4})?"
    r"|(?:(?:a|our) )?(?:[a-z]+ )?(?i:reporters?|correspondents?|writers?|staff|editors?))"
    r"(?:\s*[|·•–—-].*)?\s*"
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
HEADER = re.compile(
    r"\s*(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?|Message-ID|Re|Fwd?|FW|"
    r"Organization)"
    r":[ \t]+(.*)", re.IGNORECASE,
)  # fmt: skip
WROTE = re.compile(
    r"\s*(?:On .{6,120}wrote:|.{0,60}\bwrote:|-{2,}\s*(?:Original|Forwarded) [Mm]essage.*)\s*"
)
WHO_WROTE = re.compile(
    r"\s*(?:On .*(?:[\d,]|[ap]m|[AP]M),? )?(?!On )((?:[^\W\d_][\w.'’-]*\s+){1,3})"
    r"(?:<[^>]*>\s*)?wrote:\s*"
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
    rf"\s*[\[(]?{WEEKDAY}?(?:(?:\d{{1,4}}[/.-]\d{{1,2}}[/.-]\d{{1,4}}"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}(?:,?\s+\d{{4}})?)[,T]?\s*)?"
    r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?\s*(?:[-–|]\s*)?"
)
TURN = re.compile(
    r"\s*(?:<[@+%~& ]?([^<>\s/]{1,30})>|"
    r"([^\W\d_][\w.'’-]{0,24}(?: [\w.'’()-]{1,20}){0,2}):)[ \t]+(?=\S)"
)
CLOCK = r"(?:[01]?\d|2[0-3])[:.][0-5]\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?"
SPEAKER_AND_TIME = re.compile(
    rf"\s*([A-Z][\w.'’-]{{0,24}}(?: [A-Z][\w.'’-]{{0,24}}){{0,3}})(?:\s+|,\s*)"
    rf"(?:APP\s+)?[\[(]?(?:(?:{DAY}|{WEEKDAY}|[Tt]oday|[Yy]esterday)?(?:,? at|,)?\s*)?"
    rf"{CLOCK}[\])]?\s*"
)
"""A line above the messages of one speaker."""
LINK = re.compile(r"(!?\[)([^\[\]\n]{0,200})(\]\([^()\n]{0,500}\))")
EMPHASIS = re.compile(r"(\*\*|`)(?=\S)([^*`\n]{1,200})(?<=\S)\1")
FENCE = re.compile(r" {0,3}(?:```|~~~)")
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
