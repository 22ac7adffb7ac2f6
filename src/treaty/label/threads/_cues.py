"""Cue words for types of posts: questions, answers, thanks and others."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["TYPES", "type_of", "words_of"]

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
MOST_WORDS = 200
"""Number of words of a post that are used."""

TYPES = (
    "question", "thanks", "greeting", "agreement", "refusal", "apology", "request", "reason",
    "contrast", "laughter", "silence", "statement",
)  # fmt: skip
"""Types of posts, the sentence types of the papers; the first that matches is used."""

CUES = {
    "question": "what why how where when who whom which whose anyone anybody any whats what's "
    "how's where's who's",
    "thanks": "thanks thank thx ty cheers tnx thnx thankyou",
    "greeting": "hi hello hey hiya bye goodbye welcome yo gl gg morning evening night",
    "agreement": "yes yeah yep yup yea ya ok okay k sure right exactly indeed agreed true fine "
    "alright great cool nice good correct aye done deal yay ah oh",
    "refusal": "no nope nah not never none neither nothing",
    "apology": "sorry sry oops whoops unfortunately afraid apologies",
    "request": "try use run go get check look see type put read click edit open install remove "
    "add make give take let let's please pls plz just sudo set ask tell wait",
    "reason": "because cause cos since so therefore then thus if",
    "contrast": "but however though although still or instead otherwise except",
    "laughter": "lol haha hehe heh hah rofl lmao hahaha hm hmm hmmm wow",
}
KINDS = {word: kind for kind, words in CUES.items() for word in words.split()}
VERBS = "can could would will shall should do does did is are have has"
SUBJECTS = "you u i we they he she it anyone anybody someone there this that"
ASKING = {(verb, subject) for verb in VERBS.split() for subject in SUBJECTS.split()}
"""Inversion of verb and subject: a question without a question mark."""


def words_of(text: str) -> list[str]:
    """Split a text into lower-case words and punctuation.

    Examples
    --------
    >>> words_of("Isn't it?")
    ["isn't", 'it', '?']
    """
    # Words are at least a letter and a space, and long ones are rare: this much text is enough.
    return WORD.findall(text[: 16 * MOST_WORDS].lower())[:MOST_WORDS]


def type_of(words: Sequence[str]) -> int:
    """Guess the type of a post from its punctuation and first words; an index into `TYPES`.

    Examples
    --------
    >>> TYPES[type_of(["any", "sheep", "?"])], TYPES[type_of(["sorry", ",", "no"])]
    ('question', 'apology')
    """
    spoken = [word for word in words if word[0].isalnum()]
    if "?" in words or tuple(spoken[:2]) in ASKING or tuple(spoken[1:3]) in ASKING:
        return TYPES.index("question")
    if not spoken:
        return TYPES.index("silence")
    kinds = (KINDS[word] for word in spoken[:2] if word in KINDS)
    return TYPES.index(next(kinds, "statement"))
