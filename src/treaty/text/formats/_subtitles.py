"""Subtitles (SubRip, WebVTT): what is said, without numbers, times and marks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from html import unescape

from treaty._streams import Origin
from treaty.text._article import Article
from treaty.text.formats._format import Format, some_text

__all__ = ["SUBTITLES", "TIMING", "is_subtitles", "text_of_subtitles"]

CLOCK = r"(?:(\d{1,4}):)?(\d\d):(\d\d)[.,](\d{3})"
TIMING = re.compile(rf"\s*{CLOCK}[ \t]+-->[ \t]+{CLOCK}(?:[ \t].*)?")
"""The times of a subtitle."""
BEGINNING = re.compile(
    rf"\ufeff?(?:WEBVTT(?:[ \t].*)?(?:\n|\Z)|\s*+(?:\d+[ \t]*\n)?\s*+{CLOCK}[ \t]+-->)"
)
VOICE = re.compile(r"<v(?:\.[^ <>]*)? +([^<>]+)>")
MARK = re.compile(r"</?[a-zA-Z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}|[♪♫#]+(?=\s|$)|(?<!\S)[♪♫#]+")
"""Tags, times of words, positions, and notes of music."""
SOUND = re.compile(r"[-–\s]*(?:\[[^][]*\]|\([^()]*\))[.\s]*")
"""A line that describes a sound."""
TURN = re.compile(r"\s*[-–](?=\s*\w)\s*|>>+\s*")
PAUSE = 3.0
"""Seconds of silence after which a paragraph begins."""


def is_subtitles(text: str) -> bool:
    r"""Tell subtitles from other text by how they begin.

    >>> is_subtitles("1\n00:00:01,000 --> 00:00:02,000\nHello.")
    True
    """
    return BEGINNING.match(text.replace("\r\n", "\n")) is not None


def text_of_subtitles(text: str) -> str:
    r"""Return what is said: a line for each turn, a blank line at pauses.

    Sentences that go on in the next subtitle are joined, lines that are shown again are left out,
    and so are descriptions of sounds.

    Examples
    --------
    >>> print(text_of_subtitles('''1
    ... 00:00:01,000 --> 00:00:02,000
    ... I told you, I was
    ...
    ... 2
    ... 00:00:02,100 --> 00:00:04,000
    ... <i>at home</i>.
    ... - [door slams]
    ... - Liar!
    ... '''))
    I told you, I was at home.
    Liar!
    """
    said, shown, speaker, end = "", "", "", math.inf
    for begin, stop, lines in _cues(text):
        said += "\n\n" * bool(said and begin - end >= PAUSE)
        end = stop
        for line in lines:
            bare = " ".join(unescape(MARK.sub("", VOICE.sub("", line))).split())
            if not bare or bare == shown or SOUND.fullmatch(bare):
                continue
            shown, turn, voice = bare, TURN.match(bare), VOICE.search(line)
            who = voice[1] if voice and voice[1] != speaker else ""
            speaker = who or speaker
            if said and not said.endswith("\n"):
                said += "\n" if turn or who else " "
            said += f"{who}: " * bool(who) + (bare[turn.end() :] if turn else bare)
    return said.strip()


def _cues(text: str) -> Iterator[tuple[float, float, list[str]]]:
    """Yield the begin, the end and the lines of each subtitle."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    timings = [(n, found) for n, line in enumerate(lines) if (found := TIMING.fullmatch(line))]
    ends = [*(n for n, _ in timings[1:]), len(lines)]
    for (place, timing), end in zip(timings, ends, strict=False):
        own = lines[place + 1 : end]
        if end < len(lines) and own and own[-1].strip() and (len(own) < 2 or not own[-2].strip()):
            own.pop()  # the number or the name of the next one
        blank = next((n for n, line in enumerate(own) if not line.strip()), len(own))
        times = timing.groups()
        yield _seconds(*times[:4]), _seconds(*times[4:]), own[:blank]


def _seconds(hours: str | None, minutes: str, seconds: str, thousandths: str) -> float:
    whole = 3600 * int(hours or 0) + 60 * int(minutes) + int(seconds)
    return whole + int(thousandths) / 1000


def _article(origin: Origin) -> Article:
    return Article(text_of_subtitles(some_text(origin)))


SUBTITLES = Format(
    "subtitles",
    "subtitles",
    suffixes=(".srt", ".vtt"),
    media_types=("application/x-subrip", "text/vtt"),
    matches=lambda beginning: is_subtitles(beginning.text),
    article=_article,
)
