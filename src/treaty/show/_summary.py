"""Summaries with their cuts, in the terminal or as an HTML page; and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from treaty.show._arcs import visible

if TYPE_CHECKING:
    from rich.text import Text

    from treaty.summarize import CompressedSentence, Digest

__all__ = [
    "compressed_json",
    "cuts_terminal",
    "cuts_text",
    "summary_html",
    "summary_json",
    "summary_note",
]

MEANING = {
    "OPTIMAL": "proved: no summary within the limits has a higher score",
    "FRACTIONAL": "the relaxation is solved, and the summary is rounded",
    "FEASIBLE": "stopped at a limit, with the best summary so far",
    "UNKNOWN": "no summary was found",
}
TAGS = {"cut": "del", "added": "ins"}
MARKS = {"kept": ("", ""), "cut": ("[", "]"), "added": ("{", "}")}
STYLES = {"kept": "", "cut": "dim strike", "added": "underline"}
STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1b1f; --faint: #5c5c66;
        --cut: #767680; --line: #e2e2e8; --bar: #3565c4; }
@media (prefers-color-scheme: dark) {
  :root { --page: #17171a; --ink: #ececf1; --faint: #a0a0ab; --cut: #84848f; --line: #303036;
          --bar: #7ea6ff; }
}
body { background: var(--page); color: var(--ink); font: 1.0625rem/1.65 system-ui, sans-serif;
       max-width: 44rem; margin: 2.5rem auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 0.9rem; }
h2 { font-size: 1rem; margin: 2.4rem 0 0.4rem; }
section + section { border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 2rem; }
ol { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 0.85rem 0; }
li p { margin: 0 0 0.35rem; }
del { color: var(--cut); text-decoration: none; }
small { display: flex; gap: 0.6rem; align-items: center; color: var(--faint);
        font-size: 0.82rem; line-height: 1.4; }
small span:first-child { flex: 1; }
small span:last-child { min-width: 4.6rem; text-align: right; }
meter { appearance: none; width: 5rem; height: 0.4rem; flex: none; }
meter::-webkit-meter-bar { background: var(--line); border: 0; border-radius: 0.2rem; }
meter::-webkit-meter-optimum-value { background: var(--bar); border-radius: 0.2rem; }
meter::-moz-meter-bar { background: var(--bar); }
footer { color: var(--faint); font-size: 0.85rem; margin-top: 1rem;
         border-top: 1px solid var(--line); padding-top: 0.8rem; }
"""


def summary_html(digests: Iterable[Digest]) -> str:
    """Write summaries as a standalone page, for light and dark mode.

    Each is shown twice: as text, and sentence by sentence as in the sources, with cut words in
    gray, the source, the contribution to the score, and the certificate.

    Parameters
    ----------
    digests
        Summaries.

    Returns
    -------
    str
        HTML; the texts are escaped.
    """
    sections = "".join(_section(digest) for digest in digests)
    return (
        '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Summary</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{sections}"
        "</body>\n</html>\n"
    )


def _section(digest: Digest) -> str:
    title = "Summary" if digest.id is None else f"Summary of {digest.id}"
    most = max((sentence.score for sentence in digest.sentences), default=0.0)
    items = "".join(_item(sentence, most) for sentence in digest.sentences)
    text = escape(digest.text) or "Nothing fits within the limits."
    return (
        f"<section>\n<h1>{escape(title)}</h1>\n<p>{text}</p>\n"
        f"<h2>Sentence by sentence</h2>\n<ol>\n{items}</ol>\n"
        f"<footer>{escape(summary_note(digest))}</footer>\n</section>\n"
    )


def _item(sentence: CompressedSentence, most: float) -> str:
    parts = [
        escape(piece) if change == "kept" else f"<{TAGS[change]}>{escape(piece)}</{TAGS[change]}>"
        for piece, change in sentence.pieces
    ]
    level = max(0.0, sentence.score) / most if most > 0 else 0.0
    score = f"{sentence.score:.4g}"
    return (
        f"<li><p>{''.join(parts).strip()}</p>\n<small><span>{escape(_origin(sentence))}</span>"
        f'<meter value="{level:.3f}" aria-label="score {score}"></meter>'
        f"<span>score {score}</span></small></li>\n"
    )


def _origin(sentence: CompressedSentence) -> str:
    """Format the source of a sentence."""
    named = sentence.title or sentence.id or f"document {sentence.document}"
    about = [str(named), *([sentence.date] if sentence.date else [])]
    return f"{', '.join(about)}: sentence {sentence.number}"


def summary_note(digest: Digest) -> str:
    """Format the certificate of a summary in one line."""
    documents = "document" if digest.documents == 1 else "documents"
    share = digest.gap / abs(digest.bound) if digest.bound else 0.0
    return (
        f"{digest.words} of {digest.limit} words, from {digest.documents} {documents}, "
        f"{digest.mode}. {digest.status.value} ({MEANING[digest.status.value]}): "
        f"objective {digest.objective:.6g}, bound {digest.bound:.6g}, "
        f"gap {digest.gap:.4g} ({share:.2%}). "
        f"Solver {digest.method}, {digest.iterations} iterations, {digest.seconds:.2f} s."
    )


def summary_json(digest: Digest) -> str:
    """Write a summary as one line of JSON, which ``treaty evaluate`` reads."""
    return json.dumps(digest.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"


def compressed_json(sentence: CompressedSentence) -> str:
    """Write a compressed sentence as one line of JSON."""
    return json.dumps(sentence.to_dict(), ensure_ascii=False, allow_nan=False) + "\n"


def cuts_text(sentence: CompressedSentence) -> str:
    """Write a sentence as in its source, with cut words in brackets and added ones in braces."""
    parts = []
    for piece, change in sentence.pieces:
        words = piece.rstrip()
        opening, closing = MARKS[change]
        parts.append(f"{opening}{words}{closing}{piece[len(words) :]}")
    return "".join(parts).strip()


def cuts_terminal(sentences: Sequence[CompressedSentence], *, origins: bool = True) -> Text:
    """Write sentences for a terminal, with cut words dimmed, and their sources.

    Returns
    -------
    rich.text.Text
        Text for a rich console.
    """
    from rich.text import Text

    text = Text()
    for sentence in sentences:
        for piece, change in sentence.pieces:
            text.append(visible(" ".join(piece.splitlines())), STYLES[change])
        text.append("\n")
        if origins:
            text.append(f"  {visible(_origin(sentence))}, score {sentence.score:.4g}\n", "cyan")
    return text
