"""Layout of drawn trees: rows of words, and arcs above them by level.

Everything is laid out from left to right; for right-to-left scripts the drawing is mirrored at the
end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from unicodedata import combining, east_asian_width

from treaty.show._arcs import Arc

__all__ = ["LABEL", "LEVEL", "WORD", "Row", "Span", "lay_out", "text_width"]

WORD, LABEL = 16, 11  # font sizes
LEVEL = 21  # distance between levels of arcs
SLOT = 7  # distance between the ends of arcs at one word
GAP = 16  # between words
CORNER = 14  # extra width of an arc beside its label
FAR = 12  # characters shown of the word at the other end of an arc to another row

# Widths relative to the font size, slightly more than those of common fonts.
NARROW = dict.fromkeys("ijlI.,:;!'|()[]·` ", 0.36)
MIDDLE = dict.fromkeys('frt-"/\\', 0.46)
BROAD = dict.fromkeys("mwMW%@—…→←", 0.96)
WIDTHS = NARROW | MIDDLE | BROAD


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in an unknown font."""
    return size * sum(_character_width(c) for c in text)


def _character_width(character: str) -> float:
    if combining(character):
        return 0.0
    if east_asian_width(character) in "WF":
        return 1.05
    return WIDTHS.get(character, 0.72 if character.isupper() else 0.61)


@dataclass(slots=True)
class Span:
    """An arc, or one end of it, above a row.

    ``first`` and ``last`` are its outermost words in the row, or None on the side where the arc
    continues in another row; both are the word itself for an arc from the root.
    """

    arc: Arc
    first: int | None
    last: int | None
    text: str
    level: int = 0
    start: float = 0.0
    end: float = 0.0
    label_at: float = 0.0

    @property
    def leaves(self) -> bool:
        """Whether the arc continues in another row."""
        return self.first is None or self.last is None


@dataclass(slots=True)
class Row:
    """A part of the sentence in one line: words ``first`` to ``last``, from 1."""

    first: int
    last: int
    centers: dict[int, float] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    width: float = 0.0

    @property
    def levels(self) -> int:
        """Number of levels of arcs."""
        return max((span.level for span in self.spans), default=0)


def lay_out(
    forms: Sequence[str], tags: Sequence[str], arcs: Sequence[Arc], width: float
) -> list[Row]:
    """Break a sentence into rows of about this width, and lay out all arcs."""
    columns = [
        max(text_width(form, WORD), text_width(tag, LABEL)) + GAP
        for form, tag in zip(forms, tags, strict=True)
    ]
    legs = Counter(word for arc in arcs for word in (arc.head, arc.word))
    for word in range(1, len(forms) + 1):  # the ends of many arcs require a wide word
        columns[word - 1] = max(columns[word - 1], (legs[word] + 1) * SLOT)
    centers = _spread(_centers(columns), arcs)
    rows = [Row(*ends) for ends in _break(centers, columns, arcs, width)]
    for row in rows:
        row.spans = [span for arc in arcs if (span := _span(arc, row, forms))]
        _assign_levels(row)
        _place(row, centers, columns)
    return rows


def _centers(columns: Sequence[float]) -> list[float]:
    centers, edge = [], 0.0
    for column in columns:
        centers.append(edge + column / 2)
        edge += column
    return centers


def _spread(centers: list[float], arcs: Sequence[Arc]) -> list[float]:
    """Move words apart until every label fits below its arc."""
    for arc in sorted(arcs, key=lambda arc: arc.ends[1]):
        first, last = arc.ends
        if arc.head:
            need = text_width(arc.label, LABEL) + CORNER + 2 * SLOT
            lack = need - (centers[last - 1] - centers[first - 1])
            if lack > 0:
                for word in range(first, len(centers)):
                    centers[word] += lack * min(1.0, (word - first + 1) / (last - first))
    return centers


def _break(
    centers: Sequence[float], columns: Sequence[float], arcs: Sequence[Arc], width: float
) -> list[tuple[int, int]]:
    """Choose the ends of rows so that few arcs leave a row, and rows are about full.

    The best breaks before each word are found by dynamic programming. A broken arc costs as much as
    a row that is half empty.
    """
    words = len(centers)
    torn = [0] * (words + 1)  # arcs over the gap after a word
    for arc in arcs:
        if arc.head:
            for gap in range(*arc.ends):
                torn[gap] += 1
    best: list[tuple[float, int]] = [(0.0, 0)]
    for last in range(1, words + 1):
        choices = []
        for first in range(last, 0, -1):
            used = centers[last - 1] - centers[first - 1]
            used += (columns[first - 1] + columns[last - 1]) / 2
            if used > width and first < last:
                break
            empty = 0.0 if last == words else max(0.0, 1 - used / width)
            choices.append((best[first - 1][0] + 4 * empty**2 + torn[last] + 0.5, first - 1))
        best.append(min(choices))
    ends, last = [], words
    while last:
        ends.append((best[last][1] + 1, last))
        last = best[last][1]
    return ends[::-1]


