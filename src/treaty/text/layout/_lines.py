"""Lines of a text, as evidence of where its sentences begin.

Layout tells some things for certain: items of lists, headers of e-mails, turns of a chat, rows of
tables begin and end sentences. Other line breaks are evidence that the tokenizer's model weighs:
whether the next word would have fit on the line, and what the line looks like.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from treaty._threads import MANY, checked
from treaty.errors import UsageError
from treaty.languages import Language
from treaty.text.formats._subtitles import TIMING
from treaty.text.layout._forms import NEUTRAL, Forms, forms_of

__all__ = [
    "DATE",
    "ENDING",
    "LINES",
    "TIME",
    "Line",
    "LineMeaning",
    "blocks_of",
    "enclosed",
    "is_within",
]

LineMeaning = Literal["auto", "wrapped", "sentence", "paragraph"]
"""How lines are meant: see `treaty.parse.Tokenizer.split`."""
LINES: tuple[LineMeaning, ...] = get_args(LineMeaning)
LINE = re.compile(r"[^\n]+")
DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[AaPp]\.?[Mm]\.?)?"
"""Beginnings of the turns of a chat."""
HEAD = re.compile(
    r"""
    [ \t]*(?:
    (?P<quote> (?:>[ ]?)+ )
    | (?P<item>
        [•◦▪■●‣·⁃][ \t]*(?:\d{1,2}[.)][ \t]+)?
        | (?:[-*+][ \t]+)?\[[ xX]\][ \t]+
        | (?: [-*+–—] | \(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4}|[IVX]{1,4})(?:\.\)|[.)]) )[ \t]+ )
    | (?P<field> (?:Date|Sent):[ \t]* )
    | (?P<heading> \#{1,6}[ \t]+ )
    | (?P<header>
        (?:From|To|Cc|CC|Bcc|BCC|Subject|Reply-To|Attachments?|Re|RE|Fwd?|FW):[ \t]* )
    | (?P<turn>
        [\[(]?(?:"""
    + DATE
    + r""",?[ ])?"""
    + TIME
    + r"""[\])]?[ ]+[-]?[ ]?
            (?:<[^<>\s]{1,30}>|[^\s:]{1,30}(?:[ ][^\s:]{1,30})?:)[ \t]+
        | <[@+%~& ]?[^<>\s/]{2,30}>[ ]+ )
    | (?P<stamp> [\[(]?(?:"""
    + DATE
    + r"""[T, ]{1,2})?"""
    + TIME
    + r"""(?:[.,]\d{1,6})?Z?[\])]?[ \t]+ )
    | (?P<speaker> [^\W\d_][\w.'’-]{0,24}(?:[ ][\w.'’()-]{1,20}){0,3}:[ \t]+ )
    )(?=\S)""",
    re.VERBOSE,
)
"""Labels at the beginning of a line; no sentence ends between a label and what it labels."""
LABEL = re.compile(r"([•◦▪■●‣⁃]?\s*\(?)(?:(\d{1,2}|[a-z]|[A-Z](?=\)))(\.\)|[.)])\s)?")
"""The label of an item, in parts: what is before its number, the number, what is after it."""
GAP = re.compile(r"\t|(?<=[^\s.!?:;,\"'”’)])[ ]{2,}")
"""Separators of the columns of a table."""
RULE = re.compile(r"[-=_*~#+|.:\s]{2,}")
"""A line that separates parts of a text."""
ENCLOSED = re.compile(r"(?<![:;=x'-])\([^()\n]{1,200}\)|\[[^][\n]{1,200}\]")
"""Text in brackets, other than a part of an emoticon."""
DATELINE = re.compile(
    r"""(?=[A-Z][A-Z.])[A-Z.'’-]+(?:[ ][A-Z.'’-]+){0,3}          # a place
    (?:,[ ](?:[A-Z][\w.]*|\d{1,2})(?:[ ](?:[A-Z][\w.]*|\d{1,2}))?){0,2}  # a state, a date
    (?:[ ]\([^()\n]{2,30}\))?[ ]?[-–—]{1,2}[ ](?=\S)""",  # an agency, a dash
    re.VERBOSE,
)
LABELS = frozenset(
    ("field", "heading", "header", "turn", "stamp", "speaker", "items", "row", "rule", "quote")
)
"""Kinds of lines that begin a sentence."""
ENDING = ".!?…:;"
WIDTHS = (25, 45, 100)
"""Bounds of classes of line widths; text is rarely wrapped in narrower or wider ones."""
WORDS = (1, 2, 4, 8, 12)


class Line(NamedTuple):
    """A line of a text that is not blank."""

    start: int
    end: int
    begins: bool  # for certain, it begins a sentence
    continues: bool  # for certain, it does not
    head: int  # up to here no other sentence starts: labels and rows of tables
    evidence: str  # of the line break before it: whether its first word fits on the line before
    style: str  # of the line before it


def blocks_of(
    text: str, lines: LineMeaning = "auto", language: Language = NEUTRAL
) -> Iterator[list[Line]]:
    r"""Return the lines of a text, in blocks with blank lines between.

    Examples
    --------
    >>> for block in blocks_of("To do\n- eat\n\nA line"):
    ...     print([(line.begins, line.head - line.start) for line in block])
    [(True, 0), (True, 2)]
    [(True, 0)]
    """
    if lines not in LINES:
        raise UsageError(f"lines must be one of {', '.join(LINES)}, not {lines!r}")
    block: list[tuple[int, int]] = []
    last = -1
    for match in checked(LINE.finditer(text), MANY):
        if match[0].isspace():
            continue
        if block and (match.start() > last + 1):
            yield _read(text, block, lines, forms_of(language))
            block = []
        block.append(match.span())
        last = match.end()
    if block:
        yield _read(text, block, lines, forms_of(language))


def _read(
    text: str, spans: Sequence[tuple[int, int]], meaning: LineMeaning, forms: Forms
) -> list[Line]:
    if meaning != "auto":
        whole = meaning == "sentence"
        certain = meaning != "wrapped"
        return [
            Line(start, end, certain or not place, False, end if whole else start, "", "")
            for place, (start, end) in enumerate(spans)
        ]
    strings = [text[start:end].rstrip() for start, end in spans]
    heads = [HEAD.match(string) for string in strings]
    kinds = [(head.lastgroup or "") if head else "" for head in heads]
    if len(strings) > 1:
        _look_around(strings, kinds)
    else:
        kinds = ["" if kind in ("speaker", "stamp") else kind for kind in kinds]
    width = max(map(len, strings))
    filled = _filled(strings, width)
    ragged, wrapped = _is_ragged(filled), width > WIDTHS[1] and _is_wrapped(filled)
    chat = ragged and strings[0].lstrip()[0].islower()
    lines: list[Line] = []
    for place, (start, end) in enumerate(spans):
        head = heads[place]
        kind, begins, continues, evidence, style = kinds[place], True, False, "", ""
        if place:
            before = strings[place - 1]
            begin = head.end() if head and kind == "item" else 0  # a bullet, or a dash?
            slack = width - len(before) - 1 - len(strings[place][begin:].split(None, 1)[0])
            full = slack < 0 and width > WIDTHS[1]
            begins = _begins(kinds[place - 1], kind, before, strings[place], full, forms)
            if width < WIDTHS[0]:  # too narrow to be wrapped
                begins = begins or not _goes_on(strings[0], before, strings[place])
            begins = begins or chat or (ragged and _is_apart(before, strings[place], slack, width))
            continues = wrapped and full and not begins and _is_cut(before, strings[place])
            evidence, style = _evidence(before, strings[place], slack, width), _style(before)
        stop = start + head.end() if head and kind else start
        if kind in ("field", "row", "rule"):
            stop = end
        first = Line(start, end, begins, continues, stop, evidence, style)
        lines += _items(text, first) if kind in ("item", "items") else [first]
    return lines


def enclosed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of a part of a text that are in brackets.

    Examples
    --------
    >>> text = "Sad :( but (see below) fine"
    >>> [text[start:end] for start, end in enclosed(text, 0, len(text))]
    ['(see below)']
    """
    return [match.span() for match in ENCLOSED.finditer(text, start, end)]


