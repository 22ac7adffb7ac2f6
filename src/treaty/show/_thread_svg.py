"""Threads as SVG: a column of posts, with arcs from each post to those it depends on."""

from __future__ import annotations

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from treaty.errors import UsageError
from treaty.show._arcs import certificate_line, reads_from_the_right, shown
from treaty.show._tree_layout import text_width

if TYPE_CHECKING:
    from treaty.solve import Certificate
    from treaty.text import Link, Thread

__all__ = ["thread_svg"]

MARGIN = 18
TEXT, SMALL = 14, 11  # font sizes
LINE = 19  # line height
PAD = 9  # padding of a card
GAP = 9  # between cards
LEVEL, NARROWEST = 11.0, 3.0  # distance between arcs
GUTTER = 260.0  # maximum width of the arcs, unless they would touch
NARROWEST_PAGE = 320
ROUND = 7.0
LINES, MANY, LINES_OF_MANY = 4, 150, 1  # lines of a post's text; fewer if there are many posts
LONGEST = 400  # characters of a post that are used
HUES = 8  # number of colors for authors

STYLE = f"""\
.thread {{ font: {TEXT}px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }}
.thread text {{ fill: currentColor; }}
.thread .small {{ font-size: {SMALL}px; }}
.thread .faint {{ fill-opacity: .62; }}
.thread .author {{ font-weight: 600; }}
.thread .right {{ text-anchor: end; }}
.thread .card {{ fill: currentColor; fill-opacity: .05; }}
.thread .arc path {{ fill: none; stroke-width: 1.6; stroke-opacity: .8; }}
.thread .unsure path {{ stroke-dasharray: 4 3; }}
"""
LIGHT = ("#4b5563", "#2563eb", "#c2410c", "#15803d", "#9333ea", "#b91c1c", "#0e7490", "#a16207")
DARK = ("#9ca3af", "#60a5fa", "#fb923c", "#4ade80", "#c084fc", "#f87171", "#22d3ee", "#facc15")
PAPER = """\
.thread { color: #1f2937; }
.thread .paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  .thread { color: #e5e7eb; }
  .thread .paper { fill: #14181f; }
"""


def _colors(colors: Sequence[str]) -> str:
    return "".join(
        f".thread .who{n} {{ fill: {c}; }} .thread .arc.who{n} path {{ stroke: {c}; }}\n"
        for n, c in enumerate(colors)
    )


@dataclass(slots=True)
class _Card:
    """The position of a post, and its text."""

    lines: list[str]
    head: str
    note: str
    hue: int
    top: float
    ends: dict[int, float] = field(default_factory=dict)  # position of each link's end

    @property
    def height(self) -> float:
        return 2 * PAD + LINE * (1 + len(self.lines)) - 3


def thread_svg(
    threads: Thread | Sequence[Thread],
    *,
    width: float = 820,
    confidences: Sequence[Sequence[float]] | None = None,
    certificates: Sequence[Certificate] | None = None,
    background: bool = True,
) -> str:
    """Draw threads as SVG.

    Posts are in a column, with an arc on the left to each post they depend on, in the color of
    their author. Long texts are shortened.

    Parameters
    ----------
    threads
        One thread, or several to be drawn one below the other.
    width
        Width of the drawing, in pixels.
    confidences
        For each thread, the confidences of its links, from 0 to 1; links below 0.5 are dashed.
    certificates
        For each thread, its certificate, to be shown below: anything with status, bound and gap.
    background
        Whether the drawing has its own background, for light and dark mode. Otherwise, it takes
        background and text color from the page.

    Returns
    -------
    str
        An ``<svg>`` element that is also a complete document.

    Examples
    --------
    >>> from treaty.text import Link, Post, Thread
    >>> svg = thread_svg(Thread([Post("Tea?", "Ann"), Post("Yes!", "Bob")], [Link(1, 0)]))
    >>> svg[:4], svg.count('class="arc')
    ('<svg', 1)
    """
    from treaty.text import Thread

    each = [threads] if isinstance(threads, Thread) else list(threads)
    if not width >= NARROWEST_PAGE:
        raise UsageError(f"width must be at least {NARROWEST_PAGE}, not {width}")
    for given, what in ((confidences, "confidences"), (certificates, "certificates")):
        if given is not None and len(given) != len(each):
            raise UsageError(f"expected {what} for each of {len(each)} threads, got {len(given)}")
    drawn, top = [], 0.0
    for number, thread in enumerate(each):
        sure = None if confidences is None else confidences[number]
        worth = None if certificates is None else certificates[number]
        parts, height = _draw(thread, width, sure, worth)
        drawn.append(f'<g transform="translate(0 {_n(top)})">\n{parts}</g>\n')
        top += height
    posts, links = sum(map(len, each)), sum(len(thread.links) for thread in each)
    label = f"{posts} posts and {links} links"
    return _document(label, width, max(top, MARGIN), "".join(drawn), background)