def _span(arc: Arc, row: Row, forms: Sequence[str]) -> Span | None:
    """Return the part of an arc above a row, if any."""
    head_here = row.first <= arc.head <= row.last
    word_here = row.first <= arc.word <= row.last
    if not (head_here or word_here):
        return None
    if arc.head == 0:
        return Span(arc, arc.word, arc.word, arc.label)
    first, last = arc.ends
    if head_here and word_here:
        return Span(arc, first, last, arc.label)
    other, sign = (arc.word, "→") if head_here else (arc.head, "←")
    form = forms[other - 1]
    far = form if len(form) <= FAR else f"{form[: FAR - 1]}…"
    text = f"{arc.label} {sign} {other} {far}"
    return Span(
        arc, first if first >= row.first else None, last if last <= row.last else None, text
    )


def _assign_levels(row: Row) -> None:
    """Place every arc above all shorter ones that it overlaps, those from the root on top."""
    top = [0] * (row.last - row.first + 2)  # by gap: before the first word, ..., after the last
    row.spans.sort(key=_order)
    for span in row.spans:
        if span.arc.head == 0:
            gaps = slice(span.arc.word - row.first, span.arc.word - row.first + 2)
        else:
            gaps = slice(
                0 if span.first is None else span.first - row.first + 1,
                len(top) if span.last is None else span.last - row.first + 1,
            )
        span.level = 1 + max(top[gaps])
        top[gaps] = [span.level] * len(top[gaps])


def _order(span: Span) -> tuple[bool, int, int]:
    first, last = span.arc.ends
    return span.arc.head == 0, last - first, first


def _place(row: Row, centers: Sequence[float], columns: Sequence[float]) -> None:
    """Compute the x of words and arcs: first from 0, then with room at the sides."""
    left = centers[row.first - 1] - columns[row.first - 1] / 2
    right = centers[row.last - 1] + columns[row.last - 1] / 2 - left
    row.centers = {word: centers[word - 1] - left for word in range(row.first, row.last + 1)}
    legs = _legs(row)
    room = [0.0, 0.0]  # for the labels of arcs that leave the row
    for span in row.spans:
        span.start = 0.0 if span.first is None else legs[span.first, span.arc.word]
        span.end = right if span.last is None else legs[span.last, span.arc.word]
    for span in row.spans:
        if span.leaves:
            clear = _clear_run(span, row.spans)
            lack = text_width(span.text, LABEL) + CORNER - clear
            side = 0 if span.first is None else 1
            room[side] = max(room[side], lack, 2.0 * SLOT)
    _make_room(row, room)
    row.width = room[0] + right + room[1]
    for span in row.spans:
        span.label_at = _label_place(span, row.spans)


def _make_room(row: Row, room: Sequence[float]) -> None:
    row.centers = {word: x + room[0] for word, x in row.centers.items()}
    for span in row.spans:
        span.start += 0.0 if span.first is None else room[0]
        span.end += room[0] + (room[1] if span.last is None else 0.0)


def _legs(row: Row) -> dict[tuple[int, int], float]:
    """Distribute the ends of arcs at each word, so that none crosses an arc of the same word.

    From the left: arcs to the left, the lowest first; the one from the root; arcs to the right, the
    highest first. Ends are identified by their word and the arc's dependent.
    """
    standing: dict[int, list[tuple[int, int, int]]] = {word: [] for word in row.centers}
    for span in row.spans:
        if span.arc.head == 0:
            standing[span.arc.word].append((1, 0, span.arc.word))
            continue
        if span.last is not None:
            standing[span.last].append((0, span.level, span.arc.word))
        if span.first is not None:
            standing[span.first].append((2, -span.level, span.arc.word))
    places = {}
    for word, legs in standing.items():
        for i, (_, _, arc) in enumerate(sorted(legs)):
            places[word, arc] = row.centers[word] + SLOT * (i - (len(legs) - 1) / 2)
    return places


def _label_place(span: Span, spans: Sequence[Span]) -> float:
    """Find the free position nearest to the middle of an arc for its label."""
    half = text_width(span.text, LABEL) / 2
    if span.leaves:
        return span.start + half if span.first is None else span.end - half
    middle = (span.start + span.end) / 2
    edges = sorted({span.start, *_crossing_legs(span, spans), span.end})
    places = [
        max(start + half + 3, min(middle, end - half - 3))
        for start, end in pairwise(edges)
        if end - start >= 2 * half + 6
    ]
    return min(places, key=lambda x: abs(x - middle), default=middle)


def _clear_run(span: Span, spans: Sequence[Span]) -> float:
    """Measure the free length of an arc that leaves its row, up to the edge of the row."""
    legs = _crossing_legs(span, spans)
    if span.first is None:
        return min([span.end, *legs]) - span.start
    return span.end - max([span.start, *legs])


def _crossing_legs(span: Span, spans: Sequence[Span]) -> list[float]:
    """Find the vertical lines that cross an arc: those of higher arcs."""
    return [
        x
        for other in spans
        if other.level > span.level
        for x, word in ((other.start, other.first), (other.end, other.last))
        if word is not None and span.start < x < span.end
    ]
