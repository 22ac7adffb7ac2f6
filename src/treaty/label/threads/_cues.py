"""Cue words for types of posts: questions, answers, thanks and others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treaty.languages import Posts

__all__ = ["TYPES", "type_of", "words_of"]

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
MOST_WORDS = 200
"""Number of words of a post that are used."""

TYPES = (
    "question", "thanks", "greeting", "agreement", "refusal", "apology", "request", "reason",
    "contrast", "laughter", "silence", "statement",
)  # fmt: skip
"""Types of posts, the sentence types of the papers; the first that matches is used."""

QUESTION = "question"


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words and punctuation.

    Examples
    --------
    >>> words_of("Isn't it?")
    ["isn't", 'it', '?']
    """
    # Words are at least a letter and a space, and long ones are rare: this much text is enough.
    return WORD.findall(text[: 16 * MOST_WORDS].lower())[:MOST_WORDS]


def type_of(words: Sequence[str], posts: Posts) -> int:
    """Guess the type of a post from its punctuation and first words; an index into `TYPES`.

    Examples
    --------
    >>> from treaty.languages import get
    >>> english = get("en").posts
    >>> [TYPES[type_of(post.split(), english)] for post in ("any sheep ?", "sorry , no", "is it")]
    ['question', 'apology', 'question']
    """
    spoken = [word for word in words if word[0].isalnum()]
    if "?" in words or any(_asks(spoken[n : n + 2], posts) for n in (0, 1)):
        return TYPES.index(QUESTION)
    if not spoken:
        return TYPES.index("silence")
    kinds = (kind for word in spoken[:2] for kind, known in posts.cues.items() if word in known)
    return TYPES.index(next(kinds, "statement"))


def _asks(pair: Sequence[str], posts: Posts) -> bool:
    """Return whether a verb stands before its subject: a question without a question mark."""
    return len(pair) == 2 and pair[0] in posts.verbs and pair[1] in posts.subjects