def _draw(
    thread: Thread,
    width: float,
    confidences: Sequence[float] | None,
    certificate: Certificate | None,
) -> tuple[str, float]:
    """Draw one thread; return it with its height, including margins."""
    if confidences is not None and len(confidences) != len(thread.links):
        raise UsageError(
            f"expected {len(thread.links)} confidences, one per link, got {len(confidences)}"
        )
    levels = _levels(thread.links)
    deepest = max(levels, default=-1) + 1
    step = min(LEVEL, max(NARROWEST, min(GUTTER, width / 3) / max(deepest, 1)))
    left = MARGIN + 16 + step * deepest
    cards = _cards(thread, width - left - MARGIN, confidences)
    parts = [_draw_card(card, number, left, width - MARGIN) for number, card in enumerate(cards)]
    for number, (link, level) in enumerate(zip(thread.links, levels, strict=True)):
        unsure = confidences is not None and confidences[number] < 0.5
        source, target = cards[link.source], cards[link.target]
        ends = source.ends[number], target.ends[number]
        out = left - 12 - step * (level + 1)
        parts.append(_draw_arc(link, ends, left - 3, max(out, 4.0), source.hue, unsure))
    height = cards[-1].top + cards[-1].height if cards else float(MARGIN)
    if certificate is not None:
        height += 2 * SMALL
        line = escape(certificate_line(certificate))
        parts.append(f'<text class="small faint" x="{MARGIN}" y="{_n(height)}">{line}</text>\n')
    return "".join(parts), height + MARGIN


def _document(label: str, width: float, height: float, drawn: str, background: bool) -> str:
    style = STYLE + _colors(LIGHT)
    if background:
        style += PAPER + _colors(DARK) + "}\n"
    else:
        style += f"@media (prefers-color-scheme: dark) {{\n{_colors(DARK)}}}\n"
    paper = '<rect class="paper" width="100%" height="100%" rx="8"/>\n' if background else ""
    size = _n(width), _n(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="thread" role="img" aria-label="{label}" '
        f'width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}">\n'
        f"<style>\n{style}</style>\n{paper}{drawn}</svg>\n"
    )


def _levels(links: Sequence[Link]) -> list[int]:
    """Return the distance level of each arc: short arcs first, without overlaps."""
    spans = [(min(link[:2]), max(link[:2])) for link in links]
    levels = [0] * len(links)
    taken: list[list[tuple[int, int]]] = []  # by level, in order, without overlaps
    for number in sorted(range(len(links)), key=lambda n: (spans[n][1] - spans[n][0], spans[n])):
        span = spans[number]
        level = next((n for n, row in enumerate(taken) if _is_free(row, span)), len(taken))
        if level == len(taken):
            taken.append([])
        insort(taken[level], span)
        levels[number] = level
    return levels


def _is_free(row: Sequence[tuple[int, int]], span: tuple[int, int]) -> bool:
    """Return whether an arc overlaps none of a row; it may end where another begins."""
    place = bisect(row, span)
    before = place == 0 or row[place - 1][1] <= span[0]
    return before and (place == len(row) or span[1] <= row[place][0])


def _cards(thread: Thread, width: float, confidences: Sequence[float] | None) -> list[_Card]:
    hues = _hues(thread)
    notes, ends = defaultdict[int, list[str]](list), defaultdict[int, list[int]](list)
    for number, link in enumerate(thread.links):
        sure = "" if confidences is None else f" ({100 * confidences[number]:.0f} %)"
        label = f" {shown(link.label)}" if link.label else ""
        notes[link.source].append(f"→ {link.target}{label}{sure}")
        ends[link.source].append(number)
        ends[link.target].append(number)
    most = LINES if len(thread) <= MANY else LINES_OF_MANY
    cards, top = [], float(MARGIN)
    for number, post in enumerate(thread.posts):
        text = shown(" ".join(post.text.split()), LONGEST)
        card = _Card(
            _wrapped(text, width - 2 * PAD - 6, most),
            shown(post.author) or "—",
            shown(", ".join(notes[number]), 60),
            hues[post.author],
            top,
        )
        card.ends = _slots(card, number, ends[number], thread.links)
        cards.append(card)
        top += card.height + GAP
    return cards