def dateline_end(text: str, start: int, end: int) -> int:
    """Return where the dateline at the beginning of a part of a text ends; -1 if there is none.

    Examples
    --------
    >>> text = "ST. LOUIS, Mo. (AP) -- A man was seen."
    >>> text[dateline_end(text, 0, len(text)) :]
    'A man was seen.'
    """
    match = DATELINE.match(text, start, end)
    return match.end() if match else -1


def is_within(spans: list[tuple[int, int]], place: int) -> bool:
    """Return whether a place is in one of several spans, behind its first character.

    Examples
    --------
    >>> [is_within([(2, 5), (7, 9)], place) for place in (2, 3, 5, 8)]
    [False, True, False, True]
    """
    last = bisect(spans, (place,)) - 1
    return last >= 0 and place < spans[last][1]


def _is_ragged(filled: Sequence[bool]) -> bool:
    """Return whether most lines end though the next word would have fit: they are not wrapped."""
    return len(filled) >= 3 and 3 * sum(filled) <= len(filled)


def _is_wrapped(filled: Sequence[bool]) -> bool:
    """Return whether at least half of the lines, and more than one, are full."""
    return sum(filled) >= 2 and 2 * sum(filled) >= len(filled)


def _filled(strings: Sequence[str], width: int) -> list[bool]:
    """Return for each line but the last whether the next word would not have fit."""
    first = [string.split(None, 1)[0] for string in strings]
    return [len(a) + 1 + len(b) > width for a, b in zip(strings, first[1:], strict=False)]


