"""Shared parts of tree drawings: arcs, and words that are safe to display."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.errors import InputError
from treaty.show._plain import short
from treaty.text import nonprojective_arcs

if TYPE_CHECKING:
    from treaty.solve import Certificate
    from treaty.text import Sentence, Token

__all__ = [
    "Arc",
    "arcs_of",
    "certificate_line",
    "drawn_parts",
    "reads_from_the_right",
    "shown",
    "tag_of",
    "visible",
]

LONGEST = 32  # characters of a word that are shown
MOST_DRAWN = 300  # words of a sentence that are drawn as one tree
FAR = 12  # characters shown of a head in another part
HIDDEN = {"Cc", "Cs", "Co", "Cn"}  # control characters, surrogates, private use and unassigned
TURNING = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc of a tree; words are numbered from 1, and head 0 is the root."""

    head: int
    word: int
    label: str
    projective: bool

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last of its two words."""
        return min(self.head, self.word), max(self.head, self.word)


def drawn_parts(sentence: Sentence) -> list[Sentence]:
    """Cut a sentence of more than 300 words into parts that are drawn one below the other.

    Time and size of a drawing grow faster than the sentence. An arc from another part is drawn like
    one from the root, and its label names the head.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> long = Sentence.from_words(["so"] * 301).with_tree([0] + [1] * 300, ["x"] * 301)
    >>> [(len(part), part.tokens[0].deprel) for part in drawn_parts(long)]
    [(300, 'x'), (1, 'x ← 1 so')]
    """
    if len(sentence) <= MOST_DRAWN:
        return [sentence]
    if max(sentence.heads) > len(sentence):
        arcs_of(sentence)  # raises InputError
    parts = []
    for start in range(0, len(sentence), MOST_DRAWN):
        own = [token.copy() for token in sentence.tokens[start : start + MOST_DRAWN]]
        for token in own:
            if 0 < token.head <= start or token.head > start + len(own):
                far = shown(sentence.tokens[token.head - 1].form, FAR)
                token.deprel, token.head = f"{token.deprel} ← {token.head} {far}", 0
            elif token.head > 0:
                token.head -= start
        parts.append(type(sentence)(own))
    return parts


def arcs_of(sentence: Sentence) -> list[Arc]:
    """List the arcs of a sentence; a word without a head has none."""
    heads = sentence.heads
    for word, head in enumerate(heads, 1):
        if head > len(heads) or head == word:
            cause = "its own head" if head == word else f"head {head}, which is not in the sentence"
            raise InputError(f"token {word} ({sentence.tokens[word - 1].form!r}) has {cause}")
    crossing = set(nonprojective_arcs([max(head, 0) for head in heads]))
    return [
        Arc(token.head, word, shown(token.deprel), word not in crossing)
        for word, token in enumerate(sentence.tokens, 1)
        if token.head >= 0
    ]


def shown(text: str, longest: int = LONGEST) -> str:
    """Make a text safe to display: not too long, and without control characters.

    Control characters would move a terminal's cursor and make XML invalid, and bidirectional marks
    would change the direction of the text that follows.
    """
    clean = visible(text)
    return clean if len(clean) <= longest else f"{clean[: longest - 1]}…"


def visible(text: str) -> str:
    """Replace control characters and bidirectional marks."""
    return "".join(c if _is_visible(c) else "\N{REPLACEMENT CHARACTER}" for c in text)


def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in HIDDEN and character not in TURNING


def tag_of(token: Token) -> str:
    """Return the tag to show: the coarse one, or else the fine one."""
    return shown(next((tag for tag in (token.upos, token.xpos) if tag != "_"), ""))


def reads_from_the_right(forms: Iterable[str]) -> bool:
    """Return whether most letters are of a right-to-left script such as Arabic or Hebrew."""
    directions = [unicodedata.bidirectional(c) for form in forms for c in form]
    return sum(d in ("R", "AL") for d in directions) > directions.count("L")


def certificate_line(certificate: Certificate) -> str:
    """Format the certificate of a tree in one line."""
    bound, gap = short(certificate.bound), short(round(certificate.gap, 9))
    return f"{certificate.status} · bound {bound} · gap {gap}"
