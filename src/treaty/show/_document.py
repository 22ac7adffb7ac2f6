"""Documents in notebooks: trees, and the text with its entities."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from treaty.show._arcs import visible
from treaty.show._tree_svg import tree_svg

if TYPE_CHECKING:
    from treaty.parse import Document

__all__ = ["document_html"]


def document_html(document: Document, *, most: int = 50) -> str:
    """Draw the trees of a document, below its text if that has entities.

    Parameters
    ----------
    document
        The document.
    most
        Maximum number of sentences that are drawn.

    Returns
    -------
    str
        A ``<div>`` element in the colors of the page; the text is escaped.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.parse import Document
    >>> tea = Sentence.from_words(["tea", "&", "milk"]).with_tree([0, 3, 1], ["root", "cc", "conj"])
    >>> html = document_html(Document("tea & milk", [tea]))
    >>> html[:4], ">tea<" in html, ">conj<" in html
    ('<div', True, True)
    """
    drawn, more = document.sentences[:most], len(document.sentences) - most
    end = document.sentence_spans[len(drawn) - 1][1] if drawn else 0
    parts = [_marked(document, end)] if document.entities else []
    if drawn:
        worth = document.certificates[:most] or None
        parts.append(tree_svg(drawn, background=False, certificates=worth))
    if more > 0:
        parts.append(f"<p>… and {more:,} more {'sentence' if more == 1 else 'sentences'}</p>\n")
    return f'<div style="overflow-x: auto">\n{"".join(parts)}</div>\n'


def _marked(document: Document, end: int) -> str:
    """Mark the entities in the text, as far as it is drawn."""
    parts, at = [], 0
    for entity in sorted(document.entities, key=lambda entity: entity.start):
        if at <= entity.start and entity.end <= end:
            name, kind = escape(visible(entity.text)), escape(visible(entity.type))
            before = escape(visible(document.text[at : entity.start]))
            parts.append(f"{before}<mark>{name} <small>{kind}</small></mark>")
            at = entity.end
    rest = escape(visible(document.text[at:end]))
    return f'<p dir="auto" style="white-space: pre-wrap">{"".join(parts)}{rest}</p>\n'