def _items(text: str, line: Line) -> Iterator[Line]:
    """Split a line of several items: 1) one 2) two."""
    label = LABEL.match(text[line.start : line.end].lstrip())
    before, number, after = label.groups() if label else ("", None, "")
    while before or number:
        if number:
            number = str(int(number) + 1) if number.isdigit() else chr(ord(number) + 1)
        name = f"{before}{number}{after}" if number else before
        begin = text.find(f" {name}" if name[-1].isspace() else f" {name} ", line.head, line.end)
        if begin < 0:
            break
        yield line._replace(end=begin)
        head = begin + 1 + len(name)
        line = Line(begin + 1, line.end, True, False, min(head + 1, line.end), "", "")
    yield line


def _look_around(strings: list[str], kinds: list[str]) -> None:
    """Correct the kinds of lines by what the others are."""
    rows = [string[0] == "|" or GAP.search(string.lstrip()) is not None for string in strings]
    for place, string in enumerate(strings):
        timing = TIMING.fullmatch(string)
        if timing or RULE.fullmatch(string):
            kinds[place] = "rule"
            if timing and place and strings[place - 1].strip().isdigit():
                kinds[place - 1] = "rule"  # the number of a subtitle
        elif rows[place] and any(rows[max(0, place - 1) : place] + rows[place + 1 : place + 2]):
            kinds[place] = "row"
    for label in ("speaker", "stamp"):
        count = kinds.count(label)
        if count < 2 or 2 * count < len(kinds):
            kinds[:] = ["" if kind == label else kind for kind in kinds]
    if kinds.count("item") > 1:
        kinds[:] = ["items" if kind == "item" else kind for kind in kinds]


def _begins(last: str, kind: str, before: str, string: str, full: bool, forms: Forms) -> bool:
    """Return whether a line certainly begins a sentence."""
    if kind == last == "quote":
        return before[-1] in ENDING or not full
    if kind in LABELS:
        return True
    if last in ("header", "field"):
        return not string[0].isspace()
    if last in ("heading", "row", "rule", "quote") or forms.salutation.fullmatch(before):
        return True
    return kind == "item" and not full


def _is_apart(before: str, string: str, slack: int, width: int) -> bool:
    """Return whether a line is far from full and the next begins anew, as in a list."""
    anew = not string.lstrip()[0].islower() and before[-1] not in ",-–—"
    return anew and slack > width // 3


def _is_cut(before: str, string: str) -> bool:
    """Return whether two lines of wrapped text are one sentence, by the case and the marks."""
    return string.lstrip()[0].islower() and before[-1].isalnum()


def _goes_on(top: str, before: str, string: str) -> bool:
    """Return whether a line may be the rest of the one before it, in a narrow column."""
    return string.lstrip()[0].islower() and top.lstrip()[0].isupper() and before[-1] not in ENDING


def _evidence(before: str, string: str, slack: int, width: int) -> str:
    room = "full" if slack < 0 else "near" if slack < max(6, width // 8) else "short"
    indented = " " if string[0].isspace() and not before[0].isspace() else ""
    return f"{indented}{room}{bisect(WIDTHS, width)}"


def _style(line: str) -> str:
    words = line.split()
    long = [word for word in words if len(word) > 3] or words
    case = "x"
    if line.isupper():
        case = "A"
    elif all(word[0].isupper() for word in long):
        case = "Aa"
    elif line.lstrip()[0].islower():
        case = "a"
    return f"{case}{bisect(WORDS, len(words))}"
