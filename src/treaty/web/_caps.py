"""How large the parts of a request may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from treaty.errors import TreatyError, UsageError

__all__ = ["Caps", "Limits", "TooLargeError", "caps_of"]

Item = TypeVar("Item")


class TooLargeError(TreatyError):
    """A request of which a part is larger than the server allows."""


@dataclass(frozen=True, slots=True)
class Caps:
    """How large the parts of a request may be; larger ones are refused with 413.

    Words are counted as those between spaces.

    Attributes
    ----------
    words
        Words of all texts of a request.
    sentence_words
        Words of a sentence whose words are given (tokens, CoNLL-U).
    message_words
        Words of a message.
    word_characters
        Characters of a word.
    sentences
        Sentences, messages or lines.
    posts
        Posts of all threads.
    documents
        Documents to summarize.
    variables, factors
        Variables (states, in a Markov network) and factors of a graph.
    links
        Variables of all factors, and entries of their tables.
    restarts
        Starts of an induction.
    tags
        Different tags of an induction.

    Examples
    --------
    >>> Caps(posts=3).check("posts", 4)
    Traceback (most recent call last):
    treaty.web._caps.TooLargeError: the request has more than 3 posts: send less at once, or start
    the server with --cap posts=N
    """

    words: int = 200_000
    sentence_words: int = 2_000
    message_words: int = 2_000
    word_characters: int = 20_000
    sentences: int = 20_000
    posts: int = 2_000
    documents: int = 500
    variables: int = 100_000
    factors: int = 100_000
    links: int = 1_000_000
    restarts: int = 1_000
    tags: int = 100

    def __post_init__(self) -> None:
        for one in fields(self):
            if getattr(self, one.name) < 1:
                raise UsageError(f"the cap {one.name} must be at least 1")

    def check(self, name: str, number: int) -> None:
        """Raise `TooLargeError` if there is more than the cap of this name allows."""
        most: int = getattr(self, name)
        if number > most:
            raise TooLargeError(
                f"the request has more than {most:,} {PHRASES.get(name, name)}: send less at once, "
                f"or start the server with --cap {name}=N"
            )

    def text(self, text: str) -> str:
        """Check the words of a text, and return it."""
        if len(text) <= min(self.words, self.word_characters):  # the usual case, at no cost
            return text
        words = text.split(maxsplit=self.words)
        self.check("words", len(words))
        self.check("word_characters", max(map(len, words), default=0))
        return text

    def counted(self, name: str, items: Iterable[Item]) -> Iterator[Item]:
        """Yield items; raise `TooLargeError` at the first that is too many."""
        for number, item in enumerate(items, 1):
            self.check(name, number)
            yield item


PHRASES = {
    "sentence_words": "words in a sentence",
    "message_words": "words in a message",
    "word_characters": "characters in a word",
    "links": "variables and table entries in its factors",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the work on a request.

    Attributes
    ----------
    time_limit
        Seconds at most.
    memory
        Megabytes, beside those of the models.
    caps
        How large its parts may be.
    """

    time_limit: float = 20.0
    memory: int = 1000
    caps: Caps = field(default_factory=Caps)

    def to_dict(self) -> dict[str, Any]:
        """Return these limits as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Limits:
        """Make limits from what `to_dict` returns."""
        return cls(**{**record, "caps": Caps(**record["caps"])})

    @staticmethod
    def grace(seconds: float) -> float:
        """Return how long work may go on after its limit, to end by itself, before it is killed."""
        return 1.0 + 0.1 * seconds


def caps_of(given: Iterable[str]) -> Caps:
    """Read caps as on the command line.

    Examples
    --------
    >>> caps_of(["words=1000"]).words
    1000
    >>> caps_of(["wolves=3"])
    Traceback (most recent call last):
    treaty.errors.UsageError: --cap wolves=3: expected NAME=N, with a name of words, sentence_words,
    message_words, word_characters, sentences, posts, documents, variables, factors, links,
    restarts, tags
    """
    names = [one.name for one in fields(Caps)]
    chosen = dict[str, int]()
    for text in given:
        name, _, number = text.partition("=")
        if name not in names or not number.isdecimal() or len(number) > 15:
            raise UsageError(f"--cap {text}: expected NAME=N, with a name of {', '.join(names)}")
        chosen[name] = int(number)
    return Caps(**chosen)