def _hues(thread: Thread) -> dict[str, int]:
    """Assign a color to each author; lines without author are gray."""
    authors = dict.fromkeys(post.author for post in thread.posts if post.author)
    return {"": 0} | {author: 1 + n % (HUES - 1) for n, author in enumerate(authors)}


def _slots(card: _Card, post: int, ends: Sequence[int], links: Sequence[Link]) -> dict[int, float]:
    """Distribute the ends of arcs along a card's side: those from above first."""
    far = {number: links[number].source + links[number].target - 2 * post for number in ends}
    above = sorted((n for n in ends if far[n] < 0), key=lambda n: far[n], reverse=True)
    below = sorted((n for n in ends if far[n] >= 0), key=lambda n: far[n], reverse=True)
    order = above + below
    return {n: card.top + card.height * (i + 1) / (len(order) + 1) for i, n in enumerate(order)}


def _wrapped(text: str, width: float, most: int) -> list[str]:
    """Break a text into lines, and truncate what does not fit."""
    lines, rest = [""], text.split(" ")
    while rest:
        word = rest.pop(0)
        if text_width(word, TEXT) > width:  # such as a URL: as much of it as fits
            fits = max(1, int(len(word) * width / text_width(word, TEXT)))
            rest.insert(0, word[fits:])
            word = word[:fits]
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, TEXT) <= width:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1][: max(1, len(lines[-1]) - 2)]}…"
            break
    return lines


def _draw_card(card: _Card, number: int, left: float, right: float) -> str:
    x, y = left + PAD + 6, card.top + PAD + TEXT - 3
    rows = [
        f'<g class="post" data-post="{number}">'
        f'<rect class="card" x="{_n(left)}" y="{_n(card.top)}" width="{_n(right - left)}" '
        f'height="{_n(card.height)}" rx="6"/>'
        f'<rect class="who{card.hue}" x="{_n(left)}" y="{_n(card.top)}" width="4" '
        f'height="{_n(card.height)}" rx="2"/>',
        f'<text class="small" x="{_n(x)}" y="{_n(y)}"><tspan class="faint">{number}</tspan> '
        f'<tspan class="author who{card.hue}">{escape(card.head)}</tspan></text>',
    ]
    if card.note:
        rows.append(
            f'<text class="small faint right" x="{_n(right - PAD)}" y="{_n(y)}">'
            f"{escape(card.note)}</text>"
        )
    turned = reads_from_the_right(card.lines)
    side = f'class="right" direction="rtl" x="{_n(x)}"' if turned else f'x="{_n(x)}"'
    for line, text in enumerate(card.lines, 1):
        rows.append(f'<text {side} y="{_n(y + LINE * line)}">{escape(text)}</text>')
    return "".join(rows) + "</g>\n"


def _draw_arc(
    link: Link, ends: tuple[float, float], edge: float, out: float, hue: int, unsure: bool
) -> str:
    """Draw an arc from source to target, with an arrowhead at the target."""
    start, tip = ends
    turn = ROUND if tip > start else -ROUND
    bend = min(ROUND, (edge - out) / 2)
    path = (
        f"M{_n(edge)} {_n(start)}H{_n(out + bend)}q{_n(-bend)} 0 {_n(-bend)} {_n(turn)}"
        f"V{_n(tip - turn)}q0 {_n(turn)} {_n(bend)} {_n(turn)}H{_n(edge - 6)}"
    )
    arrow = f"{_n(edge - 7)},{_n(tip - 3.5)} {_n(edge - 7)},{_n(tip + 3.5)} {_n(edge)},{_n(tip)}"
    kinds = f"arc who{hue}{' unsure' * unsure}"
    return (
        f'<g class="{kinds}" data-source="{link.source}" data-target="{link.target}">'
        f'<path d="{path}"/><polygon points="{arrow}"/></g>\n'
    )


def _n(number: float) -> str:
    """Format a coordinate with as many digits as are visible."""
    return f"{number:.1f}".removesuffix(".0")
