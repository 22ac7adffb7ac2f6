"""Entities in the terminal, as an HTML page, as JSON and as columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from treaty.show._arcs import visible
from treaty.text import ColumnSentence, convert_labels

if TYPE_CHECKING:
    from rich.text import Text

    from treaty.label import LabeledMessage

__all__ = ["entities_columns", "entities_html", "entities_json", "entities_terminal"]

COLORS = ("blue", "green", "magenta", "yellow", "cyan", "red")
"""Colors of types in alphabetical order, repeated if there are more types."""
# Background and text of each color, on white and on black; contrast is at least 7 to 1.
SHADES = {
    "blue": ("#dbe8ff", "#123a7a", "#15305e", "#d5e4ff"),
    "green": ("#d8f3dc", "#0b4a22", "#123f24", "#d3f5dc"),
    "magenta": ("#fbdff3", "#6b0f4e", "#571341", "#ffdcf3"),
    "yellow": ("#fff0c2", "#5a3d00", "#4a3600", "#ffeeb5"),
    "cyan": ("#d5f2f5", "#0a4650", "#0d3f49", "#d0f4f8"),
    "red": ("#ffe0dc", "#7a1a0c", "#5c1a10", "#ffdfda"),
}
STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1b1f; --faint: #5c5c66; }
body { background: var(--page); color: var(--ink); font: 1rem/1.9 system-ui, sans-serif;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
p { margin: 0 0 0.6rem; overflow-wrap: anywhere; white-space: pre-wrap; }
mark { border-radius: 0.3rem; padding: 0.1rem 0.35rem; }
mark small { font-size: 0.68rem; font-weight: 600; margin-left: 0.35rem; letter-spacing: 0.03em; }
footer { color: var(--faint); font-size: 0.85rem; margin-top: 2rem; }
"""


def entities_terminal(labeled: LabeledMessage, types: Sequence[str]) -> Text:
    """Color the entities of a message, followed by their types.

    Parameters
    ----------
    labeled
        A labeled message.
    types
        All types, to assign colors.

    Returns
    -------
    rich.text.Text
        Text for a rich console.
    """
    from rich.text import Text

    text = Text()
    for piece, kind in _pieces(labeled):
        text.append(
            visible(" ".join(piece.splitlines())), f"bold {color_of(kind, types)}" if kind else ""
        )
        if kind:
            text.append(f" {visible(kind)}", "dim")
    return text


def entities_html(labeled: Iterable[LabeledMessage], types: Sequence[str]) -> str:
    """Write messages as a standalone page, for light and dark mode.

    Parameters
    ----------
    labeled
        Labeled messages, each of which becomes a paragraph.
    types
        All types, to assign colors.

    Returns
    -------
    str
        HTML; the texts are escaped.
    """
    paragraphs, groups = [], {}
    for message in labeled:
        parts = [
            _mark(message, piece, number, kind) if kind else escape(piece)
            for number, (piece, kind) in _numbered(message)
        ]
        paragraphs.append(f"<p>{''.join(parts)}</p>\n")
        groups[message.group] = message.status
    proved = sum(status == "OPTIMAL" for status in groups.values())
    rules = [STYLE, *_rules(types, 0), "@media (prefers-color-scheme: dark) {"]
    rules += [":root { --page: #17171a; --ink: #ececf1; --faint: #a0a0ab; }", *_rules(types, 2)]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Entities</title>\n<style>{chr(10).join([*rules, '}'])}</style>\n</head>\n<body>\n"
        f"{''.join(paragraphs)}<footer>The labels of {proved} of {len(groups)} groups of messages "
        "are proved optimal under the model.</footer>\n</body>\n</html>\n"
    )


def entities_json(labeled: LabeledMessage) -> str:
    """Write a labeled message as one line of JSON."""
    return json.dumps(labeled.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"


def entities_columns(
    labeled: LabeledMessage, source: ColumnSentence | None = None, scheme: str = "BIO"
) -> ColumnSentence:
    """Convert the labels of a message to columns, with the certificate in comments.

    Parameters
    ----------
    labeled
        A labeled message.
    source
        The sentence it was read from; its other columns and comments are kept.
    scheme
        The scheme of the labels.
    """
    rows = source or ColumnSentence([(word,) for word in labeled.message.words])
    made = rows.with_labels(convert_labels(labeled.labels, scheme))
    kept = [line for line in made.comments if line.split(" = ")[0] not in COMMENTS]
    values = (labeled.group, labeled.status, f"{round(labeled.gap, 6):g}")
    worth = [f"{name} = {value}" for name, value in zip(COMMENTS, values, strict=True)]
    made.comments = [*kept, *worth]
    return made


COMMENTS = ("# group", "# status", "# gap")


def color_of(kind: str, types: Sequence[str]) -> str:
    """Return the color of a type."""
    place = types.index(kind) if kind in types else len(types)
    return COLORS[place % len(COLORS)]


def _pieces(labeled: LabeledMessage) -> list[tuple[str, str]]:
    """Split the text of a message at its entities: pieces, with their types."""
    text, at = labeled.message.text, labeled.start
    pieces = []
    for entity in labeled.entities:
        pieces += [(text[at : entity.start], ""), (entity.text, entity.type)]
        at = entity.end
    pieces.append((text[at : labeled.end], ""))
    return [(piece, kind) for piece, kind in pieces if piece]


def _numbered(labeled: LabeledMessage) -> Iterable[tuple[int, tuple[str, str]]]:
    """Assign numbers to the pieces that are entities."""
    number = -1
    for piece, kind in _pieces(labeled):
        number += bool(kind)
        yield number, (piece, kind)


def _mark(labeled: LabeledMessage, piece: str, number: int, kind: str) -> str:
    confidence = labeled.entities[number].confidence
    sure = "" if confidence is None else f", confidence {confidence:.0%}"
    return (
        f'<mark data-type="{escape(kind)}" title="{escape(kind)}{sure}">'
        f"{escape(piece)}<small>{escape(kind)}</small></mark>"
    )


def _rules(types: Sequence[str], first: int) -> list[str]:
    """Write the colors of all types; two shades from index `first` on."""
    rules = []
    for kind in types:
        back, ink = SHADES[color_of(kind, types)][first : first + 2]
        name = "".join(f"\\{ord(c):x} " if not c.isalnum() else c for c in kind)
        rules.append(f'mark[data-type="{name}"] {{ background: {back}; color: {ink}; }}')
    return rules
