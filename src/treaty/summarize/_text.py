"""The text of a compressed sentence: spacing, capitalization and final punctuation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from treaty.summarize._marks import CLOSING, ENDS
from treaty.summarize._source import Bools, Source
from treaty.text import Sentence
from treaty.text._spaces import space_after

__all__ = ["SurfaceWord", "closed", "ended", "is_ended", "surface_of", "text_of_tokens"]

PAIRS = (("“", "”"), ("«", "»"))
NO_SPACE_BEFORE = frozenset(",;:%)]}”»") | ENDS | {"''", "’"}
GLUED, GLUING = frozenset(",.)]}”"), frozenset("([{“")
NO_SPACE_AFTER = frozenset("([{“„«‘$£€") | {"``"}


def text_of_tokens(
    source: Source, kept: Bools, added: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Write the remaining tokens of a sentence.

    Adjacent tokens are spaced as in the source. The first letter is capitalized, but for names of
    speakers of a chat. A period is added if there is no final mark, a colon after a headline, and a
    quotation that another sentence begins or ends is closed here.

    Parameters
    ----------
    source
        The sentence.
    kept
        Which of its tokens are kept, including punctuation (`with_marks`).
    added
        Words to write before a token.

    Examples
    --------
    >>> import numpy as np
    >>> source = Source(0, 0, Sentence.from_words(["Sadly", "it", "rained"]))
    >>> text_of_tokens(source, np.array([False, True, True]))
    'It rained.'
    """
    text, before = "", None
    for word in surface_of(source.sentence):
        if kept[word.begin : word.end].any():
            text += " " if before is not None and _is_spaced(before, word) else ""
            text += f"{added[word.begin]} {word.form}" if word.begin in added else word.form
            before = word
    names_speaker = source.is_turn and not source.place
    whole = text if names_speaker else _capitalized(text)
    return closed(ended(whole, ":" if source.is_headline else "."))


def closed(text: str) -> str:
    """Add the quotation mark that is missing, if one is.

    >>> closed('“It rained.'), closed('It rained," she said.'), closed('A 5" pipe.')
    ('“It rained.”', '"It rained," she said.', 'A 5" pipe.')
    """
    for opening, closing in PAIRS:
        balance = text.count(opening) - text.count(closing)
        if balance == 1:
            text += closing
        elif balance == -1:
            text = opening + text
    marks = [n for n, mark in enumerate(text) if mark == '"' and not text[n - 1 : n].isdigit()]
    if len(marks) % 2:
        closes = marks[0] > 0 and not text[marks[0] - 1].isspace()
        text = f'"{text}' if closes else f'{text}"'
    return text


class SurfaceWord(NamedTuple):
    """A token of the text; it may consist of several syntactic words."""

    begin: int
    end: int
    form: str
    is_spaced: bool
    """Whether a space follows."""


def surface_of(sentence: Sentence) -> list[SurfaceWord]:
    """List the tokens of the text, with the syntactic words of each.

    >>> [word.form for word in surface_of(Sentence.from_words(["It", "rained"]))]
    ['It', 'rained']
    """
    several = {word.first - 1: word.last for word in sentence.multiword_tokens}
    found, begin = list[SurfaceWord](), 0
    for form, misc in sentence.surface():
        end = several.get(begin, begin + 1)
        found.append(SurfaceWord(begin, end, form, bool(space_after(misc))))
        begin = end
    return found


def _is_spaced(before: SurfaceWord, after: SurfaceWord) -> bool:
    """Return whether a space separates two tokens: as in the source if they were adjacent.

    Text that was tokenized before may have unwanted spaces.
    """
    if before.end == after.begin:
        return before.is_spaced and after.form not in GLUED and before.form not in GLUING
    return after.form not in NO_SPACE_BEFORE and before.form not in NO_SPACE_AFTER


def _capitalized(text: str) -> str:
    for place, character in enumerate(text):
        if character.isalnum():
            return text[:place] + character.upper() + text[place + 1 :]
    return text


def ended(text: str, mark: str = ".") -> str:
    """Add a mark, unless there is one at the end, or before closing quotes and brackets."""
    return text if not text or is_ended(text) else text + mark


def is_ended(text: str) -> bool:
    """Return whether a text ends with a mark, closing quotes and brackets aside."""
    bare = text.rstrip("".join(mark for mark in CLOSING if len(mark) == 1) + " ")
    return any(bare.endswith(mark) for mark in ENDS)
