"""Whether a text looks like the language of a model: by its letters, and by the words it knows."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse._tagger import Tagger

__all__ = ["LanguageCheck", "LanguageWarning", "Vocabulary", "vocabulary_of"]

LEAST_KNOWN, LEAST_OFTEN = 1500, 25
"""Number of words, and of frequent words, that a model must know to tell languages apart."""
LEAST_SEEN, AT_ONCE = 12, 60
"""Number of different words that make a verdict possible, and of those judged together."""
MOST_KNOWN, MOST_OFTEN = 0.45, 0.16
"""Shares of known and of frequent words up to which a text looks like another language's."""
FEW_SEEN, MOST_OF_FEW = 6, 0.5
"""Number of words that are enough if none of them is frequent, and at most this share known."""
LEAST_WORDS, LEAST_SHARE = 4, 0.7
"""A sentence counts if it has so many words, and they are this share of its tokens: others are
code, tables, lists and names."""
LEAST_LETTERS, MOST_LETTERS = 24, 0.5
"""Number of letters that make a verdict possible; the share of letters that are not the model's
from which on they are those of another script."""
COMMON_LETTER = 5
"""Number of known words that have a letter of the language's alphabet."""


class LanguageWarning(UserWarning):
    """A text does not look like the language of the model that it is given to."""


class Vocabulary:
    """What a model knows of its language.

    Parameters
    ----------
    known
        Words in lower case.
    often
        The frequent ones.
    language
        The name of the language, if it is known.
    """

    def __init__(self, known: Iterable[str], often: Iterable[str], language: str = "") -> None:
        self.known, self.language = frozenset(known), language
        self.often = frozenset(word.lower() for word in often if word.isalpha())
        counts = Counter(letter for word in self.known for letter in set(word) if letter.isalpha())
        self.letters = frozenset(letter for letter, n in counts.items() if n >= COMMON_LETTER)

    @property
    def is_enough(self) -> bool:
        """Whether it is large enough to tell languages apart."""
        return len(self.known) >= LEAST_KNOWN and len(self.often) >= LEAST_OFTEN


def vocabulary_of(tagger: Tagger | None, language: object = None) -> Vocabulary | None:
    """Return the vocabulary of a tagger's dictionary, or None if it is too small."""
    if tagger is None:
        return None
    dictionary = tagger.taggers[0].dictionary
    name = language or tagger.info.get("language") or ""
    made = Vocabulary(dictionary.known, dictionary.words, str(name))
    return made if made.is_enough else None


class LanguageCheck:
    """Looks at sentences, and tells once if they look like those of another language.

    Names, words in capitals, numbers, code and tables do not count, nor do texts of a few words.

    Parameters
    ----------
    vocabulary
        What the model knows; without it nothing is ever told.

    Attributes
    ----------
    message
        What to tell the user; empty as long as nothing is wrong.
    """

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self.message, self._vocabulary = "", vocabulary
        self._start()

    def _start(self) -> None:
        self._words = set[str]()
        self._letters = self._foreign = 0

    def see(self, sentences: Iterable[Sentence]) -> None:
        """Look at more sentences of a text."""
        if self._vocabulary is None or self.message:
            return
        for sentence in sentences:
            self._see(sentence, self._vocabulary)
            if len(self._words) >= AT_ONCE:
                self.judge()

    def judge(self) -> None:
        """Judge what was seen since the last time; to be called at the end of a text, too."""
        if self._vocabulary is None or self.message:
            return
        of = f"do not look like {self._vocabulary.language or 'the language of the model'}"
        way = "the results may be poor (see 'treaty info' for models, 'treaty train' for your own)"
        if self._letters >= LEAST_LETTERS and self._foreign > MOST_LETTERS * self._letters:
            self.message = f"the letters of the text {of}; {way}"
        elif (seen := len(self._words)) >= FEW_SEEN:
            known = len(self._words & self._vocabulary.known)
            often = len(self._words & self._vocabulary.often)
            enough = seen >= LEAST_SEEN
            most = (MOST_KNOWN, MOST_OFTEN) if enough else (MOST_OF_FEW, 0.0)
            if known <= most[0] * seen and often <= most[1] * seen:
                share = f"{known} of {seen} known"
                self.message = f"the words of the text {of} ({share}); {way}"
        self._start()

    def warn(self, stacklevel: int = 3) -> None:
        """Warn of what was found, if anything."""
        if self.message:
            warnings.warn(self.message, LanguageWarning, stacklevel=stacklevel)

    def _see(self, sentence: Sentence, own: Vocabulary) -> None:
        tokens = [token.form for token in sentence.tokens]
        for token in tokens:
            letters = [letter for letter in token.lower() if letter.isalpha()]
            self._letters += len(letters)
            self._foreign += sum(letter not in own.letters for letter in letters)
        words = [token for token in tokens if token.isalpha()]
        if len(words) < max(LEAST_WORDS, LEAST_SHARE * len(tokens)):
            return
        self._words.update(word for word in words if len(word) > 1 and word == word.lower())
