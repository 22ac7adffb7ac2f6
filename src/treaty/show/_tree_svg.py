"""Trees as SVG: arcs over the words, for light and dark mode, standalone or in a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from treaty.errors import UsageError
from treaty.show._arcs import (
    arcs_of,
    certificate_line,
    drawn_parts,
    reads_from_the_right,
    shown,
    tag_of,
)
from treaty.show._tree_layout import LABEL, LEVEL, WORD, Row, Span, lay_out, text_width

if TYPE_CHECKING:
    from treaty.solve import Certificate
    from treaty.text import Sentence

__all__ = ["tree_svg", "trees_html"]

MARGIN = 18
ROUND = 6  # corner radius of arcs
HEAD_ROOM = LABEL + 7  # room above the highest arc for its label
FOOT = 26  # room below a row

# Lines have the text color of the page; with a background, the drawing sets both.
STYLE = f"""\
.treaty {{ font: {WORD}px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }}
.treaty text {{ fill: currentColor; text-anchor: middle; }}
.treaty .small {{ font-size: {LABEL}px; }}
.treaty .tag, .treaty .note {{ fill-opacity: .62; }}
.treaty .note {{ text-anchor: start; }}
.treaty .arc path {{ fill: none; stroke: currentColor; stroke-opacity: .5; stroke-width: 1.2; }}
.treaty .arc polygon {{ fill: currentColor; fill-opacity: .75; }}
.treaty .leaving path {{ stroke-dasharray: 4 3; }}
.treaty .root {{ color: #1a8f63; }}
.treaty .crossing {{ color: #d2691e; }}
.treaty .root path, .treaty .crossing path {{ stroke-opacity: 1; }}
"""
PAPER = """\
.treaty { color: #1f2937; }
.treaty .paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  .treaty { color: #e5e7eb; }
  .treaty .paper { fill: #14181f; }
  .treaty .root { color: #34d399; }
  .treaty .crossing { color: #fb923c; }
}
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }}
figure {{ margin: 2.5rem 0; overflow-x: auto; }}
figcaption {{ margin-bottom: .5rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
{figures}</body>
</html>
"""


def tree_svg(
    sentences: Sentence | Iterable[Sentence],
    *,
    width: float = 960,
    tags: bool = True,
    background: bool = True,
    certificates: Certificate | Sequence[Certificate | None] | None = None,
) -> str:
    """Draw dependency trees as SVG.

    Arcs are nested over the words. A wide sentence is broken into rows so that few arcs are broken;
    each end of a broken arc names the other. Nonprojective arcs are highlighted, and right-to-left
    scripts are drawn from the right.

    Parameters
    ----------
    sentences
        One sentence, or several to be drawn one below the other.
    width
        Approximate maximum width of a row, in pixels.
    tags
        Whether to show tags (UPOS, or else XPOS) below the words.
    background
        Whether the drawing has its own colors, for light and dark mode. Otherwise, it takes those
        of the page.
    certificates
        The certificate of each tree, to be shown below it: anything with status, bound and gap.

    Returns
    -------
    str
        An ``<svg>`` element that is also a complete document.

    Raises
    ------
    InputError
        When a head is not in its sentence.

    Examples
    --------
    >>> from treaty.text import Sentence, Token
    >>> sentence = Sentence([Token("It", head=2, deprel="nsubj"), Token("works", head=0)])
    >>> svg = tree_svg(sentence)
    >>> svg[:4], ">nsubj<" in svg
    ('<svg', True)
    """
    if not width > 0:
        raise UsageError(f"width must be positive, not {width}")
    from treaty.text import Sentence

    each = [sentences] if isinstance(sentences, Sentence) else list(sentences)
    worth = _for_each(certificates, len(each))
    parts, top, broadest = [], float(MARGIN), 0.0
    trees = [
        (part, certificate if part is parts_of_it[-1] else None)
        for sentence, certificate in zip(each, worth, strict=True)
        for parts_of_it in [drawn_parts(sentence)]
        for part in parts_of_it
    ]
    for sentence, certificate in trees:
        drawn, height, breadth = _draw(sentence, width, tags, certificate)
        parts.append(f'<g class="tree" transform="translate({MARGIN} {_n(top)})">\n{drawn}</g>\n')
        top += height + MARGIN
        broadest = max(broadest, breadth)
    size = _n(broadest + 2 * MARGIN), _n(top)
    label = escape(" ".join(shown(token.form) for sentence in each for token in sentence.tokens))
    paper = '<rect class="paper" width="100%" height="100%" rx="8"/>\n' if background else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treaty" role="img" aria-label="{label}" '
        f'width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}">\n'
        f"<style>\n{STYLE}{PAPER if background else ''}</style>\n{paper}{''.join(parts)}</svg>\n"
    )


def trees_html(
    sentences: Iterable[Sentence],
    *,
    title: str = "Trees",
    width: float = 1100,
    tags: bool = True,
    certificates: Sequence[Certificate | None] | None = None,
) -> str:
    """Draw dependency trees on a standalone page, each below its text.

    Parameters
    ----------
    sentences
        The sentences.
    title
        The heading of the page.
    width, tags, certificates
        As in `tree_svg`.

    Returns
    -------
    str
        A self-contained HTML document.

    Examples
    --------
    >>> from treaty.text import Sentence, Token
    >>> page = trees_html([Sentence([Token("Yes", head=0, deprel="root")])], title="Q & A")
    >>> "<h1>Q &amp; A</h1>" in page, page.count("<svg")
    (True, 1)
    """
    each = list(sentences)
    figures = []
    for sentence, certificate in zip(each, _for_each(certificates, len(each)), strict=True):
        text = escape(shown(sentence.text, longest=10_000))
        svg = tree_svg(sentence, width=width, tags=tags, background=False, certificates=certificate)
        figures.append(f'<figure>\n<figcaption dir="auto">{text}</figcaption>\n{svg}</figure>\n')
    return PAGE.format(title=escape(shown(title, 200)), figures="".join(figures))


def _for_each(
    certificates: Certificate | Sequence[Certificate | None] | None, sentences: int
) -> Sequence[Certificate | None]:
    if certificates is None:
        return [None] * sentences
    each = list(certificates) if isinstance(certificates, Sequence) else [certificates]
    if len(each) != sentences:
        raise UsageError(f"expected {sentences} certificates, one per sentence, got {len(each)}")
    return each


def _draw(
    sentence: Sentence, width: float, tags: bool, certificate: Certificate | None
) -> tuple[str, float, float]:
    """Draw one tree; return it with its height and width."""
    forms = [shown(token.form) for token in sentence.tokens]
    below = [tag_of(token) if tags else "" for token in sentence.tokens]
    rows = lay_out(forms, below, arcs_of(sentence), width)
    breadth = max((row.width for row in rows), default=0.0)
    mirrored = reads_from_the_right(forms)
    parts, top = [], 0.0
    for row in rows:
        base = top + HEAD_ROOM + LEVEL * row.levels
        pen = _Pen(base, breadth if mirrored else None)
        parts += [pen.span(span) for span in row.spans]
        parts += pen.words(row, forms, below, numbers=len(rows) > 1)
        top = base + WORD + 4 + (LABEL + 3) * (tags + (len(rows) > 1)) + FOOT
    top -= FOOT if rows else 0.0
    if certificate is not None:
        line = certificate_line(certificate)
        top += 2 * LABEL
        parts.append(f'<text class="small note" x="0" y="{_n(top)}">{escape(line)}</text>\n')
        breadth = max(breadth, text_width(line, LABEL))
    return "".join(parts), top, breadth


class _Pen:
    """Draws one row: words below ``base``, arcs above it, mirrored if a width is given."""

    def __init__(self, base: float, mirror: float | None) -> None:
        self.base = base
        self.mirror = mirror

    def x(self, x: float) -> float:
        return x if self.mirror is None else self.mirror - x

    def span(self, span: Span) -> str:
        arc = span.arc
        y = self.base - LEVEL * span.level
        kinds = ["arc"]
        kinds += ["root"] if arc.head == 0 else [] if arc.projective else ["crossing"]
        kinds += ["leaving"] if span.leaves else []
        tip = None if (arc.word not in (span.first, span.last)) else self._tip(span)
        arrow = "" if tip is None else _arrow(tip, self.base)
        label = _text(self.x(span.label_at), y - 4, span.text, "small")
        return (
            f'<g class="{" ".join(kinds)}" data-head="{arc.head}" data-word="{arc.word}" '
            f'data-level="{span.level}">'
            f'<path d="{self._path(span, y)}"/>{arrow}{label}</g>\n'
        )

    def _tip(self, span: Span) -> float:
        return self.x(span.end if span.last == span.arc.word else span.start)

    def _path(self, span: Span, y: float) -> str:
        start, end = self.x(span.start), self.x(span.end)
        foot = _n(self.base - 2)
        if span.arc.head == 0:
            return f"M{_n(start)} {_n(y)}V{foot}"
        turn = ROUND if start < end else -ROUND
        rise = f"M{_n(start)} {foot}V{_n(y + ROUND)}q0 {-ROUND} {turn} {-ROUND}"
        fall = f"H{_n(end - turn)}q{turn} 0 {turn} {ROUND}V{foot}"
        if span.first is None:
            return f"M{_n(start)} {_n(y)}{fall}"
        return f"{rise}H{_n(end)}" if span.last is None else rise + fall

    def words(
        self, row: Row, forms: Sequence[str], below: Sequence[str], *, numbers: bool
    ) -> Iterator[str]:
        for word in range(row.first, row.last + 1):
            x, y = self.x(row.centers[word]), self.base + WORD
            yield _text(x, y, forms[word - 1], "word")
            y += 4
            if any(below):
                y += LABEL + 3
                yield _text(x, y, below[word - 1], "small tag")
            if numbers:
                yield _text(x, y + LABEL + 3, str(word), "small tag")


def _arrow(x: float, y: float) -> str:
    left, right, top = _n(x - 3.5), _n(x + 3.5), _n(y - 7)
    return f'<polygon points="{left},{top} {right},{top} {_n(x)},{_n(y)}"/>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}">{escape(text)}</text>\n' if text else ""


def _n(number: float) -> str:
    """Format a coordinate with as many digits as are visible."""
    return f"{number:.1f}".removesuffix(".0")
