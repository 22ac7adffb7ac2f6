"""Rule-based sentence splitter and tokenizer for languages with spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treaty.text import Sentence, sentence_from_spans

__all__ = ["all_words", "split_sentences", "split_text", "words_of"]

Span = tuple[int, int]

# Combining vowel signs and accents are not letters to Python, but belong to words.
LETTERS = (
    r"[\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0962\u0963"
    r"\u0e31\u0e34-\u0e4e]"
)
TOKEN = re.compile(rf"{LETTERS}+(?:[-.]{LETTERS}+)*|\.\.+|[^\w\s]")
WORD = re.compile(rf"{LETTERS}+")
PARAGRAPH = re.compile(r"\S(?:(?!\n\s*\n)[\s\S])*")
END = re.compile(
    r"""((?<![.!?…;।؟。！？])[.!?…;।؟。！？]+(?:\s?»|["”’')\]])*)\s+(?=["“«„‘'(\[¿¡]?[^\Wa-zà-öø-ÿα-ω])"""
)
INITIAL = re.compile(r"(?:^|\W)(?:[^\W\d_]|[A-ZÀ-Ö][a-zà-ö]{1,2})\.$")
"""A period that does not end a sentence: after an initial, or a short title such as Dr. or Mme."""
LONGEST = 2000
"""Maximum number of characters of a sentence; longer ones are split."""


def split_sentences(text: str) -> Iterator[Span]:
    r"""Find the spans of the sentences of a text.

    Examples
    --------
    >>> text = "Il pleut. M. Petit dort.\n\nFin"
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Il pleut.', 'M. Petit dort.', 'Fin']
    """
    for paragraph in PARAGRAPH.finditer(text):
        start = paragraph.start()
        limit = start + len(paragraph[0].rstrip())
        for mark in END.finditer(text, start, limit):
            if not INITIAL.search(text, max(0, mark.start() - 4), mark.end(1)):
                yield from _pieces(text, start, mark.end(1))
                start = mark.end()
        yield from _pieces(text, start, limit)


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """Split a span that is too long, at spaces if there are any."""
    while end - start > LONGEST:
        blank = text.rfind(" ", start, start + LONGEST)
        cut = blank if blank > start else start + LONGEST
        yield start, cut
        start = cut
    yield start, end


def split_text(text: str) -> list[Sentence]:
    """Split a text into sentences, with tokens and the white space between them.

    Examples
    --------
    >>> [sentence.words for sentence in split_text("L'eau monte. Rien ne va plus !")]
    [['L', "'", 'eau', 'monte', '.'], ['Rien', 'ne', 'va', 'plus', '!']]
    """
    found = []
    for start, end in split_sentences(text):
        spans = [match.span() for match in TOKEN.finditer(text, start, end)]
        if spans:
            found.append(sentence_from_spans(text, spans))
    return found


def all_words(text: str) -> Iterator[str]:
    """Yield the words of a long text one by one, as `words_of` lists them."""
    return (match[0] for match in WORD.finditer(text.lower()))


def words_of(text: str) -> list[str]:
    """List the words of a text in lower case.

    >>> words_of("L'eau monte.")
    ['l', 'eau', 'monte']
    """
    return WORD.findall(text.lower())
